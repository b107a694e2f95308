import { within } from './text.js';

/** Word to number, both languages, as far as people count days and weeks in words. */
export const NUMBER_WORDS: Readonly<Record<string, number>> = {
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  fourteen: 14,
  fifteen: 15,
  twenty: 20,
  thirty: 30,
  sixty: 60,
  ninety: 90,
  'a couple of': 2,
  'a couple': 2,
  um: 1,
  uma: 1,
  dois: 2,
  duas: 2,
  tres: 3,
  quatro: 4,
  cinco: 5,
  seis: 6,
  sete: 7,
  oito: 8,
  nove: 9,
  dez: 10,
  onze: 11,
  doze: 12,
  quatorze: 14,
  catorze: 14,
  quinze: 15,
  vinte: 20,
  trinta: 30,
  sessenta: 60,
  noventa: 90,
};

/** Regex source of a count in digits or words. */
export const COUNT = `(?:\\d{1,3}|${Object.keys(NUMBER_WORDS)
  .sort((a, b) => b.length - a.length)
  .join('|')})`;

/** Reads what {@link COUNT} matched. */
export function countOf(words: string): number {
  return NUMBER_WORDS[words] ?? Number(words);
}

const index = (lists: readonly string[], from: number): Readonly<Record<string, number>> =>
  Object.fromEntries(lists.flatMap((list, i) => list.split(' ').map((word) => [word, i + from] as const)));

/** Weekdays that mean nothing else; Sunday is 0. */
export const EN_DAYS = index(
  [
    'sunday',
    'monday mon',
    'tuesday tue tues',
    'wednesday wed weds',
    'thursday thu thur thurs',
    'friday fri',
    'saturday',
  ],
  0,
);
/** Short forms that are also words: they need "on", "this", "next" in front. */
export const EN_SHORT_DAYS: Readonly<Record<string, number>> = { sun: 0, sat: 6 };
/** Names without "-feira"; five of them are also ordinals. */
export const PT_DAYS = index(['domingo', 'segunda', 'terca', 'quarta', 'quinta', 'sexta', 'sabado'], 0);
/** Short forms that need a preposition ("na qui"), being words or syllables otherwise. */
export const PT_SHORT_DAYS = index(['dom', 'seg', 'ter', 'qua', 'qui', 'sex', 'sab'], 0);

/** Month names and their short forms, 1-12, both languages. */
export const MONTHS = index(
  [
    'january jan janeiro',
    'february feb fevereiro fev',
    'march mar marco',
    'april apr abril abr',
    'may maio mai',
    'june jun junho',
    'july jul julho',
    'august aug agosto ago',
    'september sep sept setembro set',
    'october oct outubro out',
    'november nov novembro',
    'december dec dezembro dez',
  ],
  1,
);

/** An alternation of the keys, longest first so that none hides another. */
export const anyOf = (table: Readonly<Record<string, number>>): string =>
  Object.keys(table)
    .sort((a, b) => b.length - a.length)
    .join('|');

/** Slips and chat forms seen often enough to be listed; the rest is caught by edit distance. */
const TYPOS: Readonly<Record<string, string>> = {
  tmrw: 'tomorrow',
  tmr: 'tomorrow',
  tmw: 'tomorrow',
  tmrrw: 'tomorrow',
  '2morrow': 'tomorrow',
  '2moro': 'tomorrow',
  tomoz: 'tomorrow',
  tommorow: 'tomorrow',
  tomorow: 'tomorrow',
  tommorrow: 'tomorrow',
  tomorrows: 'tomorrow',
  todays: 'today',
  '2day': 'today',
  tdy: 'today',
  tonite: 'tonight',
  '2nite': 'tonight',
  '2night': 'tonight',
  tonights: 'tonight',
  yesterdays: 'yesterday',
  yday: 'yesterday',
  wensday: 'wednesday',
  wendsday: 'wednesday',
  wednsday: 'wednesday',
  wenesday: 'wednesday',
  thirsday: 'thursday',
  thurday: 'thursday',
  tusday: 'tuesday',
  teusday: 'tuesday',
  fryday: 'friday',
  firday: 'friday',
  saterday: 'saturday',
  satuday: 'saturday',
  sunaday: 'sunday',
  hj: 'hoje',
  oje: 'hoje',
  amnha: 'amanha',
  amnh: 'amanha',
  amanhan: 'amanha',
  amanh: 'amanha',
  amanhaa: 'amanha',
  ontm: 'ontem',
  fds: 'fim de semana',
  findi: 'fim de semana',
  qinta: 'quinta',
  quimta: 'quinta',
  sabdo: 'sabado',
  sbado: 'sabado',
  sabadao: 'sabado',
  domigo: 'domingo',
  domindo: 'domingo',
  prox: 'proxima',
  smana: 'semana',
  semama: 'semana',
};

const CORRECTED = [
  'tomorrow',
  'tonight',
  'yesterday',
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
  'weekend',
  'domingo',
  'amanha',
];
/** Real words one slip away from a date word. */
const NOT_TYPOS = new Set([
  'domino',
  'domingos',
  'domingas',
  'sundry',
  'sundae',
  'weekends',
  'friary',
  'tonights',
]);

/** The date word a mistyped word stands for, or undefined when it is no date word or right already. */
export function correctDateWord(word: string): string | undefined {
  const listed = TYPOS[word];
  if (listed !== undefined) return listed;
  if (word.length < 6 || word.length > 11 || NOT_TYPOS.has(word)) return undefined;
  if (CORRECTED.includes(word)) return undefined;
  const bare = word.replace(/'?s$/, '');
  if (CORRECTED.includes(bare)) return bare;
  const near = (limit: number): string | undefined =>
    CORRECTED.find((right) => word[0] === right[0] && within(word, right, limit));
  // One slip before two, lest "thursdy" become Tuesday.
  return near(1) ?? (word.length >= 9 ? near(2) : undefined);
}
