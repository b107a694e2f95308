import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMap, isScalar, parseDocument, visit } from 'yaml';
import { z } from 'zod';
import { languageAmong } from '../core/domain/language.js';
import { HubError } from '../core/errors.js';
import { brandColor, currencyCode } from './company.js';

const SCHEMAS = fileURLToPath(new URL('../../docs/schemas', import.meta.url));

/** The line by which editors complete a file of a company and mark what is wrong in it. @param kind name of its schema */
export function schemaLine(file: string, kind: string): string {
  return `# yaml-language-server: $schema=${relative(dirname(file), join(SCHEMAS, `${kind}.schema.json`))}\n`;
}

const TEMPLATE = fileURLToPath(new URL('./template', import.meta.url));
/** The shapes of the files of a folder. */
const SCHEMA_OF: Readonly<Record<string, string>> = { entities: 'entity', reads: 'read', actions: 'action' };
/** Those that the template is written in. */
const LANGUAGES = ['en', 'pt-BR', 'es'] as const;

/** What is asked of whoever starts a company. */
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
});

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
  const { languages, ...about } = parsed.data;
  const values: Readonly<Record<string, string>> = { ...about, time_zone_name: about.time_zone_name ?? '' };
  cpSync(TEMPLATE, folder, { recursive: true });
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
    const text = inLanguages(readFileSync(path, 'utf8'), languages, values);
    writeFileSync(path, `${schemaLine(path, schemaOf(folder, path))}${text}`);
  }
  return written;
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
): string {
  const document = parseDocument(text);
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

/** How people of a language call a time zone: "Brasilia Standard Time". */
function zoneName(language: string, timeZone: string): string {
  const parts = new Intl.DateTimeFormat(language, { timeZone, timeZoneName: 'longGeneric' }).formatToParts();
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
}
