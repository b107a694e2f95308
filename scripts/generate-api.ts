import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import openapiTs, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { createApp } from '../src/app/app.js';
import { type ConfigContext, EXIT, isProgram, withConfig } from '../src/surfaces/command.js';
import { createHttpApp } from '../src/surfaces/http/http-app.js';
import { createHttpDeps } from '../src/surfaces/http/server.js';

// Writes the types of what the HTTP API says, for the pages, from the document that the server answers with.

/** The file that the pages import. */
export const API_TYPES = fileURLToPath(new URL('../src/surfaces/web/shared/api-types.d.ts', import.meta.url));

const HEADER = `/* Made by \`npm run generate:api\` from /openapi.json, which the zod schemas of the routes make. */\n\n`;
const LINE = 110;

/**
 * The types of a document's schemas. What a company declares (issue types) is any text: the pages are built for all.
 * @param document what /openapi.json answers
 */
export async function apiTypes(document: unknown): Promise<string> {
  const whole = JSON.parse(JSON.stringify(document, unexplained)) as OpenAPI3;
  const schemas = whole.components?.schemas ?? {};
  const { paths: _paths, ...rest } = whole;
  const nodes = await openapiTs({ ...rest, paths: {}, components: { schemas } }, { immutable: true });
  const text = astToString(nodes)
    .replaceAll('"', "'")
    .replace(/^ +\/\*\* @enum \{string\} \*\/\n/gm, '');
  const types = [...text.matchAll(/^ {8}readonly (\w+): (.*?;)\n(?= {8}readonly| {4}\})/gms)].map(
    ([, name, type]) => `export type ${name} = ${type?.replace(/^( {8}| {4}(?=\}))/gm, '')}`,
  );
  return `${HEADER}${types.map(folded).join('\n')}\n`;
}

/** Without examples, explanations and the values that are the company's. */
function unexplained(key: string, value: unknown): unknown {
  // A property may be called so too: its value is a schema.
  if (key === 'example' || (typeof value === 'string' && (key === 'description' || key === 'format')))
    return undefined;
  const isIssueType = key === 'issue_type' && typeof value === 'object' && value !== null && 'enum' in value;
  return isIssueType ? { type: 'string' } : value;
}

/** Refers to other types by their names, and writes on one line what fits on one. */
function folded(type: string): string {
  const named = type
    .replace(/components\['schemas'\]\['(\w+)'\]/g, '$1')
    .replace(/^( {4})+/gm, (indent) => ' '.repeat(indent.length / 2));
  return named.replace(/^(.*)\{\n([^{}]*)\n *\}(.*)$/gm, (block, before, inner, after) => {
    const line = `${before}{ ${inner.trim().replace(/;\n */g, '; ').replace(/;$/, '')} }${after}`;
    return line.length <= LINE ? line : block;
  });
}

if (isProgram(import.meta.url)) {
  const dataDir = await mkdtemp(join(tmpdir(), 'hub-api-types-'));
  const set = { HUB_DATA_DIR: dataDir, HUB_MODEL_PROVIDER: 'offline' };
  const write = async ({ config }: ConfigContext): Promise<number> => {
    const app = await createApp(config);
    try {
      const http = createHttpApp(createHttpDeps(app, config));
      await writeFile(API_TYPES, await apiTypes(await (await http.request('/openapi.json')).json()));
      return EXIT.done;
    } finally {
      await app.close();
    }
  };
  await withConfig(process, write, { set }).finally(() => rm(dataDir, { recursive: true }));
}
