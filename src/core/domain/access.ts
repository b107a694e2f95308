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

/** What a conversation is held to from its beginning, whoever continues it. */
export interface ThreadLimits {
  /** Null: everything its customer may do. */
  readonly scopes: readonly Scope[] | null;
  /** The one agent of the roster that it talks to; null: the supervisor chooses. */
  readonly agent: string | null;
}

export const NO_LIMITS: ThreadLimits = { scopes: null, agent: null };
