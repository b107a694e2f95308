/** Finds words and phrases of a list in tokens; see {@link buildMatcher}. */
export interface PhraseMatcher {
  /** Names of the lists that contain this one word. */
  word(token: string): readonly string[];
  /** Names of the lists that have a phrase starting at `index`. */
  phrases(tokens: readonly string[], index: number): readonly string[];
}

interface Phrase {
  readonly words: readonly string[];
  readonly name: string;
}

const NONE: readonly string[] = [];
const CACHE_LIMIT = 20_000;

function matches(pattern: string, token: string): boolean {
  return pattern.endsWith('*') ? token.startsWith(pattern.slice(0, -1)) : token === pattern;
}

/**
 * Builds a matcher from named lists of blank-separated patterns: `word`, `prefix*`, `two_words`
 * (any word of a phrase may end in `*`). Words are expected folded and with shorthand written out.
 */
export function buildMatcher(lists: Readonly<Record<string, string>>): PhraseMatcher {
  const exact = new Map<string, string[]>();
  const prefixes = new Map<string, string[]>();
  const phrases = new Map<string, Phrase[]>();
  let shortestPrefix = 40;
  const add = (map: Map<string, string[]>, key: string, name: string) => {
    const names = map.get(key);
    if (!names) map.set(key, [name]);
    else if (!names.includes(name)) names.push(name);
  };
  for (const [name, patterns] of Object.entries(lists)) {
    for (const pattern of patterns.split(/\s+/)) {
      if (pattern === '') continue;
      const words = pattern.split('_').filter((word) => word !== '');
      const first = words[0] ?? '';
      if (words.length > 1 && !pattern.startsWith('_')) {
        const key = first.replace('*', '');
        phrases.set(key, [...(phrases.get(key) ?? []), { words, name }]);
      } else if (pattern.endsWith('*')) {
        const key = pattern.slice(0, -1);
        shortestPrefix = Math.min(shortestPrefix, key.length);
        add(prefixes, key, name);
      } else {
        add(exact, pattern, name);
      }
    }
  }
  const cache = new Map<string, readonly string[]>();
  const lookUp = (token: string): readonly string[] => {
    const found = [...(exact.get(token) ?? NONE)];
    for (let length = shortestPrefix; length <= token.length; length += 1) {
      for (const name of prefixes.get(token.slice(0, length)) ?? NONE) {
        if (!found.includes(name)) found.push(name);
      }
    }
    return found.length > 0 ? found : NONE;
  };
  return {
    word(token) {
      const known = cache.get(token);
      if (known) return known;
      const names = lookUp(token);
      if (cache.size < CACHE_LIMIT) cache.set(token, names);
      return names;
    },
    phrases(tokens, index) {
      const candidates = phrases.get(tokens[index] ?? '');
      if (!candidates) return NONE;
      const found: string[] = [];
      for (const phrase of candidates) {
        let fits = true;
        for (let at = 1; at < phrase.words.length && fits; at += 1) {
          const token = tokens[index + at];
          fits = token !== undefined && matches(phrase.words[at] ?? '', token);
        }
        if (fits) found.push(phrase.name);
      }
      return found;
    },
  };
}
