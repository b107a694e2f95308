import type { ServiceClock } from '../../shared/api-types.js';
import { fill } from '../../shared/message.js';

/** What the clock says, as the text files have it. */
type ClockWords = Readonly<
  Record<
    | 'due'
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
export function span(minutes: number, words: ClockWords, minutesInDay = 1440): string {
  const whole = Math.max(0, Math.round(minutes));
  if (whole < 60) return fill(words.minutes, { value: whole });
  if (whole < minutesInDay) {
    const rest = whole % 60;
    return rest === 0
      ? fill(words.hours, { value: Math.floor(whole / 60) })
      : `${fill(words.hours, { value: Math.floor(whole / 60) })} ${fill(words.minutes, { value: rest })}`;
  }
  const hours = Math.round((whole % minutesInDay) / 60);
  const days = fill(words.days, { value: Math.floor(whole / minutesInDay) });
  return hours === 0 ? days : `${days} ${fill(words.hours, { value: hours })}`;
}

/**
 * What a service clock says. Its minutes are business minutes, so `2 h left` on a Friday evening means Monday morning,
 * and a clock that stands still says until when.
 * @param sinceFetched minutes since the clock was read, which a running one has gone on for
 * @param showTime writes a moment, for `until Mon 9:00`
 */
export function clockText(
  clock: ServiceClock,
  sinceFetched: number,
  words: ClockWords,
  showTime: (iso: string) => string,
): ClockText {
  const waited = clock.waited_minutes + (clock.running ? sinceFetched : 0);
  const left = clock.target_minutes - waited;
  const late = clock.breached || left < 0;
  const detail = fill(words.detail, {
    waited: span(waited, words),
    target: span(clock.target_minutes, words),
  });
  const resumes = clock.resumes_at ?? null;
  const stopped = resumes === null ? words.stopped : fill(words.stoppedUntil, { when: showTime(resumes) });
  if (late) {
    const by = Math.max(1, -left);
    const text = fill(words.overdue, { by: span(by, words) });
    const short = fill(words.overdue, { by: unit(by, words) });
    return { text, short, tone: 'late', detail: clock.running ? detail : `${detail}. ${stopped}` };
  }
  if (!clock.running)
    return {
      text: stopped,
      short: stopped,
      tone: 'stopped',
      detail: `${detail}, ${fill(words.left, { left: span(left, words) })}`,
    };
  const tone = left < clock.target_minutes * SOON ? 'soon' : 'fine';
  const text = fill(words.due, { left: span(left, words) });
  return { text, short: fill(words.due, { left: unit(left, words) }), tone, detail };
}

/** How long ago something was, in one unit: `now`, `5 min`, `3 h`, `2 d`. */
export function age(iso: string, at: Date, words: ClockWords): string {
  const minutes = Math.floor((at.getTime() - new Date(iso).getTime()) / 60_000);
  return Number.isNaN(minutes) || minutes < 1 ? words.now : unit(minutes, words);
}

/** A length of time in its largest unit: `35 min`, `2 h`, `3 d`. */
function unit(minutes: number, words: ClockWords): string {
  const whole = Math.max(0, Math.round(minutes));
  if (whole < 60) return fill(words.minutes, { value: whole });
  if (whole < 1440) return fill(words.hours, { value: Math.floor(whole / 60) });
  return fill(words.days, { value: Math.floor(whole / 1440) });
}
