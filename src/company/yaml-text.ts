import { LRUCache } from 'lru-cache';
import { parse } from 'yaml';

/** Characters of texts, and of what they say as JSON: all files of a few companies. */
const KEPT = 8_000_000;
/** Numbers that JSON has none of. */
const NO_JSON = /\.(?:inf|nan)\b/i;

const known = new LRUCache<string, string>({
  maxSize: KEPT,
  sizeCalculation: (json, text) => json.length + text.length + 1,
});

/**
 * What a YAML text says. Reading it takes a hundred times as long as reading JSON, and the same files are read by many: each text
 * is read once a process, and everybody gets a value of their own.
 * @throws YAMLParseError
 */
export function parseYaml(text: string): unknown {
  const before = known.get(text);
  if (before !== undefined) return JSON.parse(before);
  const value: unknown = parse(text);
  if (value !== undefined && !NO_JSON.test(text)) known.set(text, JSON.stringify(value));
  return value;
}
