import type { Scope } from '../domain/access.js';

/** Whom a program's token speaks for. */
export interface TokenHolder {
  readonly role: 'customer' | 'operator';
  /** The customer's or the operator's id. */
  readonly id: string;
}

/** What is kept of a token for another program; the token itself is kept nowhere. Times are ISO 8601 UTC. */
export interface ProgramTokenRecord {
  readonly tokenId: string;
  readonly holder: TokenHolder;
  readonly scopes: readonly Scope[];
  readonly createdAt: string;
  readonly expiresAt: string;
  /** To the minute; null where it was never used. */
  readonly lastUsedAt: string | null;
  readonly revokedAt: string | null;
}

/** The tokens made for other programs. Throws HubError `database_failed`, `disk_full`. */
export interface ProgramTokens {
  /** An id for a token that is about to be made. */
  nextId(): Promise<string>;
  /** Keeps a token that was made, and forgets those that have ended. @throws HubError `customer_erased` */
  add(token: Omit<ProgramTokenRecord, 'createdAt' | 'lastUsedAt' | 'revokedAt'>): Promise<void>;
  /** Those that have not ended, the newest first. @param holder whose; everybody's where absent */
  list(holder?: TokenHolder): Promise<readonly ProgramTokenRecord[]>;
  /**
   * Nobody gets in with it any more, in any process, from now on.
   * @param holder whose it must be
   * @returns false where there is none that still holds
   */
  revoke(tokenId: string, holder?: TokenHolder): Promise<boolean>;
  /**
   * True where it was made here and not revoked, which notes the use; also for an id that is none of the hub's: a company
   * that signs tokens itself has ids of its own.
   */
  use(tokenId: string): Promise<boolean>;
  /** Changes with every revocation, in whichever process. */
  revision(): Promise<string>;
}
