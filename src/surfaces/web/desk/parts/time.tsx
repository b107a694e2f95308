import type { ServiceClock } from '../../shared/api-types.js';
import { now } from '../../shared/clock.js';
import { longTime } from '../../shared/format.js';
import { type Language, language } from '../../shared/i18n.js';
import { useStore } from '../../shared/store.js';
import { age, clockText } from '../lib/clock-text.js';
import { useNow } from '../lib/use-now.js';
import { useWords } from '../texts.js';

/** A moment in the browser's zone; the exact one is its title. */
export function Time({ at }: { readonly at: string }) {
  const shown = useStore(language);
  return (
    <time dateTime={at} title={longTime(at, shown)}>
      {momentText(at, shown)}
    </time>
  );
}

/** `14:05` today, `12 Mar, 14:05` otherwise, with the year where it is another: also what is to come is told by its date. */
function momentText(iso: string, shown: Language): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return '';
  const today = now();
  const style: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };
  if (date.toDateString() !== today.toDateString()) Object.assign(style, { day: 'numeric', month: 'short' });
  if (date.getFullYear() !== today.getFullYear()) Object.assign(style, { year: 'numeric' });
  return new Intl.DateTimeFormat(shown === 'en' ? 'en-GB' : shown, style).format(date);
}

/** How long ago a moment was; the exact one is its title. */
export function Age({ at }: { readonly at: string }) {
  const shown = useStore(language);
  const words = useWords();
  return (
    <time dateTime={at} title={longTime(at, shown)}>
      {age(at, useNow(), words.clock)}
    </time>
  );
}

const SHAPES = { fine: '○', soon: '◔', late: '●', stopped: '‖' } as const;

/** How a ticket stands against the time it may wait. @param readAt when it was read, milliseconds since 1970 */
export function ServiceTime({ clock, readAt }: { readonly clock: ServiceClock; readonly readAt: number }) {
  const words = useWords();
  const shown = useStore(language);
  const passed = Math.max(0, (useNow().getTime() - readAt) / 60_000);
  const { text, tone, detail } = clockText(clock, passed, words.clock, (iso) => shortMoment(iso, shown));
  return (
    <span class={`due due--${tone}`} title={detail}>
      <span aria-hidden="true">{SHAPES[tone]}</span> {text}
    </span>
  );
}

/** `Mon 9:00`. */
function shortMoment(iso: string, shown: string): string {
  return new Intl.DateTimeFormat(shown, {
    weekday: 'short',
    hour: 'numeric',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(new Date(iso));
}
