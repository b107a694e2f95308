import type { ArticleDesk, ArticleEntry, ArticleInput, IndexState } from '../core/desk-work.js';
import type { Article } from '../core/domain/article.js';
import type { Operator } from '../core/domain/customer.js';
import { languageAmong } from '../core/domain/language.js';
import type { Language } from '../core/domain/taxonomy.js';
import { type FieldError, HubError } from '../core/errors.js';
import type {
  AuditLog,
  Clock,
  Ids,
  KnowledgeDrafts,
  KnowledgeStore,
  StoredDraft,
} from '../core/ports/index.js';
import { cleanText } from '../core/text.js';
import { fold } from './analyzer.js';
import { articleIdFor } from './article-file.js';
import type { IndexReport, Knowledge } from './index.js';

const MAX_TITLE = 200;
const MAX_CONTENT = 20_000;
const MAX_TAGS = 20;
const MAX_TAG = 60;
/** Answers cite an article as `[id]`, and only what holds a digit or a mark is read as one. */
const ID = /^(?=.*[\d_-])[a-z\d][a-z\d_.-]{0,99}$/u;

/** What is left of an input once it is checked. */
interface CheckedArticle {
  readonly articleId: string | null;
  readonly title: string;
  readonly content: string;
  readonly tags: readonly string[] | null;
  readonly language: Language | null;
}

/** @throws HubError `input_invalid`, with every wrong field in `errors` */
function checkArticle(input: ArticleInput, languages: readonly Language[]): CheckedArticle {
  const errors: FieldError[] = [];
  const wrong = (field: string, message: string): void => void errors.push({ field, message });
  const text = (field: 'title' | 'content', max: number): string => {
    const cleaned = cleanText(input[field]);
    if (cleaned === '') wrong(field, 'must not be empty');
    if (cleaned.length > max) wrong(field, `must have at most ${max} characters`);
    return cleaned;
  };
  // A title is one line wherever it is shown.
  const title = text('title', MAX_TITLE).replace(/\s+/gu, ' ');
  const content = text('content', MAX_CONTENT);
  const articleId = input.articleId ?? null;
  if (articleId !== null && !ID.test(articleId))
    wrong(
      'article_id',
      'must be 1 to 100 lower-case letters, digits, ".", "-" and "_", with a digit, "-" or "_" among them',
    );
  const tags = input.tags?.map(cleanText).filter((tag) => tag !== '') ?? null;
  if ((tags?.length ?? 0) > MAX_TAGS) wrong('tags', `must be at most ${MAX_TAGS}`);
  if (tags?.some((tag) => tag.length > MAX_TAG))
    wrong('tags', `must have at most ${MAX_TAG} characters each`);
  const language = languageAmong(input.language, languages) ?? null;
  if (input.language !== undefined && language === null)
    wrong('language', `must be one of ${languages.join(', ')}`);
  const [first] = errors;
  if (first)
    throw new HubError('input_invalid', `The article cannot be kept: ${first.field} ${first.message}.`, {
      errors,
    });
  return { articleId, title, content, tags: tags === null ? null : [...new Set(tags)], language };
}

interface ArticleDeskDeps {
  readonly knowledge: Knowledge;
  readonly store: KnowledgeStore;
  readonly drafts: KnowledgeDrafts;
  readonly audit: AuditLog;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly detectLanguage: (text: string) => Language;
  /** Those of the company; an article may be in no other. */
  readonly languages: readonly Language[];
}

/** Wires what operators do with articles; does nothing by itself. */
export function createArticleDesk(deps: ArticleDeskDeps): ArticleDesk {
  const { store, drafts } = deps;
  const existing = async (articleId: string) => {
    const [published, draft] = await Promise.all([store.get(articleId), drafts.get(articleId)]);
    if (published === null && draft === null)
      throw new HubError('not_found', `There is no article "${articleId}".`, { articleId });
    return { articleId, published, draft };
  };
  return {
    list: async (text = '') => matching(await entries(deps), text),
    show: existing,
    create: (input, operator) => create(deps, input, operator),
    async edit(articleId, input, operator) {
      const { published, draft } = await existing(articleId);
      const { articleId: _articleId, ...rest } = input;
      const written = toDraft(deps, articleId, rest, operator, draft ?? published);
      await drafts.put(written);
      return written;
    },
    async versions(articleId) {
      await existing(articleId);
      return drafts.versions(articleId);
    },
    async restore(articleId, version, operator) {
      await existing(articleId);
      const old = (await drafts.versions(articleId)).find((one) => one.version === version);
      if (!old) throw new HubError('not_found', `"${articleId}" has no version ${version}.`, { articleId });
      const { title, content, tags, language } = old;
      const updatedAt = deps.clock.now().toISOString();
      const { operatorId: updatedBy } = operator;
      const draft: StoredDraft = { articleId, title, content, tags, language, updatedBy, updatedAt };
      await drafts.put(draft);
      return draft;
    },
    async discard(articleId) {
      if (!(await drafts.remove(articleId)))
        throw new HubError('not_found', `There is no draft of "${articleId}".`, { articleId });
    },
    async publish(articleId, operator) {
      const { published, draft } = await existing(articleId);
      const at = deps.clock.now().toISOString();
      let article = published;
      const index = await deps.knowledge.change({
        arriving: draft ?? undefined,
        apply: async () => {
          article = (await drafts.publish(articleId, operator.name, at)) ?? article;
        },
      });
      // Somebody else has thrown the draft away meanwhile.
      if (article === null) throw new HubError('not_found', `There is no draft of "${articleId}".`);
      await keep(deps, operator, 'publish_article', articleId);
      return { article, index: stateOf(index) };
    },
    async unpublish(articleId, operator) {
      if ((await store.get(articleId)) === null)
        throw new HubError('not_found', `"${articleId}" is not published.`, { articleId });
      const apply = async (): Promise<void> => void (await drafts.unpublish(articleId, operator.operatorId));
      const index = await deps.knowledge.change({ leaving: articleId, apply });
      await keep(deps, operator, 'unpublish_article', articleId);
      return stateOf(index);
    },
  };
}

interface Listed extends ArticleEntry {
  readonly content: string;
}

async function entries({ store, drafts }: ArticleDeskDeps): Promise<readonly Listed[]> {
  const [articles, written] = await Promise.all([store.list(), drafts.list()]);
  const published = new Set(articles.map(({ articleId }) => articleId));
  const changed = new Set(written.map(({ articleId }) => articleId));
  return [
    ...articles
      .filter(({ articleId }) => !changed.has(articleId))
      .map((article) => ({ ...article, state: 'published' as const })),
    ...written.map(({ updatedBy: _updatedBy, ...draft }) => ({
      ...draft,
      state: published.has(draft.articleId) ? ('changed' as const) : ('draft' as const),
    })),
  ].sort((a, b) => (a.articleId < b.articleId ? -1 : 1));
}

function matching(listed: readonly Listed[], text: string): readonly ArticleEntry[] {
  const words = fold(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  return listed.flatMap(({ content, ...entry }) => {
    const { articleId, title, tags } = entry;
    const all = words.length === 0 ? '' : fold([articleId, title, content, ...tags].join('\n'));
    return words.every((word) => all.includes(word)) ? [entry] : [];
  });
}

async function create(deps: ArticleDeskDeps, input: ArticleInput, operator: Operator): Promise<StoredDraft> {
  const draft = toDraft(deps, input.articleId, input, operator, null);
  if (await deps.drafts.add(draft)) return draft;
  const message = `There is already an article "${draft.articleId}".`;
  throw new HubError('input_invalid', message, {
    errors: [{ field: 'article_id', message: 'is taken by another article' }],
  });
}

/** @param before what it was until now; an article keeps its id whatever it is, a new one must have a proper one */
function toDraft(
  { clock, detectLanguage, languages }: ArticleDeskDeps,
  id: string | undefined,
  input: ArticleInput,
  operator: Operator,
  before: Article | null,
): StoredDraft {
  const { title, content, tags, language } = checkArticle(input, languages);
  return {
    articleId: id ?? articleIdFor(title, content),
    title,
    content,
    tags: tags ?? before?.tags ?? [],
    language: language ?? before?.language ?? detectLanguage(`${title}\n${content}`),
    updatedBy: operator.operatorId,
    updatedAt: clock.now().toISOString(),
  };
}

async function keep(
  { audit, ids, clock }: ArticleDeskDeps,
  operator: Operator,
  action: string,
  articleId: string,
): Promise<void> {
  await audit.append({
    auditKey: ids.next('art'),
    ticketId: null,
    customerId: null,
    actor: `operator:${operator.operatorId}`,
    action,
    outcome: 'done',
    details: { article_id: articleId },
    createdAt: clock.now().toISOString(),
  });
}

function stateOf({ indexed, reason, tookMs }: IndexReport): IndexState {
  return { indexed, reason, tookMs };
}
