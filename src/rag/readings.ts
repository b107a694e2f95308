import type { SearchResult } from '../core/domain/article.js';

/** Looks up a text as it stands. */
type Look = (text: string) => Promise<SearchResult>;

/** How much of its confidence an answer keeps that fits a part of the message and not the whole. */
const IN_PART = 0.95;
/** From here on what comes second is what was meant, where it is asked of any friend. */
const PLAIN = 0.6;

/** What was found for a message, or for the one of its parts that is surer. */
export async function inParts(
  whole: SearchResult,
  parts: readonly string[],
  look: Look,
): Promise<SearchResult> {
  let best = whole;
  for (const part of parts) {
    const found = await look(part);
    const hits = found.hits.map((hit) => ({ ...hit, confidence: hit.confidence * IN_PART }));
    if (sureness({ hits }) > sureness(best)) best = { ...found, hits };
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
