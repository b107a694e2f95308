import { MemorySaver } from '@langchain/langgraph';
import type { JsonObject, JsonValue } from '../../src/core/domain/json.js';
import type { SkillAnswer, SkillCaller, SkillHandoff, SkillResult } from '../../src/core/domain/skill.js';
import { HubError } from '../../src/core/errors.js';
import type { SkillEvent, SkillModel } from '../../src/core/ports/index.js';
import { executeComposite } from '../../src/skills/composite/level4-synthesizer.js';
import type { Pack } from '../../src/skills/pack/pack.js';
import type { RunContext, SkillOutcome } from '../../src/skills/run/run-context.js';
import { createFixedClock } from './fixed-clock.js';
import { createRecordingLog } from './recording-log.js';
import { createOfflineSkillModel } from './scripted-skill-model.js';
import { createSequentialIds } from './sequential-ids.js';
import { catalogOf } from './skill-packs.js';

/** What a part does: returns its value, a result or an outcome, or throws. */
export type PartWork = (
  input: JsonObject,
  run: { readonly part: string; readonly signal: AbortSignal; readonly answer: SkillAnswer | null },
) => Promise<JsonValue | SkillResult | SkillOutcome> | JsonValue | SkillResult | SkillOutcome;

interface PartCall {
  readonly part: string;
  readonly skill: string;
  readonly input: JsonObject;
  readonly from: number;
  until: number;
}

interface PartRunnerOptions {
  /** What skills do, by id; composites among the packs are run for real. */
  readonly work: Readonly<Record<string, PartWork>>;
  readonly model?: SkillModel;
  readonly catalog?: readonly Pack[];
  readonly caller?: SkillCaller;
  /** Told before the journal keeps something; throws where the storage is to fail. */
  readonly onWrite?: (key: string) => void;
}

/**
 * Stands in for the engine where composites are tested: runs parts that are functions, keeps journals and outcomes by run id
 * as the store of runs does, and hands an answer to the part that waits.
 */
export class PartRunner {
  readonly calls: PartCall[] = [];
  readonly events: Omit<SkillEvent, 'runId'>[] = [];
  readonly log = createRecordingLog();
  modelCalls = 0;
  caller: SkillCaller;
  readonly #options: PartRunnerOptions;
  readonly #journals = new Map<string, Record<string, JsonValue>>();
  readonly #outcomes = new Map<string, SkillOutcome>();
  #moments = 0;
  readonly #cache = new Map<string, JsonValue>();

  constructor(options: PartRunnerOptions) {
    this.#options = options;
    this.caller = options.caller ?? { kind: 'operator', operatorId: 'op-1' };
  }

  /** The names of the parts in the order in which they began. */
  get began(): readonly string[] {
    return this.calls.map((call) => call.part);
  }

  /** Runs a composite; with an answer it goes on with the run of that id. */
  run(
    pack: Pack,
    input: JsonObject,
    { runId = 'run-1', answer = null, signal = new AbortController().signal }: RunOptions = {},
  ): Promise<SkillOutcome> {
    return executeComposite(pack, input, this.#context(runId, signal, answer, 0));
  }

  /** What the run of this id has written down. */
  journalOf(runId: string): Record<string, JsonValue> {
    const journal = this.#journals.get(runId) ?? {};
    this.#journals.set(runId, journal);
    return journal;
  }

  /** Counts what happens: which came first is asked, and not how long it took. */
  #moment(): number {
    this.#moments += 1;
    return this.#moments;
  }

  #context(runId: string, signal: AbortSignal, answer: SkillAnswer | null, depth: number): RunContext {
    const journal = this.journalOf(runId);
    return {
      runId,
      signal,
      answer,
      depth,
      caller: this.caller,
      gatedActions: [],
      services: {
        catalog: catalogOf(this.#options.catalog),
        model: this.#options.model ?? createOfflineSkillModel(),
        sources: {
          open: () => Promise.reject(new Error('no sources')),
          isCustomersOwn: () => false,
          close: () => Promise.resolve(),
        },
        checkpointer: new MemorySaver(),
        clock: createFixedClock(),
        ids: createSequentialIds(),
        log: this.log,
        commands: {},
        cache: {
          get: (key) => this.#cache.get(key),
          set: (key, value, ttlMs) => void (ttlMs > 0 && this.#cache.set(key, value)),
        },
      },
      meter: {
        step: () => undefined,
        apiCall: () => undefined,
        lookup: () => undefined,
        modelCall: () => {
          this.modelCalls += 1;
        },
      },
      journal: {
        read: (key) => journal[key],
        write: async (key, value) => {
          this.#options.onWrite?.(key);
          journal[key] = value;
        },
      },
      emit: (event) => void this.events.push(event),
      runPart: (part, pack, partInput, partSignal) =>
        this.#runPart(`${runId}/${part}`, part, pack, partInput, partSignal ?? signal, answer, depth),
    };
  }

  async #runPart(
    runId: string,
    part: string,
    pack: Pack,
    input: JsonObject,
    signal: AbortSignal,
    answer: SkillAnswer | null,
    depth: number,
  ): Promise<SkillOutcome> {
    const stored = this.#outcomes.get(runId);
    if (stored?.status === 'done') return stored;
    const given = stored?.status === 'waiting' ? answer : null;
    const call: PartCall = { part, skill: pack.id, input, from: this.#moment(), until: 0 };
    this.calls.push(call);
    try {
      const outcome =
        pack.descriptor.type === 'composite'
          ? await executeComposite(pack, input, this.#context(runId, signal, given, depth + 1))
          : await this.#work(pack, part, input, signal, given);
      this.#outcomes.set(runId, outcome);
      return outcome;
    } finally {
      call.until = this.#moment();
    }
  }

  async #work(
    pack: Pack,
    part: string,
    input: JsonObject,
    signal: AbortSignal,
    answer: SkillAnswer | null,
  ): Promise<SkillOutcome> {
    const work = this.#options.work[pack.id];
    if (work === undefined) throw new HubError('skill_unknown', `Nothing does the work of ${pack.id}.`);
    const made = await work(input, { part, signal, answer });
    if (isObject(made) && 'status' in made && ('handoff' in made || 'result' in made)) {
      return made as SkillOutcome;
    }
    if (isObject(made) && 'kind' in made && 'value' in made) {
      return { status: 'done', result: made as SkillResult };
    }
    return { status: 'done', result: { kind: 'plain', value: made as JsonValue } };
  }
}

interface RunOptions {
  readonly runId?: string;
  readonly answer?: SkillAnswer | null;
  readonly signal?: AbortSignal;
}

/** A part that asks a person. */
export function asks(at: string, question = 'How shall it go on?'): SkillOutcome {
  const handoff: SkillHandoff = {
    run_id: 'of-the-part',
    skill_id: 'of-the-part',
    at,
    trigger: 'question',
    question,
    advice: null,
    found: [],
    tried: [],
    options: [{ id: 'C', label: 'A person takes over' }],
    proposal: null,
  };
  return { status: 'waiting', handoff };
}

/** A composite's value. @throws where the outcome is none */
export function compositeOf(outcome: SkillOutcome) {
  if (outcome.status !== 'done' || outcome.result.kind !== 'composite') {
    throw new Error(`There is no composite result: ${JSON.stringify(outcome)}`);
  }
  return outcome.result.value;
}

/** The question of a run. @throws where it does not wait */
export function handoffOf(outcome: SkillOutcome): SkillHandoff {
  if (outcome.status !== 'waiting') throw new Error(`It does not wait: ${JSON.stringify(outcome)}`);
  return outcome.handoff;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
