import { Annotation, MessagesAnnotation } from '@langchain/langgraph';
import type { Citation } from '../core/domain/article.js';
import type { Identity, ThreadLimits } from '../core/domain/customer.js';
import type { GuardrailHit } from '../core/domain/guardrail.js';
import type { DialogueState, Draft, Focus, Session, Task, ToolTrace } from '../core/domain/session.js';
import type { EscalationReason, ProviderName } from '../core/domain/taxonomy.js';
import type { Channel, Classification, Escalation } from '../core/domain/ticket.js';
import type { RouteStep } from '../core/domain/turn.js';
import type { NextStep } from '../core/i18n/index.js';
import type { Danger } from '../core/ports/language-layer.js';
import { mergeTrace } from '../runtime/agent-definition.js';

/** What the App passes with a message; consumed by the intake node. */
export interface Incoming {
  readonly turnId: string;
  readonly threadId: string;
  readonly graphThreadId: string;
  readonly identity: Identity;
  readonly channel: Channel;
  /** Where the message is stored by now. */
  readonly ticketId: string;
  /** See Session.settledReasons. */
  readonly settledReasons?: readonly EscalationReason[];
  /** See Session.scopes and Session.agent. */
  readonly limits?: ThreadLimits;
  /** See Session.hops and Session.requestKey. */
  readonly hops?: number;
  readonly requestKey?: string;
}

/** What the customer is told about an escalation; `passed` is what they wanted the team asked. */
export type EscalationNotice =
  | ({
      readonly kind: 'escalated';
      readonly danger?: Danger;
      readonly passed?: string;
      /** What the hub can change itself, where nothing tells how something else is done. */
      readonly can?: readonly string[];
    } & NextStep)
  /** It was added to the ticket that waits for them already; `about` is what that one is about. */
  | ({
      readonly kind: 'joined';
      readonly danger?: Danger;
      readonly details?: true;
      readonly passed?: string;
    } & NextStep)
  /** Nobody is needed: it is no matter of the company's, or nothing that the hub can do, or the hub asks back first. */
  | { readonly kind: 'aside'; readonly text: string; readonly focus?: Focus }
  /** A person handed it back, so it stays with the hub. */
  | { readonly kind: 'settled' };

/** The finished answer of a turn. */
export interface FinalReply {
  readonly text: string;
  readonly provider: ProviderName;
  readonly citations: readonly Citation[];
  readonly escalated: boolean;
  /** The stored message. */
  readonly messageId: string;
}

function latest<T>(initial: T) {
  return Annotation<T>({ reducer: (_left, right) => right, default: () => initial });
}

/** The state of the whole graph. Everything below `session` belongs to one turn and is reset by intake. */
export const HubState = Annotation.Root({
  ...MessagesAnnotation.spec,
  /** Where the turn goes next: an agent's name, or `review`, `escalate`, `respond`. */
  next: latest<string | null>(null),
  ticket_id: latest<string | null>(null),
  user_email: latest<string | null>(null),
  incoming: latest<Incoming | null>(null),
  session: latest<Session | null>(null),
  /** What the last answer asked the customer; outlives its turn. */
  focus: latest<Focus | null>(null),
  /** What the conversation is about; outlives its turn. */
  dialogue: latest<DialogueState | null>(null),
  classification: latest<Classification | null>(null),
  tasks: latest<readonly Task[]>([]),
  drafts: latest<readonly Draft[]>([]),
  route: latest<readonly RouteStep[]>([]),
  trace: Annotation<readonly ToolTrace[], readonly ToolTrace[] | null>({
    reducer: mergeTrace,
    default: () => [],
  }),
  /** Why the first answer was not sent. */
  revision: latest<string | null>(null),
  /** What was kept from being sent, in the order in which it was found. */
  guardrails: latest<readonly GuardrailHit[]>([]),
  escalation: latest<Escalation | null>(null),
  escalationNotice: latest<EscalationNotice | null>(null),
  reply: latest<FinalReply | null>(null),
  /** Milliseconds spent in parts of the turn. */
  timings: latest<Readonly<Record<string, number>>>({}),
});

export type HubStateType = typeof HubState.State;
export type HubUpdate = typeof HubState.Update;
