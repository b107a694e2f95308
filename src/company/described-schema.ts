import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { readYaml } from './yaml-file.js';

const FILE = fileURLToPath(new URL('./keys.yaml', import.meta.url));
type Node = Record<string, unknown>;
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

/**
 * A JSON Schema of a company's file with what each of its keys is for, so that editors say it.
 * @param name of the schema
 * @throws HubError `config_invalid` where nothing says what a key is for
 */
export function describedSchema(name: string, schema: object): object {
  const words = readYaml('keys', FILE, z.record(z.string(), z.string().max(200)));
  const wordsFor = (path: readonly string[]): string | undefined => {
    const last = path.at(-1) ?? '';
    return words[path.join('.')] ?? words[`${path.at(-2)}.${last}`] ?? words[last];
  };
  const walk = (node: unknown, path: readonly string[]): unknown => {
    if (Array.isArray(node)) return node.map((one) => walk(one, path));
    if (!isNode(node)) return node;
    return Object.fromEntries(
      Object.entries(node).map(([key, value]) => {
        if (key !== 'properties' || !isNode(value))
          return [key, walk(value, key === '$defs' ? [name, 'input'] : path)];
        const described = Object.entries(value).map(([property, one]) => {
          const own = [...path, property];
          const description = wordsFor(own);
          return [
            property,
            { ...(description === undefined ? {} : { description }), ...(walk(one, own) as Node) },
          ];
        });
        return [key, Object.fromEntries(described)];
      }),
    );
  };
  return walk(schema, [name]) as object;
}
