import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Hub, openHub } from '../../support/hub.js';
import { connectMcp, ERAS, type McpOptions, type McpTalk, type ToolAnswer } from '../../support/mcp.js';

const ANA = 'ana.souza@example.com';

/** One good call of each tool that ships; another is called with nothing. */
const SAMPLES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  classify_ticket: { message: 'I was charged twice!' },
  search_knowledge: { query: 'How do I pause my plan?' },
  get_article_by_id: { article_id: 'kb-refund-rules-en' },
  find_experiences: {},
  lookup_user: {},
  get_subscription: {},
  get_reservations: {},
  get_customer_context: {},
  record_customer_preference: { key: 'contact_method', value: 'email' },
  cancel_reservation: { reservation_id: 'res_002' },
  process_refund: { reservation_id: 'res_007' },
  update_subscription: { action: 'pause', days: 10 },
  record_resolution: { resolution_type: 'answered', summary: 'Told how to pause.' },
  cannot_reserve: { message: "I can't book anything" },
  double_charge: { message: 'I was charged twice' },
  draft_reply: { ticket_summary: 'Asks how to pause', findings: {} },
  email_workflow: { from: 'tom@example.org', subject: 'Hours', body: 'Until when are you open?' },
  entry_denied: { message: 'They did not let me in' },
  handle_request: { text: 'I was charged twice' },
  missing_refund: { message: 'My refund did not arrive' },
  resolve_ticket: { message: 'How do I pause my plan?' },
  review_reply: { reply: 'You can pause in the app.', facts: 'Pausing works in the app.' },
  subscription_not_active: { message: 'Why is my plan paused?' },
  summarise_ticket: { message: 'How do I pause my plan?' },
  get_action_status: { pending_id: 'pnd_nothing' },
  withdraw_action: { pending_id: 'pnd_nothing' },
};

/** Those that the rules refuse to her: the refund was made, and there is no such question. */
const REFUSED: readonly string[] = ['process_refund', 'get_action_status', 'withdraw_action'];

/** The guard against slow patterns goes by the clock, and a machine that runs many tests may stand still for a moment. */
async function untilChecked(call: () => Promise<ToolAnswer>): Promise<ToolAnswer> {
  const answer = await call();
  return answer.text.includes('takes too long') ? call() : answer;
}

let hub: Hub;
const talks: McpTalk[] = [];

async function connect(options: McpOptions = {}): Promise<McpTalk> {
  const talk = await connectMcp(hub, options);
  talks.push(talk);
  return talk;
}

beforeAll(async () => {
  hub = await openHub();
  await hub.say(ANA, 'How do I pause my plan?');
});

afterAll(async () => {
  for (const talk of talks) await talk.close();
  await hub.close();
});

describe.each(ERAS)('tools, to a %s client', (era) => {
  it('[MCP-01] are those of the roster and one a skill, described for programs', async () => {
    const { client } = await connect({ era });
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name);
    const own = ['get_action_status', 'withdraw_action'];
    expect(names).toEqual([...hub.app.capabilities.list().map(({ name }) => name), ...own]);
    expect(names).toEqual(
      expect.arrayContaining(['search_knowledge', 'cancel_reservation', 'missing_refund']),
    );
    for (const { name, title, description, inputSchema, outputSchema, annotations } of tools) {
      expect(title && description, name).toBeTruthy();
      expect(inputSchema.type, name).toBe('object');
      expect(outputSchema?.type, name).toBe('object');
      const token = Object.keys(inputSchema.properties ?? {}).includes('confirmation_token');
      expect(token, name).toBe(annotations?.destructiveHint);
      // Who the customer is comes from the connection, never from an argument.
      expect(Object.keys(inputSchema.properties ?? {}).join(), name).not.toMatch(/customer_id|user_id/);
    }
    const hints = (wanted: string) => tools.find(({ name }) => name === wanted)?.annotations;
    expect(hints('search_knowledge')).toMatchObject({ readOnlyHint: true, destructiveHint: false });
    expect(hints('record_customer_preference')).toMatchObject({ readOnlyHint: false, idempotentHint: true });
    expect(hints('process_refund')).toMatchObject({ readOnlyHint: false, destructiveHint: true });
  });

  it('[MCP-01 SKD-83] give what their output schema says, each of them, as object and as text', async () => {
    const talk = await connect({ as: ANA, era });
    const { tools } = await talk.client.listTools();
    const statuses = new Map<string, unknown>();
    for (const { name } of tools) {
      // The client refuses a result that does not fit the schema.
      const { data, text, isError } = await untilChecked(() => talk.call(name, SAMPLES[name] ?? {}));
      expect(JSON.parse(text), name).toEqual(data);
      expect(isError, `${name}: ${text}`).toBe(name in SAMPLES ? REFUSED.includes(name) : 'error' in data);
      statuses.set(name, data.status);
    }
    expect([...statuses.keys()]).toEqual(expect.arrayContaining(Object.keys(SAMPLES)));
    for (const name of ['cancel_reservation', 'update_subscription'])
      expect(statuses.get(name), name).toBe('confirmation_required');
    for (const name of ['summarise_ticket', 'handle_request']) expect(statuses.get(name), name).toBe('done');
  });

  it('[MCP-02] answer a visitor general questions, and nothing about an account', async () => {
    const visitor = await connect({ era });
    expect(await visitor.call('search_knowledge', { query: 'How do I pause my plan?' })).toMatchObject({
      isError: false,
    });
    for (const name of ['get_reservations', 'cancel_reservation', 'missing_refund', 'get_action_status'])
      expect(await visitor.call(name, SAMPLES[name])).toMatchObject({
        isError: true,
        data: { status: 'refused', error: { code: 'not_signed_in' } },
      });
  });

  it("[MCP-02] are held to the token's scopes", async () => {
    const reader = await connect({ as: ANA, era, caller: { scopes: ['account:read'] } });
    expect(await reader.call('get_reservations')).toMatchObject({ isError: false });
    for (const [name, scope] of [
      ['cancel_reservation', 'action:write'],
      ['missing_refund', 'skill:run'],
    ] as const)
      expect(await reader.call(name, SAMPLES[name])).toMatchObject({
        isError: true,
        data: { error: { code: 'scope_missing', message: expect.stringContaining(scope) } },
      });
  });

  it('[MCP-03] name the argument that is wrong', async () => {
    const talk = await connect({ as: ANA, era });
    const wrong = [
      ['cancel_reservation', {}, 'reservation_id'],
      ['cancel_reservation', { reservation_id: 7 }, 'reservation_id'],
      ['cancel_reservation', { reservation_id: 'res_002', customer_id: 'usr_002' }, 'customer_id'],
      ['cancel_reservation', { reservation_id: 'res_002', confirmation_token: 7 }, 'confirmation_token'],
      ['get_article_by_id', { article_id: null }, 'article_id'],
      ['missing_refund', {}, 'message'],
      ['get_action_status', {}, 'pending_id'],
      ['withdraw_action', { pending_id: 'pnd_1', reason: 7 }, 'reason'],
      ['get_action_status', { pending_id: { $ne: '' } }, 'pending_id'],
      ['get_action_status', { pending_id: 'x'.repeat(201) }, 'pending_id'],
      ['get_action_status', { pending_id: 'pnd_1', customer_id: 'usr_002' }, 'customer_id'],
    ] as const;
    for (const [name, args, field] of wrong)
      expect(await talk.call(name, args), `${name} ${JSON.stringify(args)}`).toMatchObject({
        isError: true,
        data: {
          error: {
            code: 'input_invalid',
            message: expect.stringContaining(field),
            errors: expect.arrayContaining([expect.objectContaining({ field })]),
          },
        },
      });
  });

  it('[MCP-03] that do not exist are an error of the protocol', async () => {
    const { client } = await connect({ as: ANA, era });
    for (const name of ['nothing', '', 'investigate', 'constructor', '__proto__'])
      await expect(client.callTool({ name, arguments: {} }), name).rejects.toMatchObject({ code: -32602 });
  });

  it('[MCP-11] tell how far a skill has come, to a client that asks', async () => {
    const { client, sent } = await connect({ as: ANA, era });
    const told: { readonly progress: number; readonly total?: number; readonly message?: string }[] = [];
    const request = { name: 'missing_refund', arguments: { message: 'My refund did not arrive' } };
    const result = await client.callTool(request, { onprogress: (progress) => void told.push(progress) });
    expect(result.isError).not.toBe(true);
    expect(told.length).toBeGreaterThan(1);
    expect(told.map(({ progress }) => progress)).toEqual(
      [...new Set(told.map(({ progress }) => progress))].sort((a, b) => a - b),
    );
    expect(told.at(-1)?.message).toBeTruthy();
    // Nothing more once it has answered.
    const before = sent.length;
    await client.callTool(request);
    expect(sent.slice(before).every((message) => !('method' in message))).toBe(true);
  });

  it('[MCP-12] answer nothing more to a client that has taken its call back', async () => {
    const { client, sent, call } = await connect({ as: ANA, era });
    const stop = new AbortController();
    const request = { name: 'missing_refund', arguments: { message: 'My refund did not arrive' } };
    const cancelled = client.callTool(request, { signal: stop.signal, onprogress: () => stop.abort() });
    await expect(cancelled).rejects.toThrow();
    const before = sent.length;
    expect(await call('get_subscription')).toMatchObject({ isError: false });
    expect(sent.slice(before).filter((message) => 'result' in message || 'error' in message)).toHaveLength(1);
    await expect(client.callTool(request, { signal: stop.signal })).rejects.toThrow();
  });
});
