import type { BaseCheckpointSaver } from '@langchain/langgraph';
import type { JsonObject, JsonValue } from '../../core/domain/json.js';
import type {
  SkillAnswer,
  SkillCaller,
  SkillHandoff,
  SkillReach,
  SkillResult,
  SkillUsage,
} from '../../core/domain/skill.js';
import type {
  Clock,
  DataSources,
  Ids,
  Log,
  SkillCache,
  SkillEvent,
  SkillModel,
} from '../../core/ports/index.js';
import type { SkillRunRecord, SkillRunStore } from '../../core/ports/skills.js';
import type { Catalog, Pack } from '../pack/pack.js';

export const NOTHING_USED: SkillUsage = {
  steps: 0,
  api_calls: 0,
  llm_calls: 0,
  prompt_tokens: 0,
  completion_tokens: 0,
  cost_usd: 0,
};

/** Counts what a run costs; a part's meter passes everything on to the run it belongs to. */
export class Meter implements RunMeter {
  #usage: SkillUsage;

  /** @param before what the run had used when it paused */
  constructor(
    before: SkillUsage = NOTHING_USED,
    private readonly parent?: RunMeter,
  ) {
    this.#usage = before;
  }

  usage(): SkillUsage {
    return this.#usage;
  }

  step(): void {
    this.#usage = { ...this.#usage, steps: this.#usage.steps + 1 };
    this.parent?.step();
  }

  apiCall(): void {
    this.#usage = { ...this.#usage, api_calls: this.#usage.api_calls + 1 };
    this.parent?.apiCall();
  }

  lookup(found: boolean): void {
    const { cache_lookups = 0, cache_hits = 0 } = this.#usage;
    this.#usage = {
      ...this.#usage,
      cache_lookups: cache_lookups + 1,
      cache_hits: cache_hits + (found ? 1 : 0),
    };
    this.parent?.lookup(found);
  }

  modelCall(call: Parameters<RunMeter['modelCall']>[0]): void {
    const used = this.#usage;
    this.#usage = {
      ...used,
      llm_calls: used.llm_calls + 1,
      prompt_tokens: used.prompt_tokens + call.promptTokens,
      completion_tokens: used.completion_tokens + call.completionTokens,
      cost_usd: used.cost_usd + call.costUsd,
    };
    this.parent?.modelCall(call);
  }
}

/** What every run shares. */
export interface SkillServices {
  readonly catalog: Catalog;
  readonly sources: DataSources;
  readonly model: SkillModel;
  /** Holds the decision trees' state. */
  readonly checkpointer: BaseCheckpointSaver;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  /** Results of identical calls, and answers of sources with a `cache_ttl`. */
  readonly cache: SkillCache;
  /** IANA zone in which times are written for people; Brasília where absent. */
  readonly timeZone?: string;
  /** In which amounts are written for people (ISO 4217); as bare numbers where absent. */
  readonly currency?: string;
  /** Programs that `cli_command` may run: name to absolute path. */
  readonly commands: Readonly<Record<string, string>>;
}

/** Counts what a run costs; the parts of a run count into the same one. */
export interface RunMeter {
  step(): void;
  apiCall(): void;
  /** Something that may have been kept was looked for. */
  lookup(found: boolean): void;
  modelCall(usage: { promptTokens: number; completionTokens: number; costUsd: number }): void;
}

/** A run that has just begun. */
export function newRecord(
  { id, version, hash }: Pick<Pack, 'id' | 'version' | 'hash'>,
  run: Pick<SkillRunRecord, 'runId' | 'parentRunId' | 'caller' | 'ticketId' | 'input' | 'journal'>,
  now: Date,
): SkillRunRecord {
  return {
    ...run,
    skillId: id,
    skillVersion: version,
    packHash: hash,
    status: 'running',
    result: null,
    handoff: null,
    error: null,
    usage: NOTHING_USED,
    durationMs: 0,
    handoffs: 0,
    correct: null,
    createdAt: now.toISOString(),
    updatedAt: now.toISOString(),
  };
}

/** What a run gets from the one that started it. */
export interface RunSetting {
  readonly caller: SkillCaller;
  /** See SkillCall.reach. */
  readonly allowed: SkillReach;
  readonly answer: SkillAnswer | null;
  readonly gatedActions: readonly string[];
  readonly signal: AbortSignal | undefined;
  readonly onEvent: ((event: SkillEvent) => void) | undefined;
  readonly depth: number;
  /** The deepest level that the composites above allow. */
  readonly deepest: number;
  readonly meter: RunMeter | undefined;
}

/** Of a run that nothing has been said about. */
export const NO_SETTING: Omit<RunSetting, 'caller' | 'allowed'> = {
  answer: null,
  gatedActions: [],
  signal: undefined,
  onEvent: undefined,
  depth: 0,
  deepest: Number.POSITIVE_INFINITY,
  meter: undefined,
};

/** What a composite has done so far; survives a pause and a crash. */
export interface RunJournal {
  read(key: string): JsonValue | undefined;
  write(key: string, value: JsonValue): Promise<void>;
}

/** A run while it is executed; the executor of its kind of skill gets it. */
export interface RunContext {
  readonly runId: string;
  readonly caller: SkillCaller;
  /** The ticket it is made for, where there is one. */
  readonly ticketId?: string | null;
  readonly signal: AbortSignal;
  /** For the work of one step of a tree: aborted when the time is up, a while before `signal` is; that one where absent. */
  readonly stepSignal?: AbortSignal;
  /** 0 for the skill that was asked for, 1 for its parts. */
  readonly depth: number;
  /** The answer of a person, where this run continues after its question; null on a first run. */
  readonly answer: SkillAnswer | null;
  /** The question that the answer is to, as it was stored; absent where the run has no store. */
  readonly question?: SkillHandoff | null;
  /** See SkillCall.gatedActions. */
  readonly gatedActions: readonly string[];
  readonly services: SkillServices;
  readonly meter: RunMeter;
  readonly journal: RunJournal;
  /** Whether the one it runs for may have this skill run; everybody may where absent. */
  mayRun?(pack: Pack): boolean;
  emit(event: Omit<SkillEvent, 'runId'>): void;
  /**
   * Runs another skill as a part of this run: with the rest of its time, one level deeper, its cost counted here. The part's
   * run id is made of this one's and `part`, so a run that is resumed finds its waiting part again, and passes `answer` on to
   * it; a part that was done gives its result again without running.
   * `answer` goes to a part that is waiting, never to one that begins.
   * @param part names the part within this run, e.g. `draft`, `draft#2` (a loop), `draft.try2` (a retry)
   * @param signal stops this part before the run's own signal does, e.g. when its time is up; both count
   * @throws HubError `input_invalid`, `skill_unknown`, `skill_too_deep`, and whatever the part failed with
   */
  runPart(part: string, pack: Pack, input: JsonObject, signal?: AbortSignal): Promise<SkillOutcome>;
}

/** What an executor gives back. A fault is thrown as HubError. */
export type SkillOutcome =
  /** `usage`: what it took, where it ran now. */
  | { readonly status: 'done'; readonly result: SkillResult; readonly usage?: SkillUsage }
  | { readonly status: 'waiting'; readonly handoff: SkillHandoff };

/** Runs skills of one kind. The input was checked against the pack's `input_schema`. */
export type SkillExecutor = (pack: Pack, input: JsonObject, context: RunContext) => Promise<SkillOutcome>;

/** The journal of a stored run: read from memory, written through to the store. */
export function createJournal(
  store: Pick<SkillRunStore, 'writeJournal'>,
  { runId, journal }: Pick<SkillRunRecord, 'runId' | 'journal'>,
): RunJournal {
  const entries = new Map(Object.entries(journal));
  return {
    read: (key) => entries.get(key),
    async write(key, value: JsonValue) {
      entries.set(key, value);
      await store.writeJournal(runId, key, value);
    },
  };
}

const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;

/** The services with a log that leaves out what is less than the pack's `observability.log_level`. */
export function quieted(services: SkillServices, { descriptor }: Pack): SkillServices {
  const least = LOG_LEVELS.indexOf(descriptor.observability?.log_level ?? 'debug');
  if (least <= 0) return services;
  const { log } = services;
  const none = (): void => undefined;
  const own: Log = {
    debug: none,
    info: least > 1 ? none : (entry) => log.info(entry),
    warn: least > 2 ? none : (entry) => log.warn(entry),
    error: (entry, error) => log.error(entry, error),
  };
  // Not spread: the checkpointer may be opened by the first run that needs it.
  return Object.create(services, { log: { value: own } });
}
