import type { FileIds } from './domain/attached-file.js';
import type { Operator } from './domain/customer.js';
import type { Macro, Presence } from './ports/desk-stores.js';
import type { StoredDraft } from './ports/knowledge-store.js';

/** What a macro is made of. Limits: name 80, text 4,000 characters, tags as those of a ticket. */
export interface MacroInput {
  readonly name: string;
  /** With variables: `{customer.first_name}`. */
  readonly text: string;
  readonly tags: readonly string[];
  /** True where sending it resolves the ticket. */
  readonly resolves: boolean;
}

/** A macro with its variables filled in for one ticket. */
interface FilledMacro extends Macro {
  readonly filled: string;
}

/** Answers that a team gives often: words, tags and what becomes of the ticket in one. */
export interface DeskMacros {
  /** By name. */
  macros(): Promise<readonly Macro[]>;
  /** @throws HubError `not_found` */
  macrosFor(ticketId: string, operator: Operator): Promise<readonly FilledMacro[]>;
  /**
   * A new one, or one that is written anew.
   * @throws HubError `input_invalid` where a variable is not known or the name is taken, `not_found`
   */
  saveMacro(operator: Operator, input: MacroInput, macroId?: string): Promise<Macro>;
  /** @throws HubError `not_found` */
  deleteMacro(macroId: string): Promise<void>;
  /**
   * Sends these words and files, adds the macro's tags and resolves the ticket where the macro says so.
   * @throws HubError `not_found`, `not_claimed`, `wrong_status`, `input_invalid`, `input_too_large`, `too_many_files`
   */
  applyMacro(
    ticketId: string,
    operator: Operator,
    macroId: string,
    text: string,
    files?: FileIds,
  ): Promise<void>;
}

/** What is done to many tickets at once. */
export type BulkAction =
  /** To this operator, or to a colleague who is known at the desk. */
  | { readonly kind: 'assign'; readonly operatorId: string }
  | { readonly kind: 'tag'; readonly tags: readonly string[] }
  /** To a team of the company; null leaves it to the rules. */
  | { readonly kind: 'team'; readonly team: string | null }
  /** With these words to each customer where there are some. */
  | { readonly kind: 'resolve'; readonly text: string }
  | { readonly kind: 'snooze'; readonly until: string };

/** What came of one of the tickets; null where it was done. */
interface BulkResult {
  readonly ticketId: string;
  readonly problem: { readonly code: string; readonly message: string } | null;
}

/** A question that no article answered, and that was passed on for it. */
export interface KnowledgeGap {
  /** The ticket on which it was asked; its question is dealt with by this id. */
  readonly ticketId: string;
  readonly question: string;
  readonly language: string;
  /** ISO 8601 UTC. */
  readonly askedAt: string;
  /** How many tickets asked the same in the same words. */
  readonly times: number;
  /** What an operator answered; empty where none has. */
  readonly answer: string;
}

/** How a team works on its tickets together. */
export interface DeskWork extends DeskMacros {
  /**
   * Does the same to each ticket: all of it or nothing, each by itself. A ticket that nobody has is claimed first where that
   * is needed.
   * @throws HubError `input_invalid` where nothing of it could be done to any ticket
   */
  bulk(ticketIds: readonly string[], operator: Operator, action: BulkAction): Promise<readonly BulkResult[]>;
  /**
   * Goes on with two tickets of one customer as one: tags and what is open go to `into`, the other one is resolved and leads
   * there, and its customer is told where the conversation continues.
   * @throws HubError `not_found`, `not_claimed`, `wrong_status`, `input_invalid` where they are of two customers, are the same,
   * or an approval is open on the one that would be resolved
   */
  merge(ticketId: string, into: string, operator: Operator): Promise<void>;
  /** Gives the ticket to a team; null leaves it to the rules. @throws HubError `not_found`, `input_invalid` */
  setTeam(ticketId: string, team: string | null): Promise<void>;
  /** Of the last 30 days, the most frequent first; those that were dealt with are left out. */
  gaps(): Promise<readonly KnowledgeGap[]>;
  /** Begins an article with the question and what was answered. @throws HubError `not_found`, `input_invalid` */
  draftFromGap(ticketId: string, operator: Operator): Promise<StoredDraft>;
  /** It needs no article. @throws HubError `not_found` */
  dismissGap(ticketId: string): Promise<void>;
}

/** With what an operator ends a ticket. */
export interface LastWord {
  /** To the customer. */
  readonly text?: string | undefined;
  readonly files?: FileIds | undefined;
  readonly summary?: string | undefined;
}

/** Who is at the desk, and where. */
export interface DeskPresence {
  /**
   * Says where an operator is now.
   * @param at.shiftEnds HH:MM of the company's clocks, at which the shift ends by itself as by `endShift`; null: at none. What
   * was set before stays where it is absent
   * @returns all who reported within the last minute, this one too
   */
  attend(
    operator: Operator,
    at: Pick<Presence, 'ticketId' | 'typing'> & { readonly shiftEnds?: string | null | undefined },
  ): Promise<readonly Presence[]>;
  /**
   * The operator's day is over: the claimed tickets whose customers wait go back into the queue, and their customers are told.
   * What has been answered stays with the operator.
   * @returns how many went back
   */
  endShift(operator: Operator): Promise<number>;
  /**
   * An operator has had the conversation up to this message on the screen; its customer sees it. As `Conversations.read`.
   * @throws HubError `not_found`
   */
  read(ticketId: string, messageId: string): Promise<void>;
}
