import { COUNT, countOf } from './date-words.js';
import { fold, foldText } from './text.js';

/** The id as the data writes it: `res_` and at least three digits. */
const normalId = (digits: string): string => `res_${digits.replace(/^0+(?=\d)/, '').padStart(3, '0')}`;

/**
 * "res 14", "#RES-014" and, only with three digits or more (fewer is a position in a list),
 * "reservation 014", "booking no. 014", "R014".
 */
const ID_PATTERNS: readonly RegExp[] = [
  /(?<![a-z0-9])#?(?:res|rsv|resv)[\s_.:#-]{0,3}(\d{1,9})(?![\d])/g,
  /(?<![a-z0-9])(?:reservations?|reservas?|bookings?|id)[\s_.:#-]{0,3}(?:id |number |num |numero |no\.? ?|n[o.]{0,2} ?|code |codigo )?[:#]?\s?(\d{3,9})(?![\d]| ?(?:reais|real|brl)|[.,]\d)/g,
  /(?<![a-z0-9$])#?r[_-]?(\d{3,9})(?![\d]|[.,]\d| ?reais)/g,
  /(?<![\w#&])#(0\d{2,8})(?!\d)/g,
];

/** Where reservation ids stand in a folded text, in the order written. */
export function reservationIdSpans(folded: string): { id: string; start: number; end: number }[] {
  const spans: { id: string; start: number; end: number }[] = [];
  for (const pattern of ID_PATTERNS) {
    for (const match of folded.matchAll(pattern)) {
      const end = match.index + match[0].length;
      if (spans.some((other) => match.index < other.end && other.start < end)) continue;
      spans.push({ id: normalId(match[1] ?? ''), start: match.index, end });
    }
  }
  return spans.sort((a, b) => a.start - b.start);
}

/** Reservation ids in a text as the data writes them (`res_001`), each once, in the order written. */
export function findReservationIds(text: string): string[] {
  return [...new Set(reservationIdSpans(foldText(text)).map((span) => span.id))];
}

const UNIT_DAYS: readonly (readonly [RegExp, number])[] = [
  [/^(?:day|dia)/, 1],
  [/^(?:week|wk|semana)/, 7],
  [/^fortnight/, 14],
  [/^quinzena/, 15],
  [/^(?:month|mes)/, 30],
  [/^(?:year|ano)/, 365],
];
const DURATION = new RegExp(
  `(\\b(?:in|within|daqui(?: a)?|em|dentro de|ha|faz|last|past|every|cada|ultim[ao]s|after|apos|older than) (?:the |os |as )?)?(?<![\\d.,/-])\\b(${COUNT})[ -]?(days?|dias?|weeks?|wks?|semanas?|fortnights?|quinzenas?|months?|mes(?:es)?|years?|anos?)\\b( and a half| e mei[oa])?( ago| atras| from now| old)?`,
  'g',
);

/**
 * For how many days a pause was asked: "for 2 weeks", "por um mês", "1 month and a half". A month is 30 days.
 * Null where no length is said, where it is a point in time ("in 3 days", "há 2 meses"), and for "até janeiro".
 */
export function findPauseDays(text: string): number | null {
  let total = 0;
  for (const match of foldText(text).matchAll(DURATION)) {
    if (match[1] !== undefined || match[5] !== undefined) continue;
    const unit = UNIT_DAYS.find(([pattern]) => pattern.test(match[3] ?? ''))?.[1] ?? 0;
    total += countOf(match[2] ?? '') * unit + (match[4] === undefined ? 0 : Math.round(unit / 2));
  }
  return total > 0 && total <= 3_650 ? total : null;
}

/** "1.200,00", "1,200.00", "45,9", "1.200": the last mark is decimal unless three digits follow it. */
const cents = (figures: string): number | null => {
  const decimal = /^(.*)[.,](\d{1,2})$/.exec(figures);
  const whole = (decimal?.[1] ?? figures).replace(/[.,\s]/g, '');
  if (whole === '' || whole.length > 9) return null;
  return Number(whole) * 100 + Number((decimal?.[2] ?? '').padEnd(2, '0'));
};

const FIGURES = '(\\d{1,9}(?:[.,]\\d{1,3}){0,4})(?!\\d)';
const MONEY: readonly RegExp[] = [
  new RegExp(`(?:\\br\\$|\\bbrl|\\brs\\$?)\\s{0,3}${FIGURES}( ?mil\\b)?`, 'g'),
  new RegExp(
    `(?<![\\d.,])${FIGURES}( mil)? ?(?:reais|real|brl|contos?|pilas?|r\\$)(?![a-z\\d])(?: e (\\d{1,2}) centavos)?`,
    'g',
  ),
];

/** Amounts in Brazilian reais named in a text, in centavos, in the order written: "R$ 1.200,00" is 120000. */
export function findMoney(text: string): number[] {
  const { folded } = fold(text);
  const found: { start: number; end: number; amount: number }[] = [];
  for (const pattern of MONEY) {
    for (const match of folded.matchAll(pattern)) {
      const end = match.index + match[0].length;
      const amount = cents(match[1] ?? '');
      if (amount === null || found.some((other) => match.index < other.end && other.start < end)) continue;
      found.push({
        start: match.index,
        end,
        amount: amount * (match[2] === undefined ? 1 : 1_000) + Number(match[3] ?? 0),
      });
    }
  }
  return found.sort((a, b) => a.start - b.start).map((one) => one.amount);
}
