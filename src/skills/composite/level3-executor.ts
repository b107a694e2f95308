import { isGraphBubbleUp } from '@langchain/langgraph';
import type { SkillAnswer, SkillHandoff } from '../../core/domain/skill.js';
import { toHubError } from '../../core/errors.js';
import { abortReason } from '../../core/signals.js';
import { CallCache } from './call-part.js';
import type { CompositeEnv, TraceEntry } from './composite-env.js';
import { type Settled, variablesOf } from './plan-order.js';
import { type Choice, chooses, LoopCounts, type Progress, runName } from './progress.js';
import { runStep } from './run-step.js';
import { type Intent, isSettled, type Plan, type PlanStep, recordOf, type StepRecord } from './schemas.js';

/** Where the execution stands: every part's latest settled record, and the question that is open. */
export interface Executed {
  readonly records: Settled;
  /** What all runs of all steps say of themselves, those that a loop repeated too. */
  readonly trace: readonly TraceEntry[];
  readonly waiting: SkillHandoff | null;
}

/** One part while the plan is carried out. */
interface Slot {
  readonly step: PlanStep;
  iteration: number;
  /** `blocked`: an identical call waits for a person. */
  state: 'pending' | 'running' | 'blocked' | 'open' | 'settled';
  /** The question it waits with. */
  open: StepRecord | null;
  /** How it ended the last time; the time before, while a loop has it run again. */
  last: StepRecord | null;
  /** How each of its runs ended. */
  readonly trail: StepRecord[];
}

/**
 * Level 3: carries out the plan. What is free to run runs at once, in a sequential plan one at a time; what depends on a
 * failure is skipped; what waits for a person leaves the others running, and one question is put at a time. What the journal
 * says was done is not done again.
 */
export class Execution {
  readonly #mode: Intent['mode'];
  readonly #cache: CallCache;
  readonly #slots: readonly Slot[];
  readonly #loops: LoopCounts;
  #answer: SkillAnswer | null;
  #asked: string | null;

  constructor(
    private readonly env: CompositeEnv,
    intent: Intent,
    plan: Plan,
    private readonly progress: Progress,
  ) {
    this.#mode = intent.mode;
    this.#cache = new CallCache(env.context, env.pack.descriptor.execution.cache_ttl);
    this.#loops = new LoopCounts(env, plan, intent.mode, progress);
    this.#answer = env.context.answer;
    this.#asked = progress.asked();
    this.#slots = plan.steps.map((step) => this.#restore(step));
  }

  /** @throws what the journal throws; a part's failure is a record */
  async run(): Promise<Executed> {
    if (this.#isHandedOff()) await this.#handOff();
    for (const slot of this.#slots) if (slot.state === 'settled') await this.#loop(slot);
    const running = new Map<Slot, Promise<void>>();
    const faults: unknown[] = [];
    try {
      while (faults.length === 0) {
        for (
          let slot = await this.#next(running.size);
          slot !== null;
          slot = await this.#next(running.size)
        ) {
          const started = slot;
          started.state = 'running';
          const work = this.#advance(started)
            .catch((fault: unknown) => void faults.push(fault))
            .finally(() => running.delete(started));
          running.set(started, work);
        }
        if (running.size === 0) break;
        await Promise.race(running.values());
      }
    } finally {
      // Where the journal failed, nothing may be left running behind the caller's back.
      await Promise.all(running.values());
    }
    if (faults.length > 0) throw faults[0];
    const trace = this.#slots.flatMap(({ trail }) => trail.flatMap((record) => record.trace));
    return { records: this.#records(), trace, waiting: await this.#question() };
  }

  /** Whether the answer to a question of the composite itself is that a person takes over. */
  #isHandedOff(): boolean {
    const slot = this.#slots.find((one) => this.#asked === runName(one.step.part, one.iteration));
    return this.#answer?.choice.toUpperCase() === 'C' && slot?.open?.status === 'asking';
  }

  async #handOff(): Promise<void> {
    await this.progress.saveTakenOver();
    for (const slot of this.#slots.filter(({ open }) => open !== null)) {
      slot.open = null;
      slot.state = 'pending';
    }
  }

  /** The slot as the journal left it. */
  #restore(step: PlanStep): Slot {
    const iteration = this.#loops.iterationOf(step.part);
    const record = this.progress.step(runName(step.part, iteration));
    const runs = Array.from({ length: iteration }, (_, index) =>
      this.progress.step(runName(step.part, index + 1)),
    );
    const trail = runs.filter(isSettled);
    const slot: Slot = { step, iteration, state: 'pending', open: null, last: trail.at(-1) ?? null, trail };
    if (isSettled(record)) slot.state = 'settled';
    else if (record !== null) {
      slot.open = record;
      const isAnswered = this.#answer !== null && this.#asked === runName(step.part, iteration);
      slot.state = isAnswered ? 'pending' : 'open';
    }
    if (record?.key && slot.state !== 'pending') this.#share(record.key, record);
    return slot;
  }

  #share(key: string, record: StepRecord): void {
    if (record.handoff !== null) {
      this.#cache.share(key, Promise.resolve({ status: 'waiting', handoff: record.handoff }));
    } else if (record.result !== null) {
      this.#cache.share(key, Promise.resolve({ status: 'done', result: record.result }));
    } else if (record.error !== null) {
      this.#cache.share(key, Promise.resolve({ status: 'failed', error: record.error }));
    }
  }

  /** The next slot to start; those that are skipped are settled on the way. */
  async #next(running: number): Promise<Slot | null> {
    if (this.#mode === 'sequential' && running > 0) return null;
    for (const slot of this.#slots) {
      if (slot.state === 'open' || slot.state === 'blocked') {
        if (this.#mode === 'sequential') return null;
        continue;
      }
      if (slot.state !== 'pending') continue;
      // Those of a circle wait for each other and are never free.
      if (slot.step.refused === undefined && !this.#isFree(slot)) continue;
      const choice = this.#choiceFor(slot);
      if (choice.kind === 'run') return slot;
      await this.#settle(slot, this.#refused(slot, choice));
      // What it let go may stand earlier in the plan.
      return this.#next(running);
    }
    return null;
  }

  #isFree({ step }: Slot): boolean {
    return [...step.depends_on, ...step.after].every((name) => {
      const other = this.#slots.find((slot) => slot.step.part === name);
      return other === undefined || other.state === 'settled';
    });
  }

  #choiceFor(slot: Slot): Choice {
    const { signal } = this.env.context;
    if (slot.step.refused !== undefined) return { kind: 'fail', error: slot.step.refused };
    if (this.progress.takenOver()) {
      return { kind: 'skip', reason: 'A person has taken over.', by_failure: true };
    }
    if (signal.aborted) return { kind: 'skip', reason: abortReason(signal).message, by_failure: true };
    return chooses(this.env, slot.step, this.#records(), this.#scope());
  }

  #refused({ step, iteration }: Slot, choice: Exclude<Choice, { kind: 'run' }>): StepRecord {
    const what =
      choice.kind === 'fail'
        ? ({ status: 'failed', error: choice.error } as const)
        : ({ status: 'skipped', reason: choice.reason, by_failure: choice.by_failure } as const);
    const reason = choice.kind === 'fail' ? choice.error.message : choice.reason;
    const entry = {
      level: 3 as const,
      decided: `${runName(step.part, iteration)}: ${what.status}`,
      by: 'rule' as const,
      reason,
      duration_ms: 0,
      step: step.part,
    };
    return recordOf(step.part, iteration, { ...what, trace: [entry] });
  }

  async #advance(slot: Slot): Promise<void> {
    const { step, iteration, open } = slot;
    const pack = this.env.parts.find((part) => part.name === step.part)?.pack ?? this.env.pack;
    const answer = open === null ? null : this.#answer;
    const record = await this.#guarded(slot, () =>
      runStep(this.env, this.#cache, {
        iteration,
        sources: { step, pack, scope: this.#scope(), earlier: this.#earlier(slot) },
        before: open,
        answer,
        tried: this.#slots.filter((other) => other.state === 'settled').map((other) => other.step.part),
      }),
    );
    slot.open = null;
    if (record === null) {
      slot.state = 'blocked';
    } else if (isSettled(record)) {
      await this.#settle(slot, record);
    } else {
      slot.open = record;
      await this.progress.saveStep(runName(step.part, iteration), record);
      slot.state = 'open';
    }
  }

  /** Whatever goes wrong with a step is that step's failure. */
  async #guarded(
    { step, iteration }: Slot,
    work: () => Promise<StepRecord | null>,
  ): Promise<StepRecord | null> {
    try {
      return await work();
    } catch (error) {
      if (isGraphBubbleUp(error)) throw error;
      const { code, message } = toHubError(error);
      return recordOf(step.part, iteration, { status: 'failed', error: { code, message } });
    }
  }

  async #settle(slot: Slot, record: StepRecord): Promise<void> {
    await this.progress.saveStep(runName(slot.step.part, slot.iteration), record);
    slot.last = record;
    slot.trail.push(record);
    slot.state = 'settled';
    await this.#loop(slot);
  }

  /** Has the steps of a loop run again where its condition holds. */
  async #loop(slot: Slot): Promise<void> {
    if (this.progress.takenOver()) return;
    const again = await this.#loops.goBack(slot.step.part, slot.last, this.#scope());
    if (again === null || slot.last === null) return;
    const { parts, decided, reason } = again;
    const entry = { level: 3 as const, decided, by: 'rule' as const, reason, duration_ms: 0 };
    slot.last.trace.push(entry);
    this.env.context.emit({ type: 'level', step: 'level_3', details: entry });
    await this.progress.saveStep(runName(slot.step.part, slot.iteration), slot.last);
    for (const other of this.#slots) {
      if (!parts.has(other.step.part)) continue;
      other.iteration = this.#loops.iterationOf(other.step.part);
      other.state = 'pending';
    }
  }

  /** Outputs a part may take a field of the same name from: of its dependencies, nearest first, and of all before it. */
  #earlier({ step }: Slot): { part: string; output: StepRecord['output'] }[] {
    const names: string[] = [];
    const add = (name: string) => {
      if (names.includes(name)) return;
      names.push(name);
      for (const next of this.#slots.find((slot) => slot.step.part === name)?.step.depends_on ?? [])
        add(next);
    };
    for (const name of step.depends_on) add(name);
    if (this.#mode === 'sequential') {
      for (const slot of [...this.#slots].reverse()) if (slot.step.step < step.step) add(slot.step.part);
    }
    return names.flatMap((part) => {
      const last = this.#slots.find((slot) => slot.step.part === part)?.last;
      return last?.status === 'done' ? [{ part, output: last.output }] : [];
    });
  }

  #scope() {
    const { input, parts, context } = this.env;
    const names = parts.map((part) => part.name);
    return variablesOf(input, names, this.#records(), context.services.clock.now());
  }

  #records(): Settled {
    return new Map(
      this.#slots.flatMap(({ step, last }) => (last === null ? [] : [[step.part, last] as const])),
    );
  }

  /** The first open question in the order of the plan; the others follow when it is answered. */
  async #question(): Promise<SkillHandoff | null> {
    const slot = this.#slots.find((one) => one.state === 'open');
    if (!slot?.open?.handoff) return null;
    await this.progress.saveAsked(runName(slot.step.part, slot.iteration));
    return { ...slot.open.handoff, run_id: this.env.context.runId };
  }
}
