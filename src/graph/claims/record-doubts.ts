import { MONTHS, shifted, WEEKDAYS } from './calendar.js';
import type { Figure } from './figure.js';
import { ABOUT_FIGURE } from './figure-check.js';
import type { KnownRecord } from './records.js';
import type { Sentence } from './sentences.js';
import { fold } from './tokens.js';
import type { TurnEvidence } from './turn-evidence.js';

/* What makes doubtful what an answer says of records, though each of its figures is one of theirs. */

const DAY = 1_440;
const WEEK = 7 * DAY;
/** Fewer letters name no place. */
const SHORTEST = 4;
/** A place stands right behind it. */
const AT = /(?<!\p{L})(?:in|at|em|no|na|nos|nas)\s$/iu;
const STILL_TO_COME =
  /(?<!\p{L})(?:upcoming|coming up|ahead|booked|next|proxim[oa]s?|futur[oa]s|pela frente|marcad[oa]s?|reservad[oa]s?)(?!\p{L})/u;
const OVER =
  /(?<!\p{L})(?:cancel\p{L}*|attended|was|were|went|past|no longer|not|had|already|refund\p{L}*|foi|foram|era|eram|passad[oa]s?|nao|ja|realizad[oa]s?|reembols\p{L}*|esteve|tinha|antes)(?!\p{L})/u;
const EACH = /(?<!\p{L})(?:each|apiece|cada(?: uma?)?)(?!\p{L})/u;
/** Somebody else who did it, or why it came. */
const CAUSE =
  /(?<!\p{L})(?:(?:cancell?ed|refused|declined|blocked|moved|cancelad[oa]s?|recusad[oa]s?|bloquead[oa]s?|adiad[oa]s?) (?:by|pel[oa]s?|por)(?: the| our| a| um| uma| noss[oa])?|due to(?: an?| the| your)?|because of(?: an?| the| your)?|devido (?:a|ao|as|aos)(?: um| uma| sua| seu)?|por causa d[eao]s?(?: um| uma| sua| seu)?|por motivos? de) (\p{L}+)/u;
const YOURS = /^(?:you|yourself|voce|si|the|o|a)$/;
const AFTER_THAT =
  /^(?:after (?:that|this|it)|afterwards|since then|later|depois (?:disso|disto|dela|dele)|desde entao|em seguida|apos isso)(?!\p{L})/u;
/** Two or more are a figure. */
const ONE_WEEK = /(?<!\p{L})(?:a|one|uma) (?:week|semana)(?!\p{L})/iu;
const AGO = /^\s*(?:ago|atr[aá]s|before today)(?!\p{L})/iu;
const AGO_BEFORE = /(?<!\p{L})(?:h[aá]|faz)\s$/iu;
const AHEAD_AFTER = /^\s*(?:from (?:now|today)|a partir de hoje)(?!\p{L})/iu;
const AHEAD_BEFORE = /(?<!\p{L})(?:daqui (?:a|h[aá]|em)|faltam?|falta|in|em)\s$/iu;

/** The words that make a sentence doubtful; null where none do. @param before the sentence before it, with its figures */
export function doubtIn(
  sentence: Sentence,
  figures: readonly Figure[],
  named: readonly KnownRecord[],
  before: readonly Figure[],
  evidence: TurnEvidence,
): string | null {
  const { records, facts } = evidence;
  if (!records.all.some(({ done }) => !done)) return null;
  const masked = fold(records.masked(sentence.text).text).trim();
  const own = figures.filter(
    ({ from }) => from >= sentence.from && from < sentence.from + sentence.text.length,
  );
  const titled = named.filter(({ title, done }) => title !== null && !done);
  const isWrong =
    isElsewhere(sentence, titled, evidence) ||
    isOver(masked, titled) ||
    isUnequal(masked, own, titled) ||
    isUncaused(masked, facts.sourced) ||
    isEarlier(masked, own, before) ||
    isOtherTime(sentence, own, titled, facts.today);
  return isWrong ? sentence.text.trim() : null;
}

/** A place of another record, or one that no source names, where one record alone is spoken of. */
function isElsewhere(
  { tokens, text, from }: Sentence,
  titled: readonly KnownRecord[],
  { records, facts }: TurnEvidence,
): boolean {
  const [record, ...more] = titled;
  if (!record || more.length > 0 || record.words.size === 0) return false;
  return tokens.some(({ text: word, capital, from: at }) => {
    if (
      !capital ||
      word.length < SHORTEST ||
      record.words.has(word) ||
      WEEKDAYS.has(word) ||
      MONTHS.has(word)
    )
      return false;
    if (!AT.test(text.slice(0, at - from))) return false;
    return !facts.sourced.has(word) || records.all.some(({ words }) => words.has(word));
  });
}

/** Listed with what is to come, though it is not. */
function isOver(plain: string, titled: readonly KnownRecord[]): boolean {
  return STILL_TO_COME.test(plain) && !OVER.test(plain) && titled.some(({ upcoming }) => upcoming === false);
}

/** "€ 20.00 each" of two that did not cost the same. */
function isUnequal(plain: string, own: readonly Figure[], titled: readonly KnownRecord[]): boolean {
  const amounts = own.filter(({ kind }) => kind === 'money');
  return (
    EACH.test(plain) &&
    titled.length > 1 &&
    amounts.some(
      ({ values }) => !titled.every(({ money }) => values.some((value) => money.has(Number(value)))),
    )
  );
}

/** By somebody or for a reason that no source names. */
function isUncaused(plain: string, sourced: ReadonlySet<string>): boolean {
  const what = CAUSE.exec(plain)?.[1];
  return what !== undefined && !YOURS.test(what) && !sourced.has(what);
}

/** "After that", of a day before the one just named. */
function isEarlier(plain: string, own: readonly Figure[], before: readonly Figure[]): boolean {
  if (!AFTER_THAT.test(plain)) return false;
  const [day, other] = [own, before].map(
    (figures) => figures.findLast(({ kind }) => kind === 'date')?.values[0],
  );
  return day !== undefined && other !== undefined && day < other;
}

/** "A week ago", of a day that is another. */
function isOtherTime(
  { text, from: start }: Sentence,
  own: readonly Figure[],
  titled: readonly KnownRecord[],
  today: string,
): boolean {
  const dates = own.flatMap(({ kind, values }) => (kind === 'date' ? values.map(String) : []));
  const days = dates.length > 0 ? dates : titled.flatMap((record) => [...record.days]);
  if (days.length === 0) return false;
  const one = ONE_WEEK.exec(text);
  const spans = own.filter(({ kind }) => kind === 'span');
  if (one)
    spans.push({
      kind: 'span',
      values: [WEEK],
      from: start + one.index,
      to: start + one.index + one[0].length,
    });
  return spans.some(({ values, from, to }) => {
    const minutes = Number(values[0]);
    if (minutes % DAY !== 0 || minutes > 8 * WEEK) return false;
    const [lead, tail] = [text.slice(0, from - start), text.slice(to - start)];
    const step =
      AGO.test(tail) || AGO_BEFORE.test(lead)
        ? -1
        : AHEAD_AFTER.test(tail) || AHEAD_BEFORE.test(lead)
          ? 1
          : 0;
    if (step === 0 || ABOUT_FIGURE.test(lead)) return false;
    return !days.includes(shifted(today, (step * minutes) / DAY).slice(5));
  });
}
