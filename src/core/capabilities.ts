import type { Identity, Operator, Scope } from './domain/customer.js';
import type { JsonObject, JsonValue } from './domain/json.js';
import type { SkillEffect, SkillHandoff } from './domain/skill.js';
import type { Language } from './domain/taxonomy.js';

/*
 * What other software may call: tools of the roster and published skills. MCP tools, the skills of agent cards and the
 * specific A2A endpoints are all made from this list, and all their calls end here, behind the gates of the chat.
 */

/** Who calls, as the surface has verified it. Nothing in a call's input can change it. */
export interface OutsideCaller {
  readonly identity: Identity;
  /** Set where staff calls; then `identity` is anonymous. */
  readonly operator?: Operator;
  /** What the token allows; of the one who started the hub's own process (stdio), all of them. */
  readonly scopes: readonly Scope[];
  readonly channel: 'mcp' | 'a2a';
  /** What the program calls itself, for the log; not verified. */
  readonly program?: string;
}

/** Who calls, by the one name that idempotency keys, audit and runs know them by; null for a visitor. */
export function callerName({ identity, operator }: OutsideCaller): string | null {
  if (operator) return `operator:${operator.operatorId}`;
  return identity.kind === 'customer' ? `customer:${identity.customerId}` : null;
}

/** One thing that other software may call. */
export interface Capability {
  /** The tool's name or the skill's id: `[a-z0-9_-]{1,64}`, unique. */
  readonly name: string;
  readonly kind: 'tool' | 'skill';
  /** The agent of the roster it belongs to; the first one where several share it. */
  readonly agent: string;
  /** All agents that have it. */
  readonly agents: readonly string[];
  readonly title: string;
  readonly description: string;
  readonly tags: readonly string[];
  /** `read`: nothing changes. `write`: harmless and repeatable. `irreversible`: asks first. */
  readonly effect: SkillEffect;
  /** `customer`: needs somebody signed in. */
  readonly access: 'anyone' | 'customer';
  /** Null: none is needed. */
  readonly scope: Scope | null;
  /** JSON Schema 2020-12 of an object; never with a field that says who the customer is. */
  readonly inputSchema: JsonObject;
  /** JSON Schema of an object. */
  readonly outputSchema: JsonObject;
}

/** An agent of the roster as other software sees it. */
export interface CapabilityAgent {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The route of triage that leads to it; absent for the hub as a whole. */
  readonly route?: string;
  /** False: it takes structured calls and one message at a time only (triage). */
  readonly converses: boolean;
  readonly capabilities: readonly Capability[];
}

export interface CapabilityCall {
  readonly caller: OutsideCaller;
  readonly name: string;
  readonly input: JsonObject;
  /**
   * The same key and input again give the same outcome, and one effect. A new call where absent. Belongs to its caller.
   */
  readonly idempotencyKey?: string;
  /** Language of questions and texts; the customer's preferred one where absent, else the hub's. */
  readonly language?: Language;
  /** Cancels what has had no effect yet. */
  readonly signal?: AbortSignal;
  /** Told while it runs; `done` and `total` count steps, total null where unknown. Must not throw. */
  readonly onProgress?: (progress: CapabilityProgress) => void;
}

export interface CapabilityProgress {
  readonly done: number;
  readonly total: number | null;
  readonly message: string;
}

/** Why a call did not do its work; the codes are those of `src/core/errors.ts`. */
export interface CapabilityError {
  readonly code: string;
  /** One sentence for a person or a model. */
  readonly message: string;
  /** An operator's reason for a refusal. */
  readonly reason?: string;
  /** Why, for the customer and in their language, where the company has words of its own for it. */
  readonly said?: string;
  /** The company's name for the rule that denies it. */
  readonly rule?: string;
}

/** What a call came to. */
export type CapabilityOutcome =
  /** The output, as the output schema says. */
  | { readonly kind: 'done'; readonly data: JsonObject }
  /** The rules, a person or a fault said no; nothing was changed. */
  | { readonly kind: 'refused'; readonly error: CapabilityError }
  | ConfirmationNeeded
  /** The customer agreed, an operator must as well; it is carried out when they do, and `status` tells. */
  | {
      readonly kind: 'awaiting_operator';
      readonly pendingId: string;
      readonly ticketId: string;
      readonly message: string;
      readonly expiresAt: string | null;
    }
  /** A skill asks a person how to continue; an operator answers at the desk, or the caller where it is staff. */
  | {
      readonly kind: 'awaiting_choice';
      readonly runId: string;
      readonly ticketId: string | null;
      readonly handoff: SkillHandoff;
      readonly message: string;
    };

/** What would be done, and how to agree to exactly that. */
export interface ConfirmationNeeded {
  readonly kind: 'confirmation';
  readonly pendingId: string;
  readonly ticketId: string;
  readonly tool: string;
  readonly input: JsonObject;
  /** The exact effects that are agreed to. */
  readonly terms: JsonObject;
  /** For the customer, in their language. */
  readonly question: string;
  /** What agreeing is called, in the language of the question: "Yes", or what it does. */
  readonly yes: string;
  /** Proves that whoever confirms has seen the plan: `confirm` takes it once, from the same customer. */
  readonly token: string;
  /** ISO 8601 UTC. */
  readonly expiresAt: string;
}

/** What a tool tells of a change that is worked out and not asked for. */
export interface Rehearsal {
  /** The rule that cannot be worked out over what was read, and so denies it; null where there is none. */
  readonly undecided: string | null;
  /** What would be performed: statements with their values, or a request; null where it is denied. */
  readonly performs: JsonValue | null;
}

/** A change as it would be, for who writes a company's files: nothing of it is stored, and nobody is asked. */
export interface RehearsedChange extends Rehearsal {
  readonly tool: string;
  readonly input: JsonObject;
  /** Why it would be refused, in each language where the company says so; null where it would be asked about. */
  readonly refused: {
    readonly code: string;
    readonly rule: string | null;
    readonly said: Readonly<Record<string, string>>;
  } | null;
  readonly terms: JsonObject | null;
  /** The confirmation, and what its two buttons do, in each language. */
  readonly asked: Readonly<
    Record<string, { readonly question: string; readonly yes: string | null; readonly no: string | null }>
  >;
  /** What an operator would be asked; null where the customer's yes is enough. */
  readonly approval: string | null;
  /** What an operator reads of a yes. */
  readonly effects: readonly string[];
}

/** An answer to a plan. */
export interface ConfirmationAnswer {
  readonly caller: OutsideCaller;
  readonly token: string;
  readonly approved: boolean;
  /** The call it was given for, where the client repeats it: anything else is refused. */
  readonly name?: string;
  readonly input?: JsonObject;
  readonly signal?: AbortSignal;
}

/**
 * Calls from other software. Throws HubError for what is wrong with the call itself: `not_found` (no such capability),
 * `input_invalid` (fields.errors names them), `not_signed_in`, `scope_missing` (fields.scope), `forbidden`,
 * `confirmation_invalid`, `rate_limited`, `cancelled`, `database_failed`, `disk_full`. What the rules say is an outcome.
 */
/** A skill, and the version or range of it that is wanted. */
interface SkillOfCall {
  readonly skillId: string;
  readonly version?: string;
}

export interface Capabilities {
  /**
   * Those of all agents, in the order of the roster; skills last. Follows changes of the skill folders.
   * @param caller where known: staff is trusted with every customer's data, so the skills' input names the customer then
   */
  list(caller?: OutsideCaller): readonly Capability[];
  agents(caller?: OutsideCaller): readonly CapabilityAgent[];
  /** @throws HubError `not_found` */
  get(name: string, caller?: OutsideCaller): Capability;
  call(call: CapabilityCall): Promise<CapabilityOutcome>;
  /**
   * What a change would come to for a customer, without anything being stored or asked.
   * @returns null for a tool that changes nothing in this way @throws HubError as `call`
   */
  rehearse(call: Pick<CapabilityCall, 'caller' | 'name' | 'input'>): Promise<RehearsedChange | null>;
  /**
   * The input of a skill with what the hub knows of the customer who is signed in: who they are and their language, in
   * place of whatever was said of them. That of staff is as it was given.
   * @throws HubError `skill_unknown`
   */
  skillInput(
    caller: Pick<OutsideCaller, 'identity' | 'operator'>,
    skill: SkillOfCall,
    input: JsonObject,
  ): Promise<JsonObject>;
  /**
   * Carries a plan out on the customer's yes, once. The same token once more is refused (`pending_decided`); what became of
   * it, `status` tells. After a fault of the storage before anything was done, the same token may be given again. Refused as
   * `taken_over` while a person has claimed the conversation.
   * @throws HubError `confirmation_invalid` (forged, of another customer, or for another call), `pending_decided` (used
   * before), `pending_expired`
   */
  confirm(answer: ConfirmationAnswer): Promise<CapabilityOutcome>;
  /**
   * What became of a question of this caller.
   * @param id of a pending question (`pendingId`) or of a run that waits (`runId`)
   * @throws HubError `not_found`, `scope_missing`
   */
  status(caller: OutsideCaller, id: string): Promise<CapabilityOutcome>;
  /**
   * Takes a request of this caller back before it is decided: a plan that nobody confirmed, or one that waits for an
   * operator. Nothing is changed; the outcome is `refused` with `pending_withdrawn` or `confirmation_rejected`.
   * @throws HubError `not_found`, `scope_missing`, `pending_decided` (an operator was first), `pending_withdrawn`,
   * `pending_expired`, `thread_busy`
   */
  withdraw(withdrawal: WithdrawalCall): Promise<CapabilityOutcome>;
  /**
   * Answers the question of a run that waits. Only staff may; where the run has a ticket, this is what the desk does.
   * @throws HubError `forbidden`, `not_found`, `scope_missing`, `run_not_waiting`, `choice_unknown`, `thread_busy`
   */
  choose(answer: ChoiceAnswer): Promise<CapabilityOutcome>;
}

/** A customer's program changes its mind. */
export interface WithdrawalCall {
  readonly caller: OutsideCaller;
  /** The `pendingId` of the plan or of what waits for an operator. */
  readonly id: string;
  /** Why, for the operators. */
  readonly reason?: string;
  readonly signal?: AbortSignal;
}

/** How staff continues with a run that waits. */
export interface ChoiceAnswer {
  readonly caller: OutsideCaller;
  readonly runId: string;
  /** The id of one of the hand-off's options. */
  readonly choice: string;
  /** Values for what was missing (`handoff.fields`). */
  readonly input?: JsonObject;
  readonly signal?: AbortSignal;
}
