import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { OutsideCaller } from '../../../src/core/capabilities.js';
import { ANONYMOUS } from '../../../src/core/domain/customer.js';
import type { SkillReach } from '../../../src/core/domain/skill.js';
import { createMemoryRunStore } from '../../../src/skills/run/detached-runs.js';
import { json, startHttpServer, type TestHttpServer } from '../../support/http-server.js';
import { type Hub, openHub, seededDir } from '../../support/hub.js';
import { answering, openEngine } from '../../support/skill-engine.js';
import { packOf } from '../../support/skill-packs.js';
import { attackerModels, ObedientModel } from '../safety/attacker.js';
import { ANA, outcomeOf } from '../safety/books.js';
import { as, call, programOf, STAFF, VISITOR, writePacks } from './support.js';

const SYMPTOM = 'they charged me twice';
const ANA_RUNS = { kind: 'customer', customerId: 'usr_001' } as const;

const head = (id: string, type: string) =>
  `id: ${id}\nversion: 1.0.0\ntitle: ${id}\ndescription: A pack of the test.\nowner: test\nstatus: active\ntype: ${type}\n`;
const NAMED = `input_schema: { type: object, required: [name], properties: { name: { type: string } } }\n`;
const PART = `inputs: { name: "{input.name}" }`;
const step = (action: string) => `entry_point: look
steps:
  look:
    name: Look
    action: ${action}
    decisions: { always: { condition: "true", confidence: 0.9, conclusion: { root_cause: looked } } }
`;

/** What the hub reaches through them: whoever asks an API, a server, another database or a program chooses whose data it is. */
const REACHES: Readonly<Record<string, SkillReach>> = {
  contact: 'everybody',
  in_composite: 'everybody',
  in_nested: 'everybody',
  in_tree: 'everybody',
  depot: 'everybody',
  warehouse: 'everybody',
  other_database: 'everybody',
  program: 'everybody',
  own_rows: 'customer',
  own_composite: 'customer',
  echo: 'customer',
};
const FAR = Object.keys(REACHES).filter((id) => REACHES[id] === 'everybody');
const INPUT = { name: 'bruno' };

function packs(url: string): Readonly<Record<string, string>> {
  const book = `data_sources: { book: { kind: http, endpoint: '${url}' } }\n`;
  const database = (name: string) => `data_sources: { db: { kind: sqlite, database: ${name} } }\n`;
  const query = step('{ type: query, source: db, query_template: SELECT * FROM users }');
  const mappings =
    'mappings: { look: { source: book, path: "/contacts/{name}", params: { required: [name] } } }\n';
  const http = 'implementation: { type: http_call, handler: look }\n';
  return {
    'contact/skill.yaml': `${head('contact', 'atomic')}${NAMED}${book}${http}`,
    'contact/api_mappings.yaml': mappings,
    'in_composite/skill.yaml': `${head('in_composite', 'composite')}${NAMED}sub_skills: [{ name: find, skill: contact, ${PART} }]\n`,
    'in_nested/skill.yaml': `${head('in_nested', 'composite')}${NAMED}sub_skills: [{ name: inner, path: ./sub_skills/inner, ${PART} }]\n`,
    'in_nested/sub_skills/inner/skill.yaml': `${head('inner', 'composite')}${NAMED}sub_skills: [{ name: find, skill: in_tree, ${PART} }]\n`,
    'in_tree/skill.yaml': `${head('in_tree', 'decision_tree')}${NAMED}`,
    'in_tree/decision_tree.yaml': step('{ type: skill, skill: contact }'),
    'depot/skill.yaml': `${head('depot', 'decision_tree')}${NAMED}${book}`,
    'depot/decision_tree.yaml': step(
      '{ type: api, source: book, method: GET, path: "/contacts/{input.name}" }',
    ),
    'warehouse/skill.yaml': `${head('warehouse', 'decision_tree')}data_sources: { db: { kind: postgres, url: 'postgres://127.0.0.1:1/x' } }\n`,
    'warehouse/decision_tree.yaml': query,
    'other_database/skill.yaml': `${head('other_database', 'decision_tree')}${database('warehouse')}`,
    'other_database/decision_tree.yaml': query,
    'program/skill.yaml': `${head('program', 'atomic')}implementation: { type: cli_command, handler: echo, args: [hello] }\n`,
    'own_rows/skill.yaml': `${head('own_rows', 'decision_tree')}${database('cultpass')}`,
    'own_rows/decision_tree.yaml': query,
    'own_composite/skill.yaml': `${head('own_composite', 'composite')}sub_skills: [{ name: rows, skill: own_rows }, { name: echo, skill: echo }]\n`,
    'echo/skill.yaml': `${head('echo', 'atomic')}implementation: { type: ts_function, handler: pass_through }\n`,
  };
}

let book: TestHttpServer;
let hub: Hub;
let model: ObedientModel;
let ana: OutsideCaller;
const lookUp = (name: string) => ({
  name: 'investigate',
  args: { problem: SYMPTOM, skill_id: name, details: INPUT },
});
beforeAll(async () => {
  book = await startHttpServer((_, response) => json(response, { name: 'Bruno Lima' }));
  const dataDir = await seededDir();
  const folder = writePacks(dataDir, {}, packs(book.url));
  model = new ObedientModel([lookUp('depot'), 'Nothing.', lookUp('depot'), 'Looked.']);
  const env = { HUB_SKILLS_DIR: `${process.cwd()}/skills:${folder}`, HUB_SKILL_COMMANDS: 'echo=/bin/echo' };
  hub = await openHub({ dataDir, env, models: attackerModels({ investigation: model }) });
  ana = await programOf(hub, ANA);
});
afterAll(async () => {
  await hub.close();
  await book.close();
});
beforeEach(() => book.answer((_, response) => json(response, { name: 'Bruno Lima' })));

const offered = (caller?: OutsideCaller) =>
  hub.app.capabilities.list(caller).flatMap(({ kind, name }) => (kind === 'skill' ? [name] : []));
const runs = (skill: string) =>
  hub
    .query('udahub', 'SELECT run_id FROM skill_runs WHERE skill_id = ?', skill)
    .map(({ run_id }) => String(run_id));

describe("a skill that cannot be held to one customer's rows", () => {
  it('[CAP-22] is known by all that it and its parts may ask', () => {
    const reaches = Object.fromEntries(hub.app.skills.list().map(({ id, reach }) => [id, reach]));
    expect(reaches).toMatchObject(REACHES);
    const shipped = Object.entries(reaches).filter(([id]) => !(id in REACHES));
    // The address book of email_workflow answers from the pack, where no other is connected.
    expect(shipped.flatMap(([id, reach]) => (reach === 'everybody' ? [id] : []))).toEqual([
      'ocean_debugging',
    ]);
    expect(shipped.length).toBeGreaterThan(8);
    expect(hub.app.skills.get('in_nested', '1.0.0').reach).toBe('everybody');
  });

  it('[CAP-22] is offered to staff and to nobody else', () => {
    const everything = hub.app.skills.list().map(({ id }) => id);
    expect([...offered(STAFF)].sort()).toEqual([...everything].sort());
    for (const caller of [ana, VISITOR, undefined]) {
      const shown = offered(caller);
      expect(shown.filter((id) => [...FAR, 'ocean_debugging'].includes(id))).toEqual([]);
      expect(shown).toEqual(expect.arrayContaining(['own_rows', 'own_composite', 'echo', 'missing_refund']));
      const { agents, get } = hub.app.capabilities;
      const names = agents(caller).flatMap(({ capabilities }) => capabilities.map(({ name }) => name));
      expect(names.filter((id) => FAR.includes(id))).toEqual([]);
      expect(() => get('contact', caller)).toThrow(/no tool or skill "contact"/);
    }
  });

  it("[CAP-22] runs for staff, and those that keep to the customer's rows for a program", async () => {
    for (const name of ['contact', 'in_composite', 'in_nested', 'in_tree', 'depot'])
      expect((await call(hub, STAFF, name, INPUT)).kind, name).toBe('done');
    expect(book.requests).toHaveLength(5);
    as('done', await call(hub, STAFF, 'program'));
    for (const name of ['own_rows', 'own_composite', 'echo'])
      expect((await call(hub, ana, name)).kind, name).toBe('done');
  });

  it("[CAP-23] is not run for a customer's program, by whatever name and whichever door", async () => {
    const before = hub.query('udahub', 'SELECT run_id FROM skill_runs').length;
    for (const name of [...FAR, 'ocean_debugging']) {
      expect(await outcomeOf(call(hub, ana, name, INPUT)), name).toBe('not_found');
      const visitor = { identity: ANONYMOUS, scopes: ana.scopes, channel: 'a2a' } as const;
      expect(await outcomeOf(call(hub, visitor, name, INPUT)), name).toBe('not_found');
      const run = hub.app.skills.run({ skillId: name, input: INPUT, caller: ANA_RUNS });
      expect(await outcomeOf(run), name).toBe('forbidden');
    }
    expect(hub.query('udahub', 'SELECT run_id FROM skill_runs')).toHaveLength(before);
    expect(book.requests).toEqual([]);
  });

  it("[CAP-23] is not reached from a program's conversation, whatever its model says, and stays in the chat", async () => {
    const { conversations, capabilities } = hub.app;
    const { identity } = ana;
    const limits = { scopes: ['account:read', 'skill:run'], agent: null } as const;
    const before = runs('depot').length;
    const { threadId } = await conversations.create(identity, limits);
    await conversations.send({ identity, threadId, text: SYMPTOM, channel: 'a2a' });
    expect(model.left).toBe(2);
    expect(runs('depot')).toHaveLength(before);
    expect(book.requests).toEqual([]);
    await hub.say(ANA, SYMPTOM);
    expect(model.left).toBe(0);
    expect(book.requests.map(({ url }) => url)).toEqual(['/contacts/bruno']);
    const [chats = ''] = runs('depot').slice(before);
    expect(await outcomeOf(capabilities.status(ana, chats))).toBe('not_found');
    expect((await capabilities.status(STAFF, chats)).kind).toBe('done');
    const [own = ''] = runs('own_rows');
    expect((await capabilities.status(ana, own)).kind).toBe('done');
  });

  it('[CAP-23] is refused as a part where a composite comes upon it on the way', async () => {
    const store = createMemoryRunStore();
    const sources = answering({ book: [] });
    const look = { id: 'look', input_schema: { type: 'object', required: ['name'] } };
    const pair = packOf({
      id: 'pair',
      sub_skills: [{ name: 'first', skill: 'look' }],
      input_schema: { type: 'object' },
    });
    const harmless = packOf({ ...look, implementation: { type: 'ts_function', handler: 'pass_through' } });
    const far = packOf(
      {
        ...look,
        data_sources: { book: { kind: 'http', endpoint: book.url } },
        implementation: { type: 'http_call', handler: 'look' },
      },
      {
        mappings: new Map([
          ['look', { source: 'book', path: '/x', params: { required: [], optional: [] }, cache_ttl: 0 }],
        ]),
      },
    );
    const first = openEngine({ packs: [pair, harmless], store, sources });
    const waits = await first.skills.run({ skillId: 'pair', input: {}, caller: ANA_RUNS });
    expect(waits.handoff?.trigger).toBe('missing_parameter');
    const later = openEngine({ packs: [pair, far], store, sources, label: 'later' });
    const answer = { choice: 'A', by: 'operator:op_1', input: INPUT };
    const run = await later.skills.resume(waits.runId, answer);
    expect(JSON.stringify(run)).toContain('"code":"forbidden"');
    expect(sources.asked).toEqual([]);
  });
});
