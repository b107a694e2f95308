import { z } from 'zod';
import type { Language } from '../core/domain/taxonomy.js';
import type { LanguageLayer } from '../core/ports/language-layer.js';
import { fold, foldText } from './slots/text.js';
import { pattern, readWords } from './words.js';

const sources = z.array(z.string()).min(1);
const schema = z.strictObject({
  team: sources,
  anybody: sources,
  before: sources,
  asking: sources,
  someone: sources,
  deeds: sources,
  alone: sources,
  looked: sources,
  carries: sources,
  offers: z.array(pattern).min(1),
  accepts: sources,
  wants: sources,
  calls_off: sources,
  solved: sources,
  asks_whether: sources,
  asks_when: sources,
  adds_it: sources,
  unless: sources,
});

/** Characters that are looked at: a longer message tells a story. */
const LONGEST = 600;
/** Of so many words before the wish it says by itself what the wish is about. */
const TELLING_WORDS = 10;
/** And of so many where they ask something. */
const ASKING_WORDS = 4;

/** Hears what people of the company are asked through the hub, and what is said of that later. */
export type PassingOnReader = Pick<
  LanguageLayer,
  'readPassedOn' | 'offersTeam' | 'callsOffTeam' | 'saysSolved' | 'asksAfterTeam' | 'addsForTeam'
>;

/** @throws HubError `config_invalid` where the engine has no words of a language */
export function createPassingOnReader(languages: readonly Language[]): PassingOnReader {
  const files = languages.map((language) => readWords(language, 'passing-on', schema));
  // The words of one language stand together: "a" is nobody in English, and an article in Portuguese.
  const each = (source: (words: Words) => string, flags = '') =>
    files.map((words) => new RegExp(source(words), flags));
  const bounded = (key: keyof Words) =>
    each((words) => `(?<![a-z0-9'])(?:${filled(words, key)})(?![a-z0-9])`);
  const orders = each((words) => {
    const deeds = `(?:(?:${either(words.asking)}) )?(?:${either(words.before)})(?:${filled(words, 'deeds')}|${either(words.alone)})`;
    const looks = `(?:${either(words.someone)}) (?:${either(words.looked)}|${filled(words, 'deeds')}|${either(words.alone)})`;
    return `(?:^|[,;:(-] ?|(?<= )(?=${either(words.asking)}|${either(words.someone)})|(?<= (?:and|but|so|then|e|mas|entao|ai|y|pero) ))\\W*(?:${either(words.before)})(?:${looks}|${deeds})(?![a-z0-9])`;
  });
  const carrying = each(
    (words) =>
      `^\\W*(?:${either(words.before)})(?:(?:them|him|her|it|isso|isto|la|eles|eso) )?(?=(?:${either(words.carries)})(?![a-z0-9]))`,
  );
  const carried = bounded('carries');
  const unless = bounded('unless');
  const offers = each((words) => either(words.offers));
  const accepts = each((words) => `^\\W*(?:${either(words.accepts)})\\W*$`);
  const [wants, callsOff, solved] = [bounded('wants'), bounded('calls_off'), bounded('solved')];
  const [whether, when, adds] = [bounded('asks_whether'), bounded('asks_when'), bounded('adds_it')];
  const any = (patterns: readonly RegExp[], folded: string) => patterns.some((one) => one.test(folded));
  const inSentences = (patterns: readonly RegExp[], text: string) =>
    sentencesOf(foldText(text.slice(0, LONGEST))).some((sentence) => any(patterns, sentence));

  const order = (sentence: string): { readonly start: number; readonly end: number } | null => {
    const { folded, at } = fold(sentence);
    if (any(unless, folded)) return null;
    for (const one of orders) {
      const found = one.exec(folded);
      if (found)
        return { start: at[found.index] ?? 0, end: at[found.index + found[0].length] ?? sentence.length };
    }
    return null;
  };
  const ownOf = (rest: string): string | null => {
    const { folded, at } = fold(rest);
    const found = carrying.map((one) => one.exec(folded)).find((one) => one !== null);
    const own = found ? tidy(rest.slice(at[found[0].length] ?? 0)).replace(/[.!\s]+$/u, '') : '';
    return wordsIn(own) > 1 ? own : null;
  };
  return {
    readPassedOn(text, isOffered) {
      const sentences = sentencesOf(text.slice(0, LONGEST));
      for (const [index, sentence] of sentences.entries()) {
        const found = order(sentence);
        if (!found) continue;
        const front = tidy(sentence.slice(0, found.start));
        const rest = tidy(sentence.slice(found.end));
        const before = [...sentences.slice(0, index), front].filter((one) => wordsIn(one) > 0);
        const told = before.join(' ');
        const isAsked =
          told.includes('?') || (wordsIn(front) >= ASKING_WORDS && any(carried, foldText(front)));
        const isTold = wordsIn(told) >= TELLING_WORDS || (isAsked && wordsIn(told) >= ASKING_WORDS);
        const own = ownOf(rest) ?? (isTold ? sentences.slice(0, index + 1).join(' ') : null);
        const said = [...before, rest].filter((one) => wordsIn(one) > 0).join(' ');
        return { own, said, after: sentences.slice(index + 1) };
      }
      if (!isOffered) return null;
      const [first = '', ...after] = sentences;
      const comma = first.indexOf(',');
      const isYes = (said: string) => any(accepts, foldText(said)) && any(wants, foldText(said));
      if (isYes(first)) return { own: null, said: '', after };
      const [yes, rest] = comma === -1 ? ['', ''] : [first.slice(0, comma), tidy(first.slice(comma + 1))];
      return isYes(yes) ? { own: null, said: '', after: [rest, ...after] } : null;
    },
    offersTeam: (answer) =>
      any(
        offers,
        foldText(
          answer
            .trim()
            .split(/\n{2,}/)
            .at(-1) ?? '',
        ),
      ),
    callsOffTeam: (text) =>
      sentencesOf(foldText(text.slice(0, LONGEST))).some(
        (sentence) => !sentence.includes('?') && any(callsOff, sentence),
      ),
    saysSolved(text) {
      const clauses = foldText(text.slice(0, LONGEST)).split(/[,.!?;\n]+| e | and | but | mas /);
      return !text.includes('?') && clauses.some((clause) => any(solved, clause) && !DENIED.test(clause));
    },
    asksAfterTeam(text) {
      if (inSentences(when, text)) return 'when';
      return inSentences(whether, text) ? 'whether' : null;
    },
    addsForTeam: (text) => inSentences(adds, text),
  };
}

type Words = z.infer<typeof schema>;

/** In any of the languages: it did not work, nor does it work "until" or "if" something. */
const DENIED =
  /\b(?:not?|n|nao|nunca|never|nem|didnt|doesnt|isnt|hasnt|\w+n't|until|ate|if|se|before|antes|nothing|nada)\b/;

function either(list: readonly string[]): string {
  return list.map((one) => `(?:${one})`).join('|');
}

/** The patterns of a key with those of the people in their place. */
function filled(words: Words, key: keyof Words): string {
  const people = [...words.team, ...words.anybody];
  return either(words[key])
    .replaceAll('{team}', `(?:${either(words.team)})`)
    .replaceAll('{people}', `(?:${either(people)})`);
}

function sentencesOf(text: string): readonly string[] {
  return text.split(/(?<=[.!?;])\s+|\n+/).filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
}

function wordsIn(text: string): number {
  return text.match(/[\p{L}\p{N}']+/gu)?.length ?? 0;
}

/** Without marks and joints at its ends. */
function tidy(text: string): string {
  return text.replace(/^[\s,;:.!-]+|[\s,;:-]+$/gu, '');
}
