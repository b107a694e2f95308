import type { Language } from './taxonomy.js';

/**
 * Who is speaking, as verified by the surface before the turn began.
 * Nothing in the conversation can change it.
 */
export type Identity =
  | {
      readonly kind: 'anonymous';
      /** Of a visitor of the chat, as the session says: owner of exactly the conversations begun with it. */
      readonly visitorId?: string;
    }
  | { readonly kind: 'customer'; readonly customerId: string; readonly email: string };

export const ANONYMOUS: Identity = { kind: 'anonymous' };

/** An operator who decides approvals and answers tickets. */
export interface Operator {
  readonly operatorId: string;
  readonly name: string;
}

/** A customer of the company. */
export interface Customer {
  readonly customerId: string;
  readonly name: string;
  readonly email: string;
  /** True of one who may look, but change nothing. */
  readonly isBlocked: boolean;
  /** ISO 8601 UTC. */
  readonly createdAt: string;
  /** What the company knows that they speak; null or absent where it does not say. */
  readonly language?: Language | null;
}

/** What long-term memory knows of a customer when a conversation opens. */
export interface CustomerMemory {
  readonly preferredLanguage: Language | null;
  readonly preferences: readonly Preference[];
  readonly resolutions: readonly Resolution[];
}

export interface Preference {
  readonly customerId: string;
  /** e.g. `language`, `contact_method`. */
  readonly key: string;
  readonly value: string;
  readonly updatedAt: string;
}

/** How a ticket ended; kept as long-term memory. */
export interface Resolution {
  readonly resolutionId: string;
  readonly ticketId: string;
  readonly customerId: string | null;
  /** e.g. `answered`, `action_completed`, `escalated`, `declined`. */
  readonly resolutionType: string;
  readonly summary: string;
  readonly agent: string;
  readonly createdAt: string;
}

/**
 * What the token of another program may do in its customer's name. A person in the web chat is not limited by scopes.
 * `account:read`: the customer's record. `action:write`: changes, each still asked about. `skill:run`: skills.
 */
export const SCOPES = ['account:read', 'action:write', 'skill:run'] as const;
export type Scope = (typeof SCOPES)[number];

/** Reads a space-separated list (RFC 6749, 3.3); names that the hub does not know are left out. */
export function parseScopes(text: string): readonly Scope[] {
  const named = new Set(text.split(/\s+/));
  return SCOPES.filter((scope) => named.has(scope));
}

/** What a conversation is held to from its beginning, no matter who continues it. */
export interface ThreadLimits {
  /** Null: everything its customer may do. */
  readonly scopes: readonly Scope[] | null;
  /** The one agent of the roster that it talks to; null: the supervisor chooses. */
  readonly agent: string | null;
}

export const NO_LIMITS: ThreadLimits = { scopes: null, agent: null };
