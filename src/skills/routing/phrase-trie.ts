/** One phrase found in a text. */
export interface PhraseHit {
  /** What was stored with the phrase, e.g. the number of a pack. */
  readonly owner: number;
  /** The phrase as its writer spells it. */
  readonly phrase: string;
  /** Position of its first word in the text. */
  readonly start: number;
  /** Its length in words. */
  readonly words: number;
}

interface Node {
  readonly next: Map<string, Node>;
  readonly ends: { readonly owner: number; readonly phrase: string }[];
}

/** Finds many phrases in a text in one pass, whatever their number. */
export interface PhraseTrie {
  /** @param words the folded words of the phrase; a phrase without any is never found */
  add(words: readonly string[], owner: number, phrase: string): void;
  find(text: readonly string[]): PhraseHit[];
}

export function createPhraseTrie(): PhraseTrie {
  const root: Node = { next: new Map(), ends: [] };
  return {
    add(words, owner, phrase) {
      if (words.length === 0) return;
      let node = root;
      for (const word of words) {
        const known = node.next.get(word) ?? { next: new Map(), ends: [] };
        node.next.set(word, known);
        node = known;
      }
      node.ends.push({ owner, phrase });
    },
    find(text) {
      const hits: PhraseHit[] = [];
      for (let start = 0; start < text.length; start++) {
        let node: Node | undefined = root;
        for (let at = start; at < text.length; at++) {
          node = node.next.get(text[at] ?? '');
          if (node === undefined) break;
          for (const end of node.ends) hits.push({ ...end, start, words: at - start + 1 });
        }
      }
      return hits;
    },
  };
}
