import { type Mention, uniquePlaces } from './record-figures.js';
import type { RecordRow } from './record-rows.js';
import type { RecordBook } from './records.js';
import type { Sentence } from './sentences.js';
import { fold, type Token, tokensOf } from './tokens.js';

/* Which of the customer's records words name: by their titles, by the places that one alone has, or by a part of these. */

const SHORTEST = 4;
/** "The samba still has places", of one that has it in its title. */
const DEFINITE = /^(?:the|o|a)$/;
/** Words that begin with the same letters may be one. */
const STEM = 5;

/** The names of the records that a turn has read. */
export class RecordNames {
  readonly #titles = new Map<string, string>();
  /** Words of places that one record alone has. */
  readonly #places: ReadonlyMap<string, string>;

  /** The first words of titles, as many as tell one from the others. */
  readonly #heads = new Map<string, string | null>();

  constructor({ all, rows }: Pick<RecordBook, 'all' | 'rows'>) {
    for (const { title, names, done } of all)
      if (title !== null && !done) for (const name of names) this.#titles.set(name, title);
    this.#places = uniquePlaces(rows);
    for (const title of new Set(all.flatMap((one) => (one.done || one.title === null ? [] : [one.title])))) {
      const words = wordsFrom(tokensOf(title), 0);
      for (let size = 2; size <= words.length; size += 1) {
        const head = words.slice(0, size).join(' ');
        this.#heads.set(head, this.#heads.has(head) ? null : title);
      }
    }
  }

  /** The one record whose title begins as the words there do; null where none or several do. */
  #headAt(tokens: readonly Token[], at: number): string | null {
    const words = wordsFrom(tokens, at);
    for (let size = words.length; size >= 2; size -= 1) {
      const title = this.#heads.get(words.slice(0, size).join(' '));
      if (title !== undefined) return title;
    }
    return null;
  }

  /** The records that a sentence names, in its order. */
  mentionsIn(tokens: readonly Token[]): readonly Mention[] {
    const mentions: Mention[] = [];
    for (const [at, { text, from, capital }] of tokens.entries()) {
      const head = capital && !tokens[at - 1]?.capital ? this.#headAt(tokens, at) : null;
      const title =
        head ??
        (capital || (at === 1 && DEFINITE.test(tokens[0]?.text ?? '')) ? this.#titles.get(text) : undefined);
      if (title !== undefined && mentions.at(-1)?.title !== title) mentions.push({ title, from });
    }
    return mentions;
  }

  /** The one record that a sentence speaks of; null where it names several, or none. */
  titleIn({ tokens }: Sentence): string | null {
    return onlyOne(this.mentionsIn(tokens).map(({ title }) => title));
  }

  /** The one record that a customer's words name, with or without a capital; null where these are several or none. */
  titleAsked(asked: string): string | null {
    const words = fold(asked).split(/[^\p{L}]+/u);
    const isIn = (name: string) =>
      words.some(
        (word) => word === name || (word.length >= STEM && word.slice(0, STEM) === name.slice(0, STEM)),
      );
    return onlyOne([...this.#titles].flatMap(([name, title]) => (isIn(name) ? [title] : [])));
  }

  /**
   * "The improv show": a title in other words, or in another language.
   * @param own the record that is spoken of: its words hint at no other
   */
  isHinted(
    title: string,
    { tokens }: Sentence,
    { own = [] }: { readonly own?: readonly RecordRow[] } = {},
  ): boolean {
    const known = new Set(own.flatMap(({ words }) => [...words].map((word) => word.slice(0, STEM))));
    const said = new Set(
      tokens.flatMap(({ text }) => (text.length >= SHORTEST ? [text.slice(0, STEM)] : [])),
    );
    return [...this.#titles, ...this.#places].some(([name, of]) => {
      const stem = name.slice(0, STEM);
      return of === title && said.has(stem) && !known.has(stem);
    });
  }
}

/** What a list holds, once or more often; null where it holds several or none. */
function onlyOne(titles: readonly string[]): string | null {
  const [title = null, ...others] = new Set(titles);
  return others.length === 0 ? title : null;
}

/** More words tell no more. */
const HEAD = 4;

/** The next words from a place on, over hyphens, up to another sign. */
function wordsFrom(tokens: readonly Token[], at: number): readonly string[] {
  const words: string[] = [];
  for (const { text } of tokens.slice(at, at + 2 * HEAD)) {
    if (text === '-') continue;
    if (!/\p{L}/u.test(text) || words.length === HEAD) break;
    words.push(text);
  }
  return words;
}
