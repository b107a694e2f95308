import type {
  EntityRecord,
  EntityWords,
  RecordFact,
  RecordRow,
  RecordSection,
} from '../../core/domain/entity.js';
import { isObject, type JsonObject, type JsonValue } from '../../core/domain/json.js';
import { inLanguage } from '../../core/domain/language.js';
import { HubError } from '../../core/errors.js';
import type { Sentences } from '../../core/i18n/index.js';
import type { Expressions, Formula, SourceSpec } from '../../core/ports/data-source.js';
import type { CustomerRecords } from '../../core/ports/index.js';
import { wrongAt } from '../yaml-file.js';
import { type Asker, badAnswer, namesCustomer } from './asking.js';
import { askSentences, type InputSpec, recordInputs } from './inputs.js';
import { type ActionSpec, type ReadSpec, type RecordsSpec, templateOf } from './schemas.js';
import { compileAll, holds, isoTime } from './values.js';

/** An entity whose records are read as YAML says. */
export interface RecordEntity {
  readonly words: EntityWords;
  readonly spec: RecordsSpec;
}

/** The customers' records of every entity that declares how they are read. */
export function declaredRecords(
  entities: readonly RecordEntity[],
  {
    currency,
    asker,
    expressions,
    moment,
  }: {
    readonly currency: string;
    readonly asker: Asker;
    readonly expressions: Expressions;
    /** `now` and `today` of expressions. */
    readonly moment: () => JsonObject;
  },
): CustomerRecords {
  const compiled = new Map(
    entities.map(({ words, spec }) => {
      const { upcoming, ...fields } = spec.fields;
      const declared = Object.entries(fields).flatMap(([name, text]) =>
        text ? [[name, text] as const] : [],
      );
      return [
        words.id,
        {
          spec,
          fields: compileAll(Object.fromEntries(declared), expressions),
          attributes: compileAll(spec.attributes, expressions),
          upcoming: expressions.formula(upcoming),
        },
      ] as const;
    }),
  );
  const read = async (entity: string, customerId: string): Promise<readonly EntityRecord[]> => {
    const one = compiled.get(entity);
    if (!one) return [];
    const at = moment();
    const rows = await asker.read({ ...one.spec.read, one: false }, { customer_id: customerId, ...at });
    return (Array.isArray(rows) ? rows : []).flatMap((row): readonly EntityRecord[] => {
      const scope = { row, ...at };
      const value = isObject(row) ? valuesOf(one.fields, scope) : null;
      const id = value?.('id') ?? null;
      // Left out, the customer would be told that there is no such record.
      if (value === null || (id === null && one.spec.read.source !== undefined))
        throw badAnswer(one.spec.read, `what is no record of the kind "${entity}"`);
      if (id === null) return [];
      const amount = value('amount');
      return [
        {
          entity,
          id: String(id),
          title: String(value('title') ?? id),
          status: String(value('status') ?? ''),
          startsAt: isoTime(value('starts_at')),
          place: textOf(value('place')),
          amount: amount === null ? null : { minorUnits: Number(amount), currency },
          upcoming: holds(one.upcoming, scope),
          attributes: Object.fromEntries(
            [...one.attributes].map(([name, formula]) => [name, plainOf(formula.value(scope) ?? null)]),
          ),
        },
      ];
    });
  };
  const shared = [...compiled].flatMap(([id, { spec }]) => (spec.read.public ? [id] : []));
  return {
    // Nobody's own, and told to anybody.
    ...(shared.length > 0 && {
      catalogue: async () => (await Promise.all(shared.map((entity) => read(entity, '')))).flat(),
    }),
    async list(customerId, entity) {
      // What is the same for everybody is nobody's own.
      const own = [...compiled.keys()].filter((id) => !shared.includes(id));
      const wanted = entity === undefined ? own : [entity];
      const all = (await Promise.all(wanted.map((one) => read(one, customerId)))).flat();
      return [...all.filter(({ upcoming }) => upcoming), ...all.filter(({ upcoming }) => !upcoming)];
    },
    find: async (entity, customerId, id) =>
      (await read(entity, customerId)).find((record) => record.id === id) ?? null,
    sections: async (customerId, texts) =>
      Promise.all(
        entities.map(async ({ words, spec }): Promise<RecordSection> => {
          const records = await read(words.id, customerId);
          return {
            id: words.id,
            label: inLanguage(spec.label, texts.language) ?? words.id,
            kind: 'list',
            empty: inLanguage(spec.empty, texts.language) ?? '',
            rows: records.map((record) => rowOf(record, spec, texts)),
          };
        }),
      ),
  };
}

function valuesOf(fields: ReadonlyMap<string, Formula>, scope: JsonObject): (name: string) => JsonValue {
  return (name) => fields.get(name)?.value(scope) ?? null;
}

function textOf(value: JsonValue): string | null {
  return value === null || value === '' ? null : String(value);
}

function plainOf(value: JsonValue): string | number | boolean | null {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}

function rowOf(
  { id, title, status, startsAt, place, amount }: EntityRecord,
  spec: RecordsSpec,
  texts: Sentences,
): RecordRow {
  const declared = Object.hasOwn(spec.statuses, status) ? spec.statuses[status] : undefined;
  const label = declared && inLanguage(declared.label, texts.language);
  const facts: RecordFact[] = [];
  if (startsAt !== null) facts.push({ label: null, type: 'time', value: startsAt });
  if (place !== null) facts.push({ label: null, type: 'text', value: place });
  if (amount !== null)
    facts.push({ label: null, type: 'money', value: amount.minorUnits, currency: amount.currency });
  return {
    ...{ id, title, facts },
    status: status === '' ? null : { value: status, label: label ?? status, tone: declared?.tone ?? 'plain' },
  };
}

/** What the files of a company must be before anything is made of them: above all, held to the customer who asks. */

/** @throws HubError `config_invalid`, with one line that names the file, the key and what is wrong */
export type Demand = (file: string, key: string, spec: ReadSpec, owned?: readonly string[]) => void;

/** What every call must be: of a source that there is, readable, and held to the customer who asks. */
export function demandIn(sources: ReadonlyMap<string, SourceSpec>, expressions: Expressions): Demand {
  return (file, key, spec, owned = []) => {
    if (spec.source !== undefined && !sources.has(spec.source))
      throw wrongAt('company', file, `${key}.source`, `sources.yaml has no source "${spec.source}"`);
    if (spec.source === undefined && spec.query === undefined)
      throw wrongAt('company', file, `${key}.source`, 'is missing: a path or a tool is asked of a source');
    const kind = spec.source === undefined ? undefined : sources.get(spec.source)?.kind;
    if ((spec.tool !== undefined) !== (kind === 'mcp' || kind === 'module'))
      throw wrongAt(
        'company',
        file,
        key,
        'asks an MCP server or a module for something else than a tool, or another source for one',
      );
    inFile(file, () => {
      if (spec.rows) expressions.formula(spec.rows);
      if (spec.query) expressions.statement(spec.query, {});
    });
    if (!spec.public && !namesCustomer(expressions, { ...spec }, owned))
      throw wrongAt(
        'company',
        file,
        key,
        'does not name {customer_id}, so that it would show what is not the customer’s; say `public: true` of what is the same for everybody',
      );
  };
}

/** What was read for the customer before leads on. @throws HubError `config_invalid` */
export function demandReads(
  demand: Demand,
  path: string,
  reads: Readonly<Record<string, ReadSpec>>,
  isPublic: boolean,
): void {
  const owned: string[] = [];
  for (const [name, spec] of Object.entries(reads)) {
    demand(path, `read.${name}`, { ...spec, public: spec.public || isPublic }, owned);
    if (!spec.public && !isPublic) owned.push(name);
  }
}

/** Whose a record is, its entity says. @throws HubError `config_invalid` */
export function demandKnown(
  what: string,
  path: string,
  input: Readonly<Record<string, InputSpec>>,
  entities: readonly RecordEntity[],
): void {
  const blind = recordInputs(input).find(({ entity }) => !entities.some(({ words }) => words.id === entity));
  if (blind)
    throw wrongAt(
      what,
      path,
      ['input', ...blind.path, 'entity'].join('.'),
      `entities/${blind.entity}.yaml has no \`records\`, so that nobody knows whose they are`,
    );
}

/** A change is spoken of in every sentence it needs, and held to the customer. @throws HubError `config_invalid` */
export function demandAction(
  path: string,
  spec: ActionSpec,
  sources: ReadonlyMap<string, SourceSpec>,
  expressions: Expressions,
): void {
  const [missing] = missingSentences(spec);
  if (missing !== undefined) throw wrongAt('action', path, `says.${missing}`, 'is missing');
  const { perform } = spec;
  const kind = perform.source === undefined ? 'own' : sources.get(perform.source)?.kind;
  const needed =
    'sql' in perform ? ['own', 'sqlite', 'postgres'] : 'tool' in perform ? ['mcp', 'module'] : ['http'];
  if (!needed.includes(kind ?? ''))
    throw wrongAt(
      'action',
      path,
      'perform.source',
      `sources.yaml has no source "${perform.source}" of the kind ${needed.filter((one) => one !== 'own').join(' or ')}`,
    );
  if ('sql' in perform) {
    for (const [at, one] of perform.sql.entries()) {
      const template = templateOf(one);
      inFile(path, () => {
        expressions.statement(template, {});
        if (typeof one !== 'string') expressions.formula(one.when);
      });
      if (!namesCustomer(expressions, { sql: template }))
        throw wrongAt(
          'action',
          path,
          `perform.sql.${at}`,
          'does not name {customer_id}, so that it could change what is not the customer’s',
        );
    }
    return;
  }
  const owned = Object.entries(spec.read).flatMap(([name, read]) =>
    read.one && !read.optional && !read.public ? [name] : [],
  );
  if (owned.length === 0 && !namesCustomer(expressions, { ...perform }))
    throw wrongAt(
      'action',
      path,
      'perform',
      'neither names {customer_id}, nor does the action read one record of the customer’s first',
    );
}

/** The sentences without which an action cannot be spoken of. */
function missingSentences(spec: ActionSpec): readonly string[] {
  const needed = [
    'confirm',
    'done',
    'matter',
    'unchanged',
    'request',
    ...(spec.approval ? ['approval'] : []),
    ...askSentences(spec.input, spec.target?.input),
  ];
  const named = [...spec.deny.flatMap(({ say }) => say ?? []), ...spec.effects.map(({ say }) => say)];
  return [...needed, ...named].filter((part) => !isObject(spec.says[part]));
}

/** An expression that is wrong is told with the file that it stands in. */
export function inFile<Value>(file: string, work: () => Value): Value {
  try {
    return work();
  } catch (error) {
    if (error instanceof HubError && error.code === 'expression_invalid')
      throw new HubError('config_invalid', `${file}: ${error.message}`, { file });
    throw error;
  }
}
