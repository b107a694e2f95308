import { catalogueOf } from '../shared/i18n.js';
import type en from './texts/en.json';

/** Everything the chat says by itself, as the English file has it. */
export type Texts = typeof en;

const TEXTS = catalogueOf<Texts>(import.meta.glob('./texts/*.json', { import: 'default' }));

/** The chat's texts in the language of the page. */
export const useTexts = (): Texts => TEXTS.use();

/** What to tell a person about an error: our words where we know it, else the server's. */
export function errorText(
  texts: Texts,
  { code, detail }: { readonly code: string; readonly detail: string },
): string {
  const known: Readonly<Record<string, string>> = texts.errors;
  return (Object.hasOwn(known, code) ? known[code] : undefined) ?? (detail || texts.errors.internal);
}
