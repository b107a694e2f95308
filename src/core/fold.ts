/** A text for comparison: lower case, without accents, and with the plain letters of compatible signs. */
export function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}
