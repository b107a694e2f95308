import { isScalar, type Pair, type YAMLMap } from 'yaml';
import {
  entriesOf,
  itemsOf,
  mapOf,
  pairOf,
  type Respeller,
  type Respelling,
  setText,
  textAt,
  unquote,
} from './respelling.js';

/** Values that older mappings give beside their parameters. */
const VALUES = ['service', 'keyword', 'time_range'];
const DECLARING = new Set(['required', 'optional', 'defaults']);
const JSON_TYPES = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);

/** What older designs write into api_mappings.yaml: `api`, queries by name, values among the parameters, fields for a schema. */
export const respellMappings: Respeller = (page, { files }) => {
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
  const message = `${names.join(', ')} ${names.length === 1 ? 'is a value' : 'are values'}; write params: { defaults: { ${names[0]}: ... } }.`;
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
