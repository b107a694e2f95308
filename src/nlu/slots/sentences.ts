import { fold, MAX_TEXT } from './text.js';

/** A stretch of the folded text. */
export interface Piece {
  readonly start: number;
  readonly end: number;
}

/** Sentences, lines and numbered items. A full stop inside "45.90", "no. 3" or "a.m." ends nothing. */
export const sentences = (folded: string): Piece[] => {
  const cuts = new Set<number>();
  for (const match of folded.matchAll(/[.!?;]+(?=\s|$)|:(?=\s+\p{L})|[?!]+(?=\p{L})|\n+/gu)) {
    const before = folded.slice(Math.max(0, match.index - 5), match.index);
    if (
      match[0] === '.' &&
      /(?:^|[\s.])(?:no|n|nr|dr|dra|sr|sra|st|mr|mrs|ms|a|p|m|vs|etc|ex|obs|v|sas?|exas?|exm[oa]|ilm[oa]|profa?|\d)$/.test(
        before,
      ) &&
      !/\n/.test(match[0])
    )
      continue;
    cuts.add(match.index + match[0].length);
  }
  const marks = [...folded.matchAll(/(?:^|[\s,;:])(?=\(?\d{1,2}[.)]\s+\p{L})/gu)];
  if (marks.length >= 2) for (const mark of marks) cuts.add(mark.index);
  const pieces: Piece[] = [];
  let start = 0;
  for (const cut of [...cuts, folded.length].sort((a, b) => a - b)) {
    if (folded.slice(start, cut).trim() !== '') pieces.push({ start, end: cut });
    start = cut;
  }
  return pieces;
};

/** Characters before a colon that may announce what comes after it. */
const ANNOUNCED = 80;

/** What announces a sentence: the end of the one before it, where that ends in a colon. */
export const announcing = (folded: string, start: number): string => {
  const before = folded.slice(Math.max(0, start - ANNOUNCED), start).trimEnd();
  if (!before.endsWith(':')) return '';
  const ends = ['.', '!', '?', ';', '\n'].map((mark) => before.lastIndexOf(mark));
  return `${before.slice(Math.max(...ends) + 1)} `;
};

/** The sentences of a text, as they were written. */
export function sentencesIn(text: string): readonly string[] {
  const source = fold(text.slice(0, MAX_TEXT));
  return sentences(source.folded).map(({ start, end }) =>
    text.slice(source.at[start] ?? 0, source.at[end] ?? text.length).trim(),
  );
}
