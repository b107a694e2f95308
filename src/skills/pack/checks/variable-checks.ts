import { isObject, type JsonObject, type JsonValue, OPEN_KEYWORDS } from '../../../core/domain/json.js';
import { toHubError } from '../../../core/errors.js';
import { nearestName } from '../../../core/spelling.js';
import { compileCondition } from '../../expressions/expression.js';
import { FORMATS, placeholderNames } from '../../expressions/placeholders.js';
import type { Checked } from '../checked-file.js';
import type { Descriptor } from '../descriptor-schema.js';
import type { Draft } from '../draft.js';
import { bareName } from '../schema-faults.js';
import type { NodePath } from '../text-file.js';
import { rawKeys } from './json-schema-at.js';

/** Says of dotted names (`customer.user_id`, `steps.find.count`) whether they can ever have a value. */
interface Names {
  /** Why there can never be such a value, with what to do; null where there can be one, or nobody can know. */
  problem(name: string): string | null;
}

interface NameOptions {
  /** JSON Schema of the input, whose fields are names. */
  readonly inputSchema: JsonObject;
  /** Further first names. `input` and `steps` among them are looked into. */
  readonly roots: Iterable<string>;
  /** What may follow `steps.`. */
  readonly steps: Iterable<string>;
}

/** Types that CEL itself names: `type(x) == string`. */
const CEL_NAMES = new Set(
  'bool bytes double dyn int list map null_type optional optional_type string timestamp duration type uint google'.split(
    ' ',
  ),
);
/** The names that expressions and placeholders of a pack may use at some place. */
export function createNames({ inputSchema, roots, steps }: NameOptions): Names {
  const first = new Set(roots);
  const stepIds = new Set(steps);
  const fields = propertiesOf(inputSchema);
  const closed = fields !== null && !isOpen(inputSchema);
  const known = [...first, ...Object.keys(fields ?? {})];

  function problem(name: string): string | null {
    const [root = '', ...rest] = name.split('.');
    if (root === 'input' && first.has('input')) return fieldProblem(name, rest, inputSchema, closed);
    if (root === 'steps' && first.has('steps')) return stepProblem(name, rest[0], stepIds);
    if (first.has(root) || CEL_NAMES.has(root)) return null;
    if (fields !== null && Object.hasOwn(fields, root)) return nested(name, rest, fields[root]);
    if (!closed) return null;
    if (root === 'result')
      return `${name} is not there yet: result is what the step itself finds. Use steps.<step> for what an earlier step found.`;
    if (stepIds.has(root))
      return `${name} can never have a value: the results of steps are under steps. Write steps.${name}.`;
    return unknown(name, root, known, 'input_schema has no such field');
  }
  return { problem };
}

function fieldProblem(
  name: string,
  rest: readonly string[],
  schema: JsonObject,
  closed: boolean,
): string | null {
  const [field, ...deeper] = rest;
  if (field === undefined || !closed) return null;
  const fields = propertiesOf(schema) ?? {};
  if (Object.hasOwn(fields, field)) return nested(name, deeper, fields[field]);
  return unknown(name, field, Object.keys(fields), 'input_schema has no such field');
}

function stepProblem(name: string, step: string | undefined, known: ReadonlySet<string>): string | null {
  if (step === undefined || known.has(step)) return null;
  return unknown(name, step, [...known], `there is no step or part ${step}`);
}

/** Below the root only an object that says `additionalProperties: false` is known to have no other fields. */
function nested(name: string, rest: readonly string[], schema: JsonValue | undefined): string | null {
  const [field, ...deeper] = rest;
  if (field === undefined || !isObject(schema)) return null;
  const fields = propertiesOf(schema);
  if (fields === null) return null;
  if (Object.hasOwn(fields, field)) return nested(name, deeper, fields[field]);
  if (schema.additionalProperties !== false || isOpen(schema)) return null;
  return unknown(name, field, Object.keys(fields), `input_schema has no field ${field} there`);
}

function unknown(name: string, part: string, known: readonly string[], why: string): string {
  const near = nearestName(part, known);
  const hint =
    near === undefined
      ? ' Add it to the schema, or name something that is there.'
      : ` Did you mean "${near}"?`;
  return `${name} can never have a value: ${why}.${hint}`;
}

function propertiesOf(schema: JsonObject): JsonObject | null {
  const { properties } = schema;
  return isObject(properties) ? properties : null;
}

function isOpen(schema: JsonObject): boolean {
  const { additionalProperties: further } = schema;
  if (further !== undefined && further !== false) return true;
  return OPEN_KEYWORDS.some((keyword) => Object.hasOwn(schema, keyword));
}

/** What expressions and placeholders at some place may name. */
interface KnownNames {
  /** Why a dotted name can never be there; null where it can. The check itself is null where nobody can know. */
  readonly problem: ((name: string) => string | null) | null;
}

const NOTHING_KNOWN: KnownNames = { problem: null };

/**
 * The names of a tree.
 * @param withResult whether the step's action has been carried out
 * @param params of the step, which texts of its action may name
 */
export function treeNames(draft: Draft, withResult: boolean, params: JsonObject = {}): KnownNames {
  const { tree } = draft;
  const steps = tree === null ? [] : rawKeys(tree.file, ['steps']);
  return namesOf(draft, [...(withResult ? ['result'] : []), ...Object.keys(params)], steps);
}

/** The names of a composite: its parts by their names and by their places. */
export function compositeNames(draft: Draft): KnownNames {
  if (draft.descriptor === null || !namesAreSound(draft.descriptor)) return NOTHING_KNOWN;
  const parts = draft.descriptor.data.sub_skills.map(({ name }) => name);
  return namesOf(draft, [...parts, ...parts.map((_, at) => `step_${at + 1}`)], parts);
}

/** Whether the parts of a composite have the names that their author gave them. */
export function namesAreSound(descriptor: Checked<Descriptor>): boolean {
  return descriptor.data.sub_skills.every((_, at) => descriptor.sound(['sub_skills', at, 'name']));
}

/** The names of a text that is filled from the input alone. */
export function inputNames(draft: Draft): KnownNames {
  return namesOf(draft, [], null);
}

function namesOf(draft: Draft, roots: readonly string[], steps: readonly string[] | null): KnownNames {
  const { descriptor, inputSchema } = draft;
  if (descriptor === null || !descriptor.sound(['input_schema'])) return NOTHING_KNOWN;
  return ofSchema(inputSchema, roots, steps);
}

/** The names of an expression over data of a schema. */
function ofSchema(
  inputSchema: JsonObject,
  roots: readonly string[],
  steps: readonly string[] | null,
): KnownNames {
  const all = ['input', 'now', ...(steps === null ? [] : ['steps']), ...roots];
  const names = createNames({ inputSchema, roots: all, steps: steps ?? [] });
  return { problem: (name) => names.problem(name) };
}

/** A condition in CEL that can be read, and whose names can be there. */
export function checkCondition(
  where: Checked<unknown>,
  path: NodePath,
  text: string,
  names: KnownNames,
): void {
  let used: readonly string[];
  try {
    used = compileCondition(text).names;
  } catch (error) {
    const message = `${toHubError(error).message} ${celHint(text)}`;
    where.note(path, 'invalid_expression', message);
    return;
  }
  noteUnknown(where, path, used, names);
}

/** What authors of other languages write, as CEL has it. */
function celHint(text: string): string {
  const bare = text.replace(/"[^"]*"|'[^']*'/g, "''");
  const hints = [
    /\band\b/i.test(bare) ? '&& for "and"' : '',
    /\bor\b/i.test(bare) ? '|| for "or"' : '',
    /\bnot\b(?!\s+null)/i.test(bare) ? '! for "not"' : '',
    /[^=!<>]=(?!=)|===/.test(bare) ? '== to compare' : '',
    /\b(?:None|nil|NULL)\b/.test(bare) ? 'null in small letters' : '',
  ].filter((hint) => hint !== '');
  if (hints.length > 0) return `In CEL write ${hints.join(', ')}.`;
  return 'Conditions are CEL, for example: result.count == 0.';
}

/** The placeholders of a text, or of a value with texts in it. */
export function checkNames(
  where: Checked<unknown>,
  path: NodePath,
  value: JsonValue | Readonly<Record<string, JsonValue | undefined>> | undefined,
  names: KnownNames,
): void {
  if (value === undefined) return;
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    for (const [key, field] of Object.entries(value as JsonObject)) {
      const bare = bareName(field);
      if (bare === null) checkNames(where, [...path, key], field, names);
      else {
        const message = `${key} is a key without a value, because {${bare}} has no quotes. Write "{${bare}}".`;
        where.note([...path, key], 'unquoted_placeholder', message);
      }
    }
    return;
  }
  if (typeof value === 'string') {
    noteUnknownFormats(where, path, value);
    noteUnreadable(where, path, value);
  }
  noteUnknown(where, path, placeholderNames(value), names);
}

/** A placeholder with a slip in its format is text, braces and all, and a customer would read it. */
function noteUnknownFormats(where: Checked<unknown>, path: NodePath, text: string): void {
  for (const [placeholder, format = ''] of text.matchAll(/(?<!\{)\{[A-Za-z_][\w.]*\|(\w*)\}/g)) {
    if ((FORMATS as readonly string[]).includes(format)) continue;
    const message = `${placeholder} has no known format, so it would be shown as it stands. Formats are: ${FORMATS.join(', ')}.`;
    where.note(path, 'unknown_format', message);
  }
}

/** What is no name but counts in a list is text too: `{result.rows[0].name}`. */
function noteUnreadable(where: Checked<unknown>, path: NodePath, text: string): void {
  for (const [placeholder] of text.matchAll(/(?<!\{)\{(?:result|steps|input)\.[\w.]*\[[^{}]*\}/g)) {
    const message = `${placeholder} cannot be read, so it would be shown as it stands. Name a column of a single row: {result.name}.`;
    where.note(path, 'unreadable_placeholder', message);
  }
}

function noteUnknown(
  where: Checked<unknown>,
  path: NodePath,
  used: readonly string[],
  { problem }: KnownNames,
): void {
  if (problem === null) return;
  for (const name of used) {
    const why = problem(name);
    if (why !== null) where.note(path, 'unknown_name', why);
  }
}
