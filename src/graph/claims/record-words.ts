import type { EntityWords, WordsByLanguage } from '../../core/domain/entity.js';
import { MONTHS, WEEKDAYS } from './calendar.js';
import { EVENING, MORNING } from './figure-words.js';
import { fold, tokensOf } from './tokens.js';

/** Keys of a record under which its title stands, beside the ids of entities. */
const TITLE_KEYS = ['title', 'name', 'for'];
/** What every company has: the customer's account, and tries. */
const EVERYWHERE: Readonly<Record<string, readonly string[]>> = {
  user: ['account', 'profile', 'conta', 'perfil', 'cadastro'],
  attempt: ['try', 'tentativa'],
  remaining: ['left'],
};
/** Keys under which it is returned. */
const ACCOUNT = ['user', 'customer'];
/** Words of grammar that are as long as a name. */
const SMALL = new Set(
  'with your from this that what when where which have will they them then than just over into about para pela pelo como quando onde voce sobre isso essa esse este esta mais tudo todo toda'.split(
    ' ',
  ),
);
/** Fewer letters name nothing. */
const SHORTEST = 4;

/** What the records of a company are called, by its customers and by its tools. */
export class RecordWords {
  /** The id of an entity, or the key of a part of one, by each word for it. */
  readonly #names = new Map<string, string>();
  /** How the records of an entity are called, by the key under which they are returned. */
  readonly #words = new Map<string, readonly string[]>();
  readonly #common = new Set<string>();
  readonly #titleKeys: readonly string[];

  constructor(entities: readonly EntityWords[]) {
    this.#titleKeys = [...TITLE_KEYS, ...entities.map(({ id }) => id)];
    for (const { id, nouns, also, parts, titles } of entities) {
      for (const [key, words] of Object.entries(parts)) this.#add(key, wordsIn(words));
      this.#add(id, wordsIn(nouns));
      this.#words.set(id, wordsIn(nouns));
      for (const word of [...wordsIn(nouns), ...wordsIn(also), ...titles.common]) this.#common.add(word);
      for (const [first, ...same] of titles.same)
        if (first && this.#common.has(first)) for (const word of same) this.#common.add(word);
    }
    for (const { id, also, kinds } of entities)
      for (const word of [...wordsIn(also), ...wordsIn(kinds)])
        if (!this.#names.has(word)) this.#names.set(word, id);
    for (const [key, words] of Object.entries(EVERYWHERE)) this.#add(key, words);
    for (const key of ACCOUNT) this.#words.set(key, EVERYWHERE.user ?? []);
  }

  /** One name for what is counted, whatever it is called and in whatever number; the word where it is nothing of these. */
  nameOf(word: string): string {
    const low = fold(word);
    const singular = low.length >= SHORTEST ? low.replace(/s$/, '') : low;
    return this.#names.get(low) ?? this.#names.get(singular) ?? singular;
  }

  /** True for a word that stands for records, or for a part of one. */
  names(word: string): boolean {
    return this.#names.has(word) || this.#names.has(word.replace(/s$/, '')) || this.#common.has(word);
  }

  /** The entity or part of one that a word stands for; null where it stands for none. */
  entityOf(word: string): string | null {
    const name = this.#names.get(word) ?? this.#names.get(word.replace(/s$/, ''));
    return name === undefined || (name in EVERYWHERE && name !== 'user') ? null : name;
  }

  /** How a record without a title is called. @param key under which a tool returns it */
  wordsOf(key: string): readonly string[] {
    return this.#words.get(key) ?? [];
  }

  /** The title of a row, where it has one. */
  titleIn(row: Readonly<Record<string, unknown>>): string | null {
    const titles = this.#titleKeys.map((key) => row[key]);
    return titles.find((title): title is string => typeof title === 'string') ?? null;
  }

  /** Words of a title or a place that may tell its record from others. */
  distinctive(text: string): Set<string> {
    const words = tokensOf(text).flatMap(({ text: word, number }) => (number === null ? [word] : []));
    return new Set(
      words.filter(
        (word) =>
          word.length >= SHORTEST &&
          ![this.#common, SMALL, MONTHS, WEEKDAYS, MORNING, EVENING].some((those) => those.has(word)),
      ),
    );
  }

  #add(key: string, words: readonly string[]): void {
    for (const word of [key, ...words]) if (!this.#names.has(word)) this.#names.set(word, key);
  }
}

function wordsIn(words: WordsByLanguage): readonly string[] {
  return Object.values(words).flat();
}
