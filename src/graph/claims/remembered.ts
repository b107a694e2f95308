import { LRUCache } from 'lru-cache';

/** Characters of all texts that a reader keeps: some thousand sentences and articles. What is read of them takes ten times the room. */
const ROOM = 1_000_000;
/** A longer text is hardly read twice. */
const LONGEST = 20_000;

/**
 * A pure reader of texts that keeps what it read: articles are found by many turns, and an answer is read again with each
 * sentence that is added to it.
 * @param read what it returns is shared, and changed by nobody
 * @param keyOf all that it depends on; the text where absent
 */
export function remembered<Given extends readonly unknown[], Value extends object>(
  read: (...given: Given) => Value,
  keyOf: (...given: Given) => string = (...[text]) => String(text),
): (...given: Given) => Value {
  const known = new LRUCache<string, Value>({
    maxSize: ROOM,
    maxEntrySize: LONGEST,
    sizeCalculation: (_value, key) => key.length + 1,
  });
  return (...given) => {
    const key = keyOf(...given);
    const before = known.get(key);
    if (before !== undefined) return before;
    const value = read(...given);
    known.set(key, value);
    return value;
  };
}
