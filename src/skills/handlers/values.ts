import { HubError } from '../../core/errors.js';
import { fold } from '../../core/fold.js';
import { formatMoney as written } from '../../core/i18n/index.js';
import { type Handler, numberInput, textInput, textsInput } from './handler.js';

/**
 * Gives its input back as its output. For a part of a composite that names a result, or puts outputs of other parts together
 * under keys of its own: the work is done by the composite's `inputs`.
 */
export const passThrough: Handler = async (input) => input;

/** `{ amount_cents, currency = the company's, language = en }` to `{ text }`, as the hub writes amounts in that language. */
export const formatMoney: Handler = async (input, tools) => {
  const cents = numberInput(input, 'amount_cents');
  const currency = textInput(input, 'currency', tools.currency ?? '').toUpperCase();
  const language = textInput(input, 'language', 'en');
  try {
    return { text: written(cents, language, currency) };
  } catch (error) {
    throw new HubError(
      'input_invalid',
      `currency must be a code such as EUR and language a tag such as pt-BR; "${currency}" and "${language}" are not.`,
      { field: 'currency' },
      { cause: error },
    );
  }
};

const MAX_CANDIDATES = 1_000;
const MAX_LENGTH = 200;

/**
 * Finds what somebody meant among known names: `{ text, candidates, min_similarity = 0.6 }` to
 * `{ match, similarity, ranked: [{ candidate, similarity }] }`, the five best first. Case and accents do not count; `match`
 * is null where nothing is similar enough.
 */
export const closestMatch: Handler = async (input) => {
  const text = normal(textInput(input, 'text'));
  const least = numberInput(input, 'min_similarity', 0.6);
  const ranked = textsInput(input, 'candidates', MAX_CANDIDATES)
    .map((candidate) => ({ candidate, similarity: similarity(text, normal(candidate)) }))
    .sort((a, b) => b.similarity - a.similarity)
    .slice(0, 5);
  const best = ranked[0];
  const found = best !== undefined && best.similarity >= least;
  return { match: found ? best.candidate : null, similarity: best?.similarity ?? 0, ranked };
};

function normal(text: string): string {
  return fold(text.slice(0, MAX_LENGTH)).trim();
}

/** 1 where equal, 0 where nothing is in common, to two digits. */
function similarity(a: string, b: string): number {
  const longest = Math.max(a.length, b.length);
  return longest === 0 ? 1 : Math.round((1 - distance(a, b) / longest) * 100) / 100;
}

/** Levenshtein's: letters to insert, delete or replace. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replace = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, replace));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
