import { DefaultAgentCardResolver } from '@a2a-js/sdk/client';
import { isLegacyAgentCard, parseLegacyAgentCard } from '@a2a-js/sdk/compat/v0_3/client';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openServer, type TestServer } from '../../support/server.js';
import { faultsOf, programToken, specificSkillsOf } from './support.js';

const WELL_KNOWN = '/.well-known/agent-card.json';
const AGENTS = ['triage', 'knowledge', 'account', 'action', 'investigation'];

let at: TestServer;
beforeAll(async () => {
  at = await openServer();
});
afterAll(() => at.close());

const current = (path: string) => at.get(path, undefined, { 'a2a-version': '1.0' });

describe('agent cards', () => {
  it('[A2S-01] the hub and each agent have one, wherever clients look for it', async () => {
    const hub = await at.get(WELL_KNOWN);
    expect(hub.status).toBe(200);
    expect(hub.headers.get('content-type')).toBe('application/json');
    for (const path of ['/.well-known/agent.json', '/agents/hub/', `/agents/hub${WELL_KNOWN}`, '/a2a'])
      expect((await at.get(path)).text, path).toBe(hub.text);
    for (const agent of AGENTS) {
      const card = await at.get(`/agents/${agent}${WELL_KNOWN}`);
      expect(card.status, agent).toBe(200);
      expect(card.text).not.toBe(hub.text);
      for (const path of ['', '/', '/agent-card.json', '/agent.json', '/.well-known/agent.json'])
        expect((await at.get(`/agents/${agent}${path}`)).text, `${agent}${path}`).toBe(card.text);
    }
    const { agents } = (await at.get('/agents')).body as { agents: { name: string; card_url: string }[] };
    expect(agents.map(({ name }) => name)).toEqual(['hub', ...AGENTS]);
    for (const { card_url } of agents) expect((await fetch(card_url)).status).toBe(200);
  });

  it('[A2S-02] says what the rosters and the skills say, and nothing else', async () => {
    const { capabilities } = at.hub.app;
    const skillsOf = async (path: string) =>
      (await current(path)).body.skills as { id: string; description: string; tags: string[] }[];
    const all = await skillsOf(WELL_KNOWN);
    expect(all.map(({ id }) => id)).toEqual(capabilities.list().map(({ name }) => name));
    expect(all.length).toBeGreaterThan(15);
    for (const { id, description, tags } of all) {
      expect(description).toBe(capabilities.get(id).description);
      expect(tags.length, id).toBeGreaterThan(0);
    }
    for (const agent of capabilities.agents()) {
      const skills = await skillsOf(`/agents/${agent.name}`);
      expect(skills.map(({ id }) => id)).toEqual(agent.capabilities.map(({ name }) => name));
    }
  });

  it('[A2S-03] is a card of protocol 1.0, to the letter, for whoever asks for that version', async () => {
    const { body } = await current('/agents/account/');
    expect(Object.keys(body).sort()).toEqual([
      'capabilities',
      'defaultInputModes',
      'defaultOutputModes',
      'description',
      'documentationUrl',
      'name',
      'provider',
      'securityRequirements',
      'securitySchemes',
      'skills',
      'supportedInterfaces',
      'version',
    ]);
    const url = `${at.url}/agents/account`;
    expect(body.supportedInterfaces).toEqual([
      { url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
      { url, protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
    ]);
    expect(body.securitySchemes).toMatchObject({ bearer: { httpAuthSecurityScheme: { scheme: 'bearer' } } });
    expect(body.securityRequirements).toEqual([{}, { schemes: { bearer: {} } }]);
    const skills = body.skills as readonly { readonly id: string; readonly securityRequirements: unknown }[];
    expect(skills.find(({ id }) => id === 'get_customer_context')?.securityRequirements).toEqual([
      { schemes: { bearer: { list: ['account:read'] } } },
    ]);
    expect(body.version).toMatch(/^\d+\.\d+\.\d+$/);
  });

  it('[A2S-04] is read by the client of the SDK, of 1.0 and of 0.3', async () => {
    const resolver = new DefaultAgentCardResolver({ legacyCompat: { enabled: true } });
    for (const path of [WELL_KNOWN, '/agents/knowledge/.well-known/agent-card.json']) {
      const card = await resolver.resolve(at.url, path);
      expect(card.supportedInterfaces.map(({ protocolVersion }) => protocolVersion)).toEqual(['1.0', '0.3']);
      expect(card.securitySchemes.bearer?.scheme?.$case).toBe('httpAuthSecurityScheme');
      expect(card.securityRequirements).toHaveLength(2);
      expect(card.capabilities).toMatchObject({ streaming: true, pushNotifications: true });
      expect(specificSkillsOf(card).length).toBe(card.skills.length);
    }
    // A client of 0.3 names no version, and knows no supportedInterfaces.
    const { supportedInterfaces, ...known } = (await at.get(WELL_KNOWN)).body;
    expect(supportedInterfaces).toHaveLength(2);
    expect(isLegacyAgentCard(known)).toBe(true);
    const legacy = parseLegacyAgentCard(known);
    expect(known).toMatchObject({
      protocolVersion: '0.3.0',
      url: `${at.url}/a2a`,
      preferredTransport: 'JSONRPC',
      additionalInterfaces: [{ url: `${at.url}/a2a`, transport: 'JSONRPC' }],
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      security: [{}, { bearer: [] }],
    });
    expect(legacy.supportedInterfaces[0]?.url).toBe(`${at.url}/a2a`);
    expect(legacy.skills).toHaveLength((known.skills as unknown[]).length);
  });

  it('[A2S-05] tells in its extension how each skill is called directly', async () => {
    const skills = specificSkillsOf((await at.get(WELL_KNOWN)).body);
    expect(skills.map(({ name }) => name)).toEqual(at.hub.app.capabilities.list().map(({ name }) => name));
    const ajv = new Ajv2020({ strict: false });
    for (const skill of skills) {
      expect(skill.method).toBe('POST');
      expect(skill.description).toBeTruthy();
      expect(skill.endpoint).toMatch(new RegExp(`^${at.url}/agents/[a-z]+/skills/${skill.name}$`));
      for (const schema of [skill.input_schema, skill.output_schema]) {
        expect(schema, skill.name).toMatchObject({ type: 'object' });
        expect(ajv.validateSchema(schema), skill.name).toBe(true);
        ajv.compile(schema);
      }
      // Every endpoint is there: what it minds is the caller or the input.
      const { status, body } = await at.post(new URL(skill.endpoint).pathname, undefined, { no_such: 1 });
      expect([401, 422], `${skill.name}: ${JSON.stringify(body)}`).toContain(status);
      expect(status === 401, skill.name).toBe(skill.requires_sign_in);
    }
    expect(faultsOf(skills[0]?.input_schema ?? {}, { message: 'Where is my refund?' })).toEqual([]);
  });

  it('[A2S-06] is not sent again to whoever has it', async () => {
    const first = await at.get(WELL_KNOWN);
    const etag = first.headers.get('etag') ?? '';
    expect(first.headers.get('cache-control')).toBe('public, max-age=300');
    expect(first.headers.get('vary')).toContain('A2A-Version');
    const again = await at.get(WELL_KNOWN, undefined, { 'if-none-match': `"other", W/${etag}` });
    expect(again.status).toBe(304);
    expect(again.text).toBe('');
    expect((await current(WELL_KNOWN)).headers.get('etag')).not.toBe(etag);
    const head = await at.call('HEAD', WELL_KNOWN);
    expect([head.status, head.headers.get('etag'), head.text]).toEqual([200, etag, '']);
  });

  it('[A2S-07] says which agents there are to whoever asks for another', async () => {
    for (const [method, path] of [
      ['GET', '/agents/nobody'],
      ['POST', '/agents/nobody'],
      ['GET', '/agents/nobody/.well-known/agent-card.json'],
      ['POST', '/agents/nobody/tasks'],
      ['GET', '/agents/__proto__/skills'],
    ] as const) {
      const answer = await at.call(method, path, method === 'POST' ? { body: {} } : {});
      expect(answer.status, path).toBe(404);
      expect(answer.body).toMatchObject({ code: 'not_found', agents: ['hub', ...AGENTS] });
    }
  });

  it("[A2S-08] shows an operator's programs the fields that are staff's, and anybody the card", async () => {
    const staff = (
      await at.hub.app.sessions.issueFor(
        { operator: { operatorId: 'op_1', name: 'Olga' } },
        { scopes: ['skill:run'] },
      )
    ).token;
    const inputOf = async (token?: string) => {
      const answer = await at.get('/agents/investigation/', token);
      expect(answer.status).toBe(200);
      const found = specificSkillsOf(answer.body).find(({ name }) => name === 'double_charge');
      return [JSON.stringify(found?.input_schema), answer.headers.get('cache-control')] as const;
    };
    const [open] = await inputOf();
    expect(open).not.toContain('customer_id');
    expect((await inputOf(staff))[0]).not.toBe(open);
    expect((await inputOf(staff))[1]).toContain('private');
    expect((await inputOf(await programToken(at, 'ana.souza@example.com')))[0]).toBe(open);
    // A card tells how to get a better token.
    expect((await inputOf('not.a.token'))[0]).toBe(open);
  });
});

describe('agent cards behind a proxy', () => {
  it('[A2S-09] names the public address, and asks for a token where visitors may not ask', async () => {
    const behind = await openServer({
      env: { HUB_PUBLIC_URL: 'https://hub.example.com/support', HUB_A2A_ANONYMOUS: '0' },
    });
    try {
      const { body, text } = await behind.get(WELL_KNOWN, undefined, { 'a2a-version': '1.0' });
      expect(text).not.toContain('127.0.0.1');
      expect(body.supportedInterfaces).toMatchObject([
        { url: 'https://hub.example.com/support/a2a' },
        { url: 'https://hub.example.com/support/a2a' },
      ]);
      for (const { endpoint } of specificSkillsOf(body))
        expect(endpoint).toMatch(/^https:\/\/hub\.example\.com\/support\/agents\//);
      expect(body.securityRequirements).toEqual([{ schemes: { bearer: {} } }]);
      const asked = await behind.post('/agents/knowledge/skills/search_knowledge', undefined, { query: 'x' });
      expect(asked.status).toBe(401);
      expect(asked.headers.get('www-authenticate')).toContain('Bearer');
    } finally {
      await behind.close();
    }
  });
});
