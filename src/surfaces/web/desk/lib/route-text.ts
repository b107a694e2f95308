import { term, type Words } from '../words/index.js';

/** Why the graph took a step, in words. */
export interface StepReason {
  /** `Rule R9`, `Model`; null where the hub gave no authority. */
  readonly who: string | null;
  readonly why: string;
}

/** Reads what the supervisor noted: `rule:R9` or `model:<reason>`. */
export function stepReason(by: string, words: Words): StepReason {
  const at = by.indexOf(':');
  const [kind, rest] = at < 0 ? [by, ''] : [by.slice(0, at), by.slice(at + 1).trim()];
  if (kind === 'rule') {
    const known = Object.hasOwn(words.rule, rest);
    return { who: words.panel.byRule(rest), why: known ? term(words.rule, rest) : '' };
  }
  if (kind === 'model') return { who: words.panel.byModel, why: rest };
  return { who: null, why: by };
}
