import type { JsonObject, JsonValue } from './domain/json.js';

/** What an erasure looks for afterwards. */
export interface Needle {
  readonly what: 'email' | 'name' | 'text' | 'id' | 'file';
  readonly text: string;
}

/** Shorter ones ("yes, please") say nothing about anybody. */
const SHORTEST = 14;
/**
 * Longer texts are looked for in pieces, because a database may keep them in several places of a file. Short enough that
 * of any text that spans two pages a whole piece lies in one.
 */
const PIECE = 40;
const MOST_PIECES_OF_A_TEXT = 50;
/** Every one is looked for in every file. */
const MOST_PIECES = 1_000;

/** The pieces of texts that would betray them: lines, or parts of long lines. */
export function piecesOf(texts: readonly string[]): readonly string[] {
  const pieces = new Set<string>();
  for (const text of texts) {
    const own = text
      .split(/[\n\r"\\]+/)
      .map((line) => line.trim())
      .filter((line) => line.length >= SHORTEST)
      .flatMap(cut);
    for (const piece of own.slice(0, MOST_PIECES_OF_A_TEXT)) pieces.add(piece);
  }
  return [...pieces].slice(0, MOST_PIECES);
}

function cut(line: string): readonly string[] {
  const pieces: string[] = [];
  for (let at = 0; at < line.length; at += PIECE) {
    const piece = line.slice(at, at + PIECE).toWellFormed();
    if (piece.trim().length >= SHORTEST) pieces.push(piece);
  }
  return pieces;
}

/** Ids, codes, enumerations and times: what books and logs need and no person wrote. */
const PLAIN = /^(?:[a-z][a-z0-9_:-]{0,60}|[0-9a-f]{16,128}|\d{4}-\d{2}-\d{2}(?:T[\d:.]+Z)?|[A-Z]{3})$/;
/** Names of fields; a sentence is none. */
const FIELD = /^[\w$.:-]{1,64}$/;
/** Keys whose values somebody wrote, also where they are a single word. */
const WORDS = /^(?:reason|summary|comment|text|note|message|question|query|problem|title|name|email|value)$/;

/**
 * A record of a fact without anything that a person wrote: amounts, ids, codes and times stay.
 * @param instead what is in the place of a text
 */
export function withoutTexts(
  value: JsonValue,
  instead: (text: string) => string = () => '[erased]',
): JsonValue {
  if (typeof value === 'string') return PLAIN.test(value) ? value : instead(value);
  if (Array.isArray(value)) return value.map((item: JsonValue) => withoutTexts(item, instead));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      isFieldName(key) ? key : instead(key),
      WORDS.test(key) && typeof item === 'string' ? instead(item) : withoutTexts(item as JsonValue, instead),
    ]),
  );
}

/** True where this names a field, and so is no sentence. */
export function isFieldName(name: string): boolean {
  return FIELD.test(name);
}

/** Finds these words and names, whole and in any case. */
export function wordPattern(words: readonly string[]): RegExp {
  const longestFirst = [...words].sort((a, b) => b.length - a.length);
  const escaped = longestFirst.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${escaped.join('|')})(?![\\p{L}\\p{N}])`, 'giu');
}

/** Rows by table. */
type Tables = Readonly<Record<string, readonly JsonObject[]>>;

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
  /** What came with messages of the customer's conversations. */
  readonly attachments: readonly ExportedFile[];
  /** Lines of the log that mention the customer. */
  readonly log: readonly JsonValue[];
  /** Rows of the company's database, under its name. */
  readonly [database: string]: unknown;
}

/** The ids that lead to what is held about a customer. */
export interface CustomerRefs {
  readonly threads: readonly string[];
  readonly tickets: readonly string[];
  readonly runs: readonly string[];
  readonly pendings: readonly string[];
  /** Of other software that spoke for the customer. */
  readonly tasks: readonly string[];
}

/** What is known of a customer beyond the id. */
export interface CustomerFacts {
  readonly customerId: string;
  readonly email: string;
  readonly fullName: string;
}

/** What is removed, and what is in its place. */
export interface HubErasure extends CustomerFacts {
  /** What is in the customer's place. */
  readonly pseudonym: string;
  /** Words to be taken out of what others wrote. */
  readonly words: readonly string[];
  /** Threads whose turns are held back meanwhile. */
  readonly held: readonly string[];
}

/** What udahub.db holds about a customer. Every method throws HubError `database_failed` or `disk_full`. */
export interface HubPrivacy {
  refs(customer: CustomerFacts): Promise<CustomerRefs>;
  rows(customer: CustomerFacts): Promise<Tables>;
  /** Everything people and the hub said and noted. */
  texts(customer: CustomerFacts): Promise<readonly string[]>;
  /** What came with messages of the customer's conversations. */
  files(customer: CustomerFacts): Promise<readonly ExportedFile[]>;
  /** Parts of those files that are in no other, each byte as a character. */
  samples(customer: CustomerFacts): Promise<readonly string[]>;
  /** Whether somebody else has said this too, or anybody may read it. */
  isCommon(piece: string, customer: CustomerFacts): Promise<boolean>;
  /** Ends the turns that are running: nothing of them is stored or sent. */
  endTurns(customerId: string): Promise<void>;
  /**
   * Removes the rows and refuses new ones from then on, in one transaction.
   * @returns null where a thread has come that is not held; nothing was changed then
   */
  erase(erasure: HubErasure): Promise<readonly Removal[] | null>;
  /** Everything that may not be stored again. */
  erasedRefs(): Promise<readonly string[]>;
  rememberAddress(email: string): Promise<void>;
  knowsAddress(email: string): Promise<boolean>;
}

/** What the company's database holds about a customer. Every method throws HubError `database_failed` or `disk_full`. */
export interface CompanyPrivacy {
  rows(customerId: string): Promise<Tables>;
  /** Whether another customer has this very name. */
  isCommonName(name: string, customerId: string): Promise<boolean>;
  /** Whether what the company says to everybody holds this too. */
  isPublic(piece: string): Promise<boolean>;
  /** The books stay, the person goes. Safe to repeat. @param address a unique one that nobody can guess */
  erase(customerId: string, pseudonym: string, address: string): Promise<readonly Removal[]>;
}

/** What the graphs remember of conversations and runs, wherever that is kept. */
export interface GraphMemory {
  /** Its name in reports. */
  readonly place: string;
  /** The threads of these conversations and runs, and those they went on to after a pause. */
  threads(refs: readonly string[]): Promise<readonly string[]>;
  /** The values of a thread's last step; null where it has none. */
  values(threadId: string): Promise<Readonly<Record<string, unknown>> | null>;
  /** Removes what belongs to these, and refuses it from then on. Safe to repeat. @returns how many rows */
  erase(refs: readonly string[]): Promise<number>;
  /** Takes words out of what is remembered of others' conversations. @returns how many values */
  redact(words: readonly string[]): Promise<number>;
}

/** Where an erasure looks for what is left beside files. */
export interface RemainsSearch {
  /** Makes room of what was deleted. */
  tidy(): Promise<void>;
  search(needles: readonly Needle[]): Promise<Remains>;
  /** Removes jobs of the queue in which one of these stands; who waits for the answer gives such a job again. @returns how many */
  removeJobs(needles: readonly Needle[]): Promise<number>;
}

/** What was looked through, and found. */
export interface Remains {
  readonly files: number;
  readonly bytes: number;
  readonly leftovers: readonly Leftover[];
}

/** How much was removed where. */
export interface Removal {
  readonly place: string;
  readonly what: 'removed' | 'anonymised' | 'redacted';
  readonly count: number;
}

/** Something of the customer that is still there. */
export interface Leftover {
  /** Relative to the data directory where it lies in it; a table and its column on a server. */
  readonly file: string;
  readonly what: Needle['what'];
  readonly count: number;
}

/** What an erasure did, and the proof. */
export interface EraseReport {
  /** `already`: this address was erased before. */
  readonly status: 'erased' | 'already';
  /** What is in the customer's place in the books; null where nothing had to be done. */
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
