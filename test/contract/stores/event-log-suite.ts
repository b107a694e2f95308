import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { NewStoredEvent } from '../../../src/core/ports/inbox.js';
import type { HubWorld, OpenHubWorld } from './world.js';

function event(threadId: string, turn: string): NewStoredEvent {
  return { threadId, ticketId: null, audience: 'customer', type: 'done', data: { turn } };
}

/** What every EventLog must do. */
export function eventLogSuite(name: string, open: OpenHubWorld): void {
  describe(`EventLog: ${name}`, () => {
    let world: HubWorld;
    beforeEach(async () => {
      world = await open();
    });
    afterEach(() => world.close());
    const log = () => world.stores.events;

    it('[CNV-03] numbers events over all conversations, in the order of commits, whoever writes', async () => {
      const other = await world.another();
      for (let index = 0; index < 20; index += 1) {
        const [one, two] = index % 2 ? [log(), other.events] : [other.events, log()];
        await Promise.all([one.append([event('a', `${index}`)]), two.append([event('b', `${index}`)])]);
      }
      const all = await other.events.after(0, 100);
      expect(all.map(({ seq }) => seq)).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
      expect(await log().latest()).toBe(40);
    });

    it('reads on after a number, a page at a time, of one conversation or of all', async () => {
      await log().append([event('a', '1'), event('b', '2'), event('a', '3'), event('a', '4')]);
      const turns = async (...args: Parameters<ReturnType<typeof log>['after']>) =>
        (await log().after(...args)).map(({ data }) => data.turn);
      expect(await turns(0, 2)).toEqual(['1', '2']);
      expect(await turns(2, 10)).toEqual(['3', '4']);
      expect(await turns(1, 10, 'a')).toEqual(['3', '4']);
      expect(await turns(4, 10)).toEqual([]);
    });

    it('stores all or nothing', async () => {
      const wrong = { ...event('a', '2'), audience: 'nobody' } as unknown as NewStoredEvent;
      await expect(log().append([event('a', '1'), wrong])).rejects.toMatchObject({ code: 'database_failed' });
      expect(await log().after(0, 10)).toEqual([]);
      await log().append([event('a', '3')]);
      expect((await log().after(0, 10)).map(({ data }) => data.turn)).toEqual(['3']);
    });

    it('never uses a number twice, though everything was forgotten', async () => {
      await log().append([event('a', '1'), event('a', '2')]);
      world.clock.advance({ ms: 1 });
      expect(await log().prune(world.clock.now())).toBe(2);
      expect(await log().latest()).toBe(2);
      expect(await log().append([event('a', '3')])).toMatchObject([{ seq: 3 }]);
    });

    it('forgets many, and only what is older', async () => {
      await log().append(Array.from({ length: 2_500 }, (_, index) => event('a', `${index}`)));
      world.clock.advance({ ms: 1 });
      await log().append([event('a', 'kept')]);
      expect(await log().prune(world.clock.now())).toBe(2_500);
      expect(await log().after(0, 10)).toMatchObject([{ data: { turn: 'kept' } }]);
    });
  });
}
