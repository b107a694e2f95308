import { namedDaysIn, shifted } from './calendar.js';
import type { Facts } from './facts.js';
import type { Figure } from './figure.js';
import { WRITTEN_DOWN } from './mix-ups.js';
import { LEDGER } from './record-figures.js';
import type { Moment, RecordRow } from './record-rows.js';
import type { Sentence } from './sentences.js';
import { fold } from './tokens.js';

/* When things take place, as a sentence says it, against the moments of the records: a day and an hour belong together. */

/** A weekday this near to a date is that of the date. */
const BESIDE = 14;
const DAY = 1_440;
/** Says until when something can be done. */
export const UNTIL =
  /(?<!\p{L})(?:by (?:\d|the|noon|midnight|tomorrow|tonight|\p{L}+day)|until|till|up to|no later|how late|before|deadline|latest|cancel\w*|ahead|notice|drop\w*|open(?:s|ed)?|at[eé]|antes|prazo|desist\w+|anteced[eê]ncia|v[eé]spera|limite|abre|libera\w*|hasta)(?!\p{L})|24/iu;
/** Says of the thing itself that it is then. */
const IS_THEN =
  /(?:['’]s|(?<!\p{L})(?:is|are|was|were|starts?|begins?|takes place|happens|happened|é|foi|será|s[aã]o|fica|aconteceu|começa|acontece|rola|cai|es|empieza))(?: (?:on|para|pra|s[oó]|just|only|already|j[aá]|logo))?,? $/iu;

/** A day as a sentence names it. */
interface NamedDay {
  readonly from: number;
  readonly to: number;
  is(moment: Pick<Moment, 'day' | 'weekday'>): boolean;
}

/**
 * The hour of another day, or "tomorrow" of something that is later; null where a sentence names several or none.
 * @param title the one record that is spoken of
 */
export function ofAnotherMoment(
  sentence: Sentence,
  figures: readonly Figure[],
  title: string | null,
  rows: readonly RecordRow[],
  facts: Facts,
): Pick<Figure, 'from' | 'to'> | null {
  let from = sentence.from;
  for (const text of sentence.text.split(/(?<=;)/)) {
    const end = from + text.length;
    const own = figures.filter((figure) => figure.from >= from && figure.from < end);
    const wrong = inClause({ text, from }, own, title, rows, facts);
    if (wrong) return wrong;
    from = end;
  }
  return null;
}

function inClause(
  { text, from }: Pick<Sentence, 'text' | 'from'>,
  figures: readonly Figure[],
  title: string | null,
  rows: readonly RecordRow[],
  facts: Facts,
): Pick<Figure, 'from' | 'to'> | null {
  // "Tomorrow (22 November)", of what is today.
  const apart = figures.find(
    ({ kind, values, from: at, to }) =>
      kind === 'date' &&
      namedDaysIn(fold(text), facts.today).some(
        (one) =>
          !values.includes(one.day.slice(5)) &&
          /^[ ,(]{0,3}$/u.test(
            text.slice(one.at + one.length, Math.max(0, at - from)) || text.slice(to - from, one.at),
          ),
      ),
  );
  if (apart) return apart;
  const days = daysIn(text, from, figures, facts);
  const [day, ...more] = days;
  if (!day || more.length > 0) return null;
  const [time, ...others] = figures.filter(({ kind }) => kind === 'time');
  const moments = rows.flatMap((row) => row.moments);
  if (time && others.length === 0) {
    const hours = moments.filter(({ minute }) => minute !== null);
    const at = ({ minute }: Moment, step = 0) => time.values.includes((Number(minute) + step + DAY) % DAY);
    const known = hours.filter((one) => at(one));
    const isTold = rows.some(({ told }) => told.some(({ kind }) => kind === 'time'));
    const isDerived =
      (UNTIL.test(`${text}\n${facts.asked}`) && known.some((one) => day.is(dayBefore(one, facts)))) ||
      hours.some((one) => day.is(one) && [...facts.spans].some((span) => at(one, span) || at(one, -span)));
    return known.length === 0 || isTold || isDerived || known.some((one) => day.is(one)) ? null : time;
  }
  const own = rows.filter((row) => row.title === title && title !== null && !LEDGER.has(row.kind));
  const places = own.flatMap((row) => row.moments.filter(({ field }) => !WRITTEN_DOWN.test(field)));
  // Of a payment another day may be told.
  const isNamed = !figures.some(({ from: at, kind }) => at === day.from || kind === 'money');
  if (others.length > 0 || places.length === 0 || !isNamed || !IS_THEN.test(text.slice(0, day.from - from)))
    return null;
  return places.some((one) => day.is(one)) ? null : day;
}

function dayBefore({ day, weekday }: Moment, { today }: Facts): Pick<Moment, 'day' | 'weekday'> {
  return { day: shifted(`${today.slice(0, 4)}-${day}`, -1).slice(5), weekday: (weekday + 6) % 7 };
}

/** The days that a sentence names; a weekday beside its date is one with it. */
function daysIn(
  text: string,
  from: number,
  figures: readonly Figure[],
  { today }: Facts,
): readonly NamedDay[] {
  const dated = figures.filter(({ kind }) => kind === 'date' || kind === 'day');
  const weekdays = figures.filter(
    (one) =>
      one.kind === 'weekday' &&
      !dated.some((date) => Math.max(one.from, date.from) - Math.min(one.to, date.to) <= BESIDE),
  );
  const named = namedDaysIn(fold(text), today).map(({ day, at, length }) => ({
    ...{ from: from + at, to: from + at + length },
    is: (moment: Pick<Moment, 'day'>) => moment.day === day.slice(5),
  }));
  return [
    ...dated.map(({ kind, values, ...place }) => ({
      ...place,
      is: ({ day }: Pick<Moment, 'day'>) => values.includes(kind === 'date' ? day : Number(day.slice(3))),
    })),
    ...weekdays.map(({ values, ...place }) => ({
      ...place,
      is: ({ weekday }: Pick<Moment, 'weekday'>) => values.includes(weekday),
    })),
    // "Tomorrow, Monday": one day by two names.
    ...named.filter(({ from: at, to }) =>
      [...dated, ...weekdays].every((one) => Math.max(one.from, at) - Math.min(one.to, to) > BESIDE),
    ),
  ];
}
