import { z } from 'zod';
import type { Language } from '../../core/domain/taxonomy.js';
import { pattern, readWords } from '../words.js';
import { fold } from './text.js';

const patterns = z.array(pattern).min(1);
const schema = z.strictObject({
  certain: patterns,
  denials: patterns,
  halts: patterns,
  denied_first: patterns,
});

/** Characters. A longer message tells a story, in which a denial is a part of it. */
const LONGEST = 500;
/** After a mere call to wait so many words name something else, and more go on about the same. */
const FEW_WORDS = 6;

/** What a message says, and what it says instead. */
interface Correction {
  /** What is taken back, as written. */
  readonly before: string;
  /** What is meant instead. */
  readonly after: string;
}

/** Reads what a message says instead of what it said; null where it takes nothing back. */
export type ReadCorrection = (text: string) => Correction | null;

/**
 * Makes the reader of what a message takes back itself: "the samba one. wait no, the third". A denial alone does so where
 * something stands before it and a pause behind it: "the samba, no, the third", and not "I have no visits".
 * @throws HubError `config_invalid` where the engine has no words of a language
 */
export function createCorrections(languages: readonly Language[]): ReadCorrection {
  const files = languages.map((language) => readWords(language, 'corrections', schema));
  const any = (key: keyof z.infer<typeof schema>) => `(?:${files.flatMap((words) => words[key]).join('|')})`;
  const [certain, denial, halt] = [any('certain'), any('denials'), any('halts')];
  const [end, stop, pause] = [`(?![\\p{L}\\p{N}'])`, `[\\s,.;:!?…-]+`, `\\s*[,.;:!?…-]+\\s*`];
  const paused = `(?<=[,.;:!?…]\\s*|\\s-\\s)`;
  const word = `(?:${denial}${end}(?=${pause})|(?:${halt}|${certain})${end})`;
  const ways = [
    // "..., wait, no, ..." and "..., no hang on, ...": a denial beside a call to wait.
    `${paused}(?:${halt}${end}${stop})*${denial}${end}(?=${pause})`,
    `${paused}${denial}${end}${stop}${halt}${end}`,
    `(?<=^|[\\s,.;:!?…-])${certain}${end}`,
  ];
  const signs = new RegExp(`(?:${ways.join('|')})(?:${stop}${word})*${stop}(?=\\S)`, 'gu');
  const waits = new RegExp(`${paused}${halt}${end}${pause}(?=\\S)`, 'gu');
  const nothing = new RegExp(`^(?:(?:${denial}|${halt})${end}[\\s,.;:!?…-]*)+$`, 'u');
  const deniedFirst = new RegExp(`^${any('denied_first')}\\s*[,.;]\\s*(?=\\S)`, 'u');
  return (text) => {
    if (text.length > LONGEST) return null;
    const source = fold(text);
    const found =
      [...source.folded.matchAll(signs)].at(-1) ??
      briefly(source.folded, [...source.folded.matchAll(waits)].at(-1));
    if (!found) return null;
    const from = found.index + found[0].length;
    if (nothing.test(source.folded.slice(from))) return null;
    const denied = deniedFirst.exec(source.folded.slice(from))?.[0].length ?? 0;
    return {
      before: text.slice(0, source.at[found.index] ?? 0).trim(),
      after: text.slice(source.at[from + denied] ?? text.length),
    };
  };
}

/** A call to wait takes something back only where a few words after it say something else and ask nothing. */
function briefly(folded: string, found: RegExpExecArray | undefined): RegExpExecArray | null {
  if (!found || found.index === 0) return null;
  const after = folded.slice(found.index + found[0].length);
  return !after.includes('?') && after.split(/\s+/).length <= FEW_WORDS ? found : null;
}
