import type { Article, SearchResult } from '../core/domain/article.js';
import { primaryOf } from '../core/domain/language.js';
import type { Language } from '../core/domain/taxonomy.js';
import type { KeywordHit, VectorHit } from '../core/ports/knowledge-store.js';
import { type Analyzer, fold } from './analyzer.js';
import {
  type ArticleBagCache,
  type ArticleBags,
  coverage,
  headingShare,
  rarityAmong,
  type Wanted,
  wantedOf,
} from './article-features.js';
import { type ArticleFeatures, rawConfidence } from './confidence.js';
import { CONDITION } from './question.js';

/** Reciprocal rank fusion (Cormack, Clarke, Büttcher 2009): sum of weight / (k + rank), rank from 1. */
interface RankedList {
  /** Ids, best first. */
  readonly ids: readonly string[];
  readonly weight: number;
}

const K = 60;

/** Fused score by id; ids that no list holds are absent. */
export function fuseByRank(lists: readonly RankedList[], k: number = K): ReadonlyMap<string, number> {
  const scores = new Map<string, number>();
  for (const { ids, weight } of lists) {
    for (const [i, id] of ids.entries()) scores.set(id, (scores.get(id) ?? 0) + weight / (k + i + 1));
  }
  return scores;
}

/** One article (or its versions in several languages) that may answer the query. */
export interface Candidate {
  /** The version to show: in the wanted language where there is one. */
  readonly article: Article;
  /** Ids of all versions found. */
  readonly articleIds: readonly string[];
  /** Of the version nearest to the query; null where the vector index took no part. */
  readonly distance: number | null;
  readonly features: ArticleFeatures;
}

/** What both searches found, before it is put together. */
interface Found {
  readonly vectorHits: readonly VectorHit[];
  readonly keywordHits: readonly KeywordHit[];
  /** The articles of both, their versions in the other language, and others that are worth a look. */
  readonly articles: ReadonlyMap<string, Article>;
}

/**
 * Weights of the ranked lists, measured on labelled questions (data/rag/README.md): nearest vectors, BM25, and how much
 * of the query the article covers in words and synonyms, as a whole and in title and tags.
 */
const WEIGHTS = { vectors: 0.5, keywords: 0.15, coverage: 0.2, heading: 0.15 } as const;
const RANK_CONSTANT = 5;
/** Stands for the distance of a candidate that only the keyword search found. */
const FARTHEST = Math.SQRT2;

const LANGUAGE_SUFFIX = /[-_.][a-z]{2}(?:[-_]br)?$/iu;

/** What the versions of an article in several languages have in common: the id without its language. */
export function twinKey(articleId: string): string {
  return articleId.replace(LANGUAGE_SUFFIX, '');
}

/** Ids under which the versions of an article in the other languages would be found. */
export function twinIds(articleId: string, languages: readonly Language[]): readonly string[] {
  const key = twinKey(articleId);
  if (key === articleId) return [];
  const separator = articleId.charAt(key.length);
  const endings = new Set(languages.flatMap((language) => [primaryOf(language), language]));
  return [...endings].map((ending) => `${key}${separator}${ending}`).filter((id) => id !== articleId);
}

/** Joins language versions, describes each candidate, and fuses four orders of them by rank. Best first. */
export function rankCandidates(
  query: string,
  language: Language,
  found: Found,
  analyzer: Analyzer,
  bags: ArticleBagCache,
): readonly Candidate[] {
  const groups = groupVersions(found, language);
  const distances = minimumBy(
    found.vectorHits,
    (hit) => groups.keyOf(hit.articleId),
    (hit) => hit.distance,
  );
  const scores = minimumBy(
    found.keywordHits,
    (hit) => groups.keyOf(hit.articleId),
    (hit) => -hit.score,
  );
  const keys = groups.keys();
  const describe = describer(
    query,
    analyzer,
    bags,
    keys.flatMap((key) => groups.get(key) ?? []),
    distances,
    scores,
  );
  const described = new Map(
    keys.flatMap((key) => groups.get(key) ?? []).map((group) => [group.key, describe(group)]),
  );
  const by = (value: (key: string) => number | undefined, weight: number): RankedList => ({
    ids: ordered(keys, value),
    weight,
  });
  const fused = fuseByRank(
    [
      by((key) => negated(distances.get(key)), WEIGHTS.vectors),
      by((key) => negated(scores.get(key)), WEIGHTS.keywords),
      by((key) => positive(described.get(key)?.overlap), WEIGHTS.coverage),
      by((key) => positive(described.get(key)?.headingOverlap), WEIGHTS.heading),
    ],
    RANK_CONSTANT,
  );
  return ordered(keys, (key) => fused.get(key)).flatMap((key) => {
    const group = groups.get(key);
    const features = described.get(key);
    if (group === undefined || features === undefined) return [];
    const articleIds = group.versions.map((version) => version.articleId);
    return [{ article: group.shown, articleIds, distance: distances.get(key) ?? null, features }];
  });
}

/** Keys that have a value, the highest first; equal values by name, so that the same search gives the same order. */
function ordered(keys: readonly string[], value: (key: string) => number | undefined): readonly string[] {
  const known = keys.flatMap((key) => {
    const number = value(key);
    return number === undefined ? [] : [{ key, number }];
  });
  return known.sort((a, b) => b.number - a.number || (a.key < b.key ? -1 : 1)).map(({ key }) => key);
}

const negated = (value: number | undefined): number | undefined => (value === undefined ? undefined : -value);
const positive = (value: number | undefined): number | undefined =>
  value === undefined || value <= 0 ? undefined : value;

interface Group {
  readonly key: string;
  readonly versions: readonly Article[];
  readonly shown: Article;
}

/** Articles whose ids differ in the language only, and whose languages differ, are versions of one. */
function groupVersions(
  found: Found,
  language: Language,
): { keyOf(id: string): string; get(key: string): Group | undefined; keys(): readonly string[] } {
  const members = new Map<string, Article[]>();
  for (const article of found.articles.values()) {
    const key = twinKey(article.articleId);
    const versions = members.get(key) ?? [];
    members.set(key, [...versions, article]);
  }
  const keys = new Map<string, string>();
  const groups = new Map<string, Group>();
  for (const [twin, versions] of members) {
    const distinct = new Set(versions.map((version) => version.language)).size === versions.length;
    for (const part of distinct ? [versions] : versions.map((version) => [version])) {
      const shown = part.find((version) => version.language === language) ?? part[0];
      if (shown === undefined) continue;
      const key = distinct ? twin : shown.articleId;
      for (const version of part) keys.set(version.articleId, key);
      groups.set(key, { key, versions: part, shown });
    }
  }
  return {
    keyOf: (id) => keys.get(id) ?? id,
    get: (key) => groups.get(key),
    keys: () => [...groups.keys()],
  };
}

function describer(
  query: string,
  analyzer: Analyzer,
  bags: ArticleBagCache,
  groups: readonly Group[],
  distances: ReadonlyMap<string, number>,
  scores: ReadonlyMap<string, number>,
): (group: Group) => ArticleFeatures {
  const wanted = wantedOf(analyzer, query);
  const rarity = rarityAmong(
    groups.flatMap((group) => group.versions.map((version) => bags.of(version).all)),
  );
  const weightOf = ({ stem, concepts }: Wanted): number =>
    stem === null ? Math.max(...concepts.map(rarity.ofConcept)) : rarity.ofStem(stem);
  const raws = [...distances]
    .map(([key, distance]) => ({ key, raw: rawConfidence(distance) }))
    .sort((a, b) => b.raw - a.raw);
  const bestScore = Math.max(...[...scores.values()].map((score) => -score), Number.MIN_VALUE);
  return (group) => {
    const raw = distances.size === 0 ? 0 : rawConfidence(distances.get(group.key) ?? FARTHEST);
    const rival = raws.find((entry) => entry.key !== group.key)?.raw ?? 0;
    const versions = group.versions.map((version) => bags.of(version));
    const best = (measured: (version: ArticleBags) => number): number =>
      Math.max(0, ...versions.map(measured));
    return {
      raw,
      margin: raws.length < 2 ? 0 : raw - rival,
      overlap: best((version) => coverage(wanted, version.all, weightOf)),
      exactOverlap: best((version) => coverage(wanted, version.all, weightOf, 0)),
      headingOverlap: best((version) => coverage(wanted, version.heading, weightOf)),
      headingShare: best((version) => headingShare(version.heading, wanted)),
      keyword: -(scores.get(group.key) ?? 0) / bestScore,
      length: Math.log1p(wanted.length),
    };
  };
}

function minimumBy<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
  measured: (item: T) => number,
): ReadonlyMap<string, number> {
  const minimum = new Map<string, number>();
  for (const item of items) {
    const key = keyOf(item);
    const value = measured(item);
    if (value < (minimum.get(key) ?? Number.POSITIVE_INFINITY)) minimum.set(key, value);
  }
  return minimum;
}

/** Looks up a text as it stands. */
type Look = (text: string) => Promise<SearchResult>;

/** How much of its confidence an answer keeps that fits a part of the message and not the whole. */
const IN_PART = 0.95;
/** From here on a question is answered without the condition that it was asked on. */
const WITHOUT_CONDITION = 0.8;
/** From here on what comes second is what was meant, where it is asked of any friend. */
const PLAIN = 0.6;

/** What was found for a message, or for the one of its parts that is surer. */
export async function inParts(
  whole: SearchResult,
  parts: readonly string[],
  look: Look,
  message: string,
): Promise<SearchResult> {
  let best = whole;
  // What holds on a condition is looked up with it, unless its question all but surely has an answer of its own.
  const least = CONDITION.test(fold(message)) ? WITHOUT_CONDITION : 0;
  for (const part of parts) {
    const found = await look(part);
    const hits = found.hits.map((hit) => ({ ...hit, confidence: hit.confidence * IN_PART }));
    const sure = sureness({ hits });
    if (sure >= least && sure > sureness(best)) best = { ...found, hits };
  }
  return best;
}

/**
 * What was found for a question about a relative, surer where it is found for any friend too: few questions are known of each
 * relative. What is found for a friend alone may be about passing something on, which nobody asked.
 * @param general the question as one about a friend; itself where it names no relative
 */
export async function ofAnyone(
  found: SearchResult,
  readings: readonly string[],
  { general, look }: { readonly general: (text: string) => string; readonly look: Look },
): Promise<SearchResult> {
  const [nearest, next] = found.hits.map(({ articleId }) => articleId);
  let best = found;
  for (const reading of readings) {
    const asked = general(reading);
    if (asked === reading) continue;
    const other = await look(asked);
    const first = other.hits[0]?.articleId;
    const isNear = first !== undefined && (first === nearest || (first === next && sureness(other) >= PLAIN));
    if (isNear && sureness(other) > sureness(best)) best = other;
  }
  return best;
}

function sureness({ hits }: Pick<SearchResult, 'hits'>): number {
  return hits[0]?.confidence ?? 0;
}
