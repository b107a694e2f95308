/* Units, and the words that tell what a number is, in both languages. Folded. */
import { tokensOf } from './tokens.js';

export const NAMED_HOURS: Readonly<Record<string, number>> = {
  noon: 720,
  midday: 720,
  'meio-dia': 720,
  midnight: 0,
  'meia-noite': 0,
};
export const MINUTES: Readonly<Record<string, number>> = {
  minute: 1,
  minutes: 1,
  min: 1,
  mins: 1,
  minuto: 1,
  minutos: 1,
  hour: 60,
  hours: 60,
  h: 60,
  hr: 60,
  hrs: 60,
  hora: 60,
  horas: 60,
  day: 1440,
  days: 1440,
  dia: 1440,
  dias: 1440,
  week: 10_080,
  weeks: 10_080,
  semana: 10_080,
  semanas: 10_080,
  fortnight: 20_160,
  quinzena: 21_600,
  month: 43_200,
  months: 43_200,
  mes: 43_200,
  meses: 43_200,
  year: 525_600,
  years: 525_600,
  ano: 525_600,
  anos: 525_600,
};
/** What amounts of a currency are called, beside its sign and its code. */
const SPOKEN: Readonly<Record<string, readonly string[]>> = {
  BRL: ['reais', 'real', 'contos', 'pila', 'pilas'],
  EUR: ['euros', 'euro'],
  GBP: ['pounds', 'pound', 'quid', 'libras', 'libra'],
  USD: ['dollars', 'dollar', 'bucks', 'dolares', 'dolar'],
};
/** Signs of other currencies, which are no amounts of the company's. */
export const FOREIGN: readonly (readonly string[])[] = [['r', '$'], ['$'], ['€'], ['£']];

/** How the amounts of one currency are written, as words of a text. */
export interface CurrencyWords {
  /** Before the number; each may be of several words. */
  readonly before: readonly (readonly string[])[];
  /** After it. */
  readonly after: ReadonlySet<string>;
}

const currencies = new Map<string, CurrencyWords>();

/** The words of a currency. @param currency ISO 4217 */
export function wordsOfCurrency(currency: string): CurrencyWords {
  const found = currencies.get(currency);
  if (found) return found;
  const format = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
  });
  const sign = format.formatToParts(0).find(({ type }) => type === 'currency')?.value ?? currency;
  const code = currency.toLowerCase();
  const pieces = tokensOf(sign).map(({ text }) => text);
  const words = {
    before: [pieces, [code]],
    after: new Set([...(SPOKEN[currency] ?? []), code, ...(pieces.length === 1 ? pieces : [])]),
  };
  currencies.set(currency, words);
  return words;
}
export const CENTAVOS = new Set(['centavos', 'centavo', 'cents', 'cent']);
export const BUSINESS = new Set(['business', 'working', 'uteis', 'util']);
export const EVENING = new Set(['tarde', 'noite', 'afternoon', 'evening', 'night', 'tonight', 'pm']);
export const MORNING = new Set(['manha', 'madrugada', 'morning', 'am']);
export const AT_TIME = new Set([
  'at',
  'as',
  'a',
  'from',
  'by',
  'until',
  'till',
  'das',
  'ate',
  'desde',
  'around',
  'about',
  'pelas',
  'before',
  'after',
  'and',
  'e',
  'to',
  'is',
]);
/** Before a number that was named before. */
export const DEFINITE = new Set(
  'the these those both as os das dos nas nos pelas pelos essas esses estas estes'.split(' '),
);
/** Of so many one may speak without counting them. */
export const PAIR = 3;
export const LEFT = new Set([
  'remain',
  'remains',
  'left',
  'to',
  'restam',
  'restantes',
  'sobram',
  'sobraram',
  'faltam',
  'used',
  'usadas',
]);
/** Words between a number and what is counted. */
export const BETWEEN = new Set([
  'of',
  'de',
  'more',
  'mais',
  'other',
  'outras',
  'outros',
  'further',
  'free',
  'full',
  'extra',
  'monthly',
  'open',
  'upcoming',
  'remaining',
  'your',
  'the',
  'suas',
  'seus',
  'as',
  'os',
  'das',
  'dos',
  'new',
  'real',
  'different',
  'unused',
  'past',
  'last',
  'ultimas',
  'ultimos',
  'simultaneous',
  'complete',
  'active',
]);
/** Behind a number it is nothing that is counted: "five this month", "two on their own". */
export const NO_THING: ReadonlySet<string> = new Set(
  'out this that these so on in for until till already now today ja so deste neste nesta no na ate este esse por agora'.split(
    ' ',
  ),
);
/** Between numbers that share a unit: "5 to 10 days", "3, 6 or 12 months". */
export const JOINS = new Set(['a', 'to', '-', '–', 'e', 'and', 'ou', 'or', ',']);
/** "If one day", "algum dia": no span. */
export const SOME: ReadonlySet<string> = new Set(['if', 'se', 'si', 'should', 'algum']);
/** Ahead of two numbers, of which the first begins a range. */
export const BETWEEN_TWO: ReadonlySet<string> = new Set(['between', 'entre']);
/** Those of a range, as against a list of cases. */
export const RANGES: ReadonlySet<string> = new Set(['a', 'to', '-', '–']);
/** So many words such numbers take at most. */
export const LISTED = 9;
/** "A week": one of them. */
export const A_SINGLE: ReadonlySet<string> = new Set(['a', 'an', 'the', 'um', 'uma']);
/** Ahead of a span it says the longest that something takes. */
export const WITHIN = /(?:^|\s)(?:within|under|dentro de|em ate|daqui a)$/;
/** Weekdays that are also numbers of a row, and what stands before them where they are days. */
export const ORDINAL_DAYS: ReadonlySet<string> = new Set('segunda terca quarta quinta sexta'.split(' '));
export const BEFORE_DAYS: ReadonlySet<string> = new Set(
  'na nesta esta da de a , ( toda ate proxima'.split(' '),
);
/** Twelve of them. */
export const DOZEN: ReadonlySet<string> = new Set([
  'dozen',
  'dozens',
  'duzia',
  'duzias',
  'docena',
  'docenas',
]);
export const A_DOZEN = 12;
/** Where a sentence ends. */
export const ENDS: ReadonlySet<string> = new Set(['.', '!', '?', '\n']);
