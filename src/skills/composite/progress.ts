import { z } from 'zod';
import type { JsonValue } from '../../core/domain/json.js';
import { compileCondition, type Scope } from '../expressions/expression.js';
import type { RunJournal } from '../run/run-context.js';
import type { CompositeEnv } from './composite-env.js';
import { loopBody, partsNamed, type Settled } from './plan-order.js';
import {
  hasFailed,
  type Intent,
  intentSchema,
  outputOf,
  type Plan,
  type PlanStep,
  planSchema,
  type StepRecord,
  stepRecordSchema,
} from './schemas.js';

/** Counts how often each loop of a composite has gone back, and says when it does again. */
export class LoopCounts {
  readonly #counts: number[];
  readonly #bodies: readonly ReadonlySet<string>[];

  constructor(
    private readonly env: CompositeEnv,
    plan: Plan,
    mode: Intent['mode'],
    private readonly progress: Progress,
  ) {
    const loops = env.pack.descriptor.routing?.loops ?? [];
    const drafts = new Map(plan.steps.map((step) => [step.part, step]));
    this.#counts = loops.map((_, index) => progress.loop(index));
    this.#bodies = loops.map((loop) => {
      if (!drafts.has(loop.after) || !drafts.has(loop.back_to)) return new Set<string>();
      const body = new Set(loopBody(drafts, loop));
      if (mode === 'parallel') return body;
      const from = drafts.get(loop.back_to)?.step ?? 0;
      const to = drafts.get(loop.after)?.step ?? 0;
      for (const { step, part } of plan.steps) if (step >= from && step <= to) body.add(part);
      return body;
    });
  }

  /** Which run of the part it is: 1, and one more for each time that a loop around it has gone back. */
  iterationOf(part: string): number {
    return this.#counts.reduce((sum, count, index) => sum + (this.#bodies[index]?.has(part) ? count : 0), 1);
  }

  /**
   * The parts to run again now that `part` is settled, and why; null where no loop ends with it, its condition does not hold,
   * or it has gone back `max` times. A part that failed or was skipped gives no loop anything to decide on.
   */
  async goBack(
    part: string,
    record: StepRecord | null,
    scope: Scope,
  ): Promise<{
    readonly parts: ReadonlySet<string>;
    readonly decided: string;
    readonly reason: string;
  } | null> {
    for (const [index, loop] of (this.env.pack.descriptor.routing?.loops ?? []).entries()) {
      const count = this.#counts[index] ?? 0;
      const body = this.#bodies[index];
      if (loop.after !== part || record?.status !== 'done' || body === undefined || body.size === 0) continue;
      if (count >= loop.max || !compileCondition(loop.when).holds(scope)) continue;
      this.#counts[index] = count + 1;
      await this.progress.saveLoop(index, count + 1);
      const decided = `back to ${loop.back_to} (${count + 1} of ${loop.max})`;
      return { parts: body, decided, reason: `"${loop.when}" holds after ${part}.` };
    }
    return null;
  }
}

/** What becomes of a step whose turn it is. */
export type Choice =
  | { readonly kind: 'run' }
  | { readonly kind: 'skip'; readonly reason: string; readonly by_failure: boolean }
  | { readonly kind: 'fail'; readonly error: { readonly code: string; readonly message: string } };

/**
 * What a composite has decided and done, in its journal: a run that continues after a pause or a crash decides and does
 * nothing twice. What cannot be read there counts as not done.
 */
export class Progress {
  constructor(private readonly journal: RunJournal) {}

  /** The plan of levels 0 and 1, null on a first run. */
  plan(): { readonly intent: Intent; readonly plan: Plan } | null {
    return this.#read('plan', z.object({ intent: intentSchema, plan: planSchema }));
  }

  savePlan(intent: Intent, plan: Plan): Promise<void> {
    return this.#write('plan', { intent, plan });
  }

  /** @param run the step's run, e.g. `draft` or `draft#2` */
  step(run: string): StepRecord | null {
    const record = this.#read(`step:${run}`, stepRecordSchema.omit({ output: true }));
    return record && { ...record, output: record.result === null ? null : outputOf(record.result) };
  }

  saveStep(run: string, record: StepRecord): Promise<void> {
    // The output is in the result, and results can be long.
    const { output: _output, ...kept } = record;
    return this.#write(`step:${run}`, kept);
  }

  /** How often a loop has gone back. */
  loop(index: number): number {
    return this.#read(`loop:${index}`, z.number().int().min(0)) ?? 0;
  }

  saveLoop(index: number, count: number): Promise<void> {
    return this.#write(`loop:${index}`, count);
  }

  /** The step's run whose question was put to a person last, null where none was. */
  asked(): string | null {
    return this.#read('asked', z.string().nullable());
  }

  saveAsked(run: string | null): Promise<void> {
    return this.#write('asked', run);
  }

  /** True where a person has taken over, so that nothing more is begun. */
  takenOver(): boolean {
    return this.#read('taken_over', z.boolean()) ?? false;
  }

  saveTakenOver(): Promise<void> {
    return this.#write('taken_over', true);
  }

  #read<T>(key: string, schema: z.ZodType<T>): T | null {
    const value = this.journal.read(key);
    if (value === undefined) return null;
    const parsed = schema.safeParse(value);
    return parsed.success ? parsed.data : null;
  }

  #write(key: string, value: unknown): Promise<void> {
    // Through JSON, so that what is kept is what a later process reads.
    return this.journal.write(key, JSON.parse(JSON.stringify(value)) as JsonValue);
  }
}

/** The name of a step's run: `draft`, and `draft#2` where a loop has gone back once. */
export function runName(part: string, iteration: number): string {
  return iteration === 1 ? part : `${part}#${iteration}`;
}

/**
 * A step is skipped where something it depends on failed, where a condition chooses otherwise, and where nothing of what it
 * depends on was chosen.
 */
export function chooses(env: CompositeEnv, step: PlanStep, records: Settled, scope: Scope): Choice {
  const failed = step.depends_on.filter((name) => hasFailed(records.get(name)));
  if (failed.length > 0) return skip(`It needs ${failed.join(' and ')}, which failed.`, true);
  const condition = byConditions(env, step, records, scope);
  if (condition.kind !== 'run') return condition;
  const unchosen = step.depends_on.filter((name) => records.get(name)?.status === 'skipped');
  if (unchosen.length > 0 && unchosen.length === step.depends_on.length) {
    return skip(`It needs ${unchosen.join(' and ')}, which was not chosen.`, false);
  }
  return { kind: 'run' };
}

/** A part that conditions name runs where one of them chooses it; one that none names always does. */
function byConditions(env: CompositeEnv, step: PlanStep, records: Settled, scope: Scope): Choice {
  const names = env.parts.map((part) => part.name);
  const reasons: string[] = [];
  let byFailure = false;
  for (const { if: text, then, else: otherwise } of env.pack.descriptor.routing?.conditions ?? []) {
    if (!then.includes(step.part) && !otherwise.includes(step.part)) continue;
    const condition = compileCondition(text);
    const failed = partsNamed(condition.names, names).filter((name) => hasFailed(records.get(name)));
    if (failed.length > 0) {
      // A result that is not there would read as "does not hold" and choose `else` for no reason.
      reasons.push(`"${text}" looks at ${failed.join(' and ')}, which failed`);
      byFailure = true;
      continue;
    }
    const { holds, note } = condition.judge(scope);
    if ((holds ? then : otherwise).includes(step.part)) return { kind: 'run' };
    reasons.push(`"${text}" ${holds ? 'holds' : 'does not hold'}${note === undefined ? '' : ` (${note})`}`);
  }
  if (reasons.length === 0) return { kind: 'run' };
  return skip(`Not chosen: ${reasons.join('; ')}.`, byFailure);
}

function skip(reason: string, by_failure: boolean): Choice {
  return { kind: 'skip', reason, by_failure };
}
