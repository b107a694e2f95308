import type { ServiceClock } from '../../shared/api-types.js';
import type { Words } from '../words/index.js';

/** How pressing a service clock is: what colour and shape it gets. */
export type ClockTone = 'fine' | 'soon' | 'late' | 'stopped';

export interface ClockText {
  readonly text: string;
  readonly tone: ClockTone;
  /** The whole story, for a title. */
  readonly detail: string;
}

/** Less than this share of the target left is soon. */
const SOON = 0.25;

/** A length of time in the one or two units that matter: `35 min`, `2 h 10 min`, `3 d 4 h`. @param minutes at least 0 */
export function span(minutes: number, words: Words['clock'], minutesInDay = 1440): string {
  const whole = Math.max(0, Math.round(minutes));
  if (whole < 60) return words.minutes(whole);
  if (whole < minutesInDay) {
    const rest = whole % 60;
    return rest === 0
      ? words.hours(Math.floor(whole / 60))
      : `${words.hours(Math.floor(whole / 60))} ${words.minutes(rest)}`;
  }
  const hours = Math.round((whole % minutesInDay) / 60);
  const days = words.days(Math.floor(whole / minutesInDay));
  return hours === 0 ? days : `${days} ${words.hours(hours)}`;
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
  words: Words['clock'],
  showTime: (iso: string) => string,
): ClockText {
  const waited = clock.waited_minutes + (clock.running ? sinceFetched : 0);
  const left = clock.target_minutes - waited;
  const late = clock.breached || left < 0;
  const detail = words.detail(span(waited, words), span(clock.target_minutes, words));
  const resumes = clock.resumes_at ?? null;
  const stopped = resumes === null ? words.stopped : words.stoppedUntil(showTime(resumes));
  if (late) {
    const text = words.overdue(span(Math.max(1, -left), words));
    return { text, tone: 'late', detail: clock.running ? detail : `${detail}. ${stopped}` };
  }
  if (!clock.running)
    return { text: stopped, tone: 'stopped', detail: `${detail}, ${words.left(span(left, words))}` };
  const tone = left < clock.target_minutes * SOON ? 'soon' : 'fine';
  return { text: words.due(span(left, words)), tone, detail };
}

/** How long ago something was, in one unit: `now`, `5 min`, `3 h`, `2 d`. */
export function age(iso: string, at: Date, words: Words['clock']): string {
  const minutes = Math.floor((at.getTime() - new Date(iso).getTime()) / 60_000);
  if (Number.isNaN(minutes) || minutes < 1) return words.now;
  if (minutes < 60) return words.minutes(minutes);
  if (minutes < 1440) return words.hours(Math.floor(minutes / 60));
  return words.days(Math.floor(minutes / 1440));
}
