import { isScalar, type Pair, type YAMLMap } from 'yaml';
import {
  emptyMap,
  entriesOf,
  itemsOf,
  keepItems,
  mapOf,
  pairOf,
  type Respeller,
  type Respelling,
  respellDescriptor,
  setText,
  textAt,
  unquote,
} from './descriptor.js';

const ID = /^[a-z][a-z0-9_]*$/;

/** What older designs write into a tree: decisions as a list, `else`, quoted placeholders, steps that are names alone. */
const respellTree: Respeller = (page) => {
  const steps = mapOf(page.root?.get('steps'));
  if (page.root === null || steps === null) return;
  const all = entriesOf(steps);
  let unfinished = false;
  all.forEach(({ key, pair }, at) => {
    const step = mapOf(pair.value);
    if (step === null) return;
    if (isOutline(step)) {
      unfinished = true;
      finish(page, pair, step, all[at + 1]?.key ?? null);
      return;
    }
    const action = mapOf(step.get('action'));
    if (action !== null) unquote(page, action, 'query_template');
    listed(page, step);
    elseOf(page, step, key);
  });
  if (unfinished) dropUnknownChecks(page, page.root, steps);
};

/** Values that older mappings give beside their parameters. */
const VALUES = ['service', 'keyword', 'time_range'];
const DECLARING = new Set(['required', 'optional', 'defaults']);
const JSON_TYPES = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);

/** What older designs write into api_mappings.yaml: `api`, queries by name, values among the parameters, fields for a schema. */
const respellMappings: Respeller = (page, { files }) => {
  const mappings = mapOf(page.root?.get('mappings'));
  if (mappings === null) return;
  for (const { pair } of entriesOf(mappings)) {
    const mapping = mapOf(pair.value);
    if (mapping === null) continue;
    const api = pairOf(mapping, 'api');
    if (api !== undefined && !mapping.has('source')) page.renamed(api, 'source', ' in a mapping');
    namedQuery(page, mapping, files);
    unquote(page, mapping, 'query');
    defaults(page, mapping);
    const schema = mapOf(mapping.get('response_schema'));
    if (schema !== null) respellSchema(page, schema);
  }
};

export { Respelling, type SpellingContext, type SpellingWarning } from './descriptor.js';

/** The names that the descriptor of a pack may have, today's first. */
export const DESCRIPTOR_FILES = ['skill.yaml', 'skill_definition.yaml'] as const;

/** Who reads the older spellings of which file. */
export const RESPELLERS = {
  descriptor: respellDescriptor,
  tree: respellTree,
  mappings: respellMappings,
} as const satisfies Record<string, Respeller>;
export type SpelledFile = keyof typeof RESPELLERS;

/** `query: name` where the pack has `queries/name.sql`. */
function namedQuery(page: Respelling, mapping: YAMLMap, files: Readonly<Record<string, string>>): void {
  const pair = pairOf(mapping, 'query');
  const name = textAt(mapping, 'query')?.trim() ?? '';
  const sql = files[`queries/${name}.sql`];
  if (pair === undefined || sql === undefined) return;
  page.warn(
    pair,
    'older_spelling',
    `The query ${name} is read from queries/${name}.sql; write its SQL here.`,
  );
  setText(pair, sql.trim());
}

/** Values among the names of parameters, or beside them, are what a step need not give. */
function defaults(page: Respelling, mapping: YAMLMap): void {
  const params = mapOf(mapping.get('params'));
  const inside = entriesOf(params ?? mapping).filter(({ key, pair }) =>
    params === null ? false : !DECLARING.has(key) && isScalar(pair.value),
  );
  const beside = entriesOf(mapping).filter(({ key, pair }) => VALUES.includes(key) && isScalar(pair.value));
  const given = [...inside, ...beside];
  const [first] = given;
  if (first === undefined) return;
  const names = given.map(({ key }) => key);
  // A key may be empty, begin with a blank or hold a line: in a sentence it is seen only in quotes.
  const named = names.map((name) => (/^[\p{L}\p{N}_.-]+$/u.test(name) ? name : JSON.stringify(name)));
  const message = `${named.join(', ')} ${named.length === 1 ? 'is a value' : 'are values'}; write params: { defaults: { ${named[0]}: ... } }.`;
  page.warn(first.pair, 'older_spelling', message);
  for (const map of [params, mapping]) {
    if (map !== null) map.items = map.items.filter((pair) => !given.some((one) => one.pair === pair));
  }
  const values = Object.fromEntries(given.map(({ key, pair }) => [key, scalarOf(pair)]));
  const declared = params ?? (page.node({}, first.pair) as YAMLMap);
  page.put(declared, 'defaults', values, first.pair);
  if (params === null) page.put(mapping, 'params', declared, first.pair);
}

function scalarOf(pair: Pair): unknown {
  return isScalar(pair.value) ? pair.value.value : null;
}

/** `fields: [{ name, type }]` and `item_type` in the words of JSON Schema. */
function respellSchema(page: Respelling, schema: YAMLMap): void {
  const fields = pairOf(schema, 'fields');
  const entries = itemsOf(fields?.value).flatMap((item) => {
    const map = mapOf(item);
    const name = map === null ? undefined : textAt(map, 'name');
    return map === null || name === undefined ? [] : [[name, typed(textAt(map, 'type'))] as const];
  });
  if (fields !== undefined && entries.length > 0) {
    const message =
      'A list of fields is an older form; write JSON Schema: "properties: { name: { type: string } }".';
    page.warn(fields, 'older_spelling', message);
    schema.delete('fields');
    page.put(schema, 'properties', Object.fromEntries(entries), fields);
  }
  const item = pairOf(schema, 'item_type');
  if (item === undefined) return;
  const type = textAt(schema, 'item_type');
  page.warn(
    item,
    'older_spelling',
    'item_type is an older form; write JSON Schema: "items: { type: object }".',
  );
  schema.delete('item_type');
  page.put(schema, 'items', typed(type), item);
}

/** A type that JSON Schema does not know names something of the author's. */
function typed(type: string | undefined): Record<string, unknown> {
  if (type === undefined) return {};
  return JSON_TYPES.has(type) ? { type } : { title: type };
}

/** A step that says neither what it asks nor what it decides. */
function isOutline(step: YAMLMap): boolean {
  return step.has('name') && !['action', 'decisions', 'options'].some((key) => step.has(key));
}

/** Until somebody writes the step, a person does its work, and the next one of the file follows. */
function finish(page: Respelling, pair: Pair, step: YAMLMap, next: string | null): void {
  const name = textAt(step, 'name') ?? '';
  const message = `The step ${name} says neither what it asks nor what it decides. Until its action and decisions are written, a person is asked.`;
  page.warn(pair, 'unfinished', message);
  page.put(step, 'action', { type: 'ask', question: `${name}: what do you find?` }, pair);
  const answered = {
    condition: 'true',
    confidence: 0.5,
    conclusion: { partial_finding: `A person looked: ${name}.` },
    next_step: next,
  };
  page.put(step, 'decisions', { answered }, pair);
}

/** Checks that are announced in a tree that is not finished, and not there yet. */
function dropUnknownChecks(page: Respelling, root: YAMLMap, steps: YAMLMap): void {
  keepItems(root.get('parallel_checks', true), (item) => {
    const name = isScalar(item) ? String(item.value) : '';
    if (steps.has(name)) return true;
    const message = `parallel_checks names ${name}, which is not written yet; it is left out until then.`;
    page.warn(item, 'unfinished', message);
    return false;
  });
}

/** `decisions: [{ condition, ... }, { else: ... }]`. */
function listed(page: Respelling, step: YAMLMap): void {
  const pair = pairOf(step, 'decisions');
  const items = itemsOf(pair?.value);
  if (pair === undefined || items.length === 0 || !items.every((item) => mapOf(item) !== null)) return;
  const message =
    'A list of decisions is an older form; give each a name: "decisions: { name: { condition, ... } }".';
  page.warn(pair, 'older_spelling', message);
  const named = emptyMap(pair);
  items.forEach((item, at) => {
    const map = mapOf(item);
    if (map === null) return;
    const decision = plainDecision(page, map);
    const name =
      takeName(decision) ?? (decision.get('condition') === 'true' ? 'otherwise' : `decision_${at + 1}`);
    page.put(named, named.has(name) ? `${name}_${at + 1}` : name, decision, item);
  });
  pair.value = named;
}

/** `{ if, then }` and `{ else }` as `condition` and `next_step`. */
function plainDecision(page: Respelling, map: YAMLMap): YAMLMap {
  const condition = pairOf(map, 'if');
  if (condition !== undefined && !map.has('condition'))
    page.renamed(condition, 'condition', ' in a decision');
  const outcome = pairOf(map, 'else') ?? pairOf(map, 'then');
  if (outcome === undefined) return map;
  const isElse = pairOf(map, 'else') !== undefined;
  map.items = map.items.filter((pair) => pair !== outcome);
  const inner = mapOf(outcome.value);
  if (inner !== null) map.items.push(...inner.items);
  else if (isScalar(outcome.value) && typeof outcome.value.value === 'string')
    page.put(map, 'next_step', outcome.value, outcome);
  if (isElse && !map.has('condition')) page.put(map, 'condition', 'true', outcome);
  if (isElse && !map.has('confidence')) page.put(map, 'confidence', 0.5, outcome);
  return map;
}

function takeName(decision: YAMLMap): string | null {
  for (const key of ['id', 'name']) {
    const text = textAt(decision, key);
    if (text === undefined) continue;
    const id = text
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '_')
      .replace(/^_+|_+$/g, '');
    if (!ID.test(id)) continue;
    decision.delete(key);
    return id;
  }
  return null;
}

/** A decision that is called `else` needs no condition. */
function elseOf(page: Respelling, step: YAMLMap, id: string): void {
  const decisions = mapOf(step.get('decisions'));
  const pair = decisions === null ? undefined : pairOf(decisions, 'else');
  const decision = mapOf(pair?.value);
  if (pair === undefined || decision === null || decision.has('condition')) return;
  page.warn(pair, 'older_spelling', `The decision else of ${id} has no condition; write condition: "true".`);
  page.put(decision, 'condition', 'true', pair);
  if (isScalar(pair.key)) pair.key.value = 'otherwise';
  if (!decision.has('confidence')) page.put(decision, 'confidence', 0.5, pair);
}
