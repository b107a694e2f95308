import type { ServiceClock } from '../../shared/api-types.js';
import { fill } from '../../shared/message.js';

/* Names and values of data that a query or a tool gave, as people read them. */

/** A moment as the wire writes it, ISO 8601. */
export function isMoment(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) && !Number.isNaN(Date.parse(text));
}

/** An id of the hub's or of a database: `res_029`, `tkt_4eecnk2jp5a460vr`. Nobody can read anything from it. */
export function isInternalId(text: string): boolean {
  return /^[a-z]{2,4}_(?=\w*\d)[a-z0-9]+$/.test(text);
}

const IDS = /( ?\((?:run )?)?\b([a-z]{2,4}_(?=\w*\d)[a-z0-9_]+)\b(\))?/g;

/** A sentence with the names of records for their ids; an id in brackets stands behind its name already. */
export function withoutIds(sentence: string, names: Readonly<Record<string, string>>): string {
  return sentence.replace(
    IDS,
    (whole, opened: string | undefined, id: string, closed: string | undefined) => {
      if (opened !== undefined && closed !== undefined) return '';
      const name = names[id];
      return name === undefined ? whole : `${opened ?? ''}“${name}”${closed ?? ''}`;
    },
  );
}

/** A call as the hub reports it: `agent: tool({"name":"value"})`, perhaps cut within. */
const CALL = /^\w+: (\w+)\((\{.*)\)$/s;
const TERMS = /\b[a-z]+(?:_[a-z0-9]+)+\b/g;

/** A sentence of the hub without the program's words: calls by their label and what they were given, terms as words. */
export function plainSentence(sentence: string, nameOf: (term: string) => string): string {
  const [, tool, given = ''] = CALL.exec(sentence) ?? [];
  const said = (text: string) => text.replace(TERMS, (term) => (isInternalId(term) ? term : nameOf(term)));
  if (tool === undefined) return said(sentence);
  const values = [...given.matchAll(/:"([^"]*)/g)].map(([, value = '']) => value);
  return [
    nameOf(tool),
    values
      .filter((one) => one !== '' && !isInternalId(one))
      .map(said)
      .join(', '),
  ]
    .filter((one) => one !== '')
    .join(': ');
}

/** A term of a program: `never_issued`. */
export function isTerm(text: string): boolean {
  return /^[a-z]+(?:_[a-z0-9]+)*$/.test(text) && !isInternalId(text);
}

/** `amountCents` as `amount_cents`: what is stored is named in either way. */
export function snake(name: string): string {
  return name.replace(/([a-z\d])([A-Z])/g, '$1_$2').toLowerCase();
}

/** A column or an argument as a name: `hours_to_start` is "Hours to start", `paid_cents` "Paid", `is_blocked` "Blocked". */
export function plainName(name: string): string {
  const words = name
    .replace(/^(?:is|has)_/, '')
    .replace(/_(?:cents|id|at)$/, '')
    .replaceAll('_', ' ')
    .trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Of what is there in several languages (`what_en`, `what_pt`) only the reader's, under the name they share. */
export function ownLanguage(
  entries: readonly (readonly [string, unknown])[],
  shown: string,
  languages: readonly string[],
): readonly (readonly [string, unknown])[] {
  const short = (tag: string): string => tag.toLowerCase().split('-')[0] ?? '';
  const endings = languages.map((one) => `_${short(one)}`);
  return entries.flatMap(([name, value]) => {
    const ending = endings.find((one) => name.endsWith(one));
    if (ending === undefined) return [[name, value] as const];
    return ending === `_${short(shown)}` ? [[name.slice(0, -ending.length), value] as const] : [];
  });
}

/** What the clock says, as the text files have it. */
type ClockTexts = Readonly<
  Record<
    | 'due'
    | 'dueAt'
    | 'overdue'
    | 'stopped'
    | 'stoppedUntil'
    | 'left'
    | 'detail'
    | 'minutes'
    | 'hours'
    | 'days'
    | 'now'
    | 'ago',
    string
  >
>;

/** How pressing a service clock is: what colour and shape it gets. */
type ClockTone = 'fine' | 'soon' | 'late' | 'stopped';

interface ClockText {
  readonly text: string;
  readonly tone: ClockTone;
  /** The same in one unit, for where there is little room. */
  readonly short: string;
  /** The whole story, for a title. */
  readonly detail: string;
}

/** Less than this share of the target left is soon. */
const SOON = 0.25;

/** A length of time in the one or two units that matter: `35 min`, `2 h 10 min`, `3 d 4 h`. @param minutes at least 0 */
export function span(minutes: number, texts: ClockTexts, minutesInDay = 1440): string {
  const whole = Math.max(0, Math.round(minutes));
  if (whole < 60) return fill(texts.minutes, { value: whole });
  if (whole < minutesInDay) {
    const rest = whole % 60;
    return rest === 0
      ? fill(texts.hours, { value: Math.floor(whole / 60) })
      : `${fill(texts.hours, { value: Math.floor(whole / 60) })} ${fill(texts.minutes, { value: rest })}`;
  }
  const hours = Math.round((whole % minutesInDay) / 60);
  const days = fill(texts.days, { value: Math.floor(whole / minutesInDay) });
  return hours === 0 ? days : `${days} ${fill(texts.hours, { value: hours })}`;
}

/**
 * What a service clock says. Its minutes are business minutes, so `2 h left` on a Friday evening means Monday morning,
 * and of a clock that stands still what counts is until when an answer is due: all that wait for the morning wait for the same one.
 * @param sinceFetched minutes since the clock was read, which a running one has gone on for
 * @param showTime writes a moment, for `until Mon 9:00`; `brief` where there is little room
 */
export function clockText(
  clock: ServiceClock,
  sinceFetched: number,
  texts: ClockTexts,
  showTime: (iso: string, brief?: boolean) => string,
): ClockText {
  const waited = clock.waited_minutes + (clock.running ? sinceFetched : 0);
  const left = clock.target_minutes - waited;
  const late = clock.breached || left < 0;
  const detail = fill(texts.detail, {
    waited: span(waited, texts),
    target: span(clock.target_minutes, texts),
  });
  const resumes = clock.resumes_at ?? null;
  const stopped = resumes === null ? texts.stopped : fill(texts.stoppedUntil, { when: showTime(resumes) });
  if (late) {
    const by = Math.max(1, -left);
    const text = fill(texts.overdue, { by: span(by, texts) });
    const short = fill(texts.overdue, { by: unit(by, texts) });
    return { text, short, tone: 'late', detail: clock.running ? detail : `${detail}. ${stopped}` };
  }
  if (!clock.running)
    return {
      text: fill(texts.dueAt, { when: showTime(clock.due_at) }),
      short: showTime(clock.due_at, true),
      tone: 'stopped',
      detail: `${detail}, ${fill(texts.left, { left: span(left, texts) })}. ${stopped}`,
    };
  const tone = left < clock.target_minutes * SOON ? 'soon' : 'fine';
  const text = fill(texts.due, { left: span(left, texts) });
  return { text, short: fill(texts.due, { left: unit(left, texts) }), tone, detail };
}

/** How long ago something was, in one unit: `now`, `5 min`, `3 h`, `2 d`. */
export function age(iso: string, at: Date, texts: ClockTexts): string {
  const minutes = Math.floor((at.getTime() - new Date(iso).getTime()) / 60_000);
  return Number.isNaN(minutes) || minutes < 1 ? texts.now : unit(minutes, texts);
}

/** A length of time in its largest unit: `35 min`, `2 h`, `3 d`. */
function unit(minutes: number, texts: ClockTexts): string {
  const whole = Math.max(0, Math.round(minutes));
  if (whole < 60) return fill(texts.minutes, { value: whole });
  if (whole < 1440) return fill(texts.hours, { value: Math.floor(whole / 60) });
  return fill(texts.days, { value: Math.floor(whole / 1440) });
}

/** `2026-03-11 12:00` by the clocks of a zone: of a sheet, which is sorted, and read on another day. Empty where it is no moment. */
export function sheetMoment(iso: string, timeZone: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return '';
  // The one place whose way of writing it is that of sheets.
  return new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short', timeZone }).format(date);
}
