import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import type { EntityWords } from '../../core/domain/entity.js';
import type { IntentTable } from '../../core/domain/intent.js';
import type { JsonObject } from '../../core/domain/json.js';
import { HubError } from '../../core/errors.js';
import type { Expressions, SourceSpec } from '../../core/ports/data-source.js';
import { type AskedAt, deadlineTime } from '../../runtime/asked-at.js';
import type { AnyTool } from '../../runtime/define-tool.js';
import type { Company } from '../company.js';
import type { CompanyBackend, CompanyCode, CompanyCodeOptions, CompanyFile } from '../company-code.js';
import { readRecords } from '../entities.js';
import { readYaml, wrongAt } from '../yaml-file.js';
import { actionTool, type CompiledAction, compileAction, judgedBy } from './actions.js';
import { createAsker, namesCustomer } from './asking.js';
import { yamlIn } from './check-formulas.js';
import { declaredCustomers, declaredDatabase, declaredPrivacy } from './database.js';
import {
  type Demand,
  declaredRecords,
  demandAction,
  demandIn,
  demandKnown,
  demandReads,
  inFile,
  type RecordEntity,
} from './demands.js';
import { createEffects, remoteActionOf } from './effects.js';
import { askSentences, createOwnership } from './inputs.js';
import { listingTool, lookupAnswers, lookupTool } from './lookups.js';
import {
  actionSchema,
  askedOfAgents,
  type CustomersSpec,
  customersSchema,
  type LookupSpec,
  listedBy,
  lookupSchema,
  type StandInSpec,
  sourcesSchema,
} from './schemas.js';

/** A company's own sections of `policy.yaml`: any, for what they say is the company's to read in expressions. */
const policy = z.looseObject({});

/** What of a company's folder says where its data are and what may be done with them. */
interface Declared {
  readonly customers: CustomersSpec;
  readonly sources: ReadonlyMap<string, SourceSpec>;
  readonly entities: readonly RecordEntity[];
  readonly lookups: readonly LookupSpec[];
  readonly actions: readonly CompiledAction[];
}

/**
 * The code of a company that has none: its tools are those that its files declare, and pass the same gate.
 * @param folder absolute path
 * @throws HubError `config_invalid`, with one line that names the file, the key and what is wrong
 */
export function declareCompany(
  { folder, id, nlu }: Pick<Company, 'folder' | 'id' | 'nlu'>,
  expressions: Expressions,
): CompanyCode {
  const declared = readDeclared(folder, nlu.entities, expressions);
  return {
    database: declaredDatabase(folder, id, declared.customers, expressions),
    policy,
    scope: declared.customers.tables,
    // Its own database goes by its name before a file does, where customers have anything in it.
    files: readFiles(join(folder, 'sources.yaml')).filter(
      ({ source }) => source.name !== id || Object.keys(declared.customers.tables).length === 0,
    ),
    privacy: (handle) => declaredPrivacy(handle, declared.customers, id, expressions),
    open: (options) => openDeclared(declared, options, expressions, nlu.intents),
  };
}

function openDeclared(
  { customers, sources: specs, entities, lookups, actions }: Declared,
  { database, policy: own, profile, sources, clock, time }: CompanyCodeOptions<unknown>,
  expressions: Expressions,
  intents: IntentTable,
): CompanyBackend {
  const asker = createAsker({ expressions, specs, sources, reader: database.reader });
  const shared = entities.filter(({ spec }) => !namesCustomer(expressions, { ...spec.read }));
  const ownership = createOwnership(new Set(shared.map(({ words }) => words.id)));
  const { currency } = profile;
  const moment = (asked: AskedAt = {}): JsonObject => {
    const now = deadlineTime({ clock }, asked);
    return { now: now.toISOString(), today: time.local(now).day };
  };
  const parts = { asker, expressions, policy: own as JsonObject, ownership, currency, moment };
  const remote = new Map(
    actions.flatMap((action) => {
      const made = remoteActionOf(action.spec, judgedBy(action));
      return made ? [[action.spec.name, made] as const] : [];
    }),
  );
  const effects = createEffects({ database, asker, expressions, remote });
  const tools: Record<string, AnyTool[]> = {};
  const give = (tool: AnyTool, agents: readonly string[]): void => {
    for (const agent of agents) tools[agent] = [...(tools[agent] ?? []), tool];
  };
  const lists = entities.map((entity) => ({ entity, tool: listingTool(entity, currency) }));
  for (const { entity, tool } of lists) give(tool, listedBy(entity.spec));
  const reads = lookups.map((spec) => ({ spec, tool: lookupTool(spec, parts) }));
  for (const { spec, tool } of reads) give(tool, askedOfAgents(spec));
  for (const action of actions) give(actionTool(action, parts, effects), action.spec.agents);
  return {
    customers: database.waiting(declaredCustomers(customers, asker, expressions, database)),
    records: database.waiting(declaredRecords(entities, parts)),
    tools,
    answers: lookupAnswers(
      reads,
      expressions,
      (intent) => (intents.has(intent) ? intents.of(intent).tool : null),
      lists.map(({ tool }) => tool),
    ),
    settle: effects.settle,
  };
}

/**
 * All that keeps a company in YAML from being read, one for each of its files.
 * @param folder absolute path
 */
export function declaredProblems(
  folder: string,
  words: readonly EntityWords[],
  expressions: Expressions,
): readonly HubError[] {
  const found: HubError[] = [];
  readDeclared(folder, words, expressions, (error) => found.push(error));
  return found;
}

const refuse = (error: HubError): never => {
  throw error;
};

/** @param onProblem told what is wrong with a file, which is left out then */
function readDeclared(
  folder: string,
  words: readonly EntityWords[],
  expressions: Expressions,
  onProblem: (error: HubError) => void = refuse,
): Declared {
  const each = <Item, Value>(items: readonly Item[], read: (item: Item) => Value | null): Value[] =>
    items.flatMap((item) => {
      try {
        return read(item) ?? [];
      } catch (error) {
        if (!(error instanceof HubError)) throw error;
        onProblem(error);
        return [];
      }
    });
  const [sources = new Map<string, SourceSpec>()] = each([join(folder, 'sources.yaml')], readSources);
  const demand = demandIn(sources, expressions);
  const [customers] = each([join(folder, 'customers.yaml')], (file) =>
    existsSync(file) ? readCustomers(file, demand) : null,
  );
  const entities = each(words, (one): RecordEntity | null => {
    const spec = readRecords(folder, one.id);
    if (spec) demand(join(folder, 'entities', `${one.id}.yaml`), 'records.read', spec.read);
    return spec ? { words: one, spec } : null;
  });
  const lookups = each(yamlIn(folder, 'reads'), (path) => {
    const spec = named(path, readYaml('read', path, lookupSchema));
    demandReads(demand, path, spec.read, spec.access === 'anyone');
    demandKnown('read', path, spec.input, entities);
    const [silent] = askSentences(spec.input).filter((part) => spec.says && !Object.hasOwn(spec.says, part));
    if (silent !== undefined) throw wrongAt('read', path, `says.${silent}`, 'is missing');
    return spec;
  });
  const actions = each(yamlIn(folder, 'actions'), (path) => {
    const spec = named(path, readYaml('action', path, actionSchema));
    demandReads(demand, path, spec.read, false);
    demandKnown('action', path, spec.input, entities);
    demandAction(path, spec, sources, expressions);
    if (spec.find_outcome) demand(path, 'find_outcome', { ...spec.find_outcome, public: true });
    return inFile(path, () => compileAction(spec, { expressions }));
  });
  return { customers: customers ?? NO_CUSTOMERS, sources, entities, lookups, actions };
}

/** Of a company that has no customers on record, and where they cannot be read and the rest is looked at all the same: nobody is one. */
const NO_CUSTOMERS = customersSchema.parse({
  by_id: { query: 'SELECT 1', public: true },
  by_email: { query: 'SELECT 1', public: true },
  fields: { id: 'row.id', name: 'row.name', email: 'row.email' },
});

/** @throws HubError `config_invalid` */
function readCustomers(file: string, demand: Demand): CustomersSpec {
  const customers = readYaml('customers', file, customersSchema);
  if (customers.by_id) demand(file, 'by_id', customers.by_id);
  if (customers.by_email) demand(file, 'by_email', { ...customers.by_email, public: true });
  if (customers.by_name) demand(file, 'by_name', { ...customers.by_name, public: true });
  if (customers.search) demand(file, 'search', { ...customers.search, public: true });
  return customers;
}

/** The systems of a company by name; none where the file is not there. @throws HubError `config_invalid` */
export function readSources(file: string): ReadonlyMap<string, SourceSpec> {
  if (!existsSync(file)) return new Map();
  return new Map(
    Object.entries(readYaml('sources', file, sourcesSchema).sources).map(([name, given]) => {
      const unset = { stand_in: undefined, timeout: undefined, tables: undefined };
      const { stand_in: _standIn, tables: _tables, timeout, ...spec } = { ...unset, ...given };
      return [
        name,
        {
          name,
          ...spec,
          ...('file' in spec || spec.kind === 'mcp' ? { folder: dirname(file) } : {}),
          ...(timeout === undefined ? {} : { timeoutMs: timeout * 1_000 }),
        } as SourceSpec,
      ];
    }),
  );
}

/** The SQLite files of a company with the rows that are a customer's. @param file `sources.yaml` @throws HubError `config_invalid` */
export function readFiles(file: string): readonly CompanyFile[] {
  const given = existsSync(file) ? readYaml('sources', file, sourcesSchema).sources : {};
  return [...readSources(file).values()].flatMap((source) => {
    const spec = given[source.name];
    return spec?.kind === 'sqlite' ? [{ source, scope: spec.tables }] : [];
  });
}

/** What an evaluation starts in the place of a system. */
export interface StandIn extends StandInSpec {
  /** Name of the source. */
  readonly source: string;
  /** The environment variable that leads to the system. */
  readonly variable: string;
}

/** The stand-ins of a company's systems. @param folder absolute path @throws HubError `config_invalid` */
export function readStandIns(folder: string): readonly StandIn[] {
  const file = join(folder, 'sources.yaml');
  if (!existsSync(file)) return [];
  return Object.entries(readYaml('sources', file, sourcesSchema).sources).flatMap(([source, spec]) => {
    if (!('stand_in' in spec) || spec.stand_in === undefined) return [];
    const { module, start } = spec.stand_in;
    const leads = spec.kind === 'http' ? spec.endpoint : (spec.url ?? '');
    const [, variable] = /^env:([A-Z][A-Z0-9_]*)/.exec(leads) ?? [];
    if (variable !== undefined) return { source, start, variable, module: resolve(folder, module) };
    throw wrongAt('sources', file, `sources.${source}.stand_in`, 'needs an address from the environment');
  });
}

/**
 * The systems that actions of a company change and nothing stands in for, so that whoever tries a conversation changes them in
 * earnest. A SQLite file is none of them: it can be copied.
 * @param folder absolute path
 * @param off agents and tools that are not used
 * @throws HubError `config_invalid`
 */
export function changedInEarnest(
  folder: string,
  off: { readonly agents: readonly string[]; readonly tools: readonly string[] },
): readonly string[] {
  const stoodIn = new Set(readStandIns(folder).map(({ source }) => source));
  const changed = new Set(
    yamlIn(folder, 'actions').flatMap((path) => {
      const { name, agents, perform } = readYaml('action', path, actionSchema);
      const isUsed = !off.tools.includes(name) && agents.some((agent) => !off.agents.includes(agent));
      return isUsed && perform.source !== undefined ? [perform.source] : [];
    }),
  );
  return [...readSources(join(folder, 'sources.yaml')).values()].flatMap(({ name, kind }) =>
    changed.has(name) && kind !== 'sqlite' && !stoodIn.has(name) ? [name] : [],
  );
}

function named<Spec extends { readonly name: string }>(path: string, spec: Spec): Spec {
  if (path.endsWith(`/${spec.name}.yaml`)) return spec;
  throw wrongAt('company', path, 'name', 'must be the name of the file');
}
