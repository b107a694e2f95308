import { afterEach, describe, expect, it } from 'vitest';
import { type Hub, openHub } from '../../../support/hub.js';
import { writeNaivePacks } from './naive-packs.js';

const OPERATOR = { operatorId: 'op_1', name: 'Olga' };
const OTHER_OPERATOR = { operatorId: 'op_2', name: 'Otto' };
const GABRIELA = 'gabriela.nunes@example.com';
const ANA = 'ana.souza@example.com';
const REFUND = 'I cancelled a booking but never got my money back';
const GIRAFFE = 'the purple giraffe is broken and does not work';

let hub: Hub | undefined;
afterEach(() => hub?.close());

const open = async (options: Parameters<typeof openHub>[0] = {}): Promise<Hub> => {
  hub = await openHub(options);
  return hub;
};
const refunds = (of: Hub) =>
  of.query('cultpass', 'SELECT * FROM refunds WHERE reservation_id = ?', 'res_029');

/** A pack whose only answer is a refund; what is asked, and of whom, is up to the test. */
const RES_029 = '{ action: process_refund, arguments: { reservation_id: res_029 }, priority: high }';
const refunding = (recommended: string, more: { readonly confidence?: number; readonly id?: string } = {}) =>
  writeNaivePacks([
    {
      id: more.id ?? 'giraffe',
      sql: 'SELECT count(*) AS n FROM reservations',
      keyword: 'purple giraffe',
      recommended,
      customerMessage: 'The giraffe was refunded wrongly.',
      ...more,
    },
  ]);

describe('a recommended refund', () => {
  it('[SKH-03] is made once when two chats agree to it at once', async () => {
    const it = await open();
    const other = await it.another();
    const first = await it.say(GABRIELA, REFUND);
    const second = await other.say(GABRIELA, REFUND);
    expect([first.pending?.tool, second.pending?.tool]).toEqual(['process_refund', 'process_refund']);
    await Promise.allSettled([
      it.say(GABRIELA, 'yes', first.threadId),
      other.say(GABRIELA, 'yes', second.threadId),
      it.say(GABRIELA, 'yes', first.threadId),
    ]);
    expect(refunds(it)).toHaveLength(1);
  });

  it("[SKH-03] of a pack cannot be for another customer's booking", async () => {
    const dir = refunding(RES_029);
    const it = await open({ env: { HUB_SKILLS_DIR: dir } });
    const before = it.dump('cultpass').refunds;
    const reply = await it.say(ANA, GIRAFFE);
    expect(reply.toolCalls.find((call) => call.tool === 'investigate')?.ok).toBe(true);
    expect(reply.pending).toBeNull();
    expect(reply.reply).not.toBe('');
    expect(JSON.stringify(reply)).not.toContain('Manguebeat');
    await it.say(ANA, 'yes', reply.threadId);
    expect(it.dump('cultpass').refunds).toEqual(before);
  });

  it("[SKH-03 SKH-04] of a pack that asks a person cannot be for another customer's booking either", async () => {
    const dir = refunding(RES_029, {
      confidence: 0.3,
    });
    const it = await open({ env: { HUB_SKILLS_DIR: dir } });
    const reply = await it.say(ANA, GIRAFFE);
    expect(reply.escalated).toBe(true);
    const outcome = await it.app.desk.choose(reply.ticketId, 'A', OPERATOR);
    expect(outcome.pending).toBeNull();
    expect(outcome.reply).toContain('giraffe');
    await it.say(ANA, 'yes', reply.threadId);
    expect(refunds(it)).toHaveLength(0);
  });

  it('[SKH-03 SKH-04] that an operator lets through is asked and made once, by whichever of two desks', async () => {
    const dir = refunding(RES_029, {
      confidence: 0.3,
    });
    const it = await open({ env: { HUB_SKILLS_DIR: dir } });
    const other = await it.another();
    const reply = await it.say(GABRIELA, GIRAFFE);
    const chosen = await Promise.allSettled([
      it.app.desk.choose(reply.ticketId, 'A', OPERATOR),
      other.app.desk.choose(reply.ticketId, 'A', OTHER_OPERATOR),
      it.say(GABRIELA, 'hello, are you there?', reply.threadId),
    ]);
    expect(chosen.slice(0, 2).filter((one) => one.status === 'fulfilled')).toHaveLength(1);
    expect(refunds(it)).toHaveLength(0);
    await it.say(GABRIELA, 'any news?', reply.threadId);
    const [yes] = await Promise.all([
      it.say(GABRIELA, 'yes', reply.threadId),
      other.say(GABRIELA, 'yes', reply.threadId),
    ]);
    expect(yes.reply).not.toBe('');
    expect(refunds(it)).toHaveLength(1);
  });

  it("[SKH-03 SKH-04] asked by an operator's choice is not made again after the customer's own", async () => {
    const dir = refunding(RES_029, {
      confidence: 0.3,
    });
    const it = await open({ env: { HUB_SKILLS_DIR: `./skills:${dir}` } });
    const reply = await it.say(GABRIELA, GIRAFFE);
    const own = await it.say(GABRIELA, REFUND);
    const [outcome] = await Promise.all([
      it.app.desk.choose(reply.ticketId, 'A', OPERATOR),
      it.say(GABRIELA, 'yes', own.threadId),
    ]);
    expect(outcome.run.status).toBe('done');
    const last = await it.say(GABRIELA, 'yes', reply.threadId);
    expect(last.reply).not.toBe('');
    expect(refunds(it)).toHaveLength(1);
  });

  for (const checkpointer of ['memory', 'sqlite'] as const) {
    for (const confidence of [0.95, 0.3]) {
      it(`[SKH-03] that needs an operator waits for one (${checkpointer}, confidence ${confidence}), also after a restart`, async () => {
        const dir = refunding(
          '{ action: process_refund, arguments: { reservation_id: res_029 }, priority: high, human_approval_required: true }',
          { confidence },
        );
        const options = { checkpointer, env: { HUB_SKILLS_DIR: dir } };
        const it = await open(options);
        const asked = await it.say(GABRIELA, GIRAFFE);
        if (confidence < 0.5) {
          const outcome = await it.app.desk.choose(asked.ticketId, 'A', OPERATOR);
          expect(outcome.pending).toMatchObject({ tool: 'process_refund', needsOperator: true });
          await it.say(GABRIELA, 'any news?', asked.threadId);
        } else expect(asked.pending).toMatchObject({ tool: 'process_refund', kind: 'confirmation' });
        const second = await it.another(options);
        const agreed = await second.say(GABRIELA, 'yes', asked.threadId);
        expect(agreed.reply).not.toBe('');
        expect(refunds(it)).toHaveLength(0);
        const approvals = await second.app.desk.approvals();
        expect(approvals).toHaveLength(1);
        const third = await it.another(options);
        const done = await third.app.desk.approve(approvals[0]?.pendingId ?? '', OPERATOR);
        expect(done.reply).toContain('70.00');
        expect(refunds(it)).toHaveLength(1);
        await expect(it.app.desk.approve(approvals[0]?.pendingId ?? '', OPERATOR)).rejects.toThrow();
        expect(refunds(it)).toHaveLength(1);
      });
    }
  }
});

describe('a choice of an operator', () => {
  it('[SKH-04] is refused on a ticket that somebody resolved meanwhile', async () => {
    const dir = refunding(RES_029, { confidence: 0.3 });
    const it = await open({ env: { HUB_SKILLS_DIR: dir } });
    const reply = await it.say(GABRIELA, GIRAFFE);
    it.exec('udahub', `UPDATE tickets SET status = 'resolved' WHERE ticket_id = '${reply.ticketId}'`);
    await expect(it.app.desk.choose(reply.ticketId, 'A', OPERATOR)).rejects.toMatchObject({
      code: 'run_not_waiting',
    });
    expect((await it.app.desk.show(reply.ticketId)).ticket.status).toBe('resolved');
    expect((await it.app.desk.show(reply.ticketId)).investigations[0]?.status).toBe('waiting');
  });

  it('[SKH-04] answers the investigation, and not the customer who asked for a person meanwhile', async () => {
    const dir = refunding(RES_029, { confidence: 0.3 });
    const it = await open({ env: { HUB_SKILLS_DIR: dir } });
    const reply = await it.say(GABRIELA, GIRAFFE);
    const wish = await it.say(GABRIELA, 'I want to talk to a human please', reply.threadId);
    expect(wish.escalation?.reason).toBe('customer_request');
    const outcome = await it.app.desk.choose(reply.ticketId, 'A', OPERATOR);
    expect(outcome.reply).not.toBeNull();
    const { ticket, escalations } = await it.app.desk.show(wish.ticketId);
    expect(ticket.owner).toBe('operator');
    expect(escalations.filter(({ status }) => status === 'open')).toHaveLength(1);
  });

  it('[SKH-03 SKH-04] puts a question that no earlier yes can answer', async () => {
    const dir = refunding(RES_029, { confidence: 0.3 });
    const it = await open({ env: { HUB_SKILLS_DIR: dir } });
    const reply = await it.say(GABRIELA, GIRAFFE);
    const plan = await it.say(GABRIELA, 'pause my plan for one month', reply.threadId);
    expect(plan.pending?.tool).toBe('update_subscription');
    const outcome = await it.app.desk.choose(reply.ticketId, 'A', OPERATOR);
    expect(outcome.pending?.tool).toBe('process_refund');
    // The customer is told that the question about the plan is no longer open.
    expect(outcome.reply).toContain('My earlier question has expired, so nothing was changed.');
    const yes = await it.say(GABRIELA, 'yes', reply.threadId);
    expect(refunds(it)).toHaveLength(0);
    expect(yes.reply).toContain(outcome.pending?.question);
    expect(yes.pending?.tool).toBe('process_refund');
    const again = await it.say(GABRIELA, 'yes', reply.threadId);
    expect(again.reply).toContain('70.00');
    expect(refunds(it)).toHaveLength(1);
  });

  it('[SKH-04] is told to the customer, also where the pack has vanished', async () => {
    const dir = refunding(RES_029, {
      confidence: 0.3,
    });
    const it = await open({ env: { HUB_SKILLS_DIR: dir } });
    const reply = await it.say(GABRIELA, GIRAFFE);
    const bare = await it.another({ env: { HUB_SKILLS_DIR: '/nonexistent' } });
    const outcome = await bare.app.desk.choose(reply.ticketId, 'A', OPERATOR);
    expect(outcome.pending?.tool).toBe('process_refund');
    await bare.say(GABRIELA, 'any news?', reply.threadId);
    const done = await bare.say(GABRIELA, 'yes', reply.threadId);
    expect(done.reply).toContain('70.00');
    expect(refunds(it)).toHaveLength(1);
  });
});
