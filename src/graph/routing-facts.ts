import type { Focus, Task } from '../core/domain/session.js';
import type { EscalationReason } from '../core/domain/taxonomy.js';
import type { Classification } from '../core/domain/ticket.js';
import type { RemoteAgent } from '../core/ports/remote-agents.js';
import type { Addressed } from './addressed-agent.js';

/** What the rules look at. Pure data: the same facts give the same decision. */
export interface RoutingFacts {
  readonly text: string;
  readonly classification: Classification;
  readonly tasks: readonly Task[];
  /** What the hub asked last, where the answer is open. */
  readonly focus: Focus | null;
  /** True where the text reads as a reply to that question. */
  readonly isReply: boolean;
  readonly hops: number;
  readonly maxHops: number;
  /** True where a chat model can be asked when no rule is certain. */
  readonly canAskModel: boolean;
  /** Reasons for which an operator returned it to the hub: no reason to escalate again. */
  readonly settledReasons?: readonly EscalationReason[] | undefined;
  /** The one agent the conversation is held to; null or absent: any. */
  readonly addressed?: Addressed | null;
  /**
   * Set where the conversation itself answers the message: `certain` also where triage heard the wish for a person,
   * `exact` also where a word of it sounds like a matter for a person ("Juiz de Fora"), `unhelped` where it has helped nobody so far.
   */
  readonly spoken?: 'answered' | 'certain' | 'exact' | 'unhelped' | null;
  /** Why a person has the request that the message only tells more of; null or absent where it does not. */
  readonly adds?: EscalationReason | null;
  /** True where the question makes sense only with what was just said, and is looked up with it. */
  readonly leans?: boolean;
  /** True where an article all but certainly answers what only touches a topic that a person is called for, or it is the reply asked for. */
  readonly isTold?: boolean;
  /** True where the message only asks what holds if something happened: nobody is called for its tone. */
  readonly isSupposed?: boolean;
  /** True where the message points at the record that is spoken of: what is to be changed is known. */
  readonly inFocus?: boolean;
  /** True where who mourns speaks of what belonged to somebody else. */
  readonly isForAnother?: boolean;
  /** Agents elsewhere that may be asked; none where absent. */
  readonly elsewhere?: readonly Pick<RemoteAgent, 'name' | 'keywords'>[];
}

export type RoutingDecision =
  | {
      readonly kind: 'agent';
      readonly task: number;
      readonly agent: string;
      /** The task is the customer's own words, not triage's. */
      readonly verbatim: boolean;
      readonly rule: string;
    }
  | { readonly kind: 'ask_model'; readonly task: number; readonly rule: string }
  | { readonly kind: 'clarify'; readonly rule: string }
  /** The agent that was addressed says what it is for. */
  | {
      readonly kind: 'outside';
      readonly task: number;
      readonly agent: string;
      /** Who does what was asked for; null where nothing certain was. */
      readonly other: string | null;
      readonly rule: string;
    }
  | { readonly kind: 'escalate'; readonly reason: EscalationReason; readonly rule: string }
  /** Said in the conversation itself. */
  | { readonly kind: 'spoken'; readonly rule: string }
  | { readonly kind: 'finish'; readonly rule: string };
