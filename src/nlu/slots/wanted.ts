import { fold } from './text.js';

/** "I still want to go to the samba", "a do samba eu quero ir": beside what is to be done, it says what is to stay. */
const WANTED =
  /(?<=[,.;!?]\s{0,2})(?:(?:and|but|mas|e|because|porque|pois|que) )?(?:(?:i|eu) )?(?:(?:do|still|really|ainda|so) ){0,2}(?:want to|wanna|would like to|'?d like to|will|am going to|quero|vou|pretendo) (?:go to|see|attend|ir|ver|manter|keep)(?: to)? [^,.;!?\n]{2,40}|(?<=[,.;!?]\s{0,2})(?:(?:and|but|mas|e) )?(?:a d[aeo]|o d[aeo]|a|o|the) [^,.;!?\n]{2,40}? (?:(?:eu|i) )(?:(?:do|still|ainda|so) ){0,2}(?:quero(?: ir| ver| manter)?|vou(?: ir)?|want to (?:go|keep|see)|am going)(?=\s*(?:$|[,.;!?]))/g;

/** A stretch of a text. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** Where a text says what somebody still goes to. */
export function wantedIn(text: string): readonly Span[] {
  const { folded, at } = fold(text);
  return [...folded.matchAll(WANTED)].map(({ index, 0: clause }) => ({
    start: at[index] ?? 0,
    end: at[index + clause.length] ?? text.length,
  }));
}

/** A text without that; null where it says no such thing. */
export function withoutWanted(text: string): string | null {
  const clauses = wantedIn(text);
  if (clauses.length === 0) return null;
  return clauses.reduce(
    (left, { start, end }) => left.slice(0, start) + ' '.repeat(end - start) + left.slice(end),
    text,
  );
}
