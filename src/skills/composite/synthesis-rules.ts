import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { z } from 'zod';
import { sayContradictions } from '../../core/contradictions.js';
import type { CompositeConflict, CompositeStepResult } from '../../core/domain/composite-result.js';
import { isObject, type JsonObject, type JsonValue } from '../../core/domain/json.js';
import { inLanguage, languageAmong } from '../../core/domain/language.js';
import type { SkillResult } from '../../core/domain/skill.js';
import type { Language } from '../../core/domain/taxonomy.js';
import type { CompositeEnv } from './composite-env.js';
import { type Settled, waitsFor } from './plan-order.js';
import { hasFailed, type Plan, type StepRecord, type SynthesisAnswer } from './schemas.js';

const FOLDER = fileURLToPath(new URL('./texts/', import.meta.url));

const wordingSchema = z.strictObject({
  unfinished: z.string(),
  withheld: z.string(),
  conflict: z.string(),
  done: z.string().includes('{found}'),
});

/** What is said where nothing can be said for certain, in one language: true in any trade, and without a promise. */
interface Wording extends z.infer<typeof wordingSchema> {
  readonly language: Language;
}

/** The words of the language that a run is to be answered in, by its input; English where there are none of it. */
export function wordingOf(input: JsonObject): Wording {
  const known = readdirSync(FOLDER).map((file) => basename(file, '.yaml'));
  const asked = [input.language, input.locale].find((one) => typeof one === 'string');
  const language = languageAmong(asked, known) ?? 'en';
  const words: unknown = parse(readFileSync(`${FOLDER}${language}.yaml`, 'utf8'));
  return { ...wordingSchema.parse(words), language };
}

/** Fields that hold what is said to somebody, the surest first. */
const MESSAGE_FIELDS = [
  'user_message',
  'customer_message',
  'reply',
  'message',
  'response',
  'answer',
  'draft',
  'email',
  'body',
  'text',
  'content',
] as const;
const FINDING_FIELDS = ['summary', 'explanation', 'conclusion', 'result', 'title'] as const;

/** The text of a result that may be read to the person who asked, null where it has none. */
function messageOf(result: SkillResult, language: Language): string | null {
  switch (result.kind) {
    case 'investigation': {
      const { customer_message, explanation } = result.value;
      return inLanguage(customer_message ?? {}, language) ?? explanation;
    }
    case 'composite':
      return result.value.user_message || null;
    case 'review':
      return null;
    case 'generation':
      return fieldOf(result.value.data, MESSAGE_FIELDS, language);
    case 'plain':
      return typeof result.value === 'string'
        ? result.value || null
        : fieldOf(result.value, MESSAGE_FIELDS, language);
  }
}

/** One line about a result, for the one who runs the skill. */
function findingOf(result: SkillResult, language: Language): string {
  switch (result.kind) {
    case 'investigation':
      return result.value.root_cause ?? 'the cause was not found';
    case 'composite':
      return result.value.summary;
    case 'review':
      return reviewFinding(result.value);
    case 'generation':
      return (
        fieldOf(result.value.data, [...FINDING_FIELDS, ...MESSAGE_FIELDS], language) ??
        plainly(result.value.data)
      );
    case 'plain':
      return fieldOf(result.value, [...FINDING_FIELDS, ...MESSAGE_FIELDS], language) ?? plainly(result.value);
  }
}

function reviewFinding(review: { readonly pass: boolean; readonly issues: readonly string[] }): string {
  if (review.pass) return 'passed';
  return review.issues.length > 0 ? `not passed: ${review.issues.join('; ')}` : 'not passed';
}

function fieldOf(value: JsonValue | undefined, fields: readonly string[], language: Language): string | null {
  if (!isObject(value)) return null;
  for (const field of fields) {
    const own = Object.hasOwn(value, field) ? value[field] : undefined;
    const text = isObject(own) ? (own[language] ?? own.en) : own;
    if (typeof text === 'string' && text.trim() !== '') return text;
  }
  return null;
}

/** The single values of a result, as `name: value`. */
function plainly(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return 'nothing';
  if (!isObject(value))
    return typeof value === 'object' ? `${JSON.stringify(value).slice(0, 200)}` : String(value);
  const single = Object.entries(value).filter(([, item]) => item !== null && typeof item !== 'object');
  return single.map(([name, item]) => `${name}: ${String(item)}`).join(', ') || 'done';
}

/** What is worded: the outcome of an execution. */
export interface Outcome {
  readonly plan: Plan;
  readonly records: Settled;
  readonly steps: readonly CompositeStepResult[];
  readonly conflicts: readonly CompositeConflict[];
}

const MAX_FINDING = 240;
const MAX_ACTIONS = 10;

/** A wording by rules, and whether a model could add anything to it. */
interface RuleWording extends SynthesisAnswer {
  readonly certain: boolean;
  readonly reason: string;
}

export function wordByRules(env: CompositeEnv, outcome: Outcome): RuleWording {
  const wording = wordingOf(env.input);
  const { message, certain, reason } = messageFor(env, outcome, wording);
  return {
    summary: summaryFor(env, outcome, wording.language),
    user_message: message,
    next_actions: nextActions(outcome),
    certain,
    reason,
  };
}

/**
 * The message to the person who asked. Where a single text is what the steps were all for, it is given as it is: somebody may
 * have reviewed it word by word. A text that failed its review is not given.
 */
function messageFor(
  env: CompositeEnv,
  outcome: Outcome,
  wording: Wording,
): { message: string; certain: boolean; reason: string } {
  const done = doneSteps(outcome);
  if (done.length === 0) {
    return { message: wording.unfinished, certain: true, reason: 'No step succeeded.' };
  }
  if (outcome.conflicts.length > 0) {
    return { message: wording.conflict, certain: true, reason: sayContradictions(outcome.conflicts) };
  }
  const rejected = done.map(({ part }) => part).filter((part) => isRejected(env, outcome, part));
  const texts = done.flatMap((record) => {
    const text = record.result === null ? null : messageOf(record.result, wording.language);
    return text === null || rejected.includes(record.part) ? [] : [{ part: record.part, text }];
  });
  const last = texts.filter(({ part }) => !texts.some((other) => waitsFor(outcome.plan, other.part, part)));
  if (rejected.length > 0) {
    const reason = `The text of ${rejected.join(' and ')} did not pass its review and is withheld.`;
    return { message: wording.withheld, certain: true, reason };
  }
  const [only, ...others] = last;
  if (only !== undefined && others.length === 0) {
    // Beside a text that says all there are only steps that it was made from, or that judged it.
    const certain = done.every(
      ({ part, result }) =>
        part === only.part || result?.kind === 'review' || waitsFor(outcome.plan, only.part, part),
    );
    // What was written to be sent stands whatever else failed; beside a mere finding the failure is worth a word.
    const kind = outcome.records.get(only.part)?.result?.kind;
    const isWritten = kind === 'generation' || kind === 'composite';
    const whole = isWritten || outcome.steps.every((step) => step.status !== 'failed');
    return { message: only.text, certain: certain && whole, reason: `The text of ${only.part} says it.` };
  }
  const failed = outcome.steps.some((step) => step.status === 'failed');
  const message =
    last.map(({ text }) => text).join('\n\n') ||
    (failed ? wording.unfinished : resultsFor(env, outcome, wording));
  return { message, certain: done.length === 1, reason: 'The texts of the steps, put together.' };
}

/** What the steps gave, where none of them wrote a text: `What came of it: Sort a mail: category: spam.` */
function resultsFor(env: CompositeEnv, outcome: Outcome, wording: Wording): string {
  const found = doneSteps(outcome).flatMap(({ part, result }) => {
    const title = env.parts.find(({ name }) => name === part)?.pack?.summary.title ?? part;
    return result === null
      ? []
      : [`${title}: ${oneLine(findingOf(result, wording.language)).replace(/[.…\s]+$/, '')}.`];
  });
  return wording.done.replace('{found}', () => found.join(' '));
}

/** Whether a review of this step's text ended without a pass, or could not be made at all. */
function isRejected({ parts }: CompositeEnv, { plan, records }: Outcome, part: string): boolean {
  return parts.some(({ name, pack }) => {
    const review = records.get(name);
    const isReview = review?.result?.kind === 'review' || pack?.descriptor.template_type === 'LLM_REVIEW';
    if (!isReview || review === undefined || !reviews(plan, name, part)) return false;
    if (review.status === 'done') return review.result?.kind === 'review' && !review.result.value.pass;
    return hasFailed(review);
  });
}

/** A review judges what it directly depends on; where it names several, the last text of them. */
function reviews(plan: Plan, review: string, part: string): boolean {
  const step = plan.steps.find((one) => one.part === review);
  const judged = step === undefined ? [] : [...step.depends_on, ...step.after];
  if (!judged.includes(part)) return false;
  return !judged.some((other) => other !== part && waitsFor(plan, other, part));
}

function summaryFor(env: CompositeEnv, outcome: Outcome, language: Language): string {
  const ran = outcome.steps.filter((step) => step.status !== 'skipped');
  const done = ran.filter((step) => step.status === 'done');
  const findings = doneSteps(outcome).flatMap(({ part, result }) =>
    result === null ? [] : [`${part}: ${oneLine(findingOf(result, language))}`],
  );
  const head = `${env.pack.summary.title}: ${done.length} of ${ran.length} steps succeeded.`;
  return [
    head,
    ...findings.map((finding) => `${finding.replace(/[.…\s]+$/, '')}.`),
    sayContradictions(outcome.conflicts),
    failuresIn(outcome.steps),
  ]
    .filter((part) => part !== '')
    .join(' ');
}

/** What went wrong, in words; empty where nothing did. A model's summary gets it too. */
export function failuresIn(steps: readonly CompositeStepResult[]): string {
  const failed = steps.filter((step) => step.status === 'failed');
  if (failed.length === 0) return '';
  const each = failed.map((step) => `${step.step} (${oneLine(step.error?.message ?? 'no reason given')})`);
  return `Failed: ${each.join(', ')}.`;
}

/** What results recommend, what a failed review asks for, and the failures somebody must look at. */
export function nextActions({ records, plan, steps }: Outcome): string[] {
  const ordered = plan.steps.flatMap(({ part }) => records.get(part) ?? []);
  const recommended = ordered.flatMap(({ result }) => (result === null ? [] : recommendedBy(result)));
  const failures = steps
    .filter((step) => step.status === 'failed')
    .map(
      (step) =>
        `Look at the failed step ${step.step}: ${oneLine(step.error?.message ?? step.error?.code ?? '')}`,
    );
  return [...new Set([...recommended, ...failures])].slice(0, MAX_ACTIONS);
}

function recommendedBy(result: SkillResult): readonly string[] {
  switch (result.kind) {
    case 'investigation':
      return result.value.recommended_action === null ? [] : [result.value.recommended_action.action];
    case 'composite':
      return result.value.next_actions;
    case 'review':
      return result.value.pass ? [] : result.value.suggested_fixes;
    default:
      return [];
  }
}

function doneSteps({ plan, records }: Outcome): StepRecord[] {
  return plan.steps.flatMap(({ part }) => {
    const record = records.get(part);
    return record?.status === 'done' ? [record] : [];
  });
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > MAX_FINDING ? `${line.slice(0, MAX_FINDING)}…` : line;
}
