import { isObject, type JsonObject, type JsonValue, OPEN_KEYWORDS } from '../../core/domain/json.js';
import { nearestName } from '../../core/nearest.js';

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
