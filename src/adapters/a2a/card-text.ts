import { cleanText } from '../../core/clean-text.js';
import { isObject, type JsonObject, type JsonValue } from '../../core/domain/json.js';

/** One line of a stranger's text: no control characters, no line breaks, not longer than asked for. */
export function line(value: JsonValue | undefined, maxChars: number): string {
  if (typeof value !== 'string') return '';
  // Cut twice: a long text is not cleaned in full, and cleaning may leave half a character at the end.
  const clean = cleanText(value.slice(0, 4 * maxChars)).replace(/\s+/g, ' ');
  return clean.slice(0, maxChars).toWellFormed().trim();
}

export function strings(value: JsonValue | undefined, maxItems: number, maxChars: number): readonly string[] {
  const items = Array.isArray(value) ? (value as readonly JsonValue[]).slice(0, maxItems) : [];
  return items.map((item) => line(item, maxChars)).filter((item) => item !== '');
}

export function objects(value: JsonValue | undefined, maxItems: number): readonly JsonObject[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]).filter(isObject).slice(0, maxItems) : [];
}
