import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { AGENTS, ROSTER, TRIAGE } from '../../support/roster.js';

/** Words that name a person in an argument; the whole name or one of its parts. */
const IDENTITY =
  /(^|_)(user|users|customer|client|member|person|account|email|mail|owner|identity|identifier|login|cpf|phone|full_?name|username|tenant|operator|actor|session|thread|ticket)(_|$)/;

type JsonSchema = { readonly [key: string]: unknown };

/** Every property name of a JSON schema, however deep, as a path. */
function propertyPaths(schema: unknown, path = ''): readonly string[] {
  if (Array.isArray(schema)) return schema.flatMap((part) => propertyPaths(part, path));
  if (schema === null || typeof schema !== 'object') return [];
  const { properties, ...rest } = schema as JsonSchema;
  const own = Object.entries((properties ?? {}) as JsonSchema).flatMap(([name, value]) => [
    `${path}/${name}`,
    ...propertyPaths(value, `${path}/${name}`),
  ]);
  return [...own, ...Object.values(rest).flatMap((value) => propertyPaths(value, path))];
}

const snake = (name: string): string => name.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase();

function identityPaths(schema: z.ZodType): readonly string[] {
  const paths = propertyPaths(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
  return paths.filter((path) => IDENTITY.test(snake(path.split('/').at(-1) ?? '')));
}

/** True where an object that is not listed in the schema would reach the tool. */
function lets(schema: z.ZodType, key: string): boolean {
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  return json.additionalProperties !== undefined && json.additionalProperties !== false && key !== '';
}

describe('the schemas of the tools', () => {
  const tools = [...ROSTER.all.values()];

  it('[TOOL-01] sees every tool, and would see an identity however deep it is hidden', () => {
    expect(tools.length).toBeGreaterThanOrEqual(12);
    const shipped = [TRIAGE, ...AGENTS].flatMap((agent) => agent.tools.map(({ name }) => name));
    expect(new Set(shipped)).toEqual(new Set(tools.map(({ name }) => name)));
    const hidden = z.object({
      filter: z.array(z.union([z.object({ customerId: z.string() }), z.object({ by: z.string() })])),
      options: z.record(z.string(), z.object({ owner_email: z.string().optional() })).optional(),
    });
    expect(identityPaths(hidden)).toHaveLength(2);
    expect(propertyPaths(z.toJSONSchema(z.object({ a: z.object({ b: z.number() }) })))).toEqual([
      '/a',
      '/a/b',
    ]);
  });

  it.each(tools.map((tool) => [tool.name, tool] as const))(
    '[TOOL-02] %s cannot be told whose data to touch',
    (_name, tool) => {
      expect(identityPaths(tool.input)).toEqual([]);
      expect(lets(tool.input, 'user_id')).toBe(false);
      const extra = { user_id: 'usr_002', email: 'bruno.lima@example.com', customerId: 'usr_002' };
      const parsed = tool.input.safeParse({ ...extra });
      if (parsed.success) expect(Object.keys(parsed.data)).not.toEqual(expect.arrayContaining(['user_id']));
    },
  );

  it('[TOOL-07] gives irreversible tools to the action agent only, and none to those who only read', () => {
    const changing = AGENTS.filter(({ tools }) => tools.some(({ effect }) => effect === 'irreversible'));
    expect(changing.map(({ name }) => name)).toEqual(['action']);
    const actions = tools.filter(({ effect }) => effect === 'irreversible');
    expect(actions.length).toBeGreaterThanOrEqual(3);
    for (const { access } of actions) expect(access).toBe('customer');
  });
});
