/** No sign here has another form. */
const PLAIN = /^[\0-\x7f]*$/;

/** A text for comparison: lower case, without accents, and with the plain letters of compatible signs. */
export function fold(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase();
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}
