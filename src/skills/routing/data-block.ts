import type { JsonValue } from '../../core/domain/json.js';

const MAX_TEXT = 4_000;
const MAX_BLOCK = 24_000;
const MAX_DEPTH = 8;
const MAX_ITEMS = 50;

/**
 * Data as a model may see it: JSON in which nothing can end the block it stands in (`<` is written as its escape), with
 * long texts, long lists and deep nesting cut.
 */
export function dataBlock(value: JsonValue | undefined): string {
  for (const budget of [MAX_TEXT, 800, 160]) {
    const text = JSON.stringify(cut(value ?? null, budget, MAX_DEPTH), null, 1).replaceAll('<', '\\u003c');
    if (text.length <= MAX_BLOCK) return text;
  }
  const text = JSON.stringify(cut(value ?? null, 80, 3)).replaceAll('<', '\\u003c');
  return JSON.stringify({ cut: text.slice(0, MAX_BLOCK / 2) }).replaceAll('<', '\\u003c');
}

/** The value with texts of at most `maxText` signs and lists of at most 50 entries. */
export function cut(value: JsonValue, maxText: number, depth: number): JsonValue {
  if (typeof value === 'string') return value.length > maxText ? `${value.slice(0, maxText)}…` : value;
  if (value === null || typeof value !== 'object') return value;
  if (depth === 0) return '…';
  if (Array.isArray(value))
    return value.slice(0, MAX_ITEMS).map((item: JsonValue) => cut(item, maxText, depth - 1));
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, MAX_ITEMS)
      .flatMap(([key, item]) => (item === undefined ? [] : [[key, cut(item, maxText, depth - 1)] as const])),
  );
}
