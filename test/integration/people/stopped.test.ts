import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Hub, openHub } from '../../support/hub.js';
import { ANA, expectBooksToAgree, newRefunds, reservationStatus } from '../safety/books.js';
import { doors, said, ticketsOf } from './support.js';

const QUESTION = 'How do I pause my plan?';

describe('a customer stops the answer', () => {
  let hub: Hub;
  let stops: ReturnType<typeof doors>;
  beforeEach(async () => {
    stops = doors();
    hub = await openHub({ overrides: stops.overrides });
  });
  afterEach(async () => {
    expectBooksToAgree(hub);
    await hub.close();
  });
  const stop = async (where: Hub, threadId: string): Promise<void> =>
    where.app.conversations.stop(await where.app.signIn(ANA), threadId);

  it('[SHF-20] ends the turn with a sentence that says so: nothing is asked or done, and the next message is answered', async () => {
    const { threadId } = await hub.say(ANA, QUESTION);
    stops.triage.shut();
    const turn = hub.say(ANA, 'cancel my booking res_003', threadId);
    await stops.triage.reached;
    await stop(hub, threadId);
    stops.triage.open();
    const reply = await turn;
    expect(reply).toMatchObject({ pending: null, escalated: false });
    expect(reply.reply).toMatch(/^I have stopped, and changed nothing/);
    expect(said(hub, threadId).slice(-2)).toEqual([
      'customer: cancel my booking res_003',
      `hub: ${reply.reply}`,
    ]);
    expect(ticketsOf(hub, threadId).at(-1)).toMatchObject({ owner: 'hub', status: 'waiting_customer' });
    expect(hub.query('udahub', "SELECT 1 FROM approvals WHERE status = 'pending'")).toEqual([]);
    // A stop that finds nothing running stops nothing that comes later.
    await stop(hub, threadId);
    expect((await hub.say(ANA, 'cancel my booking res_003', threadId)).pending?.kind).toBe('confirmation');
  });

  it('[SHF-20] reaches the process that makes the answer', async () => {
    const second = await hub.another();
    const { threadId } = await hub.say(ANA, QUESTION);
    stops.triage.shut();
    const turn = hub.say(ANA, 'What is included in Premium?', threadId);
    await stops.triage.reached;
    await stop(second, threadId);
    stops.triage.open();
    expect((await turn).reply).toMatch(/^I have stopped/);
  });

  it('[SHF-20] finishes and tells what was agreed to, and is refused to anybody else', async () => {
    const { threadId } = await hub.say(ANA, 'cancel my booking res_003');
    stops.before.shut();
    const turn = hub.say(ANA, 'yes', threadId);
    await stops.before.reached;
    const other = hub.app.conversations.stop(await hub.app.signIn('bruno.lima@example.com'), threadId);
    await expect(other).rejects.toMatchObject({ code: 'not_found' });
    await stop(hub, threadId);
    stops.before.open();
    expect((await turn).reply).toContain('Done');
    expect(reservationStatus(hub, 'res_003')).toBe('cancelled');
    expect(said(hub, threadId).at(-1)).toMatch(/^hub: Done/);
    expect(newRefunds(hub)).toHaveLength(0);
  });
});
