import { deviceStorage } from './storage.js';
import { createStore, useStore } from './store.js';

/** Languages of the pages. */
export type Language = 'en' | 'pt-BR';

const KEY = 'hub.language';

/** The language that a tag such as `pt` or `pt-PT` is shown in; English for all others. */
export function toLanguage(tag: string): Language {
  return tag.toLowerCase().startsWith('pt') ? 'pt-BR' : 'en';
}

const kept = deviceStorage.get(KEY);

/** The language of the page. */
export const language = createStore<Language>(toLanguage(kept ?? navigator.language));

function show(next: Language): void {
  document.documentElement.lang = next;
  language.set(next);
}

show(language.get());

/** Shows and keeps a language that a person chose. */
export function chooseLanguage(next: Language): void {
  deviceStorage.set(KEY, next);
  show(next);
}

/** Shows the language of the conversation, unless a person chose one. */
export function followLanguage(next: Language): void {
  if (deviceStorage.get(KEY) === null) show(next);
}

/** One catalogue a language; the type of the English one holds for both. */
export type Catalogue<T> = Readonly<Record<Language, T>>;

/** The texts of a catalogue in the language of the page; the component is drawn again when that changes. */
export function useTexts<T>(catalogue: Catalogue<T>): T {
  return catalogue[useStore(language)];
}
