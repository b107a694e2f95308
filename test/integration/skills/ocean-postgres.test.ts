import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { MemorySaver } from '@langchain/langgraph';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createDataSources } from '../../../src/adapters/sources/data-sources.js';
import type { InvestigationResult, SkillRun } from '../../../src/core/domain/skill.js';
import type { DataSources } from '../../../src/core/ports/data-source.js';
import type { Skills } from '../../../src/core/ports/skills.js';
import { createSkillEngine } from '../../../src/skills/engine.js';
import { loadSkillFolders } from '../../../src/skills/pack/load-folders.js';
import { createMemoryRunStore } from '../../../src/skills/run/detached-runs.js';
import { createFixedClock } from '../../support/fixed-clock.js';
import { openHub } from '../../support/hub.js';
import { startPostgres, type TestPostgres } from '../../support/postgres.js';
import { createRecordingLog } from '../../support/recording-log.js';
import { createSequentialIds } from '../../support/sequential-ids.js';

const SKILLS_DIR = fileURLToPath(new URL('../../../skills', import.meta.url));
const { catalog } = loadSkillFolders([SKILLS_DIR]);
const OPERATOR = { kind: 'operator', operatorId: 'mia' } as const;

interface Seen {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}
type Answer = { readonly status: number; readonly body: unknown } | 'hang';

/** A server of the loopback interface that answers by `answer` and keeps what it was asked. */
interface LocalServer {
  readonly url: string;
  readonly seen: Seen[];
  answer: (request: Seen) => Answer;
  close(): Promise<void>;
}

async function startServer(answer: LocalServer['answer']): Promise<LocalServer> {
  const seen: Seen[] = [];
  const server: Server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request.setEncoding('utf8')) body += String(part);
    const url = new URL(request.url ?? '/', 'http://local');
    const asked = { method: request.method ?? '', url, headers: request.headers, body };
    seen.push(asked);
    const answered = local.answer(asked);
    if (answered === 'hang') return;
    const text = typeof answered.body === 'string' ? answered.body : JSON.stringify(answered.body);
    const type = typeof answered.body === 'string' ? 'text/plain' : 'application/json';
    response.writeHead(answered.status, { 'content-type': type }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const local: LocalServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    answer,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return local;
}

/** What ClickHouse writes in the format that is asked for: names, types, then the rows. */
const clickhouse = (errors: number, message: string): Answer => ({
  status: 200,
  body: `${[
    ['errors', 'last_message'],
    ['Int32', 'String'],
    [errors, message],
  ]
    .map((line) => JSON.stringify(line))
    .join('\n')}\n`,
});
const network = (visibility: string): Answer => ({ status: 200, body: { visibility } });

let postgres: TestPostgres;
let signoz: LocalServer;
let networkApi: LocalServer;
let trackingApi: LocalServer;
let sources: DataSources;
let skills: Skills;
let settings: Readonly<Record<string, string>>;

beforeAll(async () => {
  postgres = await startPostgres();
  await postgres.exec(readFileSync(`${SKILLS_DIR}/ocean_debugging/fixtures/warehouse.sql`, 'utf8'));
});
afterAll(() => postgres.close());

beforeEach(async () => {
  signoz = await startServer(() => clickhouse(0, ''));
  networkApi = await startServer(() => network('granted'));
  trackingApi = await startServer(({ url }) =>
    url.pathname.endsWith('/processing')
      ? { status: 200, body: { waiting: 0, failed: 0, reason: null } }
      : { status: 200, body: { subscription: 'active', events: 0, last_event_at: null } },
  );
  settings = {
    OCEAN_WAREHOUSE_URL: postgres.url,
    OCEAN_SIGNOZ_URL: signoz.url,
    OCEAN_SIGNOZ_CREDENTIALS: 'reader:log-secret',
    SUPER_API_URL: networkApi.url,
    SUPER_API_KEY: 'network-secret',
    JT_URL: `${trackingApi.url}/v1`,
    JT_USERNAME: 'hub',
    JT_PASSWORD: 'jt-secret',
  };
  const log = createRecordingLog();
  sources = createDataSources({ dataDir: '/nowhere', secret: (name) => settings[name], log, scopes: {} });
  skills = createSkillEngine({
    services: {
      catalog,
      sources,
      model: {
        provider: 'offline',
        tier: () => 'small',
        complete: () => Promise.reject(new Error('offline')),
      },
      checkpointer: new MemorySaver(),
      clock: createFixedClock('2026-03-10T12:00:00.000Z'),
      ids: createSequentialIds('ocean'),
      log,
      commands: {},
    },
    store: createMemoryRunStore(),
    restorePack: () => null,
  });
});
afterEach(async () => {
  await sources.close();
  await Promise.all([signoz, networkApi, trackingApi].map((server) => server.close()));
});

const investigate = (id: string): Promise<SkillRun> =>
  skills.run({ skillId: 'ocean_debugging', input: { load: { id } }, caller: OPERATOR });

function findingOf(run: SkillRun): InvestigationResult {
  expect(run.error).toBeNull();
  expect(run.handoff).toBeNull();
  if (run.result?.kind !== 'investigation') throw new Error(`an investigation was expected: ${run.status}`);
  return run.result.value;
}

describe('[SKP-02] ocean_debugging on a real Postgres, over HTTP and over the interface of ClickHouse', () => {
  it('[SKP-02 SKD-40] asks before a relationship that is missing is created, and says whom to connect', async () => {
    const asked = await investigate('SHP-1002');
    // A relationship is not created before somebody has agreed to it.
    expect(asked.handoff).toMatchObject({ at: 'step_1_network_relationship', trigger: 'critical_decision' });
    const found = findingOf(await skills.resume(asked.runId, { choice: 'A', by: 'operator:mia' }));
    expect(found).toMatchObject({
      root_cause: 'Network relationship missing',
      path: ['step_1_network_relationship'],
      recommended_action: {
        action: 'create_relationship',
        human_approval_required: true,
        arguments: { shipper_id: 'acme', carrier_id: 'CMDU' },
      },
    });
    expect(networkApi.seen).toEqual([]);
    // The checks ran beside the path, and found nothing against it.
    expect(found.evidence.map(({ step, decision }) => `${step} ${decision}`)).toEqual(
      expect.arrayContaining(['step_signoz_logs clean', 'step_justtransform_history none']),
    );
  });

  it('[SKP-02 SKS-01] finds references that differ, by real timestamps and through joins', async () => {
    const run = await investigate('SHP-1004');
    const found = findingOf(run);
    expect(found.root_cause).toBe('Identifier mismatch');
    expect(found.recommended_action?.arguments).toEqual({
      load_id: 'SHP-1004',
      container_number: 'MSKU9990011',
    });
    expect(found.path).toEqual([
      'step_1_network_relationship',
      'step_1_live_network',
      'step_2_carrier_files',
      'step_3_file_matching',
    ]);
    expect(run.usage.api_calls).toBe(6);
  });

  it('[SKP-02] knows by the clock that a carrier has been silent for a month', async () => {
    expect(findingOf(await investigate('SHP-1003'))).toMatchObject({
      root_cause: 'Carrier sends no files',
      impact: 'critical',
    });
  });

  it('[SKP-02 SKS-02 SKE-02] shows each API its own credentials, and ClickHouse its values apart from the statement', async () => {
    await investigate('SHP-1001');
    expect(networkApi.seen.map(({ method, url }) => `${method} ${url.pathname}`)).toEqual([
      'GET /v2/relationships/acme/MAEU',
    ]);
    expect(networkApi.seen[0]?.headers['x-api-key']).toBe('network-secret');
    expect(trackingApi.seen.map(({ url }) => url.pathname)).toEqual([
      '/v1/loads/SHP-1001/subscription',
      '/v1/loads/SHP-1001/processing',
    ]);
    const basic = Buffer.from('hub:jt-secret').toString('base64');
    expect(trackingApi.seen[0]?.headers.authorization).toBe(`Basic ${basic}`);
    expect(trackingApi.seen[0]?.headers['x-api-key']).toBeUndefined();
    const [query] = signoz.seen;
    expect(query?.headers['x-clickhouse-user']).toBe('reader');
    expect(query?.body).toContain("attributes_string['load_id'] = {p1:String}");
    expect(query?.body).not.toContain('SHP-1001');
    expect(query?.url.searchParams.get('param_p1')).toBe('SHP-1001');
  });

  it('[SKP-02 SKT-06] asks before the carrier desk is bothered, and goes on with the answer', async () => {
    const waiting = await investigate('SHP-1001');
    expect(waiting.status).toBe('waiting');
    expect(waiting.handoff).toMatchObject({
      at: 'step_5_processing',
      trigger: 'critical_decision',
      proposal: { root_cause: 'No fault on our side' },
    });
    expect(waiting.handoff?.options.map(({ id }) => id)).toEqual(['A', 'C']);
    const before = trackingApi.seen.length;
    const run = await skills.resume(waiting.runId, { choice: 'A', by: 'operator:mia' });
    expect(findingOf(run)).toMatchObject({
      root_cause: 'No fault on our side',
      recommended_action: { action: 'escalate_to_engineering' },
      handoffs: [{ at: 'step_5_processing', choice: 'A', by: 'operator:mia' }],
    });
    expect(trackingApi.seen.length).toBe(before);
  });

  it('[SKP-02 SKT-05] puts two explanations before a person where the logs contradict the files', async () => {
    signoz.answer = () => clickhouse(4, 'SCHEMA: segment LOC');
    const waiting = await investigate('SHP-1004');
    expect(waiting.handoff).toMatchObject({
      trigger: 'contradictory_data',
      proposal: { root_cause: 'Identifier mismatch' },
    });
    expect(waiting.handoff?.found.map(({ finding }) => finding).join(' ')).toContain('SCHEMA: segment LOC');
  });

  it('[SKP-02 SKB-02] goes on without the logs where they are down, and says what is missing', async () => {
    signoz.answer = () => ({ status: 500, body: 'Code: 1000. DB::Exception: out of luck' });
    const found = findingOf(await investigate('SHP-1004'));
    expect(found).toMatchObject({ root_cause: 'Identifier mismatch', partial: true });
    const failed = found.evidence.find(({ step }) => step === 'step_signoz_logs');
    expect(failed?.error?.code).toBe('source_unavailable');
    expect(failed?.error?.message).toContain('signoz');
  });

  it('[SKP-02 SKB-02] asks where an API answers nonsense, with the way round it among the options', async () => {
    networkApi.answer = () => ({ status: 200, body: { visibility: 'maybe' } });
    const waiting = await investigate('SHP-1004');
    expect(waiting.handoff).toMatchObject({ at: 'step_1_live_network', trigger: 'stuck', proposal: null });
    const failed = waiting.handoff?.found.find(({ step }) => step === 'step_1_live_network');
    expect(failed?.error?.code).toBe('source_bad_answer');
    expect(failed?.error?.message).toContain('response_schema of the mapping live_relationship');
    const run = await skills.resume(waiting.runId, { choice: 'D', by: 'operator:mia' });
    expect(findingOf(run)).toMatchObject({ root_cause: 'Identifier mismatch', partial: true });
  });

  it('[SKP-02 SKB-03] refuses a shipment number that is none before anybody is asked', async () => {
    await expect(investigate("SHP-1' OR '1'='1")).rejects.toMatchObject({ code: 'input_invalid' });
    expect(signoz.seen).toEqual([]);
  });
});

describe('[SKD-42] a chat of a company that has ocean loads', () => {
  it('[SKD-42] takes their symptoms to the procedure, with the load that is named', async () => {
    const hub = await openHub({ env: { ...settings, HUB_SKILLS_DIR: SKILLS_DIR } });
    try {
      for (const text of [
        'Why is load U123 not tracking?',
        'Awaiting Tracking Info for load U123',
        'wrong vessel departure date on U123',
        'A carga U123 está aguardando informações de rastreamento',
      ]) {
        const reply = await hub.say('ana.souza@example.com', text);
        const { investigations } = await hub.app.desk.show(reply.ticketId);
        expect(investigations, `${text}: ${reply.reply}`).toMatchObject([{ skillId: 'ocean_debugging' }]);
        expect(JSON.stringify(investigations), text).toContain('U123');
      }
    } finally {
      await hub.close();
    }
  });
});
