import type { Article } from './domain/article.js';
import type { Operator } from './domain/customer.js';
import type { FileIds } from './file-types.js';
import type { ArticleVersion, StoredDraft } from './ports/knowledge-store.js';
import type { Macro, Presence, SavedView } from './ports/ticket-store.js';

/** What a macro is made of. Limits: name 80, text 4,000 characters, tags as those of a ticket. */
export type MacroInput = Omit<Macro, 'macroId' | 'updatedBy' | 'updatedAt'>;

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

/** An operator's own views of the list, wherever they sign in. */
export interface DeskViews {
  views(operator: Operator): Promise<readonly SavedView[]>;
  /**
   * Keeps a view; the same name again replaces it. At most 50 an operator, names of 40 characters.
   * @throws HubError `input_invalid`
   */
  saveView(operator: Operator, view: SavedView): Promise<void>;
  /** Forgets one; one that there is not is forgotten already. */
  forgetView(operator: Operator, name: string): Promise<void>;
}

/** How a team works on its tickets together. */
export interface DeskWork extends DeskMacros, DeskViews {
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
  /** When an operator was at the desk last, where that is some minutes ago; null where they are there, or never were. ISO 8601 UTC. */
  awaySince(operator: Operator): Promise<string | null>;
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

/** An article as an operator writes it. Limits: title 200, content 20,000 characters, 20 tags of 60. */
export interface ArticleInput {
  /** Made from the title where absent. Lower-case letters, digits, `-`, `_` and `.`, as a source can be cited by it. */
  readonly articleId?: string | undefined;
  readonly title: string;
  readonly content: string;
  readonly tags?: readonly string[] | undefined;
  /** Detected where absent. */
  readonly language?: string | undefined;
}

/** `changed`: published, and written anew since. */
type ArticleState = 'published' | 'draft' | 'changed';

/** An article in the list: as it is written now, not as it is published. */
export interface ArticleEntry extends Omit<Article, 'content'> {
  readonly state: ArticleState;
}

/** Both versions of one article. */
export interface ArticleVersions {
  readonly articleId: string;
  readonly published: Article | null;
  readonly draft: StoredDraft | null;
}

/** How the search stands after a change. */
export interface IndexState {
  /** False where the vectors could not be brought up to date; the keywords are. They follow by themselves. */
  readonly indexed: boolean;
  readonly reason: string | null;
  readonly tookMs: number;
}

/**
 * Operators' side of the knowledge base. Nothing that is written is seen by customers or agents before it is published.
 * Every method throws HubError: `not_found`, `input_invalid` (fields: errors), `database_failed`, `disk_full`.
 */
export interface ArticleDesk {
  /** By id; all words of the text are in title, content or tags, accents and case folded. */
  list(text?: string): Promise<readonly ArticleEntry[]>;
  show(articleId: string): Promise<ArticleVersions>;
  /** The texts under which it was published, the newest first; of what was never published at the desk none. */
  versions(articleId: string): Promise<readonly ArticleVersion[]>;
  /** The text of a version becomes the draft, in the place of one that is there. @throws HubError `not_found` */
  restore(articleId: string, version: number, operator: Operator): Promise<StoredDraft>;
  /** A new draft. @throws HubError `input_invalid` where the id is taken */
  create(input: ArticleInput, operator: Operator): Promise<StoredDraft>;
  /** The draft of a published article or of one that is being written. What is not given stays (tags, language). */
  edit(articleId: string, input: ArticleInput, operator: Operator): Promise<StoredDraft>;
  /** Throws the draft away; what is published stays. */
  discard(articleId: string): Promise<void>;
  /** What was written is found from now on, in every process; without a draft the article is only indexed again. */
  publish(
    articleId: string,
    operator: Operator,
  ): Promise<{ readonly article: Article; readonly index: IndexState }>;
  /** Takes it out of the search; it is kept as a draft. */
  unpublish(articleId: string, operator: Operator): Promise<IndexState>;
}
