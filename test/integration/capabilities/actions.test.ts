import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OutsideCaller } from '../../../src/core/capabilities.js';
import { type Hub, openHub } from '../../support/hub.js';
import {
  ANA,
  auditRows,
  BRUNO,
  effects,
  expectBooksToAgree,
  hubMessages,
  newRefunds,
  outcomeOf,
  reservationStatus,
  timesTold,
} from '../safety/books.js';
import { as, call, OPERATOR, programOf, proposed } from './support.js';

const SAMBA = { reservation_id: 'res_002' };
const LATE = { reservation_id: 'res_001' };

let hub: Hub;
let ana: OutsideCaller;
beforeEach(async () => {
  hub = await openHub();
  ana = await programOf(hub, ANA);
});
afterEach(async () => {
  expectBooksToAgree(hub);
  await hub.close();
});

const confirm = (token: string, approved = true, caller = ana) =>
  hub.app.capabilities.confirm({ caller, token, approved });
const threadOf = (ticketId: string): string =>
  String(hub.query('udahub', 'SELECT thread_id FROM tickets WHERE ticket_id = ?', ticketId)[0]?.thread_id);

describe('a change that a program asks for', () => {
  it('[CAP-08] is planned first, done exactly once on the yes, and told to the customer in their conversation', async () => {
    const plan = await proposed(hub, ana, 'cancel_reservation', SAMBA);
    expect(plan).toMatchObject({
      tool: 'cancel_reservation',
      input: SAMBA,
      terms: { refund_cents: 6_000 },
      question: expect.stringContaining('R$ 60.00'),
      expiresAt: '2026-03-11T15:30:00.000Z',
    });
    expect(effects(hub)).toEqual([]);
    const { data } = as('done', await confirm(plan.token));
    expect(data).toMatchObject({ reservation_id: 'res_002', status: 'cancelled', refund_cents: 6_000 });
    expect(effects(hub)).toMatchObject([{ tool: 'cancel_reservation', released_by: 'customer:usr_001' }]);
    expect(newRefunds(hub)).toMatchObject([{ reservation_id: 'res_002', amount_cents: 6_000 }]);
    expect(reservationStatus(hub, 'res_002')).toBe('cancelled');
    const threadId = threadOf(plan.ticketId);
    expect(hubMessages(hub, threadId)).toEqual([plan.question, expect.stringMatching(/^Done/)]);
    const own = await hub.app.conversations.list(ana.identity, 10);
    expect(own[0]).toMatchObject({
      threadId,
      title: expect.stringMatching(/program.*MCP.*cancel a reservation/),
    });
    expect(own[0]?.agent).toBe('action');
    const { ticket } = await hub.app.desk.show(plan.ticketId);
    expect(ticket).toMatchObject({ channel: 'mcp', status: 'waiting_customer', owner: 'hub' });
    expect(await hub.app.capabilities.status(ana, plan.pendingId)).toMatchObject({ kind: 'done', data });
  });

  it('[CAP-09] takes a confirmation once: a second one, even at once, is refused and changes nothing', async () => {
    const { token } = await proposed(hub, ana, 'cancel_reservation', SAMBA);
    const codes = await Promise.all([confirm(token), confirm(token), confirm(token)].map(outcomeOf));
    expect(codes.sort()).toEqual(['pending_decided', 'pending_decided', 'resolved']);
    expect(await outcomeOf(confirm(token))).toBe('pending_decided');
    expect(await outcomeOf(confirm(token, false))).toBe('pending_decided');
    expect(effects(hub)).toHaveLength(1);
  });

  it('[CAP-09] takes no forged one, none of another customer, none for another call, and none too late', async () => {
    const plan = await proposed(hub, ana, 'cancel_reservation', SAMBA);
    const other = await proposed(hub, ana, 'process_refund', { reservation_id: 'res_007' }).catch(() => null);
    expect(other).toBeNull();
    const bruno = await programOf(hub, BRUNO);
    const theirs = await proposed(hub, bruno, 'cancel_reservation', { reservation_id: 'res_009' });
    const [ownId, ownMac] = plan.token.split('.') as [string, string];
    const [, theirMac] = theirs.token.split('.') as [string, string];
    const forged = [
      `${ownId}.${theirMac}`,
      `cft_${theirs.pendingId}.${ownMac}`,
      `cft_pnd_0000000000.${ownMac}`,
      `${ownId}.${'A'.repeat(43)}`,
      `${plan.token}x`,
      plan.pendingId,
      '',
      'x'.repeat(100_000),
    ];
    for (const token of forged) expect(await outcomeOf(confirm(token)), token).toBe('confirmation_invalid');
    expect(await outcomeOf(confirm(theirs.token))).toBe('confirmation_invalid');
    expect(await outcomeOf(confirm(plan.token, true, bruno))).toBe('confirmation_invalid');
    const repeat = (name: string, input?: { reservation_id: string }) =>
      hub.app.capabilities.confirm({
        caller: ana,
        token: plan.token,
        approved: true,
        name,
        ...(input ? { input } : {}),
      });
    expect(await outcomeOf(repeat('process_refund'))).toBe('confirmation_invalid');
    expect(await outcomeOf(repeat('cancel_reservation', LATE))).toBe('confirmation_invalid');
    expect(await outcomeOf(hub.app.capabilities.status(bruno, plan.pendingId))).toBe('not_found');
    expect(await outcomeOf(confirm(plan.token, true, { ...ana, scopes: ['account:read'] }))).toBe(
      'scope_missing',
    );
    expect(effects(hub)).toEqual([]);
    as('done', await repeat('cancel_reservation', SAMBA));
    hub.clock.advance({ minutes: 30 });
    expect(await outcomeOf(confirm(theirs.token, true, bruno))).toBe('pending_expired');
    expect(await hub.app.capabilities.status(bruno, theirs.pendingId)).toMatchObject({
      error: { code: 'pending_expired' },
    });
    expect(effects(hub)).toHaveLength(1);
  });

  it('[CAP-10] changes nothing on a no, and notes it once', async () => {
    const before = hub.dump('cultpass');
    const plan = await proposed(hub, ana, 'update_subscription', { action: 'pause', days: 10 });
    expect(await confirm(plan.token, false)).toMatchObject({
      kind: 'refused',
      error: { code: 'confirmation_rejected' },
    });
    expect(hub.dump('cultpass')).toEqual(before);
    expect(timesTold(hub, threadOf(plan.ticketId), /not changed/)).toBe(1);
    expect(auditRows(hub)).toMatchObject([{ outcome: 'refused', actor: 'customer:usr_001' }]);
  });

  it('[CAP-10] is refused by the rules by its code, in the audit and without a ticket', async () => {
    const refusals = [
      ['cancel_reservation', { reservation_id: 'res_008' }, 'not_found', ANA],
      ['cancel_reservation', { reservation_id: 'res_005' }, 'attended', ANA],
      ['cancel_reservation', { reservation_id: 'res_018' }, 'customer_blocked', 'elisa.rocha@example.com'],
      ['process_refund', { reservation_id: 'res_007' }, 'already_refunded', ANA],
      ['update_subscription', { action: 'pause', days: 300 }, 'policy_denied', ANA],
    ] as const;
    for (const [name, input, code, email] of refusals) {
      const outcome = await call(hub, await programOf(hub, email), name, input);
      expect(outcome).toMatchObject({ kind: 'refused', error: { code } });
    }
    expect(hub.query('udahub', 'SELECT ticket_id FROM tickets')).toEqual([]);
    expect(auditRows(hub).map(({ action, outcome }) => [action, outcome])).toEqual(
      refusals.map(([name]) => [name, 'refused']),
    );
    expect(effects(hub)).toEqual([]);
  });

  it('[CAP-10] is refused where the rules have changed their mind since the plan', async () => {
    const plan = await proposed(hub, ana, 'cancel_reservation', SAMBA);
    hub.exec('cultpass', `UPDATE users SET is_blocked = 1 WHERE user_id = 'usr_001'`);
    expect(await confirm(plan.token)).toMatchObject({ kind: 'refused', error: { code: 'customer_blocked' } });
    expect(await outcomeOf(confirm(plan.token))).toBe('pending_decided');
    expect(effects(hub)).toEqual([]);
    expect(timesTold(hub, threadOf(plan.ticketId), /blocked/)).toBe(1);
  });

  it('[CAP-11] waits for an operator where policy says so, and is told as done once they agree', async () => {
    const plan = await proposed(hub, ana, 'cancel_reservation', LATE);
    const waits = as('awaiting_operator', await confirm(plan.token));
    expect(waits.message).toContain('asked our team');
    const [open] = await hub.app.desk.approvals();
    expect(open).toMatchObject({ pendingId: waits.pendingId, ticketId: plan.ticketId, args: LATE });
    expect(effects(hub)).toEqual([]);
    for (const id of [waits.pendingId, plan.pendingId])
      expect((await hub.app.capabilities.status(ana, id)).kind).toBe('awaiting_operator');
    await hub.app.desk.approve(waits.pendingId, OPERATOR);
    for (const id of [waits.pendingId, plan.pendingId])
      expect(await hub.app.capabilities.status(ana, id)).toMatchObject({
        kind: 'done',
        data: { status: 'cancelled' },
      });
    expect(effects(hub)).toMatchObject([{ released_by: 'operator:op_1' }]);
    expect(timesTold(hub, threadOf(plan.ticketId), /^Done/)).toBe(1);
  });

  it('[CAP-11] gives the reason of an operator who says no, or the question they ask instead', async () => {
    const first = await proposed(hub, ana, 'cancel_reservation', LATE);
    const one = as('awaiting_operator', await confirm(first.token));
    await hub.app.desk.reject(one.pendingId, OPERATOR, 'the hall has no other guest');
    expect(await hub.app.capabilities.status(ana, one.pendingId)).toMatchObject({
      kind: 'refused',
      error: { code: 'approval_rejected', reason: 'the hall has no other guest' },
    });
    const second = await proposed(hub, ana, 'cancel_reservation', LATE);
    const two = as('awaiting_operator', await confirm(second.token));
    await hub.app.desk.edit(two.pendingId, OPERATOR, SAMBA);
    const instead = as('confirmation', await hub.app.capabilities.status(ana, second.pendingId));
    expect(instead).toMatchObject({ input: SAMBA });
    expect(effects(hub)).toEqual([]);
    as('done', await confirm(instead.token));
    expect(reservationStatus(hub, 'res_002')).toBe('cancelled');
    expect(reservationStatus(hub, 'res_001')).toBe('reserved');
  });

  it('[CAP-11] expires with the approval, and the customer is told', async () => {
    const quick = await hub.another({ overrides: { expireEveryMs: 20 } });
    const plan = await proposed(hub, ana, 'cancel_reservation', LATE);
    const waits = as('awaiting_operator', await confirm(plan.token));
    hub.clock.advance({ days: 30 });
    const told = () => timesTold(quick, threadOf(plan.ticketId), /expired/);
    await expect.poll(told).toBe(1);
    expect(await hub.app.capabilities.status(ana, waits.pendingId)).toMatchObject({
      error: { code: 'pending_expired' },
    });
  });

  it('[CAP-12] may be confirmed by the customer in the chat instead, and then not once more by the program', async () => {
    const plan = await proposed(hub, ana, 'cancel_reservation', SAMBA);
    const reply = await hub.say(ANA, 'yes', threadOf(plan.ticketId));
    expect(reply.reply).toContain('Done');
    expect(await outcomeOf(confirm(plan.token))).toBe('pending_decided');
    expect((await hub.app.capabilities.status(ana, plan.pendingId)).kind).toBe('done');
    expect(effects(hub)).toHaveLength(1);
  });

  it('[CAP-12] is not done behind the back of an operator who has the conversation', async () => {
    const plan = await proposed(hub, ana, 'cancel_reservation', SAMBA);
    await hub.app.desk.claim(plan.ticketId, OPERATOR);
    expect(await confirm(plan.token)).toMatchObject({
      kind: 'refused',
      error: { code: 'taken_over', message: expect.stringContaining('Olga') },
    });
    expect(await hub.app.capabilities.status(ana, plan.pendingId)).toMatchObject({
      error: { code: 'taken_over' },
    });
    await hub.app.desk.resolve(plan.ticketId, OPERATOR, { text: 'All done.' });
    expect(await outcomeOf(confirm(plan.token))).toBe('pending_decided');
    expect(effects(hub)).toEqual([]);
  });

  it('[CAP-12] moves money once where chat and program, or two programs, ask for the same', async () => {
    const plans = [
      await proposed(hub, ana, 'cancel_reservation', SAMBA),
      await proposed(hub, { ...ana, channel: 'a2a' }, 'cancel_reservation', SAMBA),
    ];
    const asked = await hub.say(ANA, 'cancel my samba night booking');
    const outcomes = await Promise.all([
      ...plans.map(({ token }) => confirm(token)),
      hub.say(ANA, 'yes', asked.threadId).then(() => null),
    ]);
    expect(outcomes.filter((outcome) => outcome?.kind === 'done').length).toBeLessThanOrEqual(1);
    expect(newRefunds(hub)).toHaveLength(1);
    expect(effects(hub)).toHaveLength(1);
  });

  it('[CAP-13] speaks the language of the call, or of the customer', async () => {
    const asked = { caller: ana, name: 'cancel_reservation', input: SAMBA, language: 'pt-BR' } as const;
    const plan = as('confirmation', await hub.app.capabilities.call(asked));
    expect(plan.question).toContain('R$ 60,00');
    as('done', await confirm(plan.token));
    expect(hubMessages(hub, threadOf(plan.ticketId)).at(-1)).toContain('cancelada');
    await call(hub, ana, 'record_customer_preference', { key: 'language', value: 'pt-BR' });
    const next = await proposed(hub, ana, 'update_subscription', { action: 'cancel' });
    expect(next.question).toContain('assinatura');
  });

  it('[CAP-13] is not begun once it was cancelled, and serves nobody whose data was removed', async () => {
    const gone = AbortSignal.abort();
    expect(await outcomeOf(call(hub, ana, 'cancel_reservation', SAMBA, { signal: gone }))).toBe('cancelled');
    expect(hub.query('udahub', 'SELECT ticket_id FROM tickets')).toEqual([]);
    const { token } = await proposed(hub, ana, 'cancel_reservation', SAMBA);
    const late = hub.app.capabilities.confirm({ caller: ana, token, approved: true, signal: gone });
    expect(await outcomeOf(late)).toBe('cancelled');
    hub.exec(
      'udahub',
      `INSERT INTO erased_customers (customer_id, erased_at) VALUES ('usr_001', '2026-03-11')`,
    );
    expect(await outcomeOf(confirm(token))).toBe('customer_erased');
    expect(await outcomeOf(call(hub, ana, 'lookup_user'))).toBe('customer_erased');
    expect(effects(hub)).toEqual([]);
  });
});
