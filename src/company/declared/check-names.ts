import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { z } from 'zod';
import type { Expressions } from '../../core/ports/data-source.js';
import { didYouMean } from '../../core/spelling.js';
import { entitySchema } from '../entities.js';
import { type CheckedYaml, type Finding, readChecked } from '../yaml-file.js';
import {
  checkFormula,
  checkSentences,
  checkTemplate,
  checkValues,
  ENTRY,
  type Ground,
  type Held,
  leaves,
  type Names,
  namesOfInputs,
  openTrialDatabase,
  type Path,
  pick,
  policyNames,
  yamlIn,
} from './check-formulas.js';
import { checkStatement, rowOf } from './check-statements.js';
import { type RecordInput, recordInputs } from './inputs.js';
import { type ActionSpec, actionSchema, customersSchema, lookupSchema, templateOf } from './schemas.js';

/** What `record` has in `target.eligible`, beside `attributes`. */
const RECORD = ['entity', 'id', 'title', 'status', 'starts_at', 'place', 'amount', 'upcoming'] as const;

/**
 * Holds the files of a company in YAML against one another and its statements against its tables, and says by file and line
 * which names lead nowhere. The shapes of the files must be right already.
 * @param known the issue types of company.yaml, whether the hub has a sentence of its own for a refusal of a code, and the SQLite
 * files that the company has of its own
 * @param dataDir an empty folder for a database
 */
export function checkNames(
  folder: string,
  expressions: Expressions,
  known: Pick<Ground, 'hasRefusal' | 'issueTypes' | 'agents' | 'files'>,
  dataDir: string,
): readonly Finding[] {
  const database = openTrialDatabase(folder, expressions, dataDir);
  try {
    const customers = readChecked(join(folder, 'customers.yaml'), customersSchema);
    const ground: Ground = {
      ...{ folder, expressions, database, ...known },
      entities: yamlIn(folder, 'entities').map((file) => basename(file, '.yaml')),
      policy: policyNames(join(folder, 'policy.yaml')),
      facts: Object.keys(customers.value?.facts ?? {}),
    };
    if (database.findings.length > 0) return database.findings;
    return [
      ...heldOver(customers, ground, checkCustomers),
      ...yamlIn(folder, 'entities').flatMap((file) =>
        heldOver(readChecked(file, entitySchema), ground, checkEntity),
      ),
      ...yamlIn(folder, 'reads').flatMap((file) =>
        heldOver(readChecked(file, lookupSchema), ground, checkLookup),
      ),
      ...yamlIn(folder, 'actions').flatMap((file) =>
        heldOver(readChecked(file, actionSchema), ground, checkAction),
      ),
    ];
  } finally {
    database.close();
  }
}

function heldOver<Value>(
  { value, fault }: CheckedYaml<Value | null>,
  ground: Ground,
  check: (value: Value, held: Held) => void,
): readonly Finding[] {
  const findings: Finding[] = [];
  const wrong: Held['wrong'] = (path, problem, remedy, severity = 'fault') => {
    findings.push({ ...fault(path, problem, remedy), severity });
  };
  if (value !== null) check(value, { ground, wrong });
  return findings;
}

function checkCustomers(spec: z.infer<typeof customersSchema>, held: Held): void {
  for (const key of ['by_id', 'by_email', 'by_name', 'search'] as const) {
    const read = spec[key];
    // What claims a token has, its sign-in knows.
    const row = read ? rowOf(read, [key], held) : true;
    if (key !== 'by_id') continue;
    for (const [name, text] of Object.entries(spec.fields))
      if (text !== undefined) checkFormula(text, ['fields', name], { row }, held);
    for (const [name, text] of Object.entries(spec.facts)) checkFormula(text, ['facts', name], { row }, held);
  }
  for (const [table, condition] of Object.entries(spec.tables)) {
    const where = condition.replaceAll(':customer_id', "''");
    checkStatement(`SELECT 1 FROM ${table} WHERE ${where}`, ['tables', table], held);
  }
  for (const [at, statement] of spec.erase.entries()) checkStatement(statement, ['erase', at], held);
  checkPrivacy(spec, held);
}

/** Rows that bear the customer's id are exported by `tables` and erased by `erase`, or stay after an erasure. */
function checkPrivacy({ tables, erase }: z.infer<typeof customersSchema>, held: Held): void {
  const keys = Object.values(tables).flatMap((condition) => [
    ...condition.matchAll(/(\w+)\s*=\s*:customer_id/g),
  ]);
  const ids = new Set(['customer_id', ...keys.map(([, column = '']) => column)]);
  const statements = erase.join('\n');
  for (const [name, columns] of held.ground.database.tables) {
    if (!columns.some((column) => ids.has(column))) continue;
    const named = (text: string) => new RegExp(`\\b${name}\\b`, 'i').test(text);
    const warn = (key: 'tables' | 'erase', problem: string, remedy: string) =>
      held.wrong([key], problem, remedy, 'warning');
    if (!(name in tables))
      warn('tables', `lacks ${name}, whose rows are customers', so that no export has them`, 'Add it.');
    if (!named(statements))
      warn(
        'erase',
        `has no statement for ${name}, whose rows are customers', so that they stay when one is erased`,
        'Add one that deletes them, or that writes {pseudonym} in the place of {customer_id}.',
      );
  }
}

function checkEntity(spec: z.infer<typeof entitySchema>, held: Held): void {
  if (spec.records === undefined) return;
  const { read, fields, attributes, agents } = spec.records;
  checkAgents(agents, ['records', 'agents'], held);
  const row = rowOf(read, ['records', 'read'], held);
  for (const [section, given] of [
    ['fields', fields],
    ['attributes', attributes],
  ] as const)
    for (const [name, text] of Object.entries(given))
      if (text !== undefined)
        checkFormula(text, ['records', section, name], { row, ...leaves(['now', 'today']) }, held);
}

/** Who is given a tool. */
function checkAgents(given: readonly string[], path: Path, held: Held): void {
  const { agents } = held.ground;
  for (const [at, name] of given.entries())
    if (!agents.includes(name))
      held.wrong(
        [...path, at],
        `names an agent "${name}" that there is not`,
        `Correct the name.${didYouMean(name, agents)}`,
      );
}

function checkLookup(spec: z.infer<typeof lookupSchema>, held: Held): void {
  checkAgents(spec.agents, ['agents'], held);
  const scope = checkReads(spec, held);
  const output = Object.entries(spec.output ?? {});
  for (const [name, text] of output)
    checkFormula(text, ['output', name], { ...scope, terms: leaves(output.map(([one]) => one)) }, held);
  const found =
    spec.output === undefined ? pick(scope, Object.keys(spec.read)) : leaves(output.map(([one]) => one));
  checkValues(spec.values, found, held);
  checkSentences(spec.says ?? {}, Object.keys(spec.values), held);
  if (spec.says === undefined)
    held.wrong(
      ['name'],
      'has no sentence to answer with, so that without a model nobody is told what it finds',
      'Add says.answer, in each language, filled by `values`.',
      'warning',
    );
}

function checkAction(spec: ActionSpec, held: Held): void {
  checkAgents(spec.agents, ['agents'], held);
  const base = checkReads(spec, held);
  const { issueTypes } = held.ground;
  if (!issueTypes.includes(spec.issue_type))
    held.wrong(
      ['issue_type'],
      `names an issue type "${spec.issue_type}" that there is not`,
      `Use an id of issue_types in company.yaml, or add it there.${didYouMean(spec.issue_type, issueTypes)}`,
    );
  const terms = leaves(Object.keys(spec.terms));
  const scope: Names = { ...base, terms };
  for (const [name, text] of Object.entries(spec.terms)) checkFormula(text, ['terms', name], scope, held);
  for (const [at, { when, say, code }] of spec.deny.entries()) {
    checkFormula(when, ['deny', at, 'when'], scope, held);
    checkSaid(say, ['deny', at, 'say'], spec, held);
    if (say === undefined && !held.ground.hasRefusal(code))
      held.wrong(
        ['deny', at],
        `says no reason: the hub has no sentence of its own for ${code}`,
        'Add `say` with the name of a sentence under `says`.',
        'warning',
      );
  }
  for (const [at, { when, say }] of spec.effects.entries()) {
    if (when !== undefined) checkFormula(when, ['effects', at, 'when'], scope, held);
    checkSaid(say, ['effects', at, 'say'], spec, held);
  }
  if (spec.approval) checkFormula(spec.approval.when, ['approval', 'when'], scope, held);
  const elsewhere = 'sql' in spec.perform ? [] : ['result', 'status', 'body'];
  const done: Names = { ...scope, ...leaves(['at', 'idempotency_key', ...elsewhere]) };
  checkValues(spec.values, done, held);
  if ('sql' in spec.perform)
    for (const [at, one] of spec.perform.sql.entries()) {
      checkStatement(templateOf(one), ['perform', 'sql', at], held, {
        source: spec.perform.source,
        changes: true,
      });
      checkTemplate(templateOf(one), ['perform', 'sql', at], done, held);
      if (typeof one !== 'string') checkFormula(one.when, ['perform', 'sql', at, 'when'], done, held);
    }
  checkTarget(spec, held);
  checkSentences(spec.says, [...Object.keys(spec.values), 'customer'], held);
}

function checkSaid(say: string | undefined, path: Path, { says }: ActionSpec, held: Held): void {
  if (say === undefined || Object.hasOwn(says, say)) return;
  held.wrong(
    path,
    `names a sentence "${say}" that \`says\` does not have`,
    `Add says.${say}, or correct the name.${didYouMean(say, Object.keys(says))}`,
  );
}

function checkTarget({ target, input }: ActionSpec, held: Held): void {
  const spec = target && input[target.input];
  if (!target || spec?.type !== 'record') return;
  const file = join(held.ground.folder, 'entities', `${spec.entity}.yaml`);
  const records = existsSync(file) ? readChecked(file, entitySchema).value?.records : undefined;
  const attributes = records ? leaves(Object.keys(records.attributes)) : true;
  checkFormula(target.eligible, ['target', 'eligible'], { record: { ...leaves(RECORD), attributes } }, held);
}

/** What inputs and reads bring into expressions. */
function checkReads({ input, read }: Pick<ActionSpec, 'input' | 'read'>, held: Held): Names {
  const { policy, facts } = held.ground;
  for (const one of recordInputs(input)) checkRecordInput(one, held);
  let scope: Names = {
    ...leaves(['customer_id', 'now', 'today']),
    policy,
    customer: leaves(['customer_id', 'name', 'email', 'is_blocked', ...facts]),
    input: namesOfInputs(input),
  };
  for (const [name, spec] of Object.entries(read)) {
    const row = rowOf(spec, ['read', name], held);
    if (spec.query !== undefined) checkTemplate(spec.query, ['read', name, 'query'], scope, held);
    scope = { ...scope, [name]: spec.one || row === true ? row : { [ENTRY]: row } };
  }
  return scope;
}

/** Whose a record is, its entity says by how its records are read. */
function checkRecordInput(
  { path, entity }: RecordInput,
  { ground: { entities, folder }, wrong }: Held,
): void {
  const at = ['input', ...path, 'entity'];
  if (!entities.includes(entity)) {
    const remedy = `Use the name of a file in entities/, or write that file.${didYouMean(entity, entities)}`;
    wrong(at, `names an entity "${entity}" that there is not`, remedy);
  } else if (!readChecked(join(folder, 'entities', `${entity}.yaml`), entitySchema).value?.records)
    wrong(
      at,
      `takes a record of "${entity}", of which nothing says whose it is`,
      `Write \`records\` in entities/${entity}.yaml: a \`read\` that names {customer_id}, or one with \`public: true\` where they are the same for everybody.`,
    );
}
