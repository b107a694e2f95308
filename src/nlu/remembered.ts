import { LRUCache } from 'lru-cache';

/** The parts of a long message, and of the answer to it. */
const TEXTS = 128;

/**
 * A pure reader of texts that keeps what it read of the last ones: one message is read by many that know nothing of each
 * other, whole and by its parts.
 * @param read what it returns is shared, and changed by nobody
 * @param keyOf all that it depends on; the text where absent
 */
export function remembered<Given extends readonly [text: string, ...others: unknown[]], Value>(
  read: (...given: Given) => Value,
  keyOf: (...given: Given) => string = (...[text]) => text,
): (...given: Given) => Value {
  const known = new LRUCache<string, { readonly value: Value }>({ max: TEXTS });
  return (...given) => {
    const key = keyOf(...given);
    const before = known.get(key);
    if (before !== undefined) return before.value;
    const value = read(...given);
    known.set(key, { value });
    return value;
  };
}
