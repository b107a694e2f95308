import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { ROOT } from '../../architecture/cruise.js';
import { cliEnvironment, makeFolder } from '../../e2e/cli-process.js';
import { type HubOptions, openHub } from '../../support/hub.js';
import { startOpenAiServer } from '../../support/openai-server.js';
import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from '../../support/otlp-receiver.js';
import { form, openOnline, PROMPT } from '../online/support.js';

const ANA = 'ana.souza@example.com';

const cleanUps: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const clean of cleanUps.splice(0).reverse()) await clean();
});

async function receiver(status?: number | 'hang'): Promise<OtlpReceiver> {
  const made = await startOtlpReceiver(status);
  cleanUps.push(() => made.close());
  return made;
}

async function tracedHub(collector: OtlpReceiver, env: Readonly<Record<string, string>> = {}) {
  const options: HubOptions = { env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...env } };
  const hub = await openHub(options);
  cleanUps.push(() => hub.close());
  return hub;
}

const named = (spans: readonly ReceivedSpan[], name: string) => spans.filter((span) => span.name === name);

/** The names above a span, nearest first. */
function above(spans: readonly ReceivedSpan[], span: ReceivedSpan | undefined): readonly string[] {
  const parent = spans.find(({ spanId }) => spanId === span?.parentSpanId);
  return parent ? [parent.name, ...above(spans, parent)] : [];
}

describe('traces', () => {
  it('[OPS-08] are one a turn, with spans for agents, tools, model calls and retrieval', async () => {
    const collector = await receiver();
    const hub = await tracedHub(collector, { OTEL_SERVICE_NAME: 'desk-of-ana' });
    const first = await hub.say(ANA, 'How do I pause my plan?');
    await hub.say(ANA, 'how many visits do I have left?', first.threadId);
    await hub.app.close();
    const { spans } = collector;
    expect(collector.raw.every((request) => request.startsWith('/v1/traces '))).toBe(true);
    expect(collector.raw.join()).toContain('desk-of-ana');
    const roots = named(spans, 'turn');
    expect(roots).toHaveLength(2);
    expect(roots.map(({ parentSpanId }) => parentSpanId)).toEqual([undefined, undefined]);
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(2);
    expect(roots[0]?.attributes).toMatchObject({
      'hub.ticket_id': first.ticketId,
      'hub.thread_id': first.threadId,
      'hub.channel': 'chat',
      'hub.provider': 'offline',
      'hub.cost_usd': 0,
    });
    expect(roots[0]?.attributes['hub.route']).toEqual(first.route.map(({ to, by }) => `${to} (${by})`));
    for (const name of [
      'agent triage',
      'agent knowledge',
      'agent account',
      'tool classify_ticket',
      'retrieval',
    ])
      expect(named(spans, name), name).not.toHaveLength(0);
    // The router searches too where triage is not sure what is asked.
    const searches = named(spans, 'retrieval').map((span) => above(spans, span));
    expect(searches.some((path) => path.includes('agent knowledge'))).toBe(true);
    expect(searches.map((path) => path.at(-1))).toEqual(searches.map(() => 'turn'));
    expect(
      spans.filter(({ attributes }) => attributes['openinference.span.kind'] === 'LLM'),
    ).not.toHaveLength(0);
    // Every span hangs below a turn, and none is of the machinery.
    for (const span of spans) expect([span.name, ...above(spans, span)].at(-1)).toBe('turn');
    expect(spans.length).toBeLessThan(50);
  });

  it('[OPS-08] shows model, tokens and cost of a provider, and marks a pause as none of a fault', async () => {
    const collector = await receiver();
    const server = await startOpenAiServer();
    cleanUps.push(() => server.close());
    const usage = { prompt: 100, completion: 10 };
    server
      .reply({ ...form([['How do I pause my plan?', 'knowledge']]), usage }, PROMPT.triage)
      .reply({ text: 'Profile > Plan > Pause [kb-pause-subscription-en].', usage }, PROMPT.knowledge);
    const online = await openOnline(server, {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      HUB_MODEL_TIMEOUT_MS: '20000',
    });
    cleanUps.push(() => online.close());
    await (await online.talk(null)).say('How do I pause my plan?');
    await online.app.close();
    const calls = collector.spans.filter(({ attributes }) => attributes['llm.model_name'] === 'gpt-4o-mini');
    expect(calls.map(({ name }) => name)).toEqual(['model triage', 'model knowledge']);
    expect(calls[0]?.attributes).toMatchObject({ 'llm.token_count.prompt': 100, 'llm.provider': 'openai' });
    expect(named(collector.spans, 'turn')[0]?.attributes).toMatchObject({ 'llm.token_count.total': 220 });

    const other = await receiver();
    const hub = await tracedHub(other);
    await hub.say(ANA, 'cancel my samba night booking');
    await hub.app.close();
    const [tool] = named(other.spans, 'tool cancel_reservation');
    expect(tool?.attributes['hub.paused']).toBe(true);
    expect(other.spans.filter(({ status }) => status.code === 2)).toEqual([]);
  });

  it('[PRV-01] hold no contents, and masked ones where they are asked for', async () => {
    const text = 'I am Ana Souza, my CPF is 123.456.789-09, write to ana@other.org. How do I pause my plan?';
    const [without, content] = [await receiver(), await receiver()];
    const hub = await tracedHub(without);
    await hub.say(ANA, text);
    await hub.app.close();
    expect(named(without.spans, 'turn')).toHaveLength(1);
    expect(without.raw.join()).not.toMatch(/Souza|123\.456|other\.org|pause my plan/i);
    const open = await tracedHub(content, { HUB_TRACE_CONTENT: '1' });
    await open.say(ANA, text);
    await open.app.close();
    const sent = content.raw.join();
    expect(sent).toContain('How do I pause my plan?');
    expect(sent).not.toMatch(/Souza|123\.456|other\.org|ana\.souza/i);
    expect(sent).toContain('[name]');
  });

  it.each([
    ['a fault', 500],
    ['silence', 'hang'],
  ] as const)('[OPS-09] never disturb a turn: the collector answers with %s', async (_, status) => {
    const collector = await receiver(status);
    const hub = await tracedHub(collector);
    // With a collector that answers nothing, what waited for it would never end.
    expect((await hub.say(ANA, 'how many visits do I have left?')).reply).toContain('left this month');
    await hub.app.close();
    expect(collector.raw.length).toBeGreaterThan(0);
    expect(collector.spans).toEqual([]);
  });

  it('[OPS-09] cost nothing where nobody collects them: nothing of it is loaded', async () => {
    const code = `
      import { createRequire } from 'node:module';
      import { createApp } from './src/app/app.js';
      import { parseConfig } from './src/config/config.js';
      import { MemoryArticleIndex } from './src/adapters/retrieval/memory-article-index.js';
      const loadedBy = async (more) => {
        const app = await createApp(parseConfig({ ...process.env, ...more }), { index: new MemoryArticleIndex() });
        await app.handle({ identity: { kind: 'anonymous' }, text: 'hello', channel: 'chat' });
        await app.close();
        return Object.keys(createRequire(import.meta.url).cache).filter((path) =>
          /@opentelemetry|prom-client/.test(path));
      };
      const plain = await loadedBy({});
      const traced = await loadedBy({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' });
      process.stdout.write(JSON.stringify({ plain, traced }));`;
    const folder = makeFolder();
    cleanUps.push(folder.remove);
    const env = cliEnvironment({ dataDir: folder.dataDir });
    const args = ['--import', 'tsx', '--input-type=module', '-e', code];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT, env });
    const { plain, traced } = JSON.parse(stdout) as Record<'plain' | 'traced', readonly string[]>;
    expect(plain).toEqual([]);
    expect(traced.length).toBeGreaterThan(10);
  });
});
