import type { JsonObject } from '../domain/json.js';
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
