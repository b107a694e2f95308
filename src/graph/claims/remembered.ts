/** Sentences and whole texts of the articles that many turns find. */
const TEXTS = 4_000;
/** Longer ones are hardly read twice, and would take much room. */
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
  const known = new Map<string, Value>();
  return (...given) => {
    const key = keyOf(...given);
    const before = known.get(key);
    if (before !== undefined) return before;
    const value = read(...given);
    if (key.length > LONGEST) return value;
    if (known.size >= TEXTS) known.clear();
    known.set(key, value);
    return value;
  };
}
