import type { JsonObject } from '../../core/domain/json.js';
import type { RecommendedAction } from '../../core/domain/skill.js';
import { TimeFormat } from '../../core/i18n/index.js';
import type { Scope } from '../expressions/condition.js';
import { type FillOptions, fillText, fillValue } from '../expressions/placeholders.js';
import type { Conclusion } from '../pack/tree-schema.js';
import type { SkillServices } from '../run/run-context.js';
import type { Finding } from './tree-state.js';

/** How times and amounts are written for people. */
type Notation = Pick<SkillServices, 'timeZone' | 'currency'>;

const DEFAULT_ZONE = 'America/Sao_Paulo';
const MAX_TEXT = 4_000;
/** Formatters are slow to make; an installation writes times in one zone. */
const formats = new Map<string, TimeFormat>();

function timesIn(zone: string): TimeFormat {
  const format = formats.get(zone) ?? new TimeFormat(zone);
  formats.set(zone, format);
  return format;
}

/** A decision that concludes, with the facts of the run in its words; null for a partial finding. */
export function toFinding(
  step: string,
  conclusion: Conclusion | undefined,
  confidence: number,
  scope: Scope,
  { timeZone = DEFAULT_ZONE, currency }: Notation = {},
): Finding | null {
  if (conclusion?.root_cause === undefined) return null;
  const time = timesIn(timeZone);
  const text = (template: string | undefined): string | null =>
    template === undefined ? null : filled(template, scope, { language: 'en', time, currency });
  const messages = Object.entries(conclusion.customer_message ?? {}).map(([language, template]) => [
    language,
    filled(template, scope, { language: language === 'pt-BR' ? 'pt-BR' : 'en', time, currency }),
  ]);
  return {
    step,
    rootCause: filled(conclusion.root_cause, scope),
    explanation: text(conclusion.explanation),
    impact: conclusion.impact ?? null,
    customerMessage: messages.length === 0 ? null : Object.fromEntries(messages),
    recommendedAction: recommendation(conclusion, scope),
    confidence,
    nextStep: null,
  };
}

/** What a decision says in one line, for the evidence. */
export function findingText(
  conclusion: Conclusion | undefined,
  decision: string,
  scope: Scope,
  { timeZone = DEFAULT_ZONE, currency }: Notation = {},
): string {
  const options = { language: 'en', time: timesIn(timeZone), currency } as const;
  const words = conclusion?.partial_finding ?? conclusion?.explanation ?? conclusion?.root_cause;
  return words === undefined ? decision : filled(words, scope, options);
}

/** A value may be as long as a source likes; what a person reads, and a checkpoint keeps, may not. */
function filled(template: string, scope: Scope, options?: FillOptions): string {
  const text = fillText(template, scope, options);
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)}…`;
}

function recommendation({ recommended_action: advised }: Conclusion, scope: Scope): RecommendedAction | null {
  if (!advised) return null;
  const { arguments: given, ...rest } = { arguments: undefined, ...advised };
  return given === undefined ? rest : { ...rest, arguments: fillValue(given, scope) as JsonObject };
}
