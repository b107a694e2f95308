import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { isObject, type JsonValue } from '../../core/domain/json.js';
import type { InputSpec } from './inputs.js';

/** Names that an expression may use, with what stands under each; `true` where anything may. */
export type Names = { readonly [name: string]: Names | true };

/** Stands for any entry of a list. */
export const ENTRY = '*';

/** The part of a dotted name that leads nowhere, and what stands beside it; null where all is there. */
export function slipIn(parts: readonly string[], scope: Names): readonly [string, readonly string[]] | null {
  let under: Names | true = scope;
  for (const part of parts) {
    // Of a value that has nothing under it a part may be a function.
    if (under === true || Object.keys(under).length === 0) return null;
    // Whether it is a list, or what is in it, is not known of everything.
    if (part === ENTRY && !Object.hasOwn(under, ENTRY)) return null;
    const next: Names | true | undefined = Object.hasOwn(under, part) ? under[part] : undefined;
    if (next === undefined) return [part, Object.keys(under)];
    under = next;
  }
  return null;
}

/** Names under which anything may stand. */
export function leaves(names: readonly string[]): { readonly [name: string]: true } {
  return Object.fromEntries(names.map((name) => [name, true]));
}

/** Some of what a scope has. */
export function pick(scope: Names, names: readonly string[]): Names {
  return Object.fromEntries(names.map((name) => [name, scope[name] ?? true]));
}

/** What a policy.yaml has; nothing where there is none. */
export function policyNames(file: string): Names | true {
  if (!existsSync(file)) return {};
  const namesOf = (value: unknown): Names | true =>
    isObject(value as JsonValue)
      ? Object.fromEntries(Object.entries(value as object).map(([name, one]) => [name, namesOf(one)]))
      : true;
  return namesOf(parse(readFileSync(file, 'utf8')));
}

/** What inputs have under their names. */
export function namesOfInputs(inputs: Readonly<Record<string, InputSpec>>): Names {
  const of = (spec: InputSpec): Names | true => {
    if (spec.type === 'object') return namesOfInputs(spec.fields);
    const entry = spec.type === 'list' ? of(spec.of) : true;
    return entry === true ? true : { [ENTRY]: entry };
  };
  return Object.fromEntries(Object.entries(inputs).map(([name, spec]) => [name, of(spec)]));
}

/** The YAML files in a room of a company's folder, by name; none where there is no such room. */
export function yamlIn(folder: string, room: string): readonly string[] {
  const path = join(folder, room);
  const names = existsSync(path) ? readdirSync(path).filter((name) => name.endsWith('.yaml')) : [];
  return names.sort().map((name) => join(path, name));
}
