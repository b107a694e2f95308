import type { Figure } from './figure.js';
import { fold } from './tokens.js';

/** E-mail addresses, telephone numbers, web addresses. */
const CONTACT =
  /[\p{L}\d][\p{L}\d._%+-]{0,63}@[\p{L}\d][\p{L}\d.-]{0,252}|(?:\+\d{1,3}[ -]?)?(?:\(\d{2,3}\) ?|\b\d{2,4}[ -])9?\d{3,4}[- ]?\d{4}\b|\b0800[\d -]{6,12}\b|\b(?:https?:\/\/)?(?:[a-z\d-]{1,63}\.){1,5}(?:com|org|net|br|example|app|io|test)\b(?:\/[\w./-]{0,100})?/giu;

/** As addresses and numbers are compared: without case, protocol, punctuation of numbers. */
function contactOf(text: string): string {
  const plain = fold(text)
    .replace(/^https?:\/\//, '')
    .replace(/[./]+$/, '');
  return /[a-z]/.test(plain) ? plain : plain.replace(/\D/g, '');
}

/** Takes the addresses and numbers to call out of a text; all else stays where it is. @param offset where the text stands */
export function withoutContacts(
  text: string,
  offset = 0,
): { readonly contacts: readonly Figure[]; readonly rest: string } {
  const contacts: Figure[] = [];
  const rest = text.replace(CONTACT, (found, at: number) => {
    const from = offset + at;
    contacts.push({ kind: 'contact', values: [contactOf(found)], from, to: from + found.length });
    return ' '.repeat(found.length);
  });
  return { contacts, rest };
}
