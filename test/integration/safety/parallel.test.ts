import { afterEach, describe, expect, it } from 'vitest';
import { type Hub, openHub } from '../../support/hub.js';
import { ANA, effects, expectBooksToAgree, newRefunds, outcomeOf } from './books.js';

const MESSAGES = Array.from(
  { length: 20 },
  (_, index) => `how many visits do I have left? Message ${index + 1}`,
);

let hub: Hub | null = null;
afterEach(async () => {
  await hub?.close();
  hub = null;
});

/** What was stored of a thread, oldest first. */
function spoken(of: Hub, threadId: string): readonly { role: unknown; content: unknown }[] {
  return of.query(
    'udahub',
    `SELECT m.role, m.content FROM ticket_messages m JOIN tickets t USING (ticket_id) WHERE t.thread_id = ? ORDER BY m.seq`,
    threadId,
  ) as readonly { role: unknown; content: unknown }[];
}

function expectAllAnswered(of: Hub, threadId: string, inOrder: boolean): void {
  const turns = spoken(of, threadId).slice(2);
  expect(turns.map((row) => row.role)).toEqual(MESSAGES.flatMap(() => ['customer', 'hub']));
  const said = turns.filter((row) => row.role === 'customer').map((row) => row.content);
  if (inOrder) expect(said).toEqual(MESSAGES);
  else expect([...said].sort()).toEqual([...MESSAGES].sort());
}

describe.each(['memory', 'sqlite'] as const)(
  'many messages at once on one thread, %s checkpointer',
  (checkpointer) => {
    it('are all stored, all answered, in the order they came', async () => {
      hub = await openHub({ checkpointer });
      const { say } = hub;
      const { threadId } = await say(ANA, 'hello');
      const replies = await Promise.all(MESSAGES.map((text) => say(ANA, text, threadId)));
      for (const reply of replies) expect(reply.reply).toMatch(/visits? left/);
      expectAllAnswered(hub, threadId, true);
    });

    it('are all stored and answered where two Apps take turns', async () => {
      hub = await openHub({ checkpointer });
      const other = await hub.another();
      const apps = [hub, other] as const;
      const { threadId } = await hub.say(ANA, 'hello');
      const replies = await Promise.all(
        MESSAGES.map((text, index) => (apps[index % 2] ?? other).say(ANA, text, threadId)),
      );
      for (const reply of replies) expect(reply.reply).toMatch(/visits? left/);
      expectAllAnswered(hub, threadId, false);
    });

    it('do one thing however many of them say yes', async () => {
      hub = await openHub({ checkpointer });
      const other = await hub.another();
      const { say } = hub;
      const asked = await say(ANA, 'cancel my samba night booking');
      const yes = [say, other.say, say, other.say, say].map((one) =>
        outcomeOf(one(ANA, 'yes', asked.threadId)),
      );
      expect(await Promise.all(yes)).toEqual(yes.map(() => 'resolved'));
      expect(effects(hub)).toHaveLength(1);
      expect(newRefunds(hub)).toHaveLength(1);
      expectBooksToAgree(hub);
    });
  },
);
