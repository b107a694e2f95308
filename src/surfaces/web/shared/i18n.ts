import { COMPANY } from './company.js';
import { ofCompany, speakOf } from './message.js';
import { createStore, deviceStorage, useStore } from './store.js';
import type shared from './texts/en.json';

/** A language of the pages, as its text files are called: `en`, `pt-BR`. */
export type Language = string;

/** The text files of a page, one a language: `import.meta.glob('./texts/*.json', { import: 'default' })`. */
type TextFiles = Readonly<Record<string, () => Promise<unknown>>>;

/** The texts of a page in the language that is shown. */
interface Catalogue<T> {
  /** The component is drawn again when the language changes. */
  use(): T;
}

const KEY = 'hub.language';
/** What parts that every page has say: so little that each page brings it in every language. */
const FILES = import.meta.glob<typeof shared>('./texts/*.json', { import: 'default', eager: true });
let wanted: Language | null = null;
const catalogues: ((language: Language) => Promise<() => void>)[] = [];

const written = Object.keys(FILES).map((file) => file.replace(/^.*\/|\.json$/g, ''));
const offered = COMPANY.languages.filter((one) => written.includes(one));

/** The languages there are files for, of those that the company speaks; in its order. */
export const LANGUAGES: readonly Language[] = offered.length > 0 ? offered : written;

/** The language that a tag such as `pt` or `pt-PT` is shown in; the company's first for all others. */
export function toLanguage(tag: string): Language {
  const base = (one: string): string => one.toLowerCase().split('-')[0] ?? '';
  const found =
    LANGUAGES.find((one) => one.toLowerCase() === tag.toLowerCase()) ??
    LANGUAGES.find((one) => base(one) === base(tag));
  return found ?? LANGUAGES[0] ?? 'en';
}

/** The language of the page. */
export const language = createStore<Language>(toLanguage(deviceStorage.get(KEY) ?? navigator.language));

/** Takes the texts of a page from its files; they are there once `showTexts` has ended. */
export function catalogueOf<T>(files: TextFiles): Catalogue<T> {
  let texts = {} as T;
  catalogues.push(async (next) => {
    const load = files[`./texts/${next}.json`];
    const loaded = load === undefined ? {} : await load();
    return () => {
      texts = ofCompany(loaded as T, COMPANY.name);
    };
  });
  return {
    use() {
      useStore(language);
      return texts;
    },
  };
}

/** What parts that every page has say. */
export const SHARED = catalogueOf<typeof shared>(
  Object.fromEntries(Object.entries(FILES).map(([file, texts]) => [file, async () => texts])),
);

/** Loads the texts of a language and shows the page in it. */
export async function showTexts(next: Language = language.get()): Promise<void> {
  wanted = next;
  const taken = await Promise.all(catalogues.map((load) => load(next)));
  // Another one was chosen while this one was loaded.
  if (wanted !== next) return;
  speakOf({ locale: next, company: COMPANY.name });
  for (const take of taken) take();
  document.documentElement.lang = next;
  language.set(next);
}

/** Shows and keeps a language that a person chose. */
export function chooseLanguage(next: Language): void {
  deviceStorage.set(KEY, next);
  void showTexts(next);
}

/** Shows the language of the conversation, unless a person chose one. */
export function followLanguage(next: Language): void {
  if (deviceStorage.get(KEY) === null && toLanguage(next) !== language.get())
    void showTexts(toLanguage(next));
}
