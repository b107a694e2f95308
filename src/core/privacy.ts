import type { JsonObject, JsonValue } from './domain/json.js';

/** Rows by table. */
export type Tables = Readonly<Record<string, readonly JsonObject[]>>;

/** A file of the data directory. */
export interface ExportedFile {
  readonly path: string;
  readonly base64: string;
}

/** Everything that is held about one customer. */
export interface CustomerExport {
  readonly exported_at: string;
  readonly customer: JsonObject;
  /** Rows of udahub.db. */
  readonly hub: Tables;
  /** What the graphs remember of the conversations and investigations. */
  readonly checkpoints: readonly JsonValue[];
  /** What came with the customer's mails. */
  readonly attachments: readonly ExportedFile[];
  /** Lines of the log that mention the customer. */
  readonly log: readonly JsonValue[];
  /** Rows of the company's database, under its name. */
  readonly [database: string]: unknown;
}

/** What the company's database holds about a customer. Every method throws HubError `database_failed` or `disk_full`. */
export interface CompanyPrivacy {
  rows(customerId: string): Tables;
  /** Whether another customer has this very name. */
  isCommonName(name: string, customerId: string): boolean;
  /** Whether what the company says to everybody holds this too. */
  isPublic(piece: string): boolean;
  /** The books stay, the person goes. Safe to repeat. @param address a unique one that nobody can guess */
  erase(customerId: string, pseudonym: string, address: string): readonly Removal[];
}

/** How much was removed where. */
export interface Removal {
  readonly place: string;
  readonly what: 'removed' | 'anonymised' | 'redacted';
  readonly count: number;
}

/** Something of the customer that is still there. */
export interface Leftover {
  /** Relative to the data directory where it lies in it. */
  readonly file: string;
  readonly what: 'email' | 'name' | 'text' | 'id';
  readonly count: number;
}

/** What an erasure did, and the proof. */
export interface EraseReport {
  /** `already`: this address was erased before. */
  readonly status: 'erased' | 'already';
  /** What stands in the customer's place in the books; null where nothing had to be done. */
  readonly pseudonym: string | null;
  readonly removals: readonly Removal[];
  readonly proof: {
    readonly files: number;
    readonly bytes: number;
    /** Texts that were looked for: address, name, pieces of messages. */
    readonly needles: number;
    /** Texts of the customer that others have used too, so that finding them would prove nothing. */
    readonly common: number;
    readonly leftovers: readonly Leftover[];
  };
}

/** Hands over or removes all that is held about one customer. */
export interface Privacy {
  /** @throws HubError `customer_unknown` */
  export(email: string): Promise<CustomerExport>;
  /**
   * Removes the customer everywhere, keeps the books without a person, and searches every file for what is left. One that
   * was interrupted is completed by asking again.
   * @throws HubError `customer_unknown`, `thread_busy` (a turn of the customer did not end in time)
   */
  erase(email: string, onStep?: (step: string) => void): Promise<EraseReport>;
  close(): Promise<void>;
}
