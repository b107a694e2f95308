import type { JsonObject, JsonValue } from '../domain/json.js';
import type { SkillHandoff, SkillResult, SkillRunStatus, SkillUsage } from '../domain/skill.js';

/**
 * Keeps results of identical calls, and answers of sources, for a while. Bounded. Everything of one caller is apart from
 * everything of another. It never throws: what cannot be kept or read is worked out anew.
 */
export interface SkillCache {
  /** Undefined where there is none or it is too old. */
  get(key: string): JsonValue | undefined;
  /**
   * @param ttlMs 0 keeps nothing
   * @param owner `customer:<id>`, whose data goes when the customer's does; staff's where absent
   */
  set(key: string, value: JsonValue, ttlMs: number, owner?: string): void;
}

/** A run as it is stored. */
export interface SkillRunRecord {
  readonly runId: string;
  /** The run this one is a part of, null where it was asked for by itself. */
  readonly parentRunId: string | null;
  readonly skillId: string;
  readonly skillVersion: string;
  /** SHA-256 of the pack's files, so that a resumed run finds exactly the pack it began with. */
  readonly packHash: string;
  /**
   * `customer:<id>` or `operator:<id>`; a customer's run can be read by that customer and by operators. `test` is the verdict
   * of a test case, which counts for the accuracy and for nothing else.
   */
  readonly caller: string;
  readonly ticketId: string | null;
  readonly status: SkillRunStatus;
  readonly input: JsonObject;
  readonly result: SkillResult | null;
  readonly handoff: SkillHandoff | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  /** What a composite has done so far, by key. */
  readonly journal: Readonly<Record<string, JsonValue>>;
  readonly usage: SkillUsage;
  readonly durationMs: number;
  readonly handoffs: number;
  /** Whether its answer was right: a test case's verdict, or what a person chose; null where nobody said. */
  readonly correct: boolean | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** What is stored of a run's progress; keys that are absent stay. */
export type SkillRunUpdate = Partial<
  Pick<
    SkillRunRecord,
    'ticketId' | 'status' | 'result' | 'handoff' | 'error' | 'usage' | 'durationMs' | 'handoffs' | 'correct'
  >
>;

/** Figures of one skill and version over all its stored runs; verdicts of test cases are told apart and count for nothing else. */
export interface SkillStats {
  readonly skillId: string;
  readonly skillVersion: string;
  readonly uses: number;
  readonly failed: number;
  readonly handoffs: number;
  /** Milliseconds, mean over finished runs. */
  readonly meanDurationMs: number;
  readonly meanSteps: number;
  readonly apiCalls: number;
  readonly llmCalls: number;
  readonly tokens: number;
  readonly costUsd: number;
  /** Share of what was looked for in the cache that was found there; null where nothing was. */
  readonly cacheHitRate: number | null;
  /** Right of the runs that people judged, 0 to 1; null where nobody did. */
  readonly accuracy: number | null;
  /** Runs whose finding an operator did not take. */
  readonly falsePositives: number;
  /** Share of the callers that used it more than once; null where nobody used it. */
  readonly repeatUse: number | null;
  /** Share of helpful ratings of the tickets it was run for; null where none was rated. */
  readonly satisfaction: number | null;
  /** Share of its test cases that passed when they were last run; null where none was. */
  readonly testsPassed: number | null;
  readonly lastUsedAt: string;
}

/** Runs of skills, durable. All methods throw HubError `database_failed` or `disk_full` on a fault. */
export interface SkillRunStore {
  /** False where a run of that id exists already. */
  create(record: SkillRunRecord): Promise<boolean>;
  get(runId: string): Promise<SkillRunRecord | null>;
  update(runId: string, update: SkillRunUpdate): Promise<void>;
  /**
   * Takes a waiting run to be resumed: of several who try at once exactly one gets true. A run whose process died, or has
   * not been heard of for longer than any run takes, can be taken again: one that was being resumed reads as `waiting`; one
   * that was on its first way stays `running` and is taken with `of`.
   * @param of `running`: only a first run that was cut off, or one that the caller itself has let go
   */
  claim(runId: string, of?: 'waiting' | 'running'): Promise<boolean>;
  writeJournal(runId: string, key: string, value: JsonValue): Promise<void>;
  /** Waiting runs that nobody's run waits for, oldest first. */
  listWaiting(limit: number): Promise<readonly SkillRunRecord[]>;
  /** Runs made for a ticket and asked for by themselves, oldest first. */
  listByTicket(ticketId: string): Promise<readonly SkillRunRecord[]>;
  stats(): Promise<readonly SkillStats[]>;
  /** Keeps the files of a pack that a waiting run belongs to. */
  savePack(hash: string, files: Readonly<Record<string, string>>): Promise<void>;
  getPack(hash: string): Promise<Readonly<Record<string, string>> | null>;
}
