import type { Scope } from '../expressions/condition.js';
import { compileCondition } from '../expressions/condition.js';
import type { CompositeEnv } from './composite-env.js';
import { loopBody } from './plan-order.js';
import type { Progress } from './progress.js';
import type { Intent, Plan, StepRecord } from './schemas.js';

/** Counts how often each loop of a composite has gone back, and says when it does again. */
export class LoopBook {
  readonly #env: CompositeEnv;
  readonly #progress: Progress;
  readonly #counts: number[];
  readonly #bodies: readonly ReadonlySet<string>[];

  constructor(env: CompositeEnv, plan: Plan, mode: Intent['mode'], progress: Progress) {
    const loops = env.pack.descriptor.routing?.loops ?? [];
    const drafts = new Map(plan.steps.map((step) => [step.part, step]));
    this.#env = env;
    this.#progress = progress;
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
    for (const [index, loop] of (this.#env.pack.descriptor.routing?.loops ?? []).entries()) {
      const count = this.#counts[index] ?? 0;
      const body = this.#bodies[index];
      if (loop.after !== part || record?.status !== 'done' || body === undefined || body.size === 0) continue;
      if (count >= loop.max || !compileCondition(loop.when).holds(scope)) continue;
      this.#counts[index] = count + 1;
      await this.#progress.saveLoop(index, count + 1);
      const decided = `back to ${loop.back_to} (${count + 1} of ${loop.max})`;
      return { parts: body, decided, reason: `"${loop.when}" holds after ${part}.` };
    }
    return null;
  }
}
