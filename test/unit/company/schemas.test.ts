import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { companySchemas } from '../../../src/app/company-commands.js';
import type { JsonObject } from '../../../src/core/domain/json.js';
import { compileJsonSchema } from '../../../src/skills/json-schema.js';

const ROOT = new URL('../../../', import.meta.url).pathname;
const SHOP = join(ROOT, 'companies/shop');
const files = readdirSync(SHOP, { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.yaml') && !/^(?:eval|skills)\//.test(name),
);
const published = (name: string) =>
  JSON.parse(readFileSync(join(ROOT, 'docs/schemas', name), 'utf8')) as JsonObject;

describe('the JSON Schemas of a company', () => {
  it('[BYO-10] are those that the files are checked by; npm run company -- schemas writes them', () => {
    const made = companySchemas();
    expect(readdirSync(join(ROOT, 'docs/schemas')).sort()).toEqual(Object.keys(made).sort());
    for (const [name, schema] of Object.entries(made)) expect(published(name), name).toEqual(schema);
  });

  it('[BYO-68] tell what every key is for', () => {
    const silent = (node: unknown, path: string): readonly string[] => {
      if (typeof node !== 'object' || node === null) return [];
      return Object.entries(node).flatMap(([key, value]) => {
        const own = key === 'properties' && !Array.isArray(value) ? Object.entries(value as object) : [];
        const untold = own.filter(([, one]) => !Object.hasOwn(one as object, 'description'));
        return [...untold.map(([name]) => `${path}/${name}`), ...silent(value, `${path}/${key}`)];
      });
    };
    for (const [name, schema] of Object.entries(companySchemas())) expect(silent(schema, name)).toEqual([]);
  });

  it.each(files)('[BYO-10] fit %s, which names its own', (name) => {
    const text = readFileSync(join(SHOP, name), 'utf8');
    const [, path = ''] = /\$schema=(\S+)/.exec(text) ?? [];
    const schema = JSON.parse(readFileSync(join(SHOP, name, '..', path), 'utf8')) as JsonObject;
    const validate = compileJsonSchema(schema);
    const value: object = parse(text);
    expect(validate(value)).toEqual([]);
    expect(validate({ ...value, nonsense: true }), 'a key that there is not').toHaveLength(
      name === 'policy.yaml' ? 0 : 1,
    );
  });
});
