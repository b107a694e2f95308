import type { Operator } from './domain/customer.js';

/** `open` waits for another operator; an approved one is written. */
export const CHANGE_STATUSES = ['open', 'approved', 'declined', 'withdrawn'] as const;
type ChangeStatus = (typeof CHANGE_STATUSES)[number];

/** Something that the check of a company found. */
export interface ChangeFinding {
  readonly severity: 'fault' | 'warning';
  /** Path in the company's folder. */
  readonly file: string;
  readonly line: number | null;
  readonly problem: string;
  readonly remedy: string;
}

/** What the check of a trial copy came to. */
export interface ChangeCheck {
  /** ISO 8601 UTC. */
  readonly at: string;
  /** Which files of the company it was made with; where others stand now, it says nothing of them. */
  readonly standing: string;
  readonly findings: readonly ChangeFinding[];
  /** Why it could not be made; null where it was. */
  readonly failed: string | null;
}

/** How many of some scenarios passed, from 0 to 1. */
export interface TrialFigure {
  /** `all`, or the name of a category. */
  readonly group: string;
  readonly scenarios: number;
  readonly passed: number;
  /** By the baseline of the company; null where it has none. */
  readonly standing: number | null;
}

/** What the evaluation of a trial copy came to. */
export interface ChangeEvaluation {
  readonly at: string;
  readonly figures: readonly TrialFigure[];
  /** Ids of scenarios that pass less often than by the baseline, and more often. */
  readonly worse: readonly string[];
  readonly better: readonly string[];
  readonly failed: string | null;
}

/** A change without its texts. */
export interface ChangeEntry {
  readonly changeId: string;
  /** In the company's folder: `texts/en/account.yaml`. */
  readonly path: string;
  readonly note: string;
  readonly authorId: string;
  readonly author: string;
  readonly createdAt: string;
  readonly status: ChangeStatus;
  readonly decider: string | null;
  readonly decidedAt: string | null;
}

/** A change of one file of the company. */
export interface CompanyChange extends ChangeEntry {
  /** The whole file as it was, and as it is to be. */
  readonly before: string;
  readonly after: string;
  readonly check: ChangeCheck | null;
  readonly evaluation: ChangeEvaluation | null;
}

/** Keeps changes for ever: they are the versions of the files. */
export interface CompanyChangeStore {
  add(change: CompanyChange): Promise<void>;
  get(changeId: string): Promise<CompanyChange | null>;
  /** The newest first. */
  list(limit: number): Promise<readonly ChangeEntry[]>;
  /** Of an open change; of one that is decided nothing is kept. */
  setCheck(changeId: string, check: ChangeCheck): Promise<void>;
  setEvaluation(changeId: string, evaluation: ChangeEvaluation): Promise<void>;
  /**
   * Decides an open change.
   * @param apply writes it, at once and more than once where needed; where it throws, the change stays open
   * @throws HubError `not_found`, `wrong_status`, and what `apply` throws
   */
  decide(
    changeId: string,
    status: Exclude<ChangeStatus, 'open'>,
    by: Operator,
    apply: (change: CompanyChange) => void,
  ): Promise<CompanyChange>;
}

/** The files of a company that operators may change. */
export interface CompanyFolder {
  /** True where this process may write there. */
  writable(): boolean;
  /** Their paths in the folder, sorted. */
  list(): readonly string[];
  /** @returns null where it is none of them */
  read(path: string): string | null;
  /** Puts another text in the place of the old one: whole, or not at all. */
  write(path: string, text: string): void;
  /** A name for all of them as they stand now. */
  standing(): string;
  /** When one of them was written last, in milliseconds since 1970. */
  writtenAt(): number;
}

/** Runs work on a copy of the company with one file changed, in a process of its own; no system is asked. */
export interface CompanyTrials {
  check(path: string, text: string): Promise<readonly ChangeFinding[]>;
  evaluate(path: string, text: string): Promise<Omit<ChangeEvaluation, 'at' | 'failed'>>;
  /** Ends what runs. */
  close(): void;
}

/** `file_changed` since it was proposed, `not_checked` or not to the end, a `fault` found, `others_changed` since the check. */
export const HINDRANCES = ['file_changed', 'not_checked', 'fault', 'others_changed'] as const;
export type Hindrance = (typeof HINDRANCES)[number];

/** A change with what runs for it now. */
export interface ShownChange extends CompanyChange {
  readonly running: 'check' | 'evaluation' | null;
  /** Why it could not be approved as things stand; null where it could, and of one that is decided. */
  readonly hindrance: Hindrance | null;
}

/** The company's files at the desk. */
export interface CompanyFiles {
  /** Why nothing can be changed; null where it can. */
  readonly locked: 'others_may_sign_in' | 'read_only' | null;
  /** True where the hub takes a change by itself, without being started anew. */
  readonly reloads: boolean;
  /** True where a file was written after the hub had read the company. */
  readonly outdated: boolean;
  readonly files: readonly string[];
  readonly changes: readonly ChangeEntry[];
}

/**
 * Operators' side of the company's files: one proposes, another approves. Addresses, secrets, customers and code are no part
 * of it. Every method throws HubError `database_failed`.
 */
export interface CompanyDesk {
  overview(): Promise<CompanyFiles>;
  /** @throws HubError `not_found` */
  file(path: string): Promise<{ readonly path: string; readonly text: string }>;
  /** @throws HubError `not_found` */
  change(changeId: string): Promise<ShownChange>;
  /**
   * Keeps a change, and begins to check it.
   * @param input.before the file as the operator read it
   * @throws HubError `not_found`, `forbidden`, `input_invalid`, `wrong_status` where the file has changed since
   */
  propose(
    operator: Operator,
    input: { readonly path: string; readonly before: string; readonly after: string; readonly note: string },
  ): Promise<ShownChange>;
  /** Begins to check or evaluate an open change. @throws HubError `not_found`, `wrong_status`, `forbidden` */
  tryOut(changeId: string, what: 'check' | 'evaluation'): Promise<ShownChange>;
  /**
   * Writes the file. The check must have been made with the files as they stand, and have found no fault.
   * @throws HubError `not_found`, `forbidden` for its author, `wrong_status`
   */
  approve(changeId: string, operator: Operator): Promise<ShownChange>;
  /** Its author withdraws it, anybody else declines it. @throws HubError `not_found`, `wrong_status` */
  decline(changeId: string, operator: Operator): Promise<ShownChange>;
  /** To be told when a file was written; while somebody is told, `reloads` is true. @returns ends it */
  onWritten(listener: () => void): () => void;
  /** Ends what runs. */
  close(): Promise<void>;
}
