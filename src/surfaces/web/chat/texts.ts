import type { Catalogue } from '../shared/i18n.js';
import { en } from './texts-en.js';
import { ptBr } from './texts-pt-br.js';
import type { Texts } from './texts-shape.js';

/** English and Brazilian Portuguese. */
export const TEXTS: Catalogue<Texts> = { en, 'pt-BR': ptBr };

/** What to tell a person about an error: our words where we know it, else the server's. */
export function errorWords(
  texts: Texts,
  { code, detail }: { readonly code: string; readonly detail: string },
): string {
  return texts.errors[code] ?? (detail || (texts.errors.internal ?? ''));
}
