import { isObject, type JsonObject, type JsonValue } from '../../../core/domain/json.js';
import { toHubError } from '../../../core/errors.js';
import { didYouMean } from '../../../core/spelling.js';
import { compileCondition, compileFormula } from '../../expressions/expression.js';
import { parseMustache, type TemplateTokens } from '../../templates/render.js';
import type { Checked } from '../checked-file.js';
import type { Prompt, Rubric } from '../file-schemas.js';
import type { NodePath } from '../text-file.js';
import { checkContradictions, checkJsonSchemaAt, propertiesOf, rawKeys } from './json-schema-at.js';

/** The names one section adds; null where it may add any. */
type Level = ReadonlyMap<string, JsonValue | undefined> | null;

/**
 * The variables of a template that its data can never have. Inside a section over data of unknown shape every name is
 * possible.
 * @param computed further variables, of any shape
 */
function unknownVariables(
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

/** The rules of a prompt's file. */
export function checkPrompt(checked: Checked<Prompt>, id: string, version: string): void {
  const { data } = checked;
  checkPlace(checked, 'prompt_id', data.prompt_id, id);
  checkPlace(checked, 'version', data.version, version);
  checkJsonSchemaAt(checked, ['vars_schema'], data.vars_schema);
  if (checkJsonSchemaAt(checked, ['output_schema'], data.output_schema))
    checkContradictions(checked, ['output_schema'], data.output_schema);
  for (const [name, text] of Object.entries(data.computed ?? {})) {
    noteExpression(checked, ['computed', name], () => compileFormula(text));
  }
  if (data.system !== undefined && /\{\{/.test(data.system)) {
    const message =
      'system stays as it is written, tags too, so that no input can change the rules. Move {{...}} into template.';
    checked.note(['system'], 'tags_in_system', message);
  }
  checkMustache(checked, ['template'], data.template);
  const fields = propertiesOf(data.output_schema);
  for (const [name, text] of Object.entries(data.fallback ?? {})) {
    if (typeof text === 'string') checkMustache(checked, ['fallback', name], text);
    // `a.b` fills the field b of a.
    if (fields === null || Object.hasOwn(fields, name.split('.')[0] ?? name)) continue;
    const message = `The output_schema has no field ${name}.${didYouMean(name, Object.keys(fields))}`;
    checked.note(['fallback', name], 'unknown_output', message);
  }
}

function checkMustache(checked: Checked<Prompt>, path: NodePath, text: string): void {
  try {
    const { vars_schema: schema } = checked.data;
    const tokens = parseMustache(text);
    if (!checked.sound(['computed'])) return;
    const computed = rawKeys(checked.file, ['computed']);
    for (const name of unknownVariables(tokens, schema, computed)) {
      const known = [...Object.keys(propertiesOf(schema) ?? {}), ...computed];
      const message = `The template uses {{${name}}}, which vars_schema does not have; it would be empty.${didYouMean(name, known)}`;
      checked.note(path, 'unknown_variable', message);
    }
  } catch (error) {
    checked.note(path, 'invalid_template', `${toHubError(error).message.replace(/\.$/, '')}.`);
  }
}

/** The rules of a rubric's file. */
export function checkRubric(checked: Checked<Rubric>, id: string, version: string): void {
  const { data } = checked;
  checkPlace(checked, 'rubric_id', data.rubric_id, id);
  checkPlace(checked, 'version', data.version, version);
  if (data.output_schema !== undefined) checkJsonSchemaAt(checked, ['output_schema'], data.output_schema);
  const weighted = data.scoring_mode === 'weighted' && checked.sound(['scoring_mode']);
  if (weighted && data.pass_threshold === undefined && checked.sound(['pass_threshold'])) {
    const message =
      'Weighted scoring needs a pass_threshold between 0 and 1, the share of the weights that must pass. Add it.';
    checked.note(['scoring_mode'], 'missing_threshold', message);
  }
  const ids = data.criteria.map((criterion) => criterion.id);
  data.criteria.forEach(({ id: name, weight, rule }, at) => {
    const path: NodePath = ['criteria', at];
    if (ids.indexOf(name) !== at) {
      checked.note(
        [...path, 'id'],
        'duplicate_criterion',
        `Two criteria have the id ${name}; give one another id.`,
      );
    }
    if (weight !== undefined && weight <= 0) {
      checked.note(
        [...path, 'weight'],
        'weight_not_positive',
        `The weight of ${name} must be greater than 0, but is ${weight}.`,
      );
    }
    if (rule !== undefined) noteExpression(checked, [...path, 'rule'], () => compileCondition(rule));
  });
}

function checkPlace(
  checked: Checked<unknown>,
  key: string,
  written: string | undefined,
  place: string,
): void {
  if (written === undefined || written === place) return;
  const message = `${key} is ${written}, but the file stands where ${place} belongs. Change one of the two.`;
  checked.note([key], 'path_mismatch', message);
}

function noteExpression(checked: Checked<unknown>, path: NodePath, compile: () => unknown): void {
  try {
    compile();
  } catch (error) {
    checked.note(path, 'invalid_expression', toHubError(error).message);
  }
}
