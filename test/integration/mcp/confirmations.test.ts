import { PassThrough } from 'node:stream';
import type { ElicitResult } from '@modelcontextprotocol/client';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SCOPES } from '../../../src/core/domain/customer.js';
import { createMcpServerFactory } from '../../../src/surfaces/mcp/server.js';
import { StdioTransport } from '../../../src/surfaces/mcp/stdio-transport.js';
import { type Hub, openHub } from '../../support/hub.js';
import { connectMcp, ERAS, type McpOptions, type McpTalk, type ToolAnswer } from '../../support/mcp.js';

const ANA = 'ana.souza@example.com';
const BRUNO = 'bruno.lima@example.com';
const FELIPE = 'felipe.araujo@example.com';
const GABRIELA = 'gabriela.nunes@example.com';
const OLGA = { operatorId: 'op-1', name: 'Olga' };

const yes: ElicitResult = { action: 'accept', content: { confirm: true } };

let hub: Hub;
const talks: McpTalk[] = [];

async function connect(options: McpOptions): Promise<McpTalk> {
  const talk = await connectMcp(hub, options);
  talks.push(talk);
  return talk;
}

/** One hub a protocol version, so that both begin with the same bookings. */
async function openFresh(): Promise<void> {
  hub = await openHub();
}

async function closeAll(): Promise<void> {
  for (const talk of talks.splice(0)) await talk.close();
  await hub.close();
}

const cancel = (talk: McpTalk, reservation: string, more: Readonly<Record<string, unknown>> = {}) =>
  talk.call('cancel_reservation', { reservation_id: reservation, ...more });
const statusOf = (reservation: string): unknown =>
  hub.query('cultpass', 'SELECT status FROM reservations WHERE reservation_id = ?', reservation)[0]?.status;
const refundsOf = (reservation: string): number =>
  hub.query('cultpass', 'SELECT 1 FROM refunds WHERE reservation_id = ?', reservation).length;
const codeOf = ({ data }: ToolAnswer) => (data.error as { readonly code: string } | undefined)?.code;

describe.each(ERAS)('a change that cannot be taken back, by a %s client', (era) => {
  beforeAll(openFresh);
  afterAll(closeAll);

  it('[MCP-04] is asked about where the client can ask its user, and done on a yes, once', async () => {
    const talk = await connect({ as: ANA, era, elicit: () => yes });
    const answer = await cancel(talk, 'res_002');
    expect(answer).toMatchObject({ isError: false, data: { status: 'done', result: expect.any(Object) } });
    expect(talk.questions).toEqual([expect.stringContaining('Samba Night')]);
    expect(statusOf('res_002')).not.toBe('reserved');
    expect(refundsOf('res_002')).toBe(1);
    // The token went to the client in the newest version; no model has seen it.
    expect(answer.text).not.toContain('cft_');
  });

  it.each<[string, ElicitResult]>([
    ['a no in the form', { action: 'accept', content: { confirm: false } }],
    ['a declined form', { action: 'decline' }],
    ['a closed form', { action: 'cancel' }],
    ['a form without an answer', { action: 'accept', content: {} }],
    ['an answer of the wrong type', { action: 'accept', content: { confirm: 'true' } }],
  ])('[MCP-04] is not done on %s, and the plan is void', async (_what, answered) => {
    const talk = await connect({ as: ANA, era, elicit: () => answered });
    const before = hub.dump('cultpass');
    const answer = await cancel(talk, 'res_003');
    expect(answer).toMatchObject({ isError: true, data: { status: 'refused' } });
    expect(codeOf(answer)).toBe('confirmation_rejected');
    expect(hub.dump('cultpass')).toEqual(before);
    const open = hub.query(
      'udahub',
      "SELECT 1 FROM approvals WHERE status = 'pending' AND kind = 'confirmation'",
    );
    expect(open).toEqual([]);
  });

  it('[MCP-05] says what it would do to a client that cannot ask, and does it with the token, once', async () => {
    const talk = await connect({ as: ANA, era });
    const plan = await cancel(talk, 'res_003');
    expect(plan).toMatchObject({
      isError: false,
      data: {
        status: 'confirmation_required',
        tool: 'cancel_reservation',
        arguments: { reservation_id: 'res_003' },
        terms: expect.any(Object),
        question: expect.stringMatching(/\?/),
        confirmation_token: expect.any(String),
        expires_at: expect.stringMatching(/^2026-/),
      },
    });
    expect(statusOf('res_003')).toBe('reserved');
    const confirmation_token = plan.data.confirmation_token;
    expect(await cancel(talk, 'res_003', { confirmation_token })).toMatchObject({
      isError: false,
      data: { status: 'done' },
    });
    expect(statusOf('res_003')).not.toBe('reserved');
    const after = hub.dump('cultpass');
    expect(codeOf(await cancel(talk, 'res_003', { confirmation_token }))).toBe('pending_decided');
    expect(hub.dump('cultpass')).toEqual(after);
  });

  it('[MCP-05] takes a token for that call of that customer alone', async () => {
    const ana = await connect({ as: ANA, era });
    const bruno = await connect({ as: BRUNO, era });
    const visitor = await connect({ era });
    const plan = await cancel(ana, 'res_004');
    const token = String(plan.data.confirmation_token);
    const before = hub.dump('cultpass');
    const forged = `${token.slice(0, -4)}${token.endsWith('AAAA') ? 'BBBB' : 'AAAA'}`;
    for (const made of [
      forged,
      'nonsense',
      '',
      `cft_${plan.data.pending_id}.${'A'.repeat(43)}`,
      'x'.repeat(9_000),
    ])
      expect(codeOf(await cancel(ana, 'res_004', { confirmation_token: made })), made.slice(0, 60)).toBe(
        'confirmation_invalid',
      );
    // Another call, another tool, another customer, nobody.
    expect(codeOf(await cancel(ana, 'res_001', { confirmation_token: token }))).toBe('confirmation_invalid');
    const other = { action: 'pause', days: 5, confirmation_token: token };
    expect(codeOf(await ana.call('update_subscription', other))).toBe('confirmation_invalid');
    expect(codeOf(await cancel(bruno, 'res_004', { confirmation_token: token }))).toBe(
      'confirmation_invalid',
    );
    expect(codeOf(await cancel(visitor, 'res_004', { confirmation_token: token }))).toBe('not_signed_in');
    expect(hub.dump('cultpass')).toEqual(before);
    expect(await cancel(ana, 'res_004', { confirmation_token: token })).toMatchObject({ isError: false });
  });

  it("[MCP-05] cannot reach another customer's booking, with or without a token", async () => {
    const bruno = await connect({ as: BRUNO, era, elicit: () => yes });
    const before = hub.dump('cultpass');
    const answer = await cancel(bruno, 'res_001');
    expect(answer.isError).toBe(true);
    expect(bruno.questions).toEqual([]);
    expect(hub.dump('cultpass')).toEqual(before);
    expect(codeOf(answer)).toBe(codeOf(await cancel(bruno, 'res_nothing')));
  });

  it('[ATK-01] is taken back by a program whose user has changed their mind, before an operator decides', async () => {
    const talk = await connect({ as: ANA, era, elicit: () => yes });
    const before = hub.dump('cultpass');
    const waiting = await cancel(talk, 'res_001');
    const args = { pending_id: waiting.data.pending_id };
    const bruno = await connect({ as: BRUNO, era });
    expect(codeOf(await bruno.call('withdraw_action', args))).toBe('not_found');
    const approval = (await hub.app.desk.approvals()).find(
      ({ ticketId }) => ticketId === waiting.data.ticket_id,
    );
    const taken = await talk.call('withdraw_action', { ...args, reason: 'She can go after all' });
    expect(taken).toMatchObject({ isError: false, data: { status: 'refused' } });
    expect(codeOf(taken)).toBe('pending_withdrawn');
    expect(taken.text).toContain('Nothing has been cancelled: your booking');
    await expect(hub.app.desk.approve(approval?.pendingId ?? '', OLGA)).rejects.toMatchObject({
      code: 'pending_withdrawn',
      fields: { words: 'She can go after all' },
    });
    expect(codeOf(await talk.call('get_action_status', args))).toBe('pending_withdrawn');
    expect(await talk.call('withdraw_action', args)).toMatchObject({ isError: true });
    expect(hub.dump('cultpass')).toEqual(before);
  });

  it('[MCP-06] waits for an operator where the rules ask for one, and tells what became of it', async () => {
    const talk = await connect({ as: ANA, era, elicit: () => yes });
    const waiting = await cancel(talk, 'res_001');
    expect(waiting).toMatchObject({
      isError: false,
      data: { status: 'awaiting_operator', pending_id: expect.any(String), ticket_id: expect.any(String) },
    });
    const args = { pending_id: waiting.data.pending_id };
    expect(await talk.call('get_action_status', args)).toMatchObject({
      data: { status: 'awaiting_operator' },
    });
    const bruno = await connect({ as: BRUNO, era });
    const nobodys = await bruno.call('get_action_status', { pending_id: 'pnd_nothing' });
    expect(await bruno.call('get_action_status', args)).toEqual(nobodys);
    expect(codeOf(nobodys)).toBe('not_found');
    const approval = (await hub.app.desk.approvals()).find(
      ({ ticketId }) => ticketId === waiting.data.ticket_id,
    );
    await hub.app.desk.approve(approval?.pendingId ?? '', OLGA);
    expect(await talk.call('get_action_status', args)).toMatchObject({
      isError: false,
      data: { status: 'done', result: expect.any(Object) },
    });
    expect(refundsOf('res_001')).toBe(1);
  });

  it('[MCP-06] of a skill that waits for an operator can be looked up by its run', async () => {
    const talk = await connect({ as: FELIPE, era });
    // Lists the tools, so that the client checks each answer by its schema.
    await talk.client.listTools();
    const waiting = await talk.call('double_charge', { message: 'I was charged twice' });
    expect(waiting).toMatchObject({ isError: false, data: { status: 'awaiting_choice' } });
    const args = { pending_id: waiting.data.run_id };
    expect(await talk.call('get_action_status', args)).toMatchObject({ data: { status: 'awaiting_choice' } });
    const bruno = await connect({ as: BRUNO, era });
    expect(codeOf(await bruno.call('get_action_status', args))).toBe('not_found');
    await hub.app.desk.choose(String(waiting.data.ticket_id), 'C', OLGA);
    expect(await talk.call('get_action_status', args)).toMatchObject({
      isError: false,
      data: { status: 'done' },
    });
  });

  it('[MCP-06] hands no token to a model whose client asks the user itself', async () => {
    const asking = await connect({ as: GABRIELA, era });
    const [open] = hub.query(
      'cultpass',
      "SELECT reservation_id FROM reservations WHERE user_id = 'usr_007' AND status = 'reserved'",
    );
    const plan = await cancel(asking, String(open?.reservation_id));
    const args = { pending_id: plan.data.pending_id };
    expect((await asking.call('get_action_status', args)).data).toHaveProperty('confirmation_token');
    const other = await connect({ as: GABRIELA, era, elicit: () => yes });
    const { data } = await other.call('get_action_status', args);
    expect(data).toMatchObject({ status: 'confirmation_required' });
    expect(data).not.toHaveProperty('confirmation_token');
  });

  it('[MCP-12] is not done where the client takes its call back before the user has answered', async () => {
    const stop = new AbortController();
    const talk = await connect({
      as: GABRIELA,
      era,
      elicit: () => {
        stop.abort();
        return yes;
      },
    });
    const before = hub.dump('cultpass');
    const [open] = hub.query(
      'cultpass',
      "SELECT reservation_id FROM reservations WHERE user_id = 'usr_007' AND status = 'reserved'",
    );
    const request = { name: 'cancel_reservation', arguments: { reservation_id: open?.reservation_id } };
    await expect(talk.client.callTool(request, { signal: stop.signal })).rejects.toThrow();
    // The next answer comes after whatever the server still did for the call.
    await talk.call('get_reservations');
    expect(hub.dump('cultpass')).toEqual(before);
  });
});

describe('two programs of one customer', () => {
  beforeAll(openFresh);
  afterAll(closeAll);

  it('[MCP-05] that confirm the same plan at once make one refund', async () => {
    const first = await connect({ as: ANA });
    const second = await connect({ as: ANA, era: 'modern' });
    const plan = await cancel(first, 'res_002');
    const { confirmation_token } = plan.data;
    const answers = await Promise.all(
      [first, second, first, second].map((talk) => cancel(talk, 'res_002', { confirmation_token })),
    );
    expect(answers.filter(({ isError }) => !isError)).toHaveLength(1);
    expect(refundsOf('res_002')).toBe(1);
  });

  it('[MCP-15] is not waited for where the client leaves while its user is asked, and nothing is done', async () => {
    const input = new PassThrough();
    const output = new PassThrough();
    let said = '';
    output.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    const transport = new StdioTransport(input, output, { drainMs: 20_000 });
    const identity = await hub.app.signIn(ANA);
    const caller = { identity, scopes: SCOPES, channel: 'mcp' as const };
    serveStdio(createMcpServerFactory(hub.app, { company: hub.app.company, caller: () => caller }), {
      transport,
    });
    const clientInfo = { name: 'leaver', version: '1' };
    const hello = { protocolVersion: '2025-06-18', capabilities: { elicitation: {} }, clientInfo };
    const call = { name: 'cancel_reservation', arguments: { reservation_id: 'res_003' } };
    input.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: hello })}\n`);
    input.write(`${JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: call })}\n`);
    await expect.poll(() => said).toContain('elicitation/create');
    const before = hub.dump('cultpass');
    input.end();
    await transport.closed;
    const answer = said.split('\n').find((line) => line.includes('"id":2') && line.includes('"result"'));
    expect(JSON.parse(answer ?? '{}')).toMatchObject({ result: { isError: true } });
    expect(hub.dump('cultpass')).toEqual(before);
  });
});
