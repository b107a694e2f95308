import { type Mention, uniquePlaces } from './record-figures.js';
import type { RecordRow } from './record-rows.js';
import type { RecordBook } from './records.js';
import type { Sentence } from './sentences.js';
import { fold, type Token } from './tokens.js';

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

  constructor({ all, rows }: Pick<RecordBook, 'all' | 'rows'>) {
    for (const { title, names, done } of all)
      if (title !== null && !done) for (const name of names) this.#titles.set(name, title);
    this.#places = uniquePlaces(rows);
  }

  /** The records that a sentence names, in its order. */
  mentionsIn(tokens: readonly Token[]): readonly Mention[] {
    const mentions: Mention[] = [];
    for (const [at, { text, from, capital }] of tokens.entries()) {
      const title =
        capital || (at === 1 && DEFINITE.test(tokens[0]?.text ?? '')) ? this.#titles.get(text) : undefined;
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
   * @param isPlaced whether the name of a place is enough
   */
  isHinted(
    title: string,
    { tokens }: Sentence,
    { own = [], isPlaced = true }: { readonly own?: readonly RecordRow[]; readonly isPlaced?: boolean } = {},
  ): boolean {
    const known = new Set(own.flatMap(({ words }) => [...words].map((word) => word.slice(0, STEM))));
    const said = new Set(
      tokens.flatMap(({ text }) => (text.length >= SHORTEST ? [text.slice(0, STEM)] : [])),
    );
    return [...this.#titles, ...(isPlaced ? this.#places : [])].some(([name, of]) => {
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
