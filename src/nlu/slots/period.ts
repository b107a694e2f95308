import type { Language } from '../../core/domain/taxonomy.js';
import type { DateRange, FindDates } from './dates.js';
import type { FindDays } from './ids-and-days.js';

/** The time for which something is to be so, as far as a text says it. */
interface Period {
  /** Its first day, YYYY-MM-DD, where that is a later one than today; null where it is not said. */
  readonly start: string | null;
  /** Null where neither a length nor an end is said. */
  readonly days: number | null;
}

/** Reads a period: "from 1 to 20 December", "por 60 dias a partir de 10/12", "until April". */
export type FindPeriod = (
  text: string,
  options: { readonly now: Date; readonly language: Language },
) => Period;

/** What stands before the day on which something ends. */
const UNTIL =
  /(?:\b(?:until|till|til|to|through|hasta|back (?:on|in|by)|return (?:on|in)|volto (?:em|no|dia|s[oó] em))|\bat[eé]|\ba|\bao|-|–)\s*(?:the |o |a |el |dia |día |meados de |mid[- ]|in )*$/iu;
/** Where it is read as part of the date. */
const UNTIL_IN = /^(?:until|till|til|through|hasta|at[eé])\s/iu;
/** A day of the month that shares its month with the end: "from 1 to 20 December". */
const SHARED =
  /(?:\bfrom|\bbetween|\bd[eo]|\bentre|\bdesde)\s+(?:the |o |dia )*(\d{1,2})(?:st|nd|rd|th|º|o)?\s*(?:to|until|till|through|and|a|ao|at[eé]|e|-|–)\s*(?:the |o |dia )*$/iu;
/** The day is named as one on which it is not to begin. */
const DENIED = /\b(?:not|n[aã]o)\s+(?:from |on |in |em |no |dia |a partir de )*$/iu;
/** The day tells which of several things is spoken of: "those two in January I cancel later", "nada de janeiro". */
const TELLS_WHICH =
  /(?:\b(?:ones?|those|these|both|bookings?|two|three|nothing|reservas?|dois|duas|tr[eê]s|nada|ess[ea]s|est[ea]s|aquel[ea]s)\s+(?:in|on|of|from|de|d[oa]|em|n[oa])|\b[ao] d[eoa])\s*(?:dia )?$/iu;
/** Where what leads to it is read as part of the date. */
const LEADING = /^(?:in|on|of|from|de|d[oa]|em|n[oa])\s+/iu;
/** What leads to a period. */
const LEADS =
  /(?<!\p{L})(?:from|as of|start\w*|begin\w*|until|till|through|a partir|come[cç]\p{L}*|at[eé]|desde|hasta)(?!\p{L})/iu;
/** Says in the clause of an order that it is to be at once. */
const AT_ONCE =
  /(?<!\p{L})(?:now|right away|straight away|immediately|at once|today|agora|j[aá]|hoje|imediatamente|ahora|ya)(?!\p{L})/iu;
/** A sentence of no more words is a day and little else. */
const BARE_WORDS = 4;
const DAY_MS = 86_400_000;

/**
 * Makes the reader.
 * @param timeZone IANA name of where days are counted
 * @param changesIn the changes that a text names
 */
export function createPeriodReader(
  findDates: FindDates,
  findDays: FindDays,
  timeZone: string,
  changesIn: (text: string) => readonly unknown[],
): FindPeriod {
  /** "Will I be charged on the 24th?" is asked beside a change, and says nothing of when it is to be. */
  const isAskedBeside = (text: string, at: number): boolean => {
    const [from, to] = [text.slice(0, at).search(/[^.!?;\n]*$/u), text.slice(at).search(/[.!?;\n]/u)];
    const sentence = text.slice(from, to < 0 ? text.length : at + to + 1);
    const isLong = sentence.trim().split(/\s+/u).length > BARE_WORDS;
    return sentence.includes('?') && isLong && !LEADS.test(sentence) && changesIn(sentence).length === 0;
  };
  /** "Ah, 90 days, then pause it until 10 May": the clause that orders the change says its end, and no other length. */
  const isOrderedUntil = (text: string, end: DateRange | undefined): boolean => {
    if (end === undefined) return false;
    const from = text.slice(0, end.start).search(/[^,.!?;\n]*$/u);
    const clause = text.slice(from, end.start);
    return changesIn(clause).length > 0 && findDays(clause) === null;
  };
  /** "Resume it now, there is a show on the 18th": the day stands in the reason. */
  const isReason = (text: string, at: number): boolean => {
    const clauses = [...text.matchAll(/[^,.!?;\n]+/gu)];
    const own = clauses.find(({ index, 0: said }) => index <= at && at < index + said.length)?.[0] ?? '';
    if (UNTIL.test(text.slice(0, at))) return false;
    const isNow = clauses.some(([said]) => AT_ONCE.test(said) && changesIn(said).length > 0);
    return isNow && changesIn(own).length === 0 && !LEADS.test(own);
  };
  const days = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
  const dayOf = (at: Date | number): string => days.format(at);
  return (text, { now, language }) => {
    const named = findDates(text, { now, language }).filter(
      ({ start, from, text: words }) =>
        !DENIED.test(text.slice(0, start)) &&
        !TELLS_WHICH.test(`${text.slice(0, start)}${LEADING.exec(words)?.[0] ?? ''}`) &&
        !isAskedBeside(text, start) &&
        !isReason(text, start) &&
        Date.parse(from) > now.getTime(),
    );
    const ends = named.filter(
      ({ start, text: words }) => UNTIL.test(text.slice(0, start)) || UNTIL_IN.test(words),
    );
    const others = named.filter((one) => !ends.includes(one));
    // "I leave on the 10th and am back in January": the first of two days is the start, the last the end.
    const end = ends.at(-1) ?? (others.length > 1 ? latest(others) : undefined);
    const begins = others.find((one) => one !== end && (end === undefined || one.from < end.from));
    const start = begins ? dayOf(Date.parse(begins.from)) : end ? sharedStart(text, end, dayOf) : null;
    const later = start !== null && start > dayOf(now) ? start : null;
    const since = later !== null && begins ? Date.parse(begins.from) : startOf(later, end, now, dayOf);
    const length = end ? Math.ceil((Date.parse(end.from) - since) / DAY_MS) : 0;
    const counted = findDays(text);
    const isEnd = length > 0 && (counted === null || isOrderedUntil(text, end));
    return { start: later, days: isEnd ? length : counted };
  };
}

function latest(named: readonly DateRange[]): DateRange | undefined {
  return [...named].sort((a, b) => a.from.localeCompare(b.from)).at(-1);
}

/** The first day of "from 1 to 20 December". */
function sharedStart(text: string, end: DateRange, dayOf: (at: number) => string): string | null {
  const day = SHARED.exec(text.slice(0, end.start))?.[1];
  if (day === undefined) return null;
  const start = `${dayOf(Date.parse(end.from)).slice(0, 8)}${day.padStart(2, '0')}`;
  return start < dayOf(Date.parse(end.from)) ? start : null;
}

/** From when the length of a period counts: its start at the hour at which the end stands, or now. */
function startOf(
  start: string | null,
  end: DateRange | undefined,
  now: Date,
  dayOf: (at: number) => string,
): number {
  if (start === null || end === undefined) return now.getTime();
  const last = dayOf(Date.parse(end.from));
  return Date.parse(end.from) - (Date.parse(last) - Date.parse(start));
}
