import type { JsonObject, JsonValue } from '../../core/domain/json.js';
import type { Prompt } from '../pack/template-schema.js';
import { lookUp, onlyVariable, renderTemplate } from './render.js';

/**
 * What stands in for a model's reply: the prompt's `fallback` filled with the variables. A field that is one variable and
 * nothing else keeps that variable's type and is left out where there is no such variable; `a.b` names a field of a field.
 * @throws HubError as {@link renderTemplate}
 */
export function fillFallback(fallback: NonNullable<Prompt['fallback']>, vars: JsonObject): JsonObject {
  const data: Branch = {};
  for (const [name, template] of Object.entries(fallback)) {
    const value = typeof template === 'string' ? fill(template, vars) : template;
    if (value !== undefined) place(data, name.split('.'), value);
  }
  return data as JsonObject;
}

interface Branch {
  [key: string]: JsonValue | Branch;
}

function fill(template: string, vars: JsonObject): JsonValue | undefined {
  const name = onlyVariable(template);
  return name === null ? renderTemplate(template, vars) : lookUp(name, vars);
}

function place(branch: Branch, [key = '', ...rest]: readonly string[], value: JsonValue): void {
  // Assigned plainly, this name would change what the object is.
  if (key === '__proto__') return;
  if (rest.length === 0) {
    branch[key] = value;
    return;
  }
  const next = Object.hasOwn(branch, key) ? branch[key] : undefined;
  const inner: Branch = isBranch(next) ? { ...next } : {};
  branch[key] = inner;
  place(inner, rest, value);
}

function isBranch(value: JsonValue | Branch | undefined): value is Branch {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
