import { Annotation } from '@langchain/langgraph';
import type { JsonObject } from '../../core/domain/json.js';
import type {
  Evidence,
  HandoffRecord,
  HandoffTrigger,
  RecommendedAction,
  SkillHandoff,
  SkillWords,
} from '../../core/domain/skill.js';
import { TimeFormat } from '../../core/i18n/index.js';
import type { Scope } from '../expressions/expression.js';
import { type FillOptions, fillText, fillValue } from '../expressions/placeholders.js';
import type { Conclusion } from '../pack/file-schemas.js';
import type { Pack } from '../pack/pack.js';
import type { SkillServices } from '../run/run-context.js';

/** What a step concluded, with the facts filled in. */
export interface Finding {
  readonly step: string;
  readonly rootCause: string;
  readonly explanation: string | null;
  readonly impact: string | null;
  readonly customerMessage: Readonly<Record<string, string>> | null;
  readonly recommendedAction: RecommendedAction | null;
  /** 0 to 1. */
  readonly confidence: number;
  /** Where its decision leads all the same; most end here. */
  readonly nextStep: string | null;
}

/** A question to a person that has not been put yet, and where each answer leads. */
export interface OpenHandoff {
  readonly at: string;
  readonly trigger: HandoffTrigger;
  readonly question: string;
  readonly advice: string | null;
  /** What A would accept. */
  readonly finding: Finding | null;
  /** Where B leads. */
  readonly nextStep: string | null;
  /** The hand-off of a part that waits; answered, the step runs again and hands the answer on. */
  readonly part: SkillHandoff | null;
}

/** What one parallel check found out. */
interface CheckFinding {
  readonly evidence: Evidence;
  readonly finding: Finding | null;
  readonly result: JsonObject;
}

function mergeWords(left: SkillWords, right: SkillWords): SkillWords {
  const all = Object.entries(right).map(([language, words]) => [language, { ...left[language], ...words }]);
  return { ...left, ...Object.fromEntries(all) };
}

function latest<T>(initial: T) {
  return Annotation<T>({ reducer: (_left, right) => right, default: () => initial });
}

/**
 * The state of a decision tree: plain JSON, so that any checkpointer keeps it and another process continues with it. The main
 * path alone writes everything but `checks`, which each parallel check adds itself to.
 */
export const TreeState = Annotation.Root({
  input: latest<JsonObject>({}),
  /** Results of the steps that ran, by step. */
  steps: latest<Readonly<Record<string, JsonObject>>>({}),
  evidence: latest<readonly Evidence[]>([]),
  path: latest<readonly string[]>([]),
  /** The step that runs next; null begins at the entry point or is the end. */
  next: latest<string | null>(null),
  /** Steps since the beginning or the last answer of a person. */
  sinceAnswer: latest<number>(0),
  finding: latest<Finding | null>(null),
  /** The confidence of the last partial finding. */
  partialConfidence: latest<number>(0),
  open: latest<OpenHandoff | null>(null),
  handoffs: latest<readonly HandoffRecord[]>([]),
  /** What was found, in the other languages of the pack. */
  words: Annotation<SkillWords>({ reducer: mergeWords, default: () => ({}) }),
  /** Triggers a person has answered, so that the same question is not put twice. */
  settled: latest<readonly string[]>([]),
  /** What people answered to steps that ask and continue by their decisions. */
  answers: latest<Readonly<Record<string, JsonObject>>>({}),
  takenOver: latest<boolean>(false),
  /** Milliseconds of work; waiting for people is none. */
  elapsed: latest<number>(0),
  checks: Annotation<Readonly<Record<string, CheckFinding>>, Readonly<Record<string, CheckFinding>> | null>({
    // Null begins anew.
    reducer: (left, right) => (right === null ? {} : { ...left, ...right }),
    default: () => ({}),
  }),
});

export type TreeStateType = typeof TreeState.State;
export type TreeUpdate = Partial<TreeStateType>;

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
    filled(template, scope, { language, time, currency }),
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

/** What a decision of a step says, in the other languages of its pack. @param english the same in English */
export function findingWords(
  { texts }: Pick<Pack, 'texts'>,
  [step, decision]: readonly [string, string],
  english: string,
  scope: Scope,
  { timeZone = DEFAULT_ZONE, currency }: Notation = {},
): SkillWords {
  const time = timesIn(timeZone);
  return Object.fromEntries(
    [...texts].flatMap(([language, { findings }]) => {
      const template = findings[step]?.[decision];
      if (template === undefined) return [];
      return [[language, { [english]: filled(template, scope, { language, time, currency }) }]];
    }),
  );
}

/** All that a run says, in the other languages of its pack: what it found, and what its steps and its advice are called. */
export function wordsOf(
  { texts, tree, descriptor }: Pack,
  found: SkillWords,
): { readonly words?: SkillWords } {
  if (texts.size === 0) return {};
  const triggers = Object.entries(descriptor.human_handoff?.triggers ?? {});
  const fixed = [...texts].map(([language, { names, advice, actions }]) => {
    const steps = Object.entries(names).map(([id, name]) => [tree?.steps[id]?.name, name]);
    const advised = triggers.map(([id, trigger]) => [trigger?.action, advice[id as HandoffTrigger]]);
    const left = Object.entries(actions).flatMap(([id, name]) => [
      [id, name],
      [id.replaceAll('_', ' '), name],
    ]);
    const known = [...steps, ...advised, ...left].filter((pair) => !pair.includes(undefined));
    return [language, Object.fromEntries(known)] as const;
  });
  return { words: mergeWords(Object.fromEntries(fixed), found) };
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
