import { expect, it } from 'vitest';
import { openHub } from '../../support/hub.js';

const BRUNO = 'bruno.lima@example.com';

it('a yes to an older question does not take back what was handed to the operators meanwhile', async () => {
  const hub = await openHub();
  const asked = await hub.say(BRUNO, 'pause my subscription for 14 days');
  expect(asked.pending?.kind).toBe('confirmation');
  const aside = await hub.say(
    BRUNO,
    'Which seat number will the usher give my cousin in row F?',
    asked.threadId,
  );
  expect(aside.escalation?.reason).toBe('low_confidence');
  const done = await hub.say(BRUNO, 'yes', asked.threadId);
  expect(done.reply).toMatch(/^Done/);
  const queue = await hub.app.desk.queue({ owner: 'operator', limit: 10 });
  expect(queue.map(({ ticket, escalation }) => [ticket.ticketId, escalation?.status])).toEqual([
    [aside.ticketId, 'open'],
  ]);
  await hub.close();
});
