import type { JsonObject, JsonValue } from '../../../core/domain/json.js';
import type { TemplateTokens } from '../../templates/mustache-tokens.js';
import { isObject, propertiesOf } from './schema-fields.js';

/** The names one section adds; null where it may add any. */
type Level = ReadonlyMap<string, JsonValue | undefined> | null;

/**
 * The variables of a template that its data can never have. Inside a section over data of unknown shape every name is
 * possible.
 * @param computed further variables, of any shape
 */
export function unknownVariables(
  tokens: TemplateTokens,
  schema: JsonObject,
  computed: readonly string[],
): readonly string[] {
  const fields = levelOf(schema);
  if (fields === null) return [];
  const root = new Map([...fields, ...computed.map((name) => [name, undefined] as const)]);
  const found = new Set<string>();
  visit(tokens, [root], found);
  return [...found];
}

function visit(tokens: TemplateTokens, levels: readonly Level[], found: Set<string>): void {
  for (const token of tokens) {
    if (token.kind === 'text') continue;
    const known = look(token.name, levels);
    if (known === 'unknown') found.add(token.name);
    if (token.kind !== 'section') continue;
    const inside = token.inverted ? levels : [...levels, known === 'unknown' ? null : insideOf(known)];
    visit(token.body, inside, found);
  }
}

/** The schema of a name; undefined where nothing is known of its shape. */
function look(name: string, levels: readonly Level[]): JsonValue | undefined | 'unknown' {
  if (name === '.') return undefined;
  const [first = '', ...rest] = name.split('.');
  for (const level of [...levels].reverse()) {
    if (level === null) return undefined;
    if (!level.has(first)) continue;
    let at = level.get(first);
    for (const part of rest) {
      const fields = isObject(at) ? propertiesOf(at) : null;
      at = fields !== null && Object.hasOwn(fields, part) ? fields[part] : undefined;
    }
    return at;
  }
  return 'unknown';
}

/** What a section over data of that schema can name in addition. */
function insideOf(schema: JsonValue | undefined): Level {
  if (!isObject(schema)) return null;
  const { type, items } = schema;
  if (type === 'array') return isObject(items) ? insideOf(items) : null;
  if (type === 'object') return levelOf(schema);
  const plain = ['string', 'number', 'integer', 'boolean', 'null'];
  return typeof type === 'string' && plain.includes(type) ? new Map() : null;
}

function levelOf(schema: JsonObject): Level {
  const fields = propertiesOf(schema);
  if (fields === null || schema.additionalProperties === true || isObject(schema.additionalProperties))
    return null;
  return new Map(Object.entries(fields));
}
