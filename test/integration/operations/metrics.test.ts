import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { type Hub, openHub } from '../../support/hub.js';
import { startOpenAiServer } from '../../support/openai-server.js';
import { form, openOnline, PROMPT } from '../online/support.js';

const ANA = 'ana.souza@example.com';
const PATTERN = /^(hub_[a-z_]+)(?:\{(.*)\})? (\S+)$/;

const cleanUps: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const clean of cleanUps.splice(0).reverse()) await clean();
});

async function measuredHub(): Promise<Hub> {
  const hub = await openHub({ overrides: { measure: true } });
  cleanUps.push(() => hub.close());
  return hub;
}

/** The value of a metric, with exactly these labels among others; summed where several fit. */
function metric(text: string, name: string, labels: Readonly<Record<string, string>> = {}): number {
  return text
    .split('\n')
    .map((line) => PATTERN.exec(line))
    .filter((match) => match?.[1] === name)
    .filter((match) =>
      Object.entries(labels).every(([key, value]) => match?.[2]?.includes(`${key}="${value}"`)),
    )
    .reduce((sum, match) => sum + Number(match?.[3]), 0);
}

describe('the figures of operations', () => {
  it('[OPS-01] counts turns, time, tools, agents, escalations and decisions', async () => {
    const hub = await measuredHub();
    await hub.say(ANA, 'how many visits do I have left?');
    const asked = await hub.say(ANA, 'Cancel my reservation for Elis: The Musical');
    const waits = await hub.say(ANA, 'yes', asked.threadId);
    expect(waits.pending?.kind).toBe('approval');
    const open = await hub.app.metrics.render();
    expect(metric(open.text, 'hub_approvals_open')).toBe(1);
    await hub.app.desk.approve(waits.pending?.id ?? '', { operatorId: 'op_1', name: 'Rita' });
    const escalated = await hub.say(ANA, 'I want to talk to a human being');
    expect(escalated.escalated).toBe(true);

    const { contentType, text } = await hub.app.metrics.render();
    expect(contentType).toContain('text/plain');
    expect(metric(text, 'hub_turns_total', { provider: 'offline', channel: 'chat' })).toBe(4);
    expect(metric(text, 'hub_turns_total', { outcome: 'pending' })).toBe(2);
    expect(metric(text, 'hub_turns_total', { outcome: 'escalated' })).toBe(1);
    expect(metric(text, 'hub_turn_duration_seconds_count', { channel: 'chat' })).toBe(4);
    expect(metric(text, 'hub_turn_duration_seconds_sum')).toBeGreaterThan(0);
    expect(metric(text, 'hub_turn_duration_seconds_sum')).toBeLessThan(30);
    expect(metric(text, 'hub_agent_turns_total', { agent: 'account' })).toBeGreaterThan(0);
    expect(metric(text, 'hub_tool_calls_total', { tool: 'cancel_reservation', ok: 'true' })).toBeGreaterThan(
      0,
    );
    expect(metric(text, 'hub_escalations_total', { reason: 'customer_request' })).toBe(1);
    expect(metric(text, 'hub_approvals_total', { decision: 'approved' })).toBe(1);
    expect(metric(text, 'hub_approvals_open')).toBe(0);
    expect(metric(text, 'hub_queue_tickets', { state: 'unassigned' })).toBe(1);
  });

  it('[OPS-01] tells how long the oldest ticket waits, and how the process is', async () => {
    const hub = await measuredHub();
    await hub.say(ANA, 'I want to talk to a human being');
    hub.clock.advance({ ms: 90_000 });
    const { text } = await hub.app.metrics.render();
    expect(metric(text, 'hub_queue_oldest_wait_seconds')).toBeCloseTo(90, 0);
    expect(metric(text, 'hub_process_resident_memory_bytes')).toBeGreaterThan(10_000_000);
    expect(metric(text, 'hub_process_heap_used_bytes')).toBeGreaterThan(1_000_000);
    expect(text).toContain('hub_event_loop_lag_seconds{quantile="0.99"}');
  });

  it('[OPS-02] gives tokens, cost, calls and their time by agent and provider, and faults by kind', async () => {
    const server = await startOpenAiServer();
    cleanUps.push(() => server.close());
    const env = {
      HUB_PRICE_INPUT_PER_MTOK: '1000',
      HUB_PRICE_OUTPUT_PER_MTOK: '2000',
      HUB_MODEL_RETRIES: '0',
    };
    const online = await openOnline(server, env, { measure: true });
    cleanUps.push(() => online.close());
    const usage = { prompt: 100, completion: 10 };
    server
      .reply({ ...form([['How do I pause my plan?', 'knowledge']]), usage }, PROMPT.triage)
      .fault({ kind: 'status', status: 500 }, { match: PROMPT.knowledge });
    const talk = await online.talk(null);
    await talk.say('How do I pause my plan?', { onEvent: () => undefined });
    const { text } = await online.app.metrics.render();
    const triage = { agent: 'triage', provider: 'openai' };
    expect(metric(text, 'hub_tokens_total', { ...triage, direction: 'prompt' })).toBe(100);
    expect(metric(text, 'hub_tokens_total', { ...triage, direction: 'completion' })).toBe(10);
    expect(metric(text, 'hub_cost_usd_total', triage)).toBeCloseTo(0.12, 6);
    expect(metric(text, 'hub_model_calls_total', { agent: 'triage', outcome: 'ok' })).toBe(1);
    expect(metric(text, 'hub_model_calls_total', { agent: 'knowledge', outcome: 'fallback' })).toBe(1);
    expect(metric(text, 'hub_model_call_duration_seconds_count')).toBe(2);
    expect(metric(text, 'hub_errors_total', { where: 'model', code: 'unavailable' })).toBe(1);
    expect(metric(text, 'hub_time_to_first_token_seconds_count')).toBe(1);
  });

  it('[OPS-03] counts nothing in a command, and apart in each App of a process', async () => {
    const plain = await openHub();
    cleanUps.push(() => plain.close());
    await plain.say(null, 'hello');
    expect((await plain.app.metrics.render()).text).toBe('');
    const [one, other] = [await measuredHub(), await measuredHub()];
    await one.say(null, 'hello');
    expect(metric((await one.app.metrics.render()).text, 'hub_turns_total')).toBe(1);
    expect(metric((await other.app.metrics.render()).text, 'hub_turns_total')).toBe(0);
  });

  it('[OPS-04] keeps persons, and what strangers send, out of the labels', async () => {
    const hub = await measuredHub();
    const { threadId, ticketId } = await hub.say(
      ANA,
      'I am Ana Souza, ana.souza@example.com, CPF 123.456.789-09',
    );
    const { metrics } = hub.app;
    metrics.request({ method: 'GET ana@example.com', route: '/api/threads/{id}', status: 404, ms: 1 });
    metrics.toolCall('ana.souza@example.com', '{"x":1}', false);
    metrics.error('a b\n# HELP', '12345678909');
    const { text } = await metrics.render();
    const users = hub.query('cultpass', 'SELECT user_id, full_name, email FROM users');
    expect(users.length).toBeGreaterThan(5);
    const secrets = [
      ...users.flatMap((user) => Object.values(user).map(String)),
      threadId,
      ticketId,
      '123456789',
    ];
    for (const secret of secrets) expect(text, secret).not.toContain(`"${secret}`);
    expect(text).not.toContain('@');
    expect(text).toContain('method="other"');
    for (const line of text.split('\n').filter((line) => line !== '' && !line.startsWith('#')))
      expect(line).toMatch(PATTERN);
  });

  it('[OPS-03] names the unit in the name and explains every metric', async () => {
    const hub = await measuredHub();
    const { text } = await hub.app.metrics.render();
    const names = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)];
    expect(names.length).toBeGreaterThan(25);
    for (const [, name = '', type] of names) {
      expect(name).toMatch(/^hub_/);
      if (type === 'counter') expect(name).toMatch(/_total$/);
      if (type === 'histogram') expect(name).toMatch(/_seconds$/);
      expect(text).toMatch(new RegExp(`^# HELP ${name} \\S.{8,}$`, 'm'));
    }
    const readme = readFileSync(new URL('../../../src/core/ports/metrics.ts', import.meta.url), 'utf8');
    expect(readme).toContain('nothing personal is a label');
  });
});
