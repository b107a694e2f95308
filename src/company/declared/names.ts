import { existsSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { isObject, type JsonValue } from '../../core/domain/json.js';

/** Names that an expression may use, with what stands under each; `true` where anything may. */
export type Names = { readonly [name: string]: Names | true };

/** The part of a dotted name that leads nowhere, and what stands beside it; null where all is there. */
export function slipIn(parts: readonly string[], scope: Names): readonly [string, readonly string[]] | null {
  let under: Names | true = scope;
  for (const part of parts) {
    // Of a value that has nothing under it a part may be a function.
    if (under === true || Object.keys(under).length === 0) return null;
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
