import { basename, join } from 'node:path';
import type { SkillSubject } from '../../core/workbench.js';
import { loadCompany } from '../company.js';
import { readRecords } from '../entities.js';
import { isDeclared, readYaml } from '../yaml-file.js';
import { yamlIn } from './check-formulas.js';
import { readFiles, readSources } from './declare.js';
import { type ActionSpec, actionSchema, customersSchema, type RecordsSpec } from './schemas.js';

/** A column as it is, or a number as the text that it is in the hub. */
const COLUMN = /^(?:row\.(\w+)|string\(row\.(\w+)\))$/;
const columnOf = (formula: string): string | undefined => {
  const [, plain, asText] = COLUMN.exec(formula) ?? [];
  return plain ?? asText;
};

/**
 * What a skill of a company in YAML may start from: its languages, and records that its statements can read.
 * @param folder absolute path of the company
 * @param skill id of the skill, which may name an entity
 * @returns null for a company with code of its own @throws HubError `config_invalid`
 */
export function skillSubject(folder: string, skill: string): SkillSubject | null {
  if (!isDeclared(folder)) return null;
  const { profile, nlu } = loadCompany(folder);
  const { languages } = profile;
  const actions = yamlIn(folder, 'actions').map((file) => readYaml('action', file, actionSchema));
  const found = nlu.entities.flatMap(({ id, nouns }) => {
    const spec = readRecords(folder, id);
    const records = spec && readable(folder, id, spec, actions);
    if (!records) return [];
    const noun = Object.fromEntries(
      languages.map((tag) => [tag, (nouns[tag] ?? nouns[tag.split('-')[0] ?? ''])?.[0] ?? id]),
    );
    return [{ entity: id, noun, ...records }];
  });
  const named = (entity: string) => skill.includes(entity);
  const rank = (one: (typeof found)[number]) =>
    (named(one.entity) ? 4 : 0) + (one.change ? 2 : 0) + (one.status ? 1 : 0);
  const [records = null] = found.sort((a, b) => rank(b) - rank(a));
  return { languages, records };
}

/** What a statement of a skill can read of an entity; null where it cannot. */
function readable(
  folder: string,
  entity: string,
  { read, fields, statuses, label }: RecordsSpec,
  actions: readonly ActionSpec[],
) {
  const key = columnOf(fields.id);
  if (read.query === undefined || key === undefined || read.public) return null;
  const source = sourceOf(folder, read.source, read.query);
  if (source === null) return null;
  const status = columnOf(fields.status) ?? null;
  const change = actions.flatMap(({ name, target, input }) => {
    const taken = target && input[target.input];
    return taken?.type === 'record' && taken.entity === entity && Object.keys(input).length === 1
      ? [{ action: name, input: target?.input ?? '' }]
      : [];
  });
  return {
    ...{ source, key, status, label, query: read.query },
    title: columnOf(fields.title) ?? null,
    statuses: Object.fromEntries(
      Object.entries(status === null ? {} : statuses).map(([name, said]) => [name, said.label]),
    ),
    change: change[0] ?? null,
  };
}

/** The source as skills name it; null for one that none can ask in a customer's name. */
function sourceOf(folder: string, name: string | undefined, query: string) {
  if (name !== undefined) {
    const file = join(folder, 'sources.yaml');
    const spec = readSources(file).get(name);
    if (spec?.kind === 'postgres') return { kind: 'postgres', url: spec.url, access: 'read' };
    const own = readFiles(file).find(({ source }) => source.name === name);
    return own && isHeld(query, own.scope) ? { kind: 'sqlite', database: name, access: 'read' } : null;
  }
  const { tables } = readYaml('customers', join(folder, 'customers.yaml'), customersSchema);
  return isHeld(query, tables) ? { kind: 'sqlite', database: basename(folder), access: 'read' } : null;
}

/** True where all that a statement reads has rows of which it is known whose they are: a skill sees those of one customer. */
function isHeld(query: string, tables: Readonly<Record<string, string>>): boolean {
  const asked = [...query.matchAll(/\b(?:from|join)\s+(\w+)/gi)].map(([, table = '']) => table);
  return asked.length > 0 && asked.every((table) => Object.hasOwn(tables, table));
}
