import type { Article } from './domain/article.js';
import type { Operator } from './domain/customer.js';
import type { ArticleVersion, StoredDraft } from './ports/knowledge-store.js';

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
