import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Capability, OutsideCaller } from '../../../src/core/capabilities.js';
import type { JsonObject } from '../../../src/core/domain/json.js';
import { type Hub, openHub, seededDir } from '../../support/hub.js';
import { AGENTS } from '../../support/roster.js';
import { ANA, BRUNO, outcomeOf } from '../safety/books.js';
import { as, call, programOf, STAFF, VISITOR, writePacks } from './support.js';

const IDENTITY = /^(?:customer|user|client|account)(?:_(?:id|name|email))?$|^(?:owner|tenant|email)$/;

const atomic = (id: string, more: string): string =>
  `id: ${id}\nversion: 1.0.0\ntitle: ${id}\ndescription: A pack of the test.\nowner: test\ntype: atomic\n${more}`;
const ECHO =
  'implementation: { type: ts_function, handler: pass_through }\noutput_schema: { type: object }\n';
const PACKS = {
  get_reservations: atomic('get_reservations', `status: active\n${ECHO}`),
  not_published: atomic('not_published', `status: poc\n${ECHO}`),
  changes_things: atomic('changes_things', `status: active\npolicy: { effect: write }\n${ECHO}`),
  nested_names: atomic(
    'nested_names',
    `status: active
input_schema:
  type: object
  required: [order, userId]
  properties:
    userId: { type: string }
    customer_name: { type: string }
    email: { type: string, format: email }
    order:
      type: object
      required: [customer_id, sku]
      properties:
        customer_id: { type: string }
        sku: { type: string }
        lines: { type: array, items: { type: object, properties: { client: { type: object }, n: { type: integer } } } }
${ECHO}`,
  ),
};

let hub: Hub;
let ana: OutsideCaller;
beforeAll(async () => {
  const dataDir = await seededDir();
  const HUB_SKILLS_DIR = `${process.cwd()}/skills:${writePacks(dataDir, PACKS)}`;
  hub = await openHub({ dataDir, env: { HUB_SKILLS_DIR } });
  ana = await programOf(hub, ANA);
});
afterAll(() => hub.close());

const all = (): readonly Capability[] => hub.app.capabilities.list();
const nameOf = ({ name }: Capability): string => name;

/** Every property name of a JSON schema, however deep. */
function propertyNames(schema: unknown): readonly string[] {
  if (Array.isArray(schema)) return schema.flatMap(propertyNames);
  if (schema === null || typeof schema !== 'object') return [];
  const { properties, ...rest } = schema as JsonObject;
  const own = Object.entries((properties ?? {}) as JsonObject);
  return [
    ...own.flatMap(([name, value]) => [name, ...propertyNames(value)]),
    ...propertyNames(Object.values(rest)),
  ];
}

describe('what other software may call', () => {
  it('[CAP-01] is each tool of the roster once, then each published skill, and nothing else', () => {
    const names = all().map(nameOf);
    expect(new Set(names).size).toBe(names.length);
    const roster = ['classify_ticket', ...AGENTS.flatMap(({ tools }) => tools.map(({ name }) => name))];
    const tools = [...new Set(roster)].filter((name) => name !== 'investigate');
    expect(names.slice(0, tools.length)).toEqual(tools);
    const skills = all().filter(({ kind }) => kind === 'skill');
    expect(skills.map(nameOf)).toEqual(
      expect.arrayContaining(['missing_refund', 'resolve_ticket', 'nested_names']),
    );
    for (const hidden of ['not_published', 'changes_things', 'investigate'])
      expect(names).not.toContain(hidden);
    expect(hub.app.capabilities.get('get_reservations')).toMatchObject({
      kind: 'tool',
      agent: 'account',
      agents: ['account', 'action'],
    });
    const told = hub.log.entries.filter(({ action }) => action === 'skill_not_offered');
    expect(told.map(({ details }) => details?.skill).sort()).toEqual(['changes_things', 'get_reservations']);
  });

  it('[CAP-01] is grouped by agent, and says what each needs', async () => {
    const agents = hub.app.capabilities.agents();
    expect(agents.map(({ name }) => name)).toEqual(['triage', ...AGENTS.map(({ name }) => name)]);
    expect(agents.filter(({ converses }) => !converses).map(({ name }) => name)).toEqual(['triage']);
    expect(new Set(agents.flatMap(({ capabilities }) => capabilities.map(nameOf)))).toEqual(
      new Set(all().map(nameOf)),
    );
    const scopes = Object.fromEntries(all().map(({ name, scope }) => [name, scope]));
    expect(scopes).toMatchObject({
      search_knowledge: null,
      classify_ticket: null,
      lookup_user: 'account:read',
      cancel_reservation: 'action:write',
      record_customer_preference: 'action:write',
      missing_refund: 'skill:run',
    });
    expect(await outcomeOf(call(hub, ana, 'no_such_thing'))).toBe('not_found');
    expect(await outcomeOf(call(hub, ana, 'toString'))).toBe('not_found');
  });

  it('[CAP-02] has no input that could say who the customer is, however deep', () => {
    for (const { name, inputSchema } of all()) {
      const said = propertyNames(inputSchema).filter((field) =>
        IDENTITY.test(field.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase()),
      );
      expect(said, name).toEqual([]);
    }
    expect(propertyNames(hub.app.capabilities.get('nested_names').inputSchema)).toEqual([
      'order',
      'sku',
      'lines',
      'n',
    ]);
    const staffed = hub.app.capabilities.get('missing_refund', STAFF).inputSchema;
    expect(propertyNames(staffed)).toContain('customer');
  });

  it('[CAP-03] has schemas of objects that strict validators of two drafts take', () => {
    const validators = [new Ajv2020({ allowUnionTypes: true }), new Ajv({ allowUnionTypes: true })];
    for (const { name, inputSchema, outputSchema } of all()) {
      for (const [at, schema] of Object.entries({ inputSchema, outputSchema })) {
        expect(schema.type, `${name} ${at}`).toBe('object');
        for (const ajv of validators) expect(() => ajv.compile(schema), `${name} ${at}`).not.toThrow();
      }
    }
  });

  it.each([
    ['lookup_user', {}],
    ['get_subscription', {}],
    ['get_reservations', { include_past: false }],
    ['get_customer_context', {}],
    ['record_customer_preference', { key: 'contact_method', value: 'email' }],
    ['classify_ticket', { message: 'my refund is missing!' }],
    ['search_knowledge', { query: 'how do I pause my plan?', top_k: 2 }],
    ['find_experiences', { text: 'samba' }],
    ['missing_refund', { message: 'my refund is missing' }],
    ['resolve_ticket', { message: 'my refund is missing' }],
    ['summarise_ticket', { message: 'my refund is missing' }],
    ['review_reply', { reply: 'Hello, your refund is on its way.', facts: 'A refund is on its way.' }],
    ['nested_names', { order: { sku: 'a' } }],
  ] as const)('[CAP-03] %s gives what its output schema says', async (name, input) => {
    const { data } = as('done', await call(hub, ana, name, input));
    const validate = new Ajv2020({ strict: false }).compile(hub.app.capabilities.get(name).outputSchema);
    validate(JSON.parse(JSON.stringify(data)));
    expect(validate.errors).toBeNull();
  });

  it('[CAP-04] names the field of an input that is wrong, and takes nothing it does not know', async () => {
    const faults = async (name: string, input: JsonObject) =>
      call(hub, ana, name, input).then(
        () => 'resolved',
        ({ code, fields }) => [code, ...fields.errors.map((error: { field: string }) => error.field)],
      );
    expect(await faults('get_reservations', { include_past: 'yes' })).toEqual([
      'input_invalid',
      'include_past',
    ]);
    expect(await faults('get_reservations', { customer_id: 'usr_002' })).toEqual([
      'input_invalid',
      'customer_id',
    ]);
    expect(await faults('get_reservations', JSON.parse('{"__proto__": 1}'))).toEqual([
      'input_invalid',
      '__proto__',
    ]);
    expect(await faults('search_knowledge', {})).toEqual(['input_invalid', 'query']);
    expect(await faults('missing_refund', {})).toEqual(['input_invalid', 'message']);
    expect(await faults('missing_refund', { message: 'x', customer: { user_id: 'usr_002' } })).toEqual([
      'input_invalid',
      'customer',
    ]);
    expect(await faults('missing_refund', { message: 'x', more: 1 })).toEqual(['input_invalid', 'more']);
    expect(await faults('draft_reply', { ticket_summary: 'x', findings: 3 })).toEqual([
      'input_invalid',
      'findings',
    ]);
    const nested = JSON.parse(`${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`);
    for (const broken of [nested, null, [], 'text'])
      expect(await faults('nested_names', broken as JsonObject)).toEqual(['input_invalid', '']);
    const long = { message: 'a'.repeat(600_000) };
    expect(await outcomeOf(call(hub, ana, 'classify_ticket', long))).toBe('input_too_large');
  });

  it('[CAP-05] fills in who the customer is, from the verified identity alone', async () => {
    const given = {
      order: { sku: 'a', customer_id: 'usr_002', lines: [{ n: 1, client: { user_id: 'usr_002' } }] },
    };
    const { data } = as('done', await call(hub, ana, 'nested_names', given));
    const result = data.result as JsonObject;
    expect(result).toMatchObject({
      userId: 'usr_001',
      customer_name: 'Ana Souza',
      email: ANA,
      order: { customer_id: 'usr_001', sku: 'a' },
    });
    expect(JSON.stringify(result)).not.toContain('usr_002');
  });

  it('[CAP-06] shows nothing without a sign-in, nothing without its scope, and nothing of somebody else', async () => {
    as('done', await call(hub, VISITOR, 'search_knowledge', { query: 'opening hours' }));
    for (const name of ['lookup_user', 'cancel_reservation', 'missing_refund'])
      expect(await outcomeOf(call(hub, VISITOR, name)), name).toBe('not_signed_in');
    const reader = await programOf(hub, ANA, ['account:read']);
    as('done', await call(hub, reader, 'lookup_user'));
    for (const [name, input] of [
      ['cancel_reservation', { reservation_id: 'res_002' }],
      ['record_customer_preference', { key: 'language', value: 'en' }],
      ['missing_refund', { message: 'x' }],
    ] as const)
      expect(await outcomeOf(call(hub, reader, name, input)), name).toBe('scope_missing');
    const bare = await programOf(hub, ANA, []);
    expect(await outcomeOf(call(hub, bare, 'get_reservations'))).toBe('scope_missing');
    const bruno = await programOf(hub, BRUNO);
    const { data } = as('done', await call(hub, bruno, 'get_reservations'));
    expect(JSON.stringify(data)).not.toContain('res_002');
    const foreign = await call(hub, bruno, 'missing_refund', {
      message: 'my refund',
      reservation_id: 'res_007',
    });
    expect(foreign).toMatchObject({ kind: 'refused', error: { code: 'not_found' } });
  });

  it('[CAP-06] lets staff run skills for a customer, and keeps it from the record of one', async () => {
    expect(await outcomeOf(call(hub, STAFF, 'lookup_user'))).toBe('forbidden');
    expect(await outcomeOf(call(hub, STAFF, 'cancel_reservation', { reservation_id: 'res_002' }))).toBe(
      'forbidden',
    );
    const input = {
      message: 'my refund is missing',
      customer: { user_id: 'usr_001' },
      reservation_id: 'res_007',
    };
    const { data } = as('done', await call(hub, STAFF, 'missing_refund', input));
    expect(data.result).toMatchObject({ root_cause: 'refund_on_its_way' });
  });

  it('[CAP-07] leaves a line in the log and nothing else of a call that only reads', async () => {
    const before = { hub: hub.dump('udahub'), cultpass: hub.dump('cultpass') };
    const secret = 'my very private sorrow about the samba night';
    as('done', await call(hub, ana, 'classify_ticket', { message: secret }));
    as('done', await call(hub, ana, 'get_customer_context'));
    expect({ hub: hub.dump('udahub'), cultpass: hub.dump('cultpass') }).toEqual(before);
    const lines = hub.log.entries.filter(({ action }) => action === 'capability_called').slice(-2);
    expect(lines[0]?.details).toMatchObject({
      name: 'classify_ticket',
      channel: 'mcp',
      caller: 'customer:usr_001',
      outcome: 'done',
      args: { message: `(${secret.length} characters)` },
    });
    const draft = { ticket_summary: secret, findings: { [secret]: secret } };
    as('done', await call(hub, ana, 'draft_reply', draft));
    await expect(call(hub, ana, 'lookup_user', { [secret]: 1 })).rejects.toMatchObject({
      code: 'input_invalid',
    });
    expect(JSON.stringify(hub.log.entries)).not.toContain('private sorrow');
  });

  it('[CAP-07] refuses what a tool finds wrong by its code, and notes a resolution on the last ticket only', async () => {
    expect(await call(hub, ana, 'get_article_by_id', { article_id: 'nope' })).toMatchObject({
      kind: 'refused',
      error: { code: 'not_found' },
    });
    expect(
      await call(hub, ana, 'record_customer_preference', { key: 'language', value: 'fr' }),
    ).toMatchObject({
      kind: 'refused',
      error: { code: 'input_invalid' },
    });
    const note = { resolution_type: 'answered', summary: 'All clear.' };
    const bruno = await programOf(hub, BRUNO);
    expect(await call(hub, bruno, 'record_resolution', note)).toMatchObject({ error: { code: 'not_found' } });
    const { ticketId } = await hub.say(ANA, 'what are your opening hours?');
    as('done', await call(hub, ana, 'record_resolution', note));
    const rows = hub.query('udahub', `SELECT ticket_id FROM ticket_resolutions WHERE summary = 'All clear.'`);
    expect(rows).toEqual([{ ticket_id: ticketId }]);
  });
});
