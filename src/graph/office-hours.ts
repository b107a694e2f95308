const OPENS = 9;
const CLOSES = 18;
const WEEKEND = new Set(['Sat', 'Sun']);

/**
 * True outside Monday to Friday 9:00-18:00 in the zone. Public holidays are not known here.
 * Source: the support hours stated in the knowledge base.
 */
export function isOutOfHours(now: Date, timeZone: string): boolean {
  const parts = new Intl.DateTimeFormat('en-US', {
    weekday: 'short',
    hour: '2-digit',
    hourCycle: 'h23',
    timeZone,
  }).formatToParts(now);
  const part = (type: string): string => parts.find((candidate) => candidate.type === type)?.value ?? '';
  const hour = Number(part('hour'));
  return WEEKEND.has(part('weekday')) || hour < OPENS || hour >= CLOSES;
}
