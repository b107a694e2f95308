import type { JsonValue } from './domain/json.js';

/** Ids, codes, enumerations and times: what books and logs need and no person wrote. */
const PLAIN = /^(?:[a-z][a-z0-9_:-]{0,60}|[0-9a-f]{16,128}|\d{4}-\d{2}-\d{2}(?:T[\d:.]+Z)?|[A-Z]{3})$/;
/** Names of fields; a sentence is none. */
const FIELD = /^[\w$.:-]{1,64}$/;
/** Keys whose values somebody wrote, also where they are a single word. */
const WORDS = /^(?:reason|summary|comment|text|note|message|question|query|problem|title|name|email|value)$/;

/**
 * A record of a fact without anything that a person wrote: amounts, ids, codes and times stay.
 * @param instead what stands in the place of a text
 */
export function withoutWords(
  value: JsonValue,
  instead: (text: string) => string = () => '[erased]',
): JsonValue {
  if (typeof value === 'string') return PLAIN.test(value) ? value : instead(value);
  if (Array.isArray(value)) return value.map((item: JsonValue) => withoutWords(item, instead));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      isFieldName(key) ? key : instead(key),
      WORDS.test(key) && typeof item === 'string' ? instead(item) : withoutWords(item as JsonValue, instead),
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
