import type { Folded, Token } from '../nlu/slots/text.js';

/** Where a folded text stands in what was written. */
export function placeOf({ folded, at }: Folded, part: string): Stretch | null {
  const from = folded.indexOf(part);
  return from < 0 ? null : { start: at[from] ?? 0, end: at[from + part.length] ?? 0 };
}

/** Where something stands in a text, in characters. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** From the first word that begins it to the last of those that go on, as it stands in the text; null where none begins it. */
export function stretchOf(
  { at }: Folded,
  tokens: readonly Token[],
  begins: (token: Token) => boolean,
  goesOn: (token: Token) => boolean = () => false,
): Stretch | null {
  const from = tokens.findIndex(begins);
  const first = tokens[from];
  if (!first) return null;
  const rest = tokens.slice(from + 1);
  const length = rest.findIndex((token) => !begins(token) && !goesOn(token));
  const last = rest.slice(0, length < 0 ? rest.length : length).at(-1) ?? first;
  return { start: at[first.start] ?? 0, end: at[last.end] ?? 0 };
}
