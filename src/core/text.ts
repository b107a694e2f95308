/** No sign here has another form. */
const PLAIN = /^[\0-\x7f]*$/;

/** A text for comparison: lower case, without accents, and with the plain letters of compatible signs. */
export function fold(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase();
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

/**
 * Control characters except tab and line breaks; bidirectional overrides and isolates, which can make a text read
 * differently than it is (Trojan Source, CVE-2021-42574); zero-width characters; lone surrogates become U+FFFD.
 */
const CONTROL = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F]/g;
const INVISIBLE = /[\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/g;

/** What of a customer's text is stored, shown and understood. */
export function cleanText(text: string): string {
  return text.toWellFormed().replace(CONTROL, ' ').replace(INVISIBLE, '').replace(/\r\n?/g, '\n').trim();
}

/** A name of a program as a title: `get_article_by_id` as "Get article by id". */
export function titleOf(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The beginning of a text, up to the end of a word. */
export function excerptOf(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most).replace(/\s+\S*$/, '')}…`;
}
