import type { Article } from '../../src/core/domain/article.js';
import { idOfNumber } from '../../src/core/domain/ticket.js';
import type { KeywordHit } from '../../src/core/ports/knowledge-store.js';
import type { Database, Work } from '../database.js';
import { ERASED } from '../privacy-rows.js';
import { preparedOnUse } from '../statements.js';
import { allWords, type Term, wordsOf } from './full-text.js';

/*
 * The one thing that the engines do not share: SQLite keeps its full-text indexes by triggers, and on PostgreSQL the stores
 * write them. Texts and queries are cut into words by full-text.ts on both.
 */

/** As FTS5 counts a word in a title, among the tags and in the text. */
const WEIGHTS = { title: 4, tags: 3, content: 1 };

/** The search for articles by their words. */
interface ArticleIndex {
  /** Takes up articles that were inserted or changed; SQLite has done so. */
  put(articles: readonly Pick<Article, 'articleId' | 'title' | 'tags' | 'content'>[]): Work<void>;
  /** How many articles there are, at most. */
  size(): Work<number>;
  articlesWith(term: Term): Work<number>;
  /** Articles with any of the words, the best first. */
  search(terms: readonly Term[], limit: number): Work<readonly KeywordHit[]>;
}

const size = (database: Database) =>
  database.prepare<[], number | null>('SELECT max(row_no) FROM knowledge').pluck();

/** Prepares it. */
export function prepareArticleIndex(database: Database): ArticleIndex {
  return database.engine === 'sqlite' ? sqliteArticles(database) : postgresArticles(database);
}

const quoted = ({ text, beginning }: Term): string => `"${text}"${beginning ? '*' : ''}`;

function sqliteArticles(database: Database): ArticleIndex {
  const statements = preparedOnUse(() => ({ size: size(database) }));
  const counting = preparedOnUse(() => ({
    words: database.prepare(
      "CREATE VIRTUAL TABLE IF NOT EXISTS temp.knowledge_words USING fts5vocab('main', 'knowledge_fts', 'row')",
    ),
  }));
  const counted = preparedOnUse(() => ({
    with: database.prepare<[string], number>('SELECT doc FROM knowledge_words WHERE term = ?').pluck(),
  }));
  // Weights of title, tags, content. FTS5's score is smaller for better.
  const search = preparedOnUse(() => ({
    any: database.prepare<[string, number], KeywordHit>(
      `SELECT k.article_id AS articleId, -best AS score
       FROM (SELECT rowid AS row_no, bm25(knowledge_fts, ${Object.values(WEIGHTS)}) AS best FROM knowledge_fts
             WHERE knowledge_fts MATCH ? ORDER BY best, rowid LIMIT ?) JOIN knowledge k USING (row_no)
       ORDER BY best, k.article_id`,
    ),
  }));
  return {
    // biome-ignore lint/correctness/useYield: its triggers have done it
    *put() {
      return;
    },
    *size() {
      return (yield* statements.size.get()) ?? 0;
    },
    *articlesWith({ text }) {
      yield* counting.words.run();
      return (yield* counted.with.get(text)) ?? 0;
    },
    search: (terms, limit) => search.any.all(terms.map(quoted).join(' OR '), limit),
  };
}

/** Where the terms of a query begin and end among all. */
const rangeOf = ({ text, beginning }: Term) => ({ from: text, to: beginning ? `${text}\u{10ffff}` : text });
const IN_RANGE =
  "t.term >= json_extract(asked.value, '$.from') AND t.term <= json_extract(asked.value, '$.to')";

/** Articles that are taken up by one statement. */
const AT_ONCE = 200;

/** How many words an article has, and how much each of them weighs in it. */
function weighed({ articleId: id, ...article }: Pick<Article, 'articleId' | 'title' | 'tags' | 'content'>) {
  const weights = new Map<string, number>();
  let length = 0;
  // As SQLite's triggers see them: a list of tags is its JSON.
  const texts = { ...article, tags: JSON.stringify(article.tags) };
  for (const [field, weight] of Object.entries(WEIGHTS))
    for (const word of wordsOf(texts[field as keyof typeof WEIGHTS])) {
      weights.set(word, (weights.get(word) ?? 0) + weight);
      length += 1;
    }
  return { id, length, terms: [...weights].map(([term, weight]) => ({ term, weight })) };
}

function postgresArticles(database: Database): ArticleIndex {
  const statements = preparedOnUse(() => ({
    size: size(database),
    forget: database.prepare<[string]>(
      `DELETE FROM knowledge_fts WHERE row_no IN
         (SELECT k.row_no FROM json_each(?) given JOIN knowledge k ON k.article_id = json_extract(given.value, '$.id'))`,
    ),
    lengths: database.prepare<[string]>(
      `INSERT INTO knowledge_lengths_fts (row_no, length)
       SELECT k.row_no, CAST(json_extract(given.value, '$.length') AS bigint)
       FROM json_each(?) given JOIN knowledge k ON k.article_id = json_extract(given.value, '$.id')
       ON CONFLICT (row_no) DO UPDATE SET length = excluded.length`,
    ),
    terms: database.prepare<[string]>(
      `INSERT INTO knowledge_fts (row_no, term, weight)
       SELECT k.row_no, json_extract(word.value, '$.term'), CAST(json_extract(word.value, '$.weight') AS double precision)
       FROM json_each(?) given JOIN knowledge k ON k.article_id = json_extract(given.value, '$.id')
         CROSS JOIN LATERAL json_each(json_extract(given.value, '$.terms')) word`,
    ),
    with: database
      .prepare<[string], number>(
        `SELECT count(DISTINCT t.row_no) FROM json_each(?) asked JOIN knowledge_fts t ON ${IN_RANGE}`,
      )
      .pluck(),
    // The formula of FTS5's bm25, so that both engines find the same.
    search: database.prepare<[string, number], KeywordHit>(
      `WITH found AS (SELECT asked.key AS word, t.row_no, sum(t.weight) AS weight
           FROM json_each(?) asked JOIN knowledge_fts t ON ${IN_RANGE} GROUP BY asked.key, t.row_no),
         whole AS (SELECT count(*) AS articles, avg(length) AS length FROM knowledge_lengths_fts),
         rare AS (SELECT word, greatest(1e-6, ln((min(articles) - count(*) + 0.5) / (count(*) + 0.5))) AS rarity
           FROM found CROSS JOIN whole GROUP BY word)
       SELECT k.article_id AS articleId, sum(CAST(rarity * weight * 2.2
           / (weight + 1.2 * (0.25 + 0.75 * l.length / whole.length)) AS double precision)) AS score
       FROM found JOIN rare USING (word) JOIN knowledge_lengths_fts l USING (row_no) JOIN knowledge k USING (row_no)
         CROSS JOIN whole
       GROUP BY k.article_id ORDER BY score DESC, k.article_id LIMIT ?`,
    ),
  }));
  const ranges = (terms: readonly Term[]): string => JSON.stringify(terms.map(rangeOf));
  return {
    *put(articles) {
      // A statement for each would wait for the server three times an article.
      for (let at = 0; at < articles.length; at += AT_ONCE) {
        const given = JSON.stringify(articles.slice(at, at + AT_ONCE).map(weighed));
        yield* statements.forget.run(given);
        yield* statements.lengths.run(given);
        yield* statements.terms.run(given);
      }
    },
    *size() {
      return (yield* statements.size.get()) ?? 0;
    },
    *articlesWith(term) {
      return (yield* statements.with.get(ranges([term]))) ?? 0;
    },
    search: (terms, limit) => statements.search.all(ranges(terms), limit),
  };
}

/** Keeps what the search for tickets looks through; on SQLite there is nothing to do. */
export function prepareTicketIndex(database: Database) {
  const vector = "array_to_tsvector(string_to_array(@words, ' '))";
  const statements = preparedOnUse(() => ({
    message: database.prepare<Record<string, string>>(
      `INSERT INTO ticket_messages_fts (seq, words) SELECT seq, ${vector} FROM ticket_messages WHERE message_id = @id
       ON CONFLICT (seq) DO UPDATE SET words = excluded.words`,
    ),
    summary: database.prepare<Record<string, string>>(
      `INSERT INTO ticket_summaries_fts (ticket_id, words) VALUES (@id, ${vector})
       ON CONFLICT (ticket_id) DO UPDATE SET words = excluded.words`,
    ),
    erasedMessages: database.prepare<[], { readonly id: string; readonly text: string }>(
      `SELECT message_id AS id, content AS text FROM ticket_messages WHERE instr(content, '${ERASED}') > 0`,
    ),
    erasedSummaries: database.prepare<[], { readonly id: string; readonly text: string }>(
      `SELECT ticket_id AS id, summary AS text FROM ticket_metadata WHERE instr(summary, '${ERASED}') > 0`,
    ),
  }));
  const put = (what: 'message' | 'summary') =>
    function* (id: string, text: string): Work<void> {
      if (database.engine === 'sqlite') return;
      yield* statements[what].run({ id, words: wordsOf(text).join(' ') });
    };
  /** Takes up anew what words were taken out of, in the caller's transaction; what was deleted is gone on both engines. */
  function* forgetErased(): Work<void> {
    if (database.engine === 'sqlite') {
      for (const table of ['ticket_messages_fts', 'ticket_summaries_fts'])
        yield* database.prepare(`INSERT INTO ${table}(${table}) VALUES ('optimize')`).run();
      return;
    }
    for (const { id, text } of yield* statements.erasedMessages.all()) yield* put('message')(id, text);
    for (const { id, text } of yield* statements.erasedSummaries.all()) yield* put('summary')(id, text);
  }
  return { message: put('message'), summary: put('summary'), forgetErased };
}

const MAX_ID = 200;
/** The newest messages that fit; a word that is in more of them says little. */
const NEWEST = 5_000;
/** Sorts after everything that begins with the same text. */
const LAST = '\u{10ffff}';

/** Gives `seq` of the tickets that fit, in no order; null where there is nothing to look for. */
export type TicketSearch = (text: string, customerIds: readonly string[]) => Work<readonly number[] | null>;

const MATCH = {
  sqlite: {
    messages:
      'SELECT rowid AS seq FROM ticket_messages_fts WHERE ticket_messages_fts MATCH ? ORDER BY rowid DESC LIMIT ?',
    summaries:
      'SELECT rowid FROM ticket_summaries_fts WHERE ticket_summaries_fts MATCH ? ORDER BY rowid DESC LIMIT ?',
    all: (terms: readonly Term[]) => terms.map(quoted).join(' AND '),
  },
  postgres: {
    messages:
      'SELECT seq FROM ticket_messages_fts WHERE words @@ CAST(? AS tsquery) ORDER BY seq DESC LIMIT ?',
    summaries: `SELECT t.seq FROM ticket_summaries_fts s JOIN tickets t USING (ticket_id)
      WHERE s.words @@ CAST(? AS tsquery) ORDER BY t.seq DESC LIMIT ?`,
    all: (terms: readonly Term[]) =>
      terms
        .map(({ text, beginning }) => `'${text.replaceAll("'", "''")}'${beginning ? ':*' : ''}`)
        .join(' & '),
  },
};

/** Prepares the search for tickets by text. */
export function prepareTicketSearch(database: Database): TicketSearch {
  const match = MATCH[database.engine];
  const inMessages = database
    .prepare<[string, number], number>(
      `SELECT DISTINCT t.seq FROM (${match.messages}) found
       JOIN ticket_messages m ON m.seq = found.seq JOIN tickets t ON t.ticket_id = m.ticket_id`,
    )
    .pluck();
  const inSummaries = database.prepare<[string, number], number>(match.summaries).pluck();
  const byId = database
    .prepare<[string, string, string], number>(
      'SELECT seq FROM tickets WHERE (ticket_id >= ? AND ticket_id < ?) OR thread_id = ?',
    )
    .pluck();
  const byCustomer = database
    .prepare<[string], number>(
      'SELECT seq FROM tickets WHERE customer_id IN (SELECT value FROM json_each(?))',
    )
    .pluck();
  return function* (given, customerIds) {
    const text = given.trim().slice(0, MAX_ID);
    if (text === '') return null;
    const found = new Set(yield* byId.all(text, `${text}${LAST}`, text));
    const id = idOfNumber(text);
    if (id !== null) for (const seq of yield* byId.all(id, `${id}${LAST}`, id)) found.add(seq);
    for (const seq of yield* byCustomer.all(JSON.stringify([...customerIds, text]))) found.add(seq);
    const terms = allWords(given);
    if (terms.length === 0) return [...found];
    const words = match.all(terms);
    for (const seq of yield* inMessages.all(words, NEWEST)) found.add(seq);
    for (const seq of yield* inSummaries.all(words, NEWEST)) found.add(seq);
    return [...found];
  };
}
