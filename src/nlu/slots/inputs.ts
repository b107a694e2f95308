import type { AskedInput, InputReading } from '../../core/domain/entity.js';
import type { Language } from '../../core/domain/taxonomy.js';
import { minorUnits } from '../../core/prices.js';
import { choiceIn, likeChoice, TOWARDS, withoutValues } from './choices.js';
import type { FindDates } from './dates.js';
import { CARDINALS } from './ordinals.js';
import { foldText } from './text.js';
import type { ReadYesNo } from './yes-no.js';

/** When the words were said, in which language, and which input was asked for; null where none was. */
interface InputOptions {
  readonly now: Date;
  readonly language: Language;
  readonly asked: string | null;
  /** What is known of them already: of two values that are named the other is meant, "not business, economy". */
  readonly given?: Readonly<Record<string, unknown>>;
}

/**
 * Finds in a customer's words what they say of a tool's inputs. An input that was asked for is read from a bare value ("20",
 * "Friday"); any other only where the words leave no doubt that it is meant, for what is not said is asked.
 */
export type ReadInputs = (
  text: string,
  inputs: readonly AskedInput[],
  options: InputOptions,
) => Readonly<Record<string, unknown>>;

/** Reads what a customer says of inputs. */
export interface InputReader {
  readonly readInputs: ReadInputs;
  /** The text without what it says of the inputs: a day that something is moved to is no day of a record. */
  withoutInputs(text: string, inputs: readonly AskedInput[], options: InputOptions): string;
}

interface Readers {
  readonly findDates: FindDates;
  readonly readYesNo: ReadYesNo;
  /** Words of the currency, as an alternative of regular expressions. */
  readonly currency: string;
  /** Digits of its smallest unit. */
  readonly digits: number;
  /** Words that stand beside a name and are no part of it. */
  readonly besideName: ReadonlySet<string>;
  /** IANA name of where days are counted. */
  readonly timeZone: string;
}

/** Where words lead to what stands after the bar, or to what it begins with: "para|sexta", "|para sexta". */
const LED = new RegExp(`\\b${TOWARDS}\\||\\|${TOWARDS}`);
const NUMBER = /(?<![\w.,/:-])\d+(?:[.,]\d+)?(?![\w/:-]|[.,]\d|\s*%)/g;
const AMOUNT = String.raw`(\d{1,3}(?:[.,]\d{3})+|\d+)(?:[.,](\d{1,2}))?(?!\d)`;
const SIGN = String.raw`(?:r\$|us\$|[$€£¥])`;

/** Makes the reader of a company. */
export function createInputReader({
  findDates,
  readYesNo,
  currency,
  digits,
  besideName,
  timeZone,
}: Readers): InputReader {
  const days = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
  const priced = new RegExp(`${SIGN}\\s?${AMOUNT}|${AMOUNT}\\s?(?:${SIGN}|(?:${currency})\\b)`);
  const moneyIn = (folded: string, asked: boolean): number | null => {
    const match = priced.exec(folded) ?? (asked ? new RegExp(`^\\D*${AMOUNT}\\D*$`).exec(folded) : null);
    const [whole, part] = [match?.[1] ?? match?.[3], match?.[2] ?? match?.[4]];
    if (whole === undefined) return null;
    return minorUnits(whole, part ?? '', digits);
  };
  /** The one day that a text says, or that its words lead to where it was not asked for; null where there is none, or several. */
  const dayIn = (text: string, asked: boolean, { now, language }: InputOptions) => {
    const found = findDates(text, { now, language }).filter(
      ({ grain }) => grain === 'day' || grain === 'hour',
    );
    const said = asked
      ? found
      : found.filter(({ start, text: day }) => LED.test(foldText(`${text.slice(0, start)}|${day}`)));
    const [day, ...others] = said;
    return day && others.length === 0 ? day : null;
  };
  const read = (text: string, { name, reading }: AskedInput, options: InputOptions): unknown => {
    const asked = options.asked === name;
    const folded = foldText(text);
    switch (reading.kind) {
      case 'choice':
        return (
          choiceIn(folded, reading, options.given?.[name]) ??
          (asked && !reading.several ? likeChoice(folded, reading) : null)
        );
      case 'number':
        return numberIn(folded, asked, options.language);
      case 'money':
        return moneyIn(folded, asked);
      case 'date': {
        const day = dayIn(text, asked, options);
        return day && days.format(new Date(day.from));
      }
      case 'yes_no': {
        const { kind } = asked ? readYesNo(text, options.language) : { kind: 'other' };
        return kind === 'yes' ? true : kind === 'no' ? false : null;
      }
      case 'text':
        return asked && text.trim() !== '' ? text.trim() : null;
      case 'items':
        return asked ? itemsIn(text, reading, options) : null;
      case 'record':
      case 'other':
        return null;
    }
  };
  /** Where one thing ends and the next begins: after its day where each has one, else at a comma or "and". */
  const piecesOf = (
    text: string,
    fields: readonly AskedInput[],
    options: InputOptions,
  ): readonly string[] => {
    const isDated = fields.some(({ reading }) => reading.kind === 'date');
    const joints = isDated ? BREAKS : PARTS;
    return text.split(joints).flatMap((part) => {
      if (!isDated) return [part];
      const ends = findDates(part, options)
        .filter(({ grain }) => grain === 'day')
        .map(({ start, text: said }) => start + said.length);
      const cuts = [0, ...ends.slice(0, -1), part.length];
      return cuts.slice(1).map((end, at) => part.slice(cuts[at], end));
    });
  };
  const itemsIn = (
    text: string,
    { fields, max }: Extract<InputReading, { kind: 'items' }>,
    options: InputOptions,
  ): readonly Readonly<Record<string, unknown>>[] | null => {
    const pieces = max === null ? [text] : piecesOf(text, fields, options);
    const items = pieces.map((piece) => itemIn(piece, fields, options));
    const told = items.filter((item) => Object.keys(item).length > 0);
    return told.length === 0 ? null : told;
  };
  const itemIn = (piece: string, fields: readonly AskedInput[], options: InputOptions) => {
    const item: Record<string, unknown> = {};
    let rest = piece;
    for (const field of fields) {
      if (field.reading.kind === 'text') continue;
      const value = read(rest, field, { ...options, asked: field.name });
      if (value === null) continue;
      item[field.name] = value;
      const days = field.reading.kind === 'date' ? findDates(rest, options) : [];
      for (const { text: said } of days) rest = rest.replace(said, ' ');
      if (field.reading.kind === 'number' || field.reading.kind === 'money')
        rest = rest.replace(/\d[\d.,]*\s*\p{L}*/u, ' ');
    }
    rest = withoutValues(rest, fields);
    const names = fields.filter(({ reading }) => reading.kind === 'text').map(({ name }) => name);
    for (const [at, said] of wordsFor(rest, names, besideName).entries()) item[names[at] ?? ''] = said;
    return item;
  };
  return {
    readInputs: (text, inputs, options) =>
      Object.fromEntries(
        inputs.flatMap((input) => {
          const value = read(text, input, options);
          return value === null ? [] : [[input.name, value]];
        }),
      ),
    withoutInputs(text, inputs, options) {
      const dated = inputs.filter(({ reading }) => reading.kind === 'date');
      const bare = dated.reduce((rest, { name }) => {
        const day = dayIn(rest, options.asked === name, options);
        if (day === null) return rest;
        const head = rest.slice(0, day.start).replace(new RegExp(`(?<!\\p{L})${TOWARDS}$`, 'iu'), '');
        return `${head} ${rest.slice(day.end)}`;
      }, text);
      return withoutValues(bare, inputs);
    },
  };
}

/** Between things that are told in one message; and where each has a day of its own, which may hold commas. */
const PARTS = /[\n;,]+|\s(?:and|e|y|&)\s/iu;
const BREAKS = /[\n;]+|\s(?:and|e|y|&)\s/iu;
/** A name as people write one: "Ana de Souza". */
const NAME = /\p{Lu}[\p{L}'’.-]*(?:\s+(?:d[aeo]s?|del|la|van|von|der|di|\p{Lu}[\p{L}'’.-]*))*/gu;

/** What a text says of as many fields: names that are written as such, else its words without those that name the fields. */
function wordsFor(text: string, fields: readonly string[], beside: ReadonlySet<string>): readonly string[] {
  if (fields.length === 0) return [];
  const labels = new Set(fields.flatMap((name) => name.split('_')));
  const bare = text
    .replaceAll(/[^\p{L}\p{N}\s'’.-]/gu, ' ')
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word) && !labels.has(foldText(word)));
  const [name] = (text.match(NAME) ?? []).filter((one) => /\s/.test(one));
  const isBeside = (word = ''): boolean => beside.has(foldText(word));
  const from = bare.findIndex((word) => !isBeside(word));
  const to = bare.findLastIndex((word) => !isBeside(word));
  const words = name === undefined ? bare.slice(Math.max(0, from), to + 1) : name.split(/\s+/);
  if (words.length < fields.length) return [];
  // A first name and the others, or one name.
  const own = words.slice(0, fields.length - 1);
  return [...own, words.slice(fields.length - 1).join(' ')];
}

/** "Os dois" points at two and counts nothing; "make that three" counts. */
const POINTS_AT =
  /\b(?:the|which|any|no|each|another|[ao]s?|[dn][ao]s?|el|l[ao]s?|ess[ae]s?|est[ae]s?|qual|cual) $/;
/** "One" alone, with what is counted, or after what counts; "the Miami one" points. */
const ONE =
  /^\W*one\b|\b(?:only|just|it|make|add|more|no|wait|then|want),? one\b|\bone (?!(?:of|to|in|on|from|for|that|with|at|please|and|is|was)\b)[a-z]{3}/;
const isPointing = (folded: string, at: number, word: string): boolean =>
  POINTS_AT.test(folded.slice(0, at)) || (word === 'one' && !ONE.test(folded));
const WORD = new RegExp(`\\b(${Object.keys(CARDINALS).join('|')})\\b`, 'g');
/** What counts one and is most often no more than an article. */
const JUST_ONE =
  /\b(?:only|just|so|apenas|somente|mais|solo|solamente|mas) (?:um|uma|un|una|uno)\b|^\W*(?:um|uma|un|una|uno)\W*$/;

/** The one number of a text, in figures or in words; null where there is none, or several. */
function numberIn(folded: string, asked: boolean, language: Language): number | null {
  const figures = folded.match(NUMBER) ?? [];
  if (figures.length > 1) return null;
  const [figure] = figures;
  if (figure !== undefined) return Number(figure.replace(',', '.'));
  // "Dos" is two in Spanish, and "of the" in Portuguese.
  const isNone = (word: string) => /^uma?$/.test(word) || (word === 'dos' && !language.startsWith('es'));
  const words = [...folded.matchAll(WORD)]
    .filter(({ index, 0: word }) => !isNone(word) && !isPointing(folded, index, word))
    .map(([word]) => word);
  const [word, ...others] = words;
  if (word !== undefined) return others.length === 0 ? (CARDINALS[word] ?? null) : null;
  return JUST_ONE.test(folded) && (asked || folded.includes(' ')) ? 1 : null;
}
