import type { PublicConfig } from '../shared/api-types.js';
import { now } from '../shared/clock.js';
import { COMPANY } from '../shared/company.js';
import { type Language, language } from '../shared/i18n.js';
import { fill } from '../shared/message.js';
import { useStore } from '../shared/store.js';
import type { Texts } from './texts.js';
import { useTexts } from './texts.js';

const DAY_MS = 86_400_000;
/** 4 January 1970 was a Sunday. */
const SUNDAY_MS = 3 * DAY_MS;

/** Until when people of the team answer today, or when they are back; as a sentence. */
export function useHours(hours: PublicConfig['support_hours']): string {
  return hoursText(hours, useStore(language), useTexts(), now());
}

/** The same for any moment; empty where nobody ever answers. */
function hoursText(hours: PublicConfig['support_hours'], shown: Language, texts: Texts, at: Date): string {
  if (hours.weekdays.length === 0) return '';
  const { opens, closes, time_zone: zone } = hours;
  const place = COMPANY.time_zone_name[shown] ?? (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ');
  const back = nextOpening(hours, at);
  if (back === null) return fill(texts.hours.open, { closes, place });
  if (back.days === 0) return fill(texts.hours.today, { opens, place });
  return fill(texts.hours.later, { day: dayName(back.weekday, shown), opens, place });
}

/** How many days until somebody is there again; null while somebody is. */
function nextOpening(
  hours: PublicConfig['support_hours'],
  at: Date,
): { readonly days: number; readonly weekday: number } | null {
  const { weekday, time } = localTime(at, hours.time_zone);
  const today = hours.weekdays.includes(weekday);
  if (today && time >= hours.opens && time < hours.closes) return null;
  if (today && time < hours.opens) return { days: 0, weekday };
  for (let days = 1; days <= 7; days += 1) {
    const next = (weekday + days) % 7;
    if (hours.weekdays.includes(next)) return { days, weekday: next };
  }
  return null;
}

function localTime(at: Date, zone: string): { readonly weekday: number; readonly time: string } {
  const parts = new Intl.DateTimeFormat('en-US', {
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: zone,
  }).formatToParts(at);
  const part = (type: string): string => parts.find((one) => one.type === type)?.value ?? '';
  const weekday = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'].indexOf(part('weekday'));
  return { weekday, time: `${part('hour')}:${part('minute')}` };
}

function dayName(weekday: number, shown: Language): string {
  return new Intl.DateTimeFormat(shown, { weekday: 'long', timeZone: 'UTC' }).format(
    new Date(SUNDAY_MS + weekday * DAY_MS),
  );
}
