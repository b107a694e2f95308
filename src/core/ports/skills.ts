import type { JsonObject, JsonValue } from '../domain/json.js';
import type { SkillAnswer, SkillCaller, SkillReach, SkillRun, SkillSummary } from '../domain/skill.js';

/** What is to be done, as far as routing may look at it. */
export interface SkillRequest {
  readonly text: string;
  /** The ticket's issue type, where triage knows it. */
  readonly issueCategory?: string;
  /** What a local classifier reads in the text, e.g. `double_charge`; matched with skill ids and `triggers.intents`. */
  readonly intents?: readonly string[];
  /** What conditions of triggers may look at, e.g. `{ customer: { subscription: ... } }`. */
  readonly facts?: JsonObject;
  /** Only these skills are considered, where given. */
  readonly among?: readonly string[];
  readonly types?: readonly SkillSummary['type'][];
}

export interface RankedSkill {
  readonly skillId: string;
  readonly version: string;
  readonly title: string;
  readonly description: string;
  /** 0 to 1; comparable within one answer. */
  readonly score: number;
  /** Which triggers matched, in words. */
  readonly why: readonly string[];
}

/** What triggers say. `one` is certain; a `tie` is asked about; `none` is for the model, or for nobody. */
export interface SkillPick {
  readonly kind: 'one' | 'tie' | 'none';
  /** Best first; those of a tie have the same score. */
  readonly ranked: readonly RankedSkill[];
}

export interface SkillCall {
  readonly skillId: string;
  /** A version or range (`1.2.0`, `^1.0.0`); the newest active one where absent. */
  readonly version?: string;
  readonly input: JsonObject;
  readonly caller: SkillCaller;
  readonly ticketId?: string;
  /**
   * Names the run, so that asking again for the same one gives the stored run and not a second one. A new id where
   * absent.
   */
  readonly runId?: string;
  /**
   * Actions whose execution the caller puts to people anyway (confirmation, approval). A critical decision to take one
   * of them does not pause the run.
   */
  readonly gatedActions?: readonly string[];
  /**
   * How far the run may reach where it is a customer's; `customer` where absent. `everybody` is for the chat, where
   * the hub picks the skill and says who the customer is, and for the terminal; never for what another program asks.
   */
  readonly reach?: SkillReach;
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: SkillEvent) => void;
}

/** What happens while a skill runs, for who watches. */
export interface SkillEvent {
  readonly runId: string;
  readonly type: 'step_started' | 'step_finished' | 'handoff' | 'level';
  readonly step: string;
  readonly details?: JsonObject;
}

/** Runs skills. What tools, surfaces and protocols see of the engine. */
export interface Skills {
  /** The newest version of each skill that can be asked for; deprecated ones come last. */
  list(): readonly SkillSummary[];
  /** @throws HubError `skill_unknown`, with what there is */
  get(skillId: string, version?: string): SkillSummary;
  /** By triggers alone: no model, no waiting. */
  pick(request: SkillRequest): SkillPick;
  /**
   * What a request says of the input of a skill: facts by name, and of required fields the only reference in the text that
   * has the form which the skill demands. @throws HubError `skill_unknown`
   */
  inputFrom(skillId: string, request: Pick<SkillRequest, 'text' | 'facts'>): JsonObject;
  /**
   * Runs a skill to its end or to a question for a person. A fault of the skill is a run that `failed`.
   * @throws HubError `skill_unknown`, `forbidden` (it reaches farther than a customer's run may), `input_invalid` (names the
   * field), `database_failed`, `disk_full`
   */
  run(call: SkillCall): Promise<SkillRun>;
  /**
   * Answers a waiting run's question, in any process on the same data.
   * @throws HubError `run_unknown` (also where it is another customer's), `run_not_waiting`, `choice_unknown`
   */
  resume(runId: string, answer: SkillAnswer, options?: ResumeOptions): Promise<SkillRun>;
  /**
   * Null where there is none, it is another customer's, or it was allowed to reach farther than `reach`.
   * @param reach `everybody` where absent
   */
  show(runId: string, caller: SkillCaller, reach?: SkillReach): Promise<SkillRun | null>;
  /** The runs made for a ticket, oldest first; what was found is the ticket's evidence. */
  forTicket(ticketId: string): Promise<readonly SkillRun[]>;
  /** Puts a run that was made for no ticket with the ticket that its question is asked on. */
  assign(runId: string, ticketId: string): Promise<void>;
  /** The ticket a run belongs to; null where there is none. */
  ticketOf(runId: string): Promise<string | null>;
}

export interface ResumeOptions {
  /** Who answers; an operator where absent. */
  readonly caller?: SkillCaller;
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: SkillEvent) => void;
}

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
export interface SkillRunRecord extends SkillRun {
  /** The run this one is a part of, null where it was asked for by itself. */
  readonly parentRunId: string | null;
  /** SHA-256 of the pack's files, so that a resumed run finds exactly the pack it began with. */
  readonly packHash: string;
  /**
   * `customer:<id>` or `operator:<id>`; a customer's run can be read by that customer and by operators. `test` is the verdict
   * of a test case, which counts for the accuracy and for nothing else.
   */
  readonly caller: string;
  readonly ticketId: string | null;
  readonly input: JsonObject;
  /** What a composite has done so far, by key. */
  readonly journal: Readonly<Record<string, JsonValue>>;
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
  /** Runs made for a ticket and asked for by themselves, oldest first. */
  listByTicket(ticketId: string): Promise<readonly SkillRunRecord[]>;
  /** Keeps the files of a pack that a waiting run belongs to. */
  savePack(hash: string, files: Readonly<Record<string, string>>): Promise<void>;
  getPack(hash: string): Promise<Readonly<Record<string, string>> | null>;
}

/** The same, with what people at the desk look at. */
export interface SkillRunHistory extends SkillRunStore {
  /** Waiting runs that nobody's run waits for, oldest first. */
  listWaiting(limit: number): Promise<readonly SkillRunRecord[]>;
  /** Figures of each skill and version. */
  stats(): Promise<readonly SkillStats[]>;
}
