import { afterEach, expect, it } from 'vitest';
import { createFixedClock } from '../../support/fixed-clock.js';
import { type Hub, openHub } from '../../support/hub.js';

const opened: Hub[] = [];
afterEach(async () => {
  for (const hub of opened.splice(0)) await hub.close();
});

/** What Ana is told of her bookings by a hub that opens at a time, on the same files as all others here. */
async function bookingsAt(now: string): Promise<string> {
  const hub = await openHub({ clock: createFixedClock(now) });
  opened.push(hub);
  return (await hub.say('ana.souza@example.com', 'List my reservations')).reply;
}

it('Apps of one process that share what was read from files keep the time each by its own clock', async () => {
  const thisYear = await bookingsAt('2026-03-11T15:00:00.000Z');
  const yearBefore = await bookingsAt('2025-03-11T15:00:00.000Z');
  expect(thisYear).toMatch(/March/);
  expect(thisYear).not.toMatch(/2026/);
  expect(yearBefore).toMatch(/March/);
  expect(yearBefore).toMatch(/2026/);
});
