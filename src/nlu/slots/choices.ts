import type { AskedInput, InputReading } from '../../core/domain/entity.js';
import type { Language } from '../../core/domain/taxonomy.js';
import { CARDINALS } from './ordinals.js';
import { forms } from './record-words.js';
import { foldText } from './text.js';

/** What stands before the new value where the old one is named too: "from monthly to yearly". */
export const TOWARDS = `(?:to|into|for|por|para|pra|pro|a|al) (?:the |an? |o |el |la |um |uma )?`;

/** The value that is named; where several are and one is meant, the one that the words lead to. */
export function choiceIn(
  folded: string,
  { options, several }: Extract<InputReading, { kind: 'choice' }>,
  given: unknown,
): string | readonly string[] | null {
  const phrases = [...options]
    .flatMap(([value, words]) => phrasesOf(value, words).map((phrase) => ({ value, phrase })))
    .sort((one, other) => other.phrase.length - one.phrase.length);
  /** By value, whether the words lead to it. */
  const found = new Map<string, boolean>();
  let rest = folded;
  // What a longer name is made of is not named besides: "gift card" is no "card".
  for (const { value, phrase } of phrases)
    rest = rest.replace(
      new RegExp(`(?<![a-z0-9])${phrase.pattern}(?![a-z0-9])`, 'g'),
      (match, at: number) => {
        const leads = new RegExp(`\\b${TOWARDS}$`).test(folded.slice(0, at));
        found.set(value, leads || found.get(value) === true);
        return ' '.repeat(match.length);
      },
    );
  const named = [...options.keys()].filter((value) => found.has(value));
  if (several) return named.length === 0 ? null : named;
  const led = named.filter((value) => found.get(value));
  const other = named.filter((value) => value !== given);
  const [only, ...others] = named.length < 2 ? named : led.length > 0 ? led : other;
  return only !== undefined && others.length === 0 ? only : null;
}

/** The value of a choice that a folded text names, in the words that name it; null where it names none, or several. */
export function choiceNamed(
  folded: string,
  reading: Extract<InputReading, { kind: 'choice' }>,
): { readonly value: string; readonly said: string } | null {
  const value = choiceIn(folded, { ...reading, several: false }, undefined);
  if (typeof value !== 'string') return null;
  const phrases = phrasesOf(value, reading.options.get(value) ?? {});
  const [said] = new RegExp(`(?<![a-z0-9])(?:${anyOf(phrases)})(?![a-z0-9])`).exec(folded) ?? [];
  return said === undefined ? null : { value, said };
}

/** Words that begin alike are of one kind: "charged" and "charge", "quebrou" and "quebrada". */
const ALIKE = 5;
const SHORTEST = 4;

/** The one value whose words are said in another form or order; null where none, or several are as like it. */
export function likeChoice(
  folded: string,
  { options }: Extract<InputReading, { kind: 'choice' }>,
): string | null {
  const stems = (text: string) =>
    new Set(
      (text.match(/[a-z0-9]+/g) ?? []).flatMap((word) =>
        word.length < SHORTEST ? [] : [word.slice(0, ALIKE)],
      ),
    );
  const said = stems(folded);
  const known = [...options].map(([value, words]) => ({
    value,
    own: stems(namesOf(value, words).join(' ')),
  }));
  const scored = known
    .map(({ value, own }) => {
      const others = known.filter((other) => other.value !== value);
      // What several are called by tells none from another.
      const telling = [...own].filter((stem) => !others.some((other) => other.own.has(stem)));
      return { value, count: telling.filter((stem) => said.has(stem)).length };
    })
    .sort((one, other) => other.count - one.count);
  const [best, next] = scored;
  return best && best.count > (next?.count ?? 0) ? best.value : null;
}

/** A folded text without the values that it names, where what else it names is looked for. */
export function withoutValues(text: string, inputs: readonly AskedInput[]): string {
  const all = inputs.flatMap(({ reading }) =>
    reading.kind === 'choice'
      ? [...reading.options].flatMap(([value, words]) => phrasesOf(value, words))
      : [],
  );
  if (all.length === 0) return text;
  const named = new RegExp(`(?:\\b${TOWARDS})?(?<![a-z0-9])(?:${anyOf(all)})(?![a-z0-9])`, 'g');
  const folded = foldText(text);
  return named.test(folded) ? folded.replace(named, ' ') : text;
}

/** What a value is called, as a regular expression, and how long that name is. */
interface Phrase {
  readonly pattern: string;
  readonly length: number;
}

/** What customers call a value: one or several of it, "bed bug" of "bed bugs", and numbers in words or figures, "every 3 months". */
function phrasesOf(
  value: string,
  words: Readonly<Partial<Record<Language, readonly string[]>>>,
): readonly Phrase[] {
  return namesOf(value, words).map((name) => {
    const said = name.split(' ');
    const pattern = said.map(
      (word, at) => numeral(word) ?? (at === said.length - 1 ? anyCount(word) : escaped(word)),
    );
    return { pattern: pattern.join(' '), length: name.length };
  });
}

/** Of several names the longest is read first. */
function anyOf(phrases: readonly Phrase[]): string {
  return [...phrases]
    .sort((one, other) => other.length - one.length)
    .map(({ pattern }) => pattern)
    .join('|');
}

/** A number in words and in figures; null of any other word. */
function numeral(word: string): string | null {
  if (!/^\d+$/.test(word) && !Object.hasOwn(CARDINALS, word)) return null;
  const number = CARDINALS[word] ?? Number(word);
  const names = Object.keys(CARDINALS).filter((name) => CARDINALS[name] === number);
  return `(?:${[number, ...names].join('|')})`;
}

/** Shorter words have one form. */
const NOUN = /^[a-z]{4,}$/;
const PLURAL = /(?<=[a-rt-z]{3})s$/;

/** The last word of a name, be it one or several that is spoken of. */
function anyCount(word: string): string {
  return NOUN.test(word) ? forms(word.replace(PLURAL, '')) : escaped(word);
}

/** The same, folded. */
function namesOf(
  value: string,
  words: Readonly<Partial<Record<Language, readonly string[]>>>,
): readonly string[] {
  return [value.replaceAll('_', ' '), ...Object.values(words).flatMap((all) => all ?? [])].map(foldText);
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
