import type { BaseCheckpointSaver } from '@langchain/langgraph';
import type { JsonObject, JsonValue } from '../../core/domain/json.js';
import type {
  SkillAnswer,
  SkillCaller,
  SkillHandoff,
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
import type { Catalog, Pack } from '../pack/pack.js';

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

/** What a composite has done so far; survives a pause and a crash. */
export interface RunJournal {
  read(key: string): JsonValue | undefined;
  write(key: string, value: JsonValue): Promise<void>;
}

/** One run on its way: handed to the executor of its kind of skill. */
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
  /** The answer of a person, where this run goes on after its question; null on a first run. */
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
