import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, extname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Document, isCollection, isMap, isPair, isScalar, parseDocument, stringify, visit } from 'yaml';
import { z } from 'zod';
import { languageAmong } from '../core/domain/language.js';
import { HubError } from '../core/errors.js';
import { brandColor, currencyCode } from './company.js';
import { zoneName } from './zone-name.js';

const SCHEMAS = fileURLToPath(new URL('../../docs/schemas', import.meta.url));

/** The line by which editors complete a file of a company and mark what is wrong in it. @param kind name of its schema */
export function schemaLine(file: string, kind: string): string {
  return `# yaml-language-server: $schema=${relative(dirname(file), join(SCHEMAS, `${kind}.schema.json`))}\n`;
}

const TEMPLATE = fileURLToPath(new URL('./template', import.meta.url));
/** What stands in place of files of the template. */
const PARTS = fileURLToPath(new URL('./parts', import.meta.url));
/** What the template has of orders. */
const SAMPLE = /^(?:entities|reads|actions|articles)$|^data\/(?:tables|seed)\/001_orders\.sql$/;
/** The shapes of the files of a folder. */
const SCHEMA_OF: Readonly<Record<string, string>> = { entities: 'entity', reads: 'read', actions: 'action' };
/** Those that the template is written in. */
const LANGUAGES = ['en', 'pt-BR', 'es'] as const;

/** What is asked of the one who starts a company. */
const newCompanySchema = z.strictObject({
  name: z.string().trim().min(1).max(60),
  about: z.string().trim().min(1).max(200).default('a shop'),
  languages: z
    .array(z.string())
    .min(1)
    .default(['en'])
    .transform((tags, context) =>
      tags.map((tag) => {
        const known = languageAmong(tag, LANGUAGES);
        if (known === undefined)
          context.addIssue({
            code: 'custom',
            message: `${tag} has no template; there are ${LANGUAGES.join(', ')}. docs/companies.md says how another one is added`,
          });
        return known ?? tag;
      }),
    ),
  time_zone: z.string().default('UTC'),
  time_zone_name: z.string().min(1).optional(),
  currency: currencyCode.default('EUR'),
  color: brandColor.optional(),
  /** Where they are. */
  customers: z
    .string()
    .regex(
      /^(?:own|token|sqlite:.+|postgres:[A-Z][A-Z0-9_]*|https?:\/\/.+)$/,
      'must be own, token, sqlite:FILE, postgres:VARIABLE or the address of a service',
    )
    .default('own'),
  /** What its tools are made of. */
  tools: z
    .string()
    .regex(/^(?:sample|none|openapi:.+|mcp:.+)$/, 'must be sample, none, openapi:FILE or mcp:URL')
    .optional(),
});
type NewCompany = z.infer<typeof newCompanySchema>;

/**
 * Writes the folder of a company that works as it stands: customers and orders with a look-up and a change, a few articles.
 * @param folder where; there must be nothing yet
 * @returns how many files were written
 * @throws HubError `usage` where there is something, or where what is given is wrong
 */
export function writeNewCompany(folder: string, given: unknown): number {
  const parsed = newCompanySchema.safeParse(given);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new HubError('usage', `${issue?.path.join('.')}: ${issue?.message}`, { folder });
  }
  if (existsSync(folder)) throw new HubError('usage', `There is something at ${folder} already.`, { folder });
  const { languages, customers, tools: _tools, ...about } = parsed.data;
  const values: Readonly<Record<string, string>> = { ...about, time_zone_name: about.time_zone_name ?? '' };
  const [kind = ''] = customers.split(':');
  const hasSample = toolsOf(parsed.data) === 'sample';
  cpSync(TEMPLATE, folder, {
    recursive: true,
    filter: (path) => hasSample || !SAMPLE.test(relative(TEMPLATE, path).split(sep).join('/')),
  });
  if (!hasSample) cpSync(join(PARTS, 'bare'), folder, { recursive: true });
  const elsewhere = kind === 'token' ? 'token' : kind.startsWith('http') ? 'http' : null;
  if (elsewhere !== null) cpSync(join(PARTS, elsewhere), folder, { recursive: true });
  const own = [...(elsewhere === null ? ['customers'] : []), ...(hasSample ? ['orders'] : [])];
  if (DATABASES.has(kind) || own.length === 0) rmSync(join(folder, 'data'), { recursive: true });
  else if (elsewhere !== null)
    for (const room of ['tables', 'seed']) rmSync(join(folder, 'data', room, '001_customers.sql'));
  const source = sourceFor(customers, folder);
  if (source !== null) writeFileSync(join(folder, 'sources.yaml'), stringify({ sources: source }));
  let written = 0;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    written += 1;
    const path = join(entry.parentPath, entry.name);
    const [, tag] = /\.([\w-]+)\.md$/.exec(entry.name) ?? [];
    if (tag !== undefined && !languages.includes(tag)) {
      rmSync(path);
      written -= 1;
    }
    if (!entry.name.endsWith('.yaml')) continue;
    const text = inLanguages(readFileSync(path, 'utf8'), languages, values, (document) => {
      if (DATABASES.has(kind)) overDatabase(document);
      if (entry.name === 'customers.yaml') withTables(document, DATABASES.has(kind) ? [] : own);
      if (entry.name === 'company.yaml' && toolsOf(parsed.data) === 'none')
        document.set('off', document.createNode({ agents: ['account', 'action', 'investigation'] }));
    });
    writeFileSync(path, `${schemaLine(path, schemaOf(folder, path))}${text}`);
  }
  return written;
}

/** Databases of a company's own, in which its tables are already. */
const DATABASES: ReadonlySet<string> = new Set(['sqlite', 'postgres']);
/** What a company's own database is called in its files. */
const DATABASE = 'database';
/** What a service that customers and tools are asked of is called. */
const SERVICE = 'api';

/** An address is asked for what its own document or server says: the sample is about tables. */
function toolsOf({ customers, tools }: Pick<NewCompany, 'customers' | 'tools'>): string {
  return tools ?? (/^https?:/.test(customers) ? 'none' : 'sample');
}

/** The system that customers are in; null where that is the hub's own database, or a token. */
function sourceFor(customers: string, folder: string): Readonly<Record<string, object>> | null {
  const [kind = '', ...rest] = customers.split(':');
  const where = rest.join(':');
  if (kind === 'sqlite') return { [DATABASE]: { kind, file: relative(folder, resolve(where)) } };
  if (kind === 'postgres') return { [DATABASE]: { kind, url: `env:${where}` } };
  return /^https?$/.test(kind) ? { [SERVICE]: { kind: 'http', endpoint: customers } } : null;
}

/** Every statement is one of the company's own database. */
function overDatabase(document: Document): void {
  visit(document, {
    Map(_key, node) {
      if (node.has('query') || node.has('sql')) node.items.unshift(document.createPair('source', DATABASE));
    },
  });
}

/** Leaves out what `customers.yaml` says of tables that there are not. */
function withTables(document: Document, tables: readonly string[]): void {
  for (const key of ['tables', 'erase']) {
    const node = document.get(key);
    if (!isCollection(node)) continue;
    node.items = node.items.filter((item) =>
      tables.some((table) =>
        new RegExp(`\\b(?:UPDATE )?${table}\\b`).test(isPair(item) ? String(item.key) : String(item)),
      ),
    ) as typeof node.items;
    if (node.items.length === 0) document.delete(key);
  }
}

/** Name of the schema of a file. */
function schemaOf(folder: string, path: string): string {
  const [room = ''] = relative(folder, path).split(sep);
  return SCHEMA_OF[room] ?? basename(room, '.yaml');
}

/** A file of the template in some languages, with its gaps filled; its comments stay. */
function inLanguages(
  text: string,
  languages: readonly string[],
  values: Readonly<Record<string, string>>,
  edit: (document: Document) => void,
): string {
  const document = parseDocument(text);
  edit(document);
  visit(document, {
    Map(_key, node) {
      const tags = node.items.map(({ key }) => (isScalar(key) ? String(key.value) : ''));
      if (!tags.every((tag) => (LANGUAGES as readonly string[]).includes(tag))) return;
      node.items = node.items.filter((_item, at) => languages.includes(tags[at] ?? ''));
    },
    Scalar(_key, node) {
      if (typeof node.value !== 'string') return;
      node.value = node.value.replaceAll(/\{\{(\w+)\}\}/g, (mark, name: string) => values[name] ?? mark);
    },
  });
  if (isMap(document.contents) && document.has('languages')) {
    document.set('languages', document.createNode([...languages], { flow: true }));
    for (const language of languages)
      if (values.time_zone_name === '')
        document.setIn(['time_zone_name', language], zoneName(language, values.time_zone ?? 'UTC'));
    if (values.color !== undefined) document.set('brand', document.createNode({ color: values.color }));
  }
  return document.toString({ lineWidth: 0 });
}

/** What an archive may hold: a company is text, and a model of a few megabytes. */
const LIMITS = { files: 5_000, bytes: 200_000_000 } as const;
/** Run by the one who opens the company. */
const CODE = new Set(['.ts', '.js', '.mjs', '.cjs', '.mts', '.cts', '.node', '.sh']);

/**
 * Writes a company's folder to one archive (tar, gzip). Hidden files and databases stay behind.
 * @param folder absolute path
 * @returns how many files it holds
 * @throws HubError `usage` where a file is none, such as a link
 */
export async function packCompany(folder: string, file: string): Promise<number> {
  const files = filesIn(folder).map((path) => relative(folder, path));
  const { create } = await import('tar');
  await create({ file, cwd: folder, gzip: true, portable: true, noMtime: true, strict: true }, files);
  return files.length;
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !name.startsWith('.') && name !== 'node_modules' && !/\.db(?:-\w+)?$/.test(name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return filesIn(path);
      if (entry.isFile()) return [path];
      throw new HubError('usage', `${path} is a link or a device; an archive holds files.`, { path });
    });
}

/**
 * Writes the files of an archive to a new folder: all of them, or none.
 * @param withCode whether it may bring programs, which run with the rights of the hub
 * @returns how many files were written
 * @throws HubError `usage` where there is something already, or the archive is broken, too large, leads out of the folder or
 * brings what it may not
 */
export async function unpackCompany(file: string, folder: string, withCode = false): Promise<number> {
  if (existsSync(folder)) throw new HubError('usage', `There is something at ${folder} already.`, { folder });
  const refuse = (why: string): HubError => new HubError('usage', `${file} ${why}`, { file });
  const faults: string[] = [];
  let [files, bytes] = [0, 0];
  const onReadEntry = ({ path, type, size }: { path: string; type: string; size: number }): void => {
    bytes += size;
    if (type === 'Directory') return;
    files += 1;
    if (type !== 'File') faults.push(`holds ${path}, which is no file`);
    if (!isWithin(folder, path)) faults.push(`holds ${path}, which leads out of its folder`);
    if (!withCode && CODE.has(extname(path).toLowerCase()))
      faults.push(`holds ${path}, a program; --with-code takes it from somebody you trust`);
  };
  const room = `${folder}.${process.pid}.new`;
  const { extract, list } = await import('tar');
  try {
    await list({ file, strict: true, onReadEntry });
    if (files > LIMITS.files || bytes > LIMITS.bytes) faults.push('is too large for a company');
    if (faults[0] !== undefined) throw refuse(`${faults[0]}.`);
    if (files === 0) throw refuse('is empty.');
    mkdirSync(room, { recursive: true });
    await extract({ file, cwd: room, strict: true, preserveOwner: false, noChmod: true });
    if (!existsSync(join(room, 'company.yaml'))) throw refuse('is no company: it has no company.yaml.');
    mkdirSync(dirname(folder), { recursive: true });
    renameSync(room, folder);
  } catch (error) {
    rmSync(room, { recursive: true, force: true });
    if (error instanceof HubError) throw error;
    throw refuse(`cannot be unpacked: ${error instanceof Error ? error.message : String(error)}`);
  }
  return files;
}

function isWithin(folder: string, path: string): boolean {
  if (path.startsWith('/') || path.includes('\\') || path.includes('\0') || /^[a-z]:/i.test(path))
    return false;
  return resolve(folder, path).startsWith(`${resolve(folder)}/`) && !path.split('/').includes('..');
}
