import type { Words } from '../words/en.js';
import { term } from '../words/term.js';

/** Why the graph took a step, in words. */
export interface StepReason {
  /** `Rule R9`, `Model`; null where the hub gave no authority. */
  readonly who: string | null;
  readonly why: string;
}

/** Reads what the supervisor noted: `rule:R9`, `rule:R2:legal` or `model:<reason>`. */
export function stepReason(by: string, words: Words): StepReason {
  const at = by.indexOf(':');
  const [kind, rest] = at < 0 ? [by, ''] : [by.slice(0, at), by.slice(at + 1).trim()];
  if (kind === 'rule') {
    const [id = '', detail] = rest.split(':');
    const known = Object.hasOwn(words.rule, id) ? term(words.rule, id) : '';
    const more = detail === undefined || known === '' ? '' : ` (${term(words.reason, detail)})`;
    return { who: words.panel.byRule(id), why: `${known}${more}` };
  }
  if (kind === 'model') return { who: words.panel.byModel, why: rest };
  return { who: null, why: by };
}
