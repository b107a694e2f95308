import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TurnReply } from '../../../src/core/domain/turn.js';
import { toHubError } from '../../../src/core/errors.js';
import {
  formatApprovals,
  formatTicket,
  formatWithdrawals,
} from '../../../src/surfaces/cli/desk/desk-text.js';
import { type Hub, openHub } from '../../support/hub.js';
import { sayElsewhere } from '../conversations-durable/processes.js';
import { attackerModels, ObedientModel } from '../safety/attacker.js';
import {
  ANA,
  auditRows,
  effects,
  expectBooksToAgree,
  newRefunds,
  OPERATOR,
  outcomeOf,
  reservationStatus,
  timesTold,
} from '../safety/books.js';

const LATE = 'cancel my booking res_001';
const STANDS =
  /Nothing has been cancelled: your booking for "Candlelight.*" on Wednesday 11 March at \d\d:\d\d stands/;

let hub: Hub;
beforeEach(async () => {
  hub = await openHub({ checkpointer: 'sqlite' });
});
afterEach(async () => {
  expectBooksToAgree(hub);
  await hub.close();
});

interface Waiting {
  readonly threadId: string;
  readonly ticketId: string;
  readonly id: string;
}

/** A customer asks for something that an operator has to agree to, and says yes. */
async function waiting(text = LATE, yes = 'yes', threadId?: string): Promise<Waiting> {
  const asked = await hub.say(ANA, text, threadId);
  expect(asked.pending?.kind, asked.reply).toBe('confirmation');
  const reply = await hub.say(ANA, yes, asked.threadId);
  expect(reply.pending?.kind, reply.reply).toBe('approval');
  return { threadId: asked.threadId, ticketId: reply.ticketId, id: reply.pending?.id ?? '' };
}

const approvals = (): readonly unknown[] =>
  hub
    .query('udahub', "SELECT status FROM approvals WHERE kind = 'approval' ORDER BY seq")
    .map(({ status }) => status);

const ticketOf = async (ticketId: string) => (await hub.app.desk.show(ticketId)).ticket;

describe('a customer who takes a request back that waits for an operator', () => {
  it('[ATK-01] is believed: nothing is done, the money stays, the operator’s yes is refused with the reason', async () => {
    const before = hub.dump('cultpass');
    const { threadId, ticketId, id } = await waiting();
    hub.clock.advance({ minutes: 7 });
    const { reply, pending, ticketId: same } = await hub.say(ANA, "actually, don't cancel it", threadId);
    expect(reply).toMatch(STANDS);
    expect(pending).toBeNull();
    expect(same).toBe(ticketId);
    expect(await hub.app.desk.approvals()).toEqual([]);
    const refused = await hub.app.desk.approve(id, OPERATOR).catch(toHubError);
    expect(refused).toMatchObject({
      code: 'pending_withdrawn',
      message:
        'The customer withdrew this request on 2026-03-11 15:07 UTC: "actually, don\'t cancel it". Nothing was changed.',
    });
    expect(await outcomeOf(hub.app.desk.reject(id, OPERATOR, 'no'))).toBe('pending_withdrawn');
    expect(hub.dump('cultpass')).toEqual(before);
    expect(await ticketOf(ticketId)).toMatchObject({ status: 'waiting_customer', owner: 'hub' });
    expect(hub.query('udahub', 'SELECT 1 FROM tickets')).toHaveLength(1);
    expect(auditRows(hub)).toMatchObject([{ actor: 'customer:usr_001', outcome: 'refused' }]);
    expect(String(auditRows(hub)[0]?.details)).toContain('pending_withdrawn');
  });

  it('[ATK-01] may ask for the same again, and gets it', async () => {
    const { threadId } = await waiting();
    await hub.say(ANA, 'never mind, keep my booking', threadId);
    const { id } = await waiting(LATE, 'yes', threadId);
    await hub.app.desk.approve(id, OPERATOR);
    expect(reservationStatus(hub, 'res_001')).toBe('cancelled');
    expect(newRefunds(hub)).toHaveLength(1);
    expect(approvals()).toEqual(['withdrawn', 'released']);
  });

  it('[ATK-01] is answered in Portuguese where that is the conversation’s language', async () => {
    const { threadId } = await waiting('quero cancelar a minha reserva res_001', 'sim');
    const { reply } = await hub.say(ANA, 'deixa pra lá', threadId);
    expect(reply).toMatch(/Nada foi cancelado: a sua reserva de "Candlelight.*", .* continua valendo/);
    expect(approvals()).toEqual(['withdrawn']);
  });

  it('[ATK-01] is asked where "no" may mean something else, and a yes to that takes it back', async () => {
    const { threadId } = await waiting();
    const { reply, pending } = await hub.say(ANA, 'no', threadId);
    expect(reply).toMatch(/still with our team.*Candlelight.*take it back/);
    expect(pending?.kind).toBe('approval');
    expect(approvals()).toEqual(['pending']);
    const kept = await hub.say(ANA, 'no', threadId);
    expect(kept.reply).toContain('has not decided yet');
    await hub.say(ANA, 'no', threadId);
    expect((await hub.say(ANA, 'yes', threadId)).reply).toMatch(STANDS);
    expect(hub.query('udahub', "SELECT reason FROM approvals WHERE status = 'withdrawn'")).toEqual([
      { reason: 'no … yes' },
    ]);
  });

  it('[ATK-01] answers the hub’s own newer question with a no, which leaves the request alone', async () => {
    const { threadId } = await waiting();
    const asked = await hub.say(ANA, 'cancel my samba night booking', threadId);
    expect(asked.pending?.kind).toBe('confirmation');
    await hub.say(ANA, "no, don't cancel it", threadId);
    expect(approvals()).toEqual(['pending']);
    expect(reservationStatus(hub, 'res_002')).toBe('reserved');
    await hub.say(ANA, 'which one would you like? cancel a booking', threadId);
    expect(approvals()).toEqual(['pending']);
    // Named, it is meant, whatever else is asked.
    await hub.say(ANA, 'cancel my samba night booking', threadId);
    const named = await hub.say(ANA, "and please don't cancel the candlelight concert", threadId);
    expect(named.reply).toMatch(STANDS);
    expect(approvals()).toEqual(['withdrawn']);
    await hub.say(ANA, 'yes', threadId);
    expect(reservationStatus(hub, 'res_002')).toBe('cancelled');
  });

  it('[ATK-01] with several requests is asked which, and may name one', async () => {
    const { threadId } = await waiting();
    await waiting('cancel my booking res_004', 'yes', threadId);
    const { reply } = await hub.say(ANA, 'I changed my mind', threadId);
    expect(reply).toMatch(/Which one.*\n1\. .*Candlelight.*\n2\. .*/);
    expect(approvals()).toEqual(['pending', 'pending']);
    const second = await hub.say(ANA, 'the second one', threadId);
    expect(second.reply).toMatch(/Nothing has been cancelled/);
    expect(approvals()).toEqual(['pending', 'withdrawn']);
    expect((await hub.say(ANA, 'please keep the candlelight booking too', threadId)).reply).toMatch(STANDS);
    expect(approvals()).toEqual(['withdrawn', 'withdrawn']);
    expect(effects(hub)).toEqual([]);
  });

  it('[ATK-01] does not take it back by keeping another booking', async () => {
    const { threadId } = await waiting();
    const { reply } = await hub.say(ANA, "don't cancel the samba night", threadId);
    expect(reply).toMatch(/Candlelight.*take it back/);
    expect(approvals()).toEqual(['pending']);
  });

  it('[ATK-01] is told that it is too late where the operator was first, whatever stands between', async () => {
    const { threadId, id } = await waiting();
    await hub.app.desk.approve(id, OPERATOR);
    const { reply } = await hub.say(ANA, "actually, don't cancel it", threadId);
    expect(reply).toMatch(/too late to take this back: it has been done already.*R\$ 90\.00/s);
    expect(effects(hub)).toHaveLength(1);
    const direct = await hub.say(ANA, 'cancel my samba night booking', threadId);
    await hub.say(ANA, 'yes', direct.threadId);
    expect((await hub.say(ANA, 'wait, I want to keep it after all', threadId)).reply).toMatch(/too late/);
  });

  it('[ATK-01] says so while an operator has the conversation in hand, too', async () => {
    const { threadId, ticketId, id } = await waiting();
    await hub.app.desk.claim(ticketId, OPERATOR);
    expect((await hub.say(ANA, "please don't cancel it", threadId)).reply).toMatch(STANDS);
    expect(await outcomeOf(hub.app.desk.approve(id, OPERATOR))).toBe('pending_withdrawn');
    expect(effects(hub)).toEqual([]);
  });

  it('[ATK-01] is understood below the model, and told in the hub’s own words', async () => {
    await hub.close();
    const action = new ObedientModel([
      { name: 'cancel_reservation', args: { reservation_id: 'res_001' } },
      'Your booking is cancelled and the money is on its way.',
    ]);
    hub = await openHub({ models: { ...attackerModels({ action }), provider: 'openai' } });
    const { threadId } = await waiting();
    const { reply } = await hub.say(ANA, 'esquece, não quero mais cancelar', threadId);
    expect(reply).toMatch(STANDS);
    expect(reply).not.toContain('on its way');
    expect(approvals()).toEqual(['withdrawn']);
  });

  it('[ATK-01] is heard by the desk: in the thread, on the card, in the queue, the audit, the terminal, and live', async () => {
    const { threadId, ticketId, id } = await waiting();
    const events: unknown[] = [];
    const end = new AbortController();
    await hub.app.deskEvents.follow({
      onEvent: ({ type, data }) => events.push({ type, data }),
      signal: end.signal,
    });
    await hub.say(ANA, 'I can go after all, keep my booking', threadId);
    await expect
      .poll(() => events)
      .toContainEqual({ type: 'approval', data: expect.objectContaining({ id, status: 'withdrawn' }) });
    end.abort();
    const view = await hub.app.desk.show(ticketId);
    expect(view.messages.filter(({ role }) => role === 'system')).toMatchObject([
      {
        content: expect.stringMatching(
          /customer withdrew.*cancel_reservation.*"I can go after all, keep my booking"$/,
        ),
      },
    ]);
    expect(view.approvals).toMatchObject([
      { status: 'withdrawn', reason: 'I can go after all, keep my booking', decidedBy: 'customer:usr_001' },
    ]);
    const [entry] = await hub.app.desk.entries({ view: 'waiting', limit: 10 });
    expect(entry).toMatchObject({ approvals: 0, withdrawnAt: '2026-03-11T15:00:00.000Z' });
    expect(formatTicket(view)).toMatch(/withdrawn 2026-03-11 15:00 UTC by the customer: "I can go after all/);
    const told =
      formatApprovals(await hub.app.desk.approvals()) + formatWithdrawals(await hub.app.desk.withdrawals());
    expect(told).toMatch(/No action waits.*Withdrawn by their customers.*I can go after all/s);
  });
});

describe('what is said about a request that waits', () => {
  const say = async (threadId: string, text: string): Promise<TurnReply> => hub.say(ANA, text, threadId);

  it('[ATK-01] is told what became of it and what it would bring', async () => {
    const { threadId, ticketId } = await waiting();
    for (const [text, told] of [
      ['any news about my cancellation?', /has not decided yet/],
      ['wait, how much will I get back?', /If they agree, you get R\$ 90\.00 back/],
    ] as const) {
      const reply = await say(threadId, text);
      expect(reply.reply, text).toMatch(told);
      expect(reply.ticketId, text).toBe(ticketId);
    }
    expect(await ticketOf(ticketId)).toMatchObject({ status: 'waiting_operator', owner: 'hub' });
  });

  it('[ATK-01] goes to its ticket also where operators have it, and another subject to its own', async () => {
    const { threadId, ticketId } = await waiting();
    const upset = await say(threadId, 'I want to talk to a person about my cancellation');
    expect(upset.escalated).toBe(true);
    expect(upset.ticketId).toBe(ticketId);
    const { priority } = (await hub.app.desk.show(ticketId)).classification ?? {};
    expect((await say(threadId, 'will the refund come by Pix?')).ticketId).toBe(ticketId);
    expect((await hub.app.desk.show(ticketId)).classification?.priority).toBe(priority);
    const other = await say(threadId, 'how do I change my e-mail address?');
    expect(other.ticketId).not.toBe(ticketId);
    const taken = await say(threadId, 'stop, please leave my booking as it is');
    expect(taken).toMatchObject({ ticketId, reply: expect.stringMatching(STANDS) });
    // A person was asked for, and is still owed.
    expect(await ticketOf(ticketId)).toMatchObject({ owner: 'operator' });
  });
});

describe('a withdrawal and an operator’s yes at the same time', () => {
  /** Exactly one of them happened, and everybody was told that one. */
  function expectOne(threadId: string, approved: string): void {
    const done = effects(hub).length === 1;
    expect(approved).toBe(done ? 'resolved' : 'pending_withdrawn');
    expect(reservationStatus(hub, 'res_001')).toBe(done ? 'cancelled' : 'reserved');
    expect(newRefunds(hub)).toHaveLength(done ? 1 : 0);
    expect(approvals()).toEqual([done ? 'released' : 'withdrawn']);
    expect(timesTold(hub, threadId, /Nothing has been cancelled/)).toBe(done ? 0 : 1);
    expect(timesTold(hub, threadId, /too late/)).toBe(done ? 1 : 0);
    expect(hub.query('udahub', 'SELECT 1 FROM approvals WHERE released_at IS NULL')).toEqual([]);
  }

  it.each(['the customer', 'the operator'])(
    '[ATK-01] come to one of both, %s a moment earlier',
    async (first) => {
      const { threadId, id } = await waiting();
      const other = await hub.another();
      const approve = (): Promise<string> => outcomeOf(other.app.desk.approve(id, OPERATOR));
      const withdraw = (): Promise<TurnReply> => hub.say(ANA, "please don't cancel it", threadId);
      const [approved, taken] =
        first === 'the operator'
          ? await Promise.all([approve(), withdraw()])
          : await Promise.all([withdraw(), approve()]).then(([reply, outcome]) => [outcome, reply] as const);
      expectOne(threadId, approved);
      expect(taken.reply).toMatch(effects(hub).length === 1 ? /too late/ : STANDS);
    },
  );

  it('[ATK-01] come to one of both where two processes race', async () => {
    const { threadId, id } = await waiting();
    const elsewhere = sayElsewhere(hub.dataDir, threadId, 'none', ["please don't cancel it"]);
    // As soon as the other process works on the conversation, or has ended: both orders occur.
    await expect
      .poll(() => hub.query('udahub', "SELECT 1 FROM thread_inbox WHERE content LIKE '%cancel it%'"), {
        interval: 2,
      })
      .toHaveLength(1);
    const approved = await outcomeOf(hub.app.desk.approve(id, OPERATOR));
    const { stdout, stderr } = await elsewhere;
    expectOne(threadId, approved);
    expect(stdout, stderr).toMatch(effects(hub).length === 1 ? /too late/ : /Nothing has been cancelled/);
  });

  it.each(['before withdrawal', 'after withdrawal', 'before release'])(
    '[ATK-01] is taken back once and told once where its process dies %s',
    async (moment) => {
      const { threadId, id } = await waiting();
      const { signal, stderr } = await sayElsewhere(hub.dataDir, threadId, moment, [
        "please don't cancel it",
      ]);
      expect(signal, stderr).toBe('SIGKILL');
      await hub.app.conversations.recover();
      await expect.poll(() => timesTold(hub, threadId, /Nothing has been cancelled/)).toBe(1);
      expect(await outcomeOf(hub.app.desk.approve(id, OPERATOR))).toBe('pending_withdrawn');
      expectOne(threadId, 'pending_withdrawn');
    },
  );
});
