import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Classification, Escalation } from '../../../src/core/domain/ticket.js';
import { codeOf, type HubWorld, type OpenHubWorld } from './world.js';

const OLGA = { operatorId: 'op_1', name: 'Olga' };
const OTTO = { operatorId: 'op_2', name: 'Otto' };
const OMAR = { operatorId: 'op_3', name: 'Omar' };
const escalation: Escalation = { reason: 'legal', summary: 'x', found: [], tried: [], options: [] };

/** What ThreadStore, TicketStore and PendingStore must do where people take conversations over. */
export function peopleSuite(name: string, open: OpenHubWorld): void {
  describe(`people at the desk: ${name}`, () => {
    let world: HubWorld;
    beforeEach(async () => {
      world = await open();
    });
    afterEach(() => world.close());
    const threads = () => world.stores.threads;
    const tickets = () => world.stores.tickets;
    const begin = async (threadId = 't', customerId: string | null = 'usr_001') => {
      await threads().put({ threadId, customerId, graphThreadId: threadId });
      return tickets().create({ threadId, customerId, channel: 'chat' });
    };

    it('[PPL-30] claims a conversation with its unresolved tickets, and counts the change of hands', async () => {
      const [done, one, two] = [await begin(), await begin(), await begin()];
      const other = await begin('t2');
      await tickets().setStatus(done.ticketId, 'resolved', 'hub');
      world.clock.advance({ minutes: 1 });
      const at = world.clock.now().toISOString();
      const claimed = await threads().claim('t', OLGA);
      expect(claimed).toMatchObject({ operator: OLGA, claim: 1, unheardSince: at, updatedAt: at });
      for (const { ticketId } of [one, two]) {
        expect(await tickets().get(ticketId)).toMatchObject({
          owner: 'operator',
          status: 'waiting_operator',
          operatorId: 'op_1',
          operatorName: 'Olga',
          claimedAt: at,
        });
      }
      expect(await tickets().get(done.ticketId)).toMatchObject({ status: 'resolved', operatorId: null });
      expect(await tickets().get(other.ticketId)).toMatchObject({ owner: 'hub', operatorId: null });
    });

    it('[PPL-30] lets one of many have it, also from another process; the same operator again takes in new tickets', async () => {
      await begin();
      const elsewhere = (await world.another()).threads;
      const codes = await Promise.all([
        codeOf(threads().claim('t', OLGA)),
        codeOf(elsewhere.claim('t', OTTO)),
        codeOf(threads().claim('t', OMAR)),
      ]);
      expect(codes.toSorted()).toEqual(['already_claimed', 'already_claimed', 'resolved']);
      const late = await tickets().create({ threadId: 't', customerId: 'usr_001', channel: 'chat' });
      const holder = [OLGA, OTTO, OMAR][codes.indexOf('resolved')] ?? OLGA;
      expect(await threads().claim('t', holder)).toMatchObject({ claim: 1, operator: holder });
      expect(await tickets().get(late.ticketId)).toMatchObject({ operatorId: holder.operatorId });
      expect(await codeOf(threads().claim('none', OLGA))).toBe('not_found');
    });

    it('[PPL-31] releases into the queue or to the hub, for its operator only', async () => {
      const { ticketId } = await begin();
      await tickets().escalate(ticketId, escalation);
      await threads().claim('t', OLGA);
      expect(await codeOf(threads().release('t', OTTO, 'hub'))).toBe('not_claimed');
      expect(await threads().release('t', OLGA, 'queue')).toMatchObject({ operator: null, claim: 2 });
      expect(await tickets().get(ticketId)).toMatchObject({
        owner: 'operator',
        status: 'waiting_operator',
        operatorId: null,
        claimedAt: null,
      });
      expect((await tickets().listEscalations(ticketId))[0]?.status).toBe('open');
      expect(await codeOf(threads().release('t', OLGA, 'hub'))).toBe('not_claimed');
      const before = await threads().claim('t', OTTO);
      const after = await threads().release('t', OTTO, 'hub');
      expect(after).toMatchObject({ operator: null, claim: 4, unheardSince: before.unheardSince });
      expect(await tickets().get(ticketId)).toMatchObject({ owner: 'hub', status: 'open', operatorId: null });
      expect((await tickets().listEscalations(ticketId))[0]?.status).toBe('resolved');
      await threads().caughtUp('t');
      expect((await threads().get('t'))?.unheardSince).toBeNull();
    });

    it('[SHF-02] moves a conversation from one operator to another with its tickets, for its holder only', async () => {
      const { ticketId } = await begin();
      await threads().claim('t', OLGA);
      expect(await threads().transfer('t', OLGA, OTTO)).toMatchObject({ operator: OTTO, claim: 2 });
      expect(await tickets().get(ticketId)).toMatchObject({ operatorId: 'op_2', operatorName: 'Otto' });
      expect(await codeOf(threads().transfer('t', OLGA, OTTO))).toBe('not_claimed');
      expect(await codeOf(threads().release('t', OLGA, 'queue'))).toBe('not_claimed');
    });

    it('[PPL-31] gives a ticket in hand back by a release only, and notes when it was resolved', async () => {
      const { ticketId } = await begin();
      await threads().claim('t', OLGA);
      await tickets().setStatus(ticketId, 'waiting_customer', 'hub');
      expect(await tickets().get(ticketId)).toMatchObject({ owner: 'operator', operatorId: 'op_1' });
      await tickets().setStatus(ticketId, 'resolved', 'operator');
      const at = world.clock.now().toISOString();
      expect(await tickets().get(ticketId)).toMatchObject({
        status: 'resolved',
        operatorId: 'op_1',
        resolvedAt: at,
      });
      expect(await codeOf(tickets().setStatus('tkt_none', 'open', 'hub'))).toBe('not_found');
    });

    it('[PPL-32] keeps who a message is for, who wrote it, its sources and its client id, once', async () => {
      const { ticketId } = await begin();
      const second = await begin();
      const citations = [{ articleId: 'a1', title: 'One', confidence: 0.9 }];
      const answer = await tickets().addMessage(ticketId, 'hub', 'answer', { citations });
      await tickets().addMessage(ticketId, 'operator', 'note', { audience: 'desk', author: 'Olga' });
      await tickets().addMessage(ticketId, 'system', 'marker');
      const sent = await tickets().addMessage(ticketId, 'customer', 'hi', { clientMessageId: 'c1' });
      expect(
        await tickets().addMessage(second.ticketId, 'customer', 'hi', { clientMessageId: 'c1' }),
      ).toEqual(sent);
      const elsewhere = await begin('t2');
      await tickets().addMessage(elsewhere.ticketId, 'customer', 'hi', { clientMessageId: 'c1' });
      expect(answer).toMatchObject({ audience: 'customer', author: null, citations, clientMessageId: null });
      const contents = async (audience?: 'customer' | 'desk') =>
        (await tickets().listThreadMessages('t', 10, audience)).map(({ content }) => content);
      expect(await contents()).toEqual(['answer', 'note', 'marker', 'hi']);
      expect(await contents('customer')).toEqual(['answer', 'hi']);
      expect(await contents('desk')).toEqual(['note', 'marker']);
    });

    it('[PPL-32] says nothing under a claim that is over', async () => {
      const { ticketId } = await begin();
      await tickets().addMessage(ticketId, 'hub', 'first', { claim: 0 });
      await threads().claim('t', OLGA);
      expect(await codeOf(tickets().addMessage(ticketId, 'hub', 'late', { claim: 0 }))).toBe('taken_over');
      expect((await tickets().listMessages(ticketId, 10)).map(({ content }) => content)).toEqual(['first']);
    });

    it('[PPL-33] makes one ticket of two', async () => {
      const [waiting, side] = [await begin(), await begin()];
      await tickets().addMessage(waiting.ticketId, 'customer', 'first');
      await tickets().addMessage(side.ticketId, 'customer', 'second');
      await tickets().merge(side.ticketId, waiting.ticketId);
      expect((await tickets().listMessages(waiting.ticketId, 9)).map(({ content }) => content)).toEqual([
        'first',
        'second',
      ]);
      expect(await tickets().listMessages(side.ticketId, 9)).toEqual([]);
      expect((await tickets().listByThread('t')).map(({ status }) => status)).toEqual(['open', 'resolved']);
      await tickets().escalate(waiting.ticketId, escalation);
      await tickets().escalate(waiting.ticketId, { ...escalation, reason: 'fault' });
      await tickets().closeEscalations(waiting.ticketId, 'legal');
      expect((await tickets().listEscalations(waiting.ticketId)).map(({ status }) => status)).toEqual([
        'resolved',
        'open',
      ]);
      expect(await tickets().get(waiting.ticketId)).toMatchObject({ owner: 'operator' });
    });

    it('[PPL-34] lists a customer’s conversations, the latest first, by how they began', async () => {
      const first = await begin('t1');
      await begin('t2');
      await threads().put({ threadId: 't3', customerId: 'usr_001', graphThreadId: 't3' });
      await begin('foreign', 'usr_002');
      world.clock.advance({ minutes: 1 });
      await tickets().addMessage(first.ticketId, 'hub', 'welcome');
      await tickets().addMessage(first.ticketId, 'customer', 'ã'.repeat(300));
      const second = await tickets().create({ threadId: 't1', customerId: 'usr_001', channel: 'chat' });
      const list = await threads().list({ customerId: 'usr_001' }, 10);
      expect(list.map(({ threadId }) => threadId)).toEqual(['t1', 't3', 't2']);
      expect(list[0]).toMatchObject({ ticketId: second.ticketId, title: 'ã'.repeat(120), operator: null });
      expect(list[1]).toMatchObject({ ticketId: null, title: null });
      expect(await threads().list({ customerId: 'usr_001' }, 1)).toHaveLength(1);
      expect(await threads().list({ customerId: 'usr_none' }, 10)).toEqual([]);
    });

    it('[PPL-35] filters the queue by operator, customer, resolved and words', async () => {
      const one = await begin('t1');
      const two = await begin('t2', 'usr_002');
      const three = await begin('t3', 'usr_002');
      await tickets().addMessage(one.ticketId, 'customer', 'Quero meu REEMBOLSO já, por favor');
      await tickets().addMessage(two.ticketId, 'operator', 'Discussed the refund', { audience: 'desk' });
      const summary: Classification = {
        ...{
          issueType: 'refund',
          priority: 'high',
          sentiment: 'neutral',
          requiresHuman: false,
          confidence: 1,
        },
        ...{
          summary: 'Não recebeu o dinheiro',
          language: 'pt-BR',
          route: 'action',
          humanReason: null,
          requests: [],
        },
      };
      await tickets().saveClassification(three.ticketId, summary);
      await threads().claim('t2', OLGA);
      await tickets().setStatus(three.ticketId, 'resolved', 'hub');
      type Filter = Parameters<ReturnType<typeof tickets>['queue']>[0];
      const found = async (filter: Omit<Filter, 'limit'>) =>
        (await tickets().queue({ ...filter, limit: 10 })).map(({ ticket }) => ticket.threadId).toSorted();
      expect(await found({ operatorId: 'op_1' })).toEqual(['t2']);
      expect(await found({ operatorId: null })).toEqual(['t1', 't3']);
      expect(await found({ customerId: 'usr_002', resolved: false })).toEqual(['t2']);
      expect(await found({ resolved: true })).toEqual(['t3']);
      expect(await found({ text: 'reembolso ja' })).toEqual(['t1']);
      expect(await found({ text: 'refund DISCUSSED' })).toEqual(['t2']);
      expect(await found({ text: 'nao dinheiro' })).toEqual(['t3']);
      expect(await found({ text: one.ticketId })).toEqual(['t1']);
      expect(await found({ text: 'refund nowhere' })).toEqual([]);
      expect(await found({ text: "%' OR 1=1 --" })).toEqual([]);
      expect(await found({ text: '  ' })).toEqual(['t1', 't2', 't3']);
      world.clock.advance({ minutes: 1 });
      await tickets().addMessage(one.ticketId, 'customer', 'again');
      const newest = await tickets().queue({ newestFirst: true, limit: 1 });
      expect(newest.map(({ ticket }) => ticket.threadId)).toEqual(['t1']);
    });

    it('[PPL-36] tells approvals that lapsed until somebody was told', async () => {
      const { ticketId } = await begin();
      const { pending } = world.stores;
      const row = (pendingId: string, kind: 'approval' | 'confirmation') => ({
        ...{ pendingId, kind, threadId: 't', graphThreadId: 't', ticketId, customerId: 'usr_001', tool: 'x' },
        ...{ args: {}, argsHash: 'h', question: 'q', needsOperator: false },
        expiresAt: new Date(world.clock.now().getTime() + 60_000).toISOString(),
      });
      await pending.open(row('p1', 'approval'));
      await pending.open(row('p2', 'confirmation'));
      expect(await pending.listLapsedApprovals()).toEqual([]);
      expect(await pending.settleLapsed('p1')).toBe(false);
      world.clock.advance({ minutes: 2 });
      expect((await pending.listLapsedApprovals()).map(({ pendingId }) => pendingId)).toEqual(['p1']);
      expect(await pending.listLapsedApprovals('other')).toEqual([]);
      expect(await pending.settleLapsed('p1')).toBe(true);
      expect(await pending.settleLapsed('p1')).toBe(false);
      expect(await pending.listLapsedApprovals('t')).toEqual([]);
    });
  });
}
