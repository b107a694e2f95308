/** One-time codes for signing in by e-mail. Only hashes are kept. Throws HubError `database_failed`, `disk_full`. */
export interface SignInCodes {
  /** Replaces an earlier code of the address. `null` where one was sent within the last minute. */
  create(email: string, expiresAt: Date): Promise<string | null>;
  /**
   * True where the code is right, in time, and not used; then it is used up. Every wrong attempt counts; after five the
   * code is dead. Compared in constant time.
   */
  use(email: string, code: string): Promise<boolean>;
}
