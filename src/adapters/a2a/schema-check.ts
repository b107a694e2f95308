import { isObject, type JsonObject, type JsonValue, own } from '../../core/domain/json.js';
import type { FieldError } from '../../core/errors.js';

/**
 * Parts of a schema and a value that are compared before the rest is taken on trust: a schema comes from a stranger, and
 * must not keep the hub busy.
 */
const MAX_STEPS = 50_000;
const MAX_DEPTH = 12;
const MAX_FAULTS = 10;
/** A longer text is measured in units of UTF-16, which costs nothing. */
const COUNTED_CHARS = 10_000;

/**
 * Compares a value with the JSON Schema of another agent, as far as that needs no foreign pattern and no foreign
 * reference: types, required and unknown properties, enumerations, lengths and bounds, all the way down. What it does
 * not know it lets pass; the other side checks as well.
 */
export function schemaFaults(value: JsonValue | undefined, schema: JsonObject): readonly FieldError[] {
  const check = new Check();
  check.value(value, schema, '', 0);
  return check.faults.slice(0, MAX_FAULTS);
}

class Check {
  readonly faults: FieldError[] = [];
  #steps: number;

  constructor(steps = 0) {
    this.#steps = steps;
  }

  value(value: JsonValue | undefined, schema: JsonValue | undefined, field: string, depth: number): void {
    this.#steps += 1;
    if (this.#over || depth > MAX_DEPTH) return;
    if (schema === false) this.#fault(field, 'is not allowed');
    if (!isObject(schema)) return;
    const types = typesOf(schema);
    if (types.length > 0 && !types.some((type) => isOfType(value, type)))
      this.#fault(field, `must be ${types.join(' or ')}`);
    else this.#content(value, schema, field, depth);
  }

  get #over(): boolean {
    return this.#steps > MAX_STEPS || this.faults.length >= MAX_FAULTS;
  }

  #content(value: JsonValue | undefined, schema: JsonObject, field: string, depth: number): void {
    this.#choice(value, schema, field);
    this.#branches(value, schema, field, depth);
    if (typeof value === 'string')
      this.#bounds(charsOf(value), schema, ['minLength', 'maxLength'], field, 'characters');
    if (typeof value === 'number') this.#bounds(value, schema, ['minimum', 'maximum'], field, '');
    if (Array.isArray(value)) this.#list(value as readonly JsonValue[], schema, field, depth);
    else if (isObject(value)) this.#object(value, schema, field, depth);
  }

  /** Of plain values; whether two objects are the same is left to the other side. */
  #choice(value: JsonValue | undefined, schema: JsonObject, field: string): void {
    const constant = own(schema, 'const');
    const choices = constant === undefined ? listOf(own(schema, 'enum')) : [constant];
    this.#steps += choices.length;
    if (choices.length === 0 || choices.some((one) => one === value || isComposite(one))) return;
    const shown = choices.slice(0, 10).map((one) => JSON.stringify(one));
    this.#fault(field, `must be ${shown.length === 1 ? '' : 'one of '}${shown.join(', ').slice(0, 200)}`);
  }

  /** `oneOf` counts as `anyOf`: which of two that both fit was meant is for the other side to say. */
  #branches(value: JsonValue | undefined, schema: JsonObject, field: string, depth: number): void {
    for (const part of listOf(own(schema, 'allOf'))) this.value(value, part, field, depth + 1);
    for (const key of ['anyOf', 'oneOf']) {
      const branches = listOf(own(schema, key));
      const fits = branches.some((branch) => this.#fits(value, branch, depth));
      if (branches.length > 0 && !fits) this.#fault(field, 'fits none of the forms it may have');
    }
  }

  #fits(value: JsonValue | undefined, branch: JsonValue, depth: number): boolean {
    const trial = new Check(this.#steps);
    trial.value(value, branch, '', depth + 1);
    this.#steps = trial.#steps;
    return trial.faults.length === 0;
  }

  #bounds(
    size: number,
    schema: JsonObject,
    [low, high]: readonly [string, string],
    field: string,
    of: string,
  ): void {
    const least = own(schema, low);
    const most = own(schema, high);
    if (typeof least === 'number' && size < least)
      this.#fault(field, `must be at least ${least} ${of}`.trim());
    if (typeof most === 'number' && size > most) this.#fault(field, `must be at most ${most} ${of}`.trim());
  }

  #list(list: readonly JsonValue[], schema: JsonObject, field: string, depth: number): void {
    this.#bounds(list.length, schema, ['minItems', 'maxItems'], field, 'items');
    const items = own(schema, 'items');
    if (items === undefined) return;
    for (const [at, item] of list.entries()) {
      if (this.#over) return;
      this.value(item, items, join(field, String(at)), depth + 1);
    }
  }

  #object(object: JsonObject, schema: JsonObject, field: string, depth: number): void {
    const required = listOf(own(schema, 'required'));
    this.#steps += required.length;
    for (const key of required)
      if (typeof key === 'string' && own(object, key) === undefined)
        this.#fault(join(field, key), 'is missing');
    const properties = own(schema, 'properties');
    const known = isObject(properties) ? properties : {};
    const rest = own(schema, 'patternProperties') === undefined ? own(schema, 'additionalProperties') : true;
    for (const [key, value] of Object.entries(object)) {
      if (this.#over) return;
      if (value === undefined) continue;
      const named = own(known, key);
      this.value(value, named === undefined ? rest : named, join(field, key), depth + 1);
    }
  }

  #fault(field: string, message: string): void {
    this.faults.push({ field, message });
  }
}

function typesOf(schema: JsonObject): readonly string[] {
  const type = own(schema, 'type');
  const types = Array.isArray(type) ? (type as readonly JsonValue[]) : [type];
  return types.filter((one): one is string => typeof one === 'string' && KNOWN_TYPES.has(one));
}

const KNOWN_TYPES = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']);

function charsOf(text: string): number {
  return text.length > COUNTED_CHARS ? text.length : [...text].length;
}

function isComposite(value: JsonValue): boolean {
  return typeof value === 'object' && value !== null;
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [];
}

function isOfType(value: JsonValue | undefined, type: string): boolean {
  if (type === 'object') return isObject(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'null') return value === null;
  return typeof value === type;
}

function join(field: string, key: string): string {
  return field === '' ? key : `${field}.${key}`;
}
