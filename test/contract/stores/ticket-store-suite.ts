import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PRIORITIES, type Priority } from '../../../src/core/domain/taxonomy.js';
import type { Classification, Escalation } from '../../../src/core/domain/ticket.js';
import type { TurnRecord } from '../../../src/core/ports/ticket-store.js';
import { codeOf, type HubWorld, type OpenHubWorld } from './world.js';

const classification: Classification = {
  issueType: 'refund',
  priority: 'high',
  sentiment: 'frustrated',
  requiresHuman: false,
  summary: 'Wants the money back',
  confidence: 0.91,
  language: 'pt-BR',
  route: 'action',
  humanReason: null,
  requests: [{ text: 'quero meu dinheiro', route: 'action' }],
};
const escalation: Escalation = {
  reason: 'legal',
  summary: 'Asks for their data',
  found: ['a', 'b'],
  tried: [],
  options: ['Send the export'],
};

/** What every TicketStore must do. */
export function ticketStoreSuite(name: string, open: OpenHubWorld): void {
  describe(`TicketStore: ${name}`, () => {
    let world: HubWorld;
    beforeEach(async () => {
      world = await open();
    });
    afterEach(() => world.close());
    const tickets = () => world.stores.tickets;
    const create = (threadId = 'thr_1', customerId: string | null = 'usr_001') =>
      tickets().create({ customerId, threadId, channel: 'chat' });

    it('creates a ticket that the hub owns', async () => {
      const ticket = await create();
      const at = world.clock.now().toISOString();
      expect(ticket).toMatchObject({
        customerId: 'usr_001',
        threadId: 'thr_1',
        channel: 'chat',
        status: 'open',
        owner: 'hub',
        createdAt: at,
        updatedAt: at,
      });
      expect(await tickets().get(ticket.ticketId)).toEqual(ticket);
      expect(await tickets().get('tkt_none')).toBeNull();
      expect((await create('thr_2', null)).customerId).toBeNull();
    });

    it('finds the newest open and the newest ticket of a thread', async () => {
      expect(await tickets().findOpenByThread('thr_1')).toBeNull();
      const first = await create();
      const second = await create();
      await create('thr_2');
      expect(await tickets().findOpenByThread('thr_1')).toEqual(second);
      await tickets().setStatus(second.ticketId, 'resolved', 'hub');
      expect(await tickets().findOpenByThread('thr_1')).toEqual(first);
      expect(await tickets().findLatestByThread('thr_1')).toMatchObject({
        ticketId: second.ticketId,
        status: 'resolved',
      });
    });

    it('changes status and owner, and says so for a ticket that does not exist', async () => {
      const { ticketId } = await create();
      world.clock.advance({ minutes: 1 });
      await tickets().setStatus(ticketId, 'waiting_customer', 'hub');
      expect(await tickets().get(ticketId)).toMatchObject({
        status: 'waiting_customer',
        updatedAt: world.clock.now().toISOString(),
      });
      expect(await codeOf(tickets().setStatus('tkt_none', 'resolved', 'hub'))).toBe('not_found');
    });

    it('[MEM-02] keeps messages in order, the newest up to a limit, also over the thread', async () => {
      const [one, two, elsewhere] = [await create(), await create(), await create('thr_2')];
      for (const content of ['1', '2', '3']) await tickets().addMessage(one.ticketId, 'customer', content);
      await tickets().addMessage(two.ticketId, 'hub', '4');
      const last = await tickets().addMessage(two.ticketId, 'operator', '5');
      await tickets().addMessage(elsewhere.ticketId, 'system', 'x');
      const contents = (messages: readonly { content: string }[]) =>
        messages.map((message) => message.content);
      expect(contents(await tickets().listMessages(one.ticketId, 10))).toEqual(['1', '2', '3']);
      expect(contents(await tickets().listMessages(one.ticketId, 2))).toEqual(['2', '3']);
      expect(contents(await tickets().listThreadMessages('thr_1', 3))).toEqual(['3', '4', '5']);
      expect((await tickets().listMessages(two.ticketId, 1))[0]).toEqual(last);
      expect(await codeOf(tickets().addMessage('tkt_none', 'hub', 'x'))).toBe('not_found');
    });

    it('gives back any text unchanged', async () => {
      const { ticketId } = await create();
      const texts = ['', "'; DROP TABLE tickets; --", 'a\u0000b\u202Ec', 'ação 🎭', 'x'.repeat(100_000)];
      for (const text of texts) await tickets().addMessage(ticketId, 'customer', text);
      expect((await tickets().listMessages(ticketId, 10)).map((message) => message.content)).toEqual(texts);
    });

    it('keeps the newest classification', async () => {
      const { ticketId } = await create();
      expect(await tickets().getClassification(ticketId)).toBeNull();
      await tickets().saveClassification(ticketId, classification);
      expect(await tickets().getClassification(ticketId)).toEqual(classification);
      const next: Classification = {
        ...classification,
        requiresHuman: true,
        humanReason: 'legal',
        requests: [],
      };
      await tickets().saveClassification(ticketId, next);
      expect(await tickets().getClassification(ticketId)).toEqual(next);
      expect(await codeOf(tickets().saveClassification('tkt_none', classification))).toBe('not_found');
    });

    it('keeps turns in order, each once', async () => {
      const { ticketId } = await create();
      const turn: TurnRecord = {
        turnId: 'turn_1',
        ticketId,
        provider: 'offline',
        route: [{ to: 'action', by: 'rule:R5' }],
        toolCalls: [
          {
            agent: 'action',
            tool: 'cancel_reservation',
            args: { reservation_id: 'res_001' },
            ok: false,
            code: 'not_found',
          },
        ],
        guardrails: [{ agent: 'action', fault: 'promise', outcome: 'rules' } as const],
        usage: { llmCalls: 2, promptTokens: 100, completionTokens: 20, costUsd: 0.00012 },
        totalMs: 12.5,
        messageId: 'msg_1',
        createdAt: world.clock.now().toISOString(),
      };
      const second = { ...turn, turnId: 'turn_2' };
      await tickets().saveTurn(turn);
      await tickets().saveTurn(second);
      await tickets().saveTurn(turn);
      expect(await tickets().listTurns(ticketId)).toEqual([turn, second]);
    });

    it('escalates: the ticket is the operators, until it is resolved or comes back', async () => {
      const { ticketId } = await create();
      const record = await tickets().escalate(ticketId, escalation);
      expect(record).toMatchObject({ ...escalation, ticketId, status: 'open' });
      expect(await tickets().get(ticketId)).toMatchObject({ owner: 'operator', status: 'waiting_operator' });
      expect(await tickets().listEscalations(ticketId)).toEqual([record]);
      await tickets().setStatus(ticketId, 'waiting_operator', 'operator');
      expect((await tickets().listEscalations(ticketId))[0]?.status).toBe('open');
      await tickets().setStatus(ticketId, 'open', 'hub');
      await tickets().escalate(ticketId, { ...escalation, reason: 'fault' });
      await tickets().setStatus(ticketId, 'resolved', 'operator');
      expect((await tickets().listEscalations(ticketId)).map((one) => [one.reason, one.status])).toEqual([
        ['legal', 'resolved'],
        ['fault', 'resolved'],
      ]);
    });

    it('writes nothing when the ticket to escalate does not exist', async () => {
      expect(await codeOf(tickets().escalate('tkt_none', escalation))).toBe('not_found');
      expect(await tickets().listEscalations('tkt_none')).toEqual([]);
    });

    it('queues the most pressing first, then the oldest', async () => {
      const made = new Map<string, string>();
      const order: readonly (Priority | null)[] = ['medium', null, 'urgent', 'low', 'high', 'urgent'];
      for (const [index, priority] of order.entries()) {
        const { ticketId } = await create(`thr_${index}`);
        if (priority !== null) await tickets().saveClassification(ticketId, { ...classification, priority });
        await tickets().escalate(ticketId, escalation);
        made.set(ticketId, `${index}:${priority}`);
        world.clock.advance({ minutes: 1 });
      }
      await create('thr_hub');
      const queue = await tickets().queue({ owner: 'operator', limit: 10 });
      expect(queue.map((entry) => made.get(entry.ticket.ticketId))).toEqual([
        '2:urgent',
        '5:urgent',
        '4:high',
        '0:medium',
        '3:low',
        '1:null',
      ]);
      expect(queue[0]).toMatchObject({
        classification: { ...classification, priority: 'urgent' },
        escalation: { reason: 'legal', status: 'open' },
      });
      expect(queue.at(-1)?.classification).toBeNull();
      expect(await tickets().queue({ owner: 'operator', limit: 2 })).toEqual(queue.slice(0, 2));
      expect(await tickets().queue({ status: 'open', limit: 10 })).toMatchObject([
        { ticket: { threadId: 'thr_hub' }, classification: null, escalation: null },
      ]);
      expect(PRIORITIES).toHaveLength(4);
    });

    it('shows the newest escalation of a ticket once', async () => {
      const { ticketId } = await create();
      await tickets().escalate(ticketId, escalation);
      await tickets().escalate(ticketId, { ...escalation, reason: 'fault' });
      expect((await tickets().queue({ limit: 10 })).map((entry) => entry.escalation?.reason)).toEqual([
        'fault',
      ]);
    });
  });
}
