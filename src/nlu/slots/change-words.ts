import { fold, foldText, tokenize } from './text.js';

/** What a file of a language says of changes. */
export interface ChangeFile {
  /** Words for a change, by what it does. */
  readonly changes: Readonly<Record<string, readonly string[]>>;
  /** Patterns of the same in more words, by what it does: "take away the pause". */
  readonly renamed: Readonly<Record<string, readonly string[]>>;
  /** The same where what they point at is spoken of, by that and by what it does: "take it off", of a pause. */
  readonly renamed_of: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
  /** Patterns of what puts one thing in the place of another, or alters it. */
  readonly exchanging: readonly string[];
}

/** How the changes that a company makes are named, in all its languages. */
export interface ChangeWords {
  /** The changes that a text names, by what they do. */
  kindsIn(text: string): readonly string[];
  /** Those that it may order: neither "the pause" nor "paused" does. */
  orderedIn(text: string): readonly string[];
  /** The first word of a text that names a change; null where none does. */
  firstIn(text: string): string | null;
  /**
   * A text with its changes in one word each: "take away the pause" is "resume".
   * @param spoken the changes that are spoken of: "take it off"
   */
  inOneWord(text: string, spoken?: readonly string[]): string;
  /** Whether a word names one of these changes. */
  isOf(word: string, kinds: readonly string[]): boolean;
  /** The changes of which a text has a word in any of its forms. */
  rootsIn(text: string): readonly string[];
  /** True where a text wants one thing in the place of another, or altered: "switch it to the yearly one". */
  exchanges(text: string): boolean;
  /** All there are. */
  readonly kinds: readonly string[];
}

const ARTICLE =
  /(?<![\p{L}\p{N}])(?:the|my|an?|this|that|your|our|minha|meu|uma?|[dn]?[ao]|n?ess[ae]|n?est[ae]|la|el|mi|una?|es[ae])\s+\p{L}+/gu;
const PARTICIPLE = /(?:ed|[ai]d[oa]s?)$/;
/** "I want my plan cancelled" orders it as "cancel my plan" does; "the paused one" names something. */
const WANTED =
  /\b(?:want|need|would like|quero|queria|quiero)(?: (?!(?:and|but|because|to|that|is|was|e|mas|que|ter|ver)\b)[\p{L}'’-]{1,24}){1,5}? (?<!\b(?:the|an?|this|that|el|la|[oa]) )(\p{L}{1,24}(?:ed|[ai]d[oa]s?))(?!\p{L})/gu;
const whole = (patterns: readonly string[]): RegExp =>
  new RegExp(`\\b(?:${patterns.join('|') || '(?!)'})\\b`, 'g');

/** @param echoesOf which words of a text are long enough to be known again in another form */
export function readChangeWords(
  files: readonly ChangeFile[],
  echoesOf: (text: string) => (word: string) => boolean,
): ChangeWords {
  const kinds = [...new Set(files.flatMap(({ changes }) => Object.keys(changes)))];
  const words = new Map(
    kinds.map((kind) => [kind, new Set(files.flatMap(({ changes }) => changes[kind] ?? []))] as const),
  );
  const isOf = (word: string, among: readonly string[]): boolean =>
    among.some((kind) => words.get(kind)?.has(word) === true);
  const phrases = files.flatMap(({ changes, renamed, renamed_of: of }) => {
    const all = [
      { about: null as string | null, renamed },
      ...Object.entries(of).map(([about, one]) => ({ about, renamed: one })),
    ];
    return all.flatMap(({ about, renamed: one }) =>
      Object.entries(one).map(([kind, patterns]) => ({
        about,
        phrase: whole(patterns),
        word: changes[kind]?.[0] ?? kind,
      })),
    );
  });
  const inOneWord: ChangeWords['inOneWord'] = (text, spoken = []) =>
    phrases
      .filter(({ about }) => about === null || spoken.includes(about))
      .reduce((said, { phrase, word }) => {
        const { folded, at } = fold(said);
        const put = (left: string, { index, 0: one }: RegExpExecArray): string =>
          left.slice(0, at[index]) + word + left.slice(at[index + one.length] ?? left.length);
        return [...folded.matchAll(phrase)].reverse().reduce(put, said);
      }, text);
  const exchanging = new RegExp(`\\b(?:${files.flatMap((file) => file.exchanging).join('|') || '(?!)'})`);
  const tokensOf = (folded: string): readonly string[] => tokenize(folded).map(({ word }) => word);
  const among = (said: readonly string[]): readonly string[] =>
    kinds.filter((kind) => said.some((word) => isOf(word, [kind])));
  return {
    kinds,
    isOf,
    inOneWord,
    kindsIn: (text) => among(tokensOf(foldText(inOneWord(text)))),
    orderedIn: (text) => {
      const said = tokensOf(foldText(inOneWord(text)).replace(ARTICLE, ' '));
      const wanted = [...foldText(inOneWord(text)).matchAll(WANTED)].map(([, word = '']) => word);
      return among([...said.filter((word) => !PARTICIPLE.test(word)), ...wanted]);
    },
    firstIn: (text) => tokensOf(foldText(inOneWord(text))).find((word) => isOf(word, kinds)) ?? null,
    exchanges: (text) => exchanging.test(foldText(text)),
    rootsIn: (text) => kinds.filter((kind) => [...(words.get(kind) ?? [])].some(echoesOf(text))),
  };
}
