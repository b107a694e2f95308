import { isObject, type JsonObject, type JsonValue } from '../../core/domain/json.js';
import { HubError } from '../../core/errors.js';
import type { CustomerRecords } from '../../core/ports/index.js';
import type { InputSpec } from './inputs.js';

/**
 * Holds the records that a call names to the customer it is made for, whatever the statements of a company's files ask:
 * what an entity's `records.read` does not give of this customer is not there. It knows of inputs of the type `record` only.
 */

/** An input of the type `record`, wherever it stands in a declaration. */
export interface RecordInput {
  /** Keys from the top, as in the file. */
  readonly path: readonly string[];
  readonly entity: string;
}

/** All of them, in lists and objects too. */
export function recordInputs(
  declared: Readonly<Record<string, InputSpec>>,
  above: readonly string[] = [],
): readonly RecordInput[] {
  const within = (spec: InputSpec, path: readonly string[]): readonly RecordInput[] => {
    if (spec.type === 'record') return [{ path, entity: spec.entity }];
    if (spec.type === 'list') return within(spec.of, [...path, 'of']);
    return spec.type === 'object' ? recordInputs(spec.fields, [...path, 'fields']) : [];
  };
  return Object.entries(declared).flatMap(([name, spec]) => within(spec, [...above, name]));
}

/** Whose the records are that a call names. */
export interface Ownership {
  /**
   * @param customerId null where nobody is signed in
   * @throws HubError `not_found` for a record that is not the customer's, `not_signed_in`, and what reading them throws
   */
  hold(
    declared: Readonly<Record<string, InputSpec>>,
    input: JsonObject,
    customerId: string | null,
    records: CustomerRecords,
  ): Promise<void>;
}

/** @param shared entities whose records are the same for everybody, so that any of them may be named */
export function createOwnership(shared: ReadonlySet<string>): Ownership {
  return {
    async hold(declared, input, customerId, records) {
      const named = new Map<string, Set<string>>();
      for (const { entity, id } of idsIn(declared, input))
        if (!shared.has(entity)) named.set(entity, (named.get(entity) ?? new Set()).add(id));
      if (named.size > 0 && customerId === null) throw new HubError('not_signed_in', 'Sign in first.');
      for (const [entity, ids] of named) {
        const own = new Set((await records.list(customerId ?? '', entity)).map(({ id }) => id));
        if ([...ids].some((id) => !own.has(id)))
          throw new HubError('not_found', 'Nothing of that kind belongs to this customer.', { entity });
      }
    },
  };
}

function idsIn(
  declared: Readonly<Record<string, InputSpec>>,
  input: JsonObject,
): readonly { readonly entity: string; readonly id: string }[] {
  const within = (spec: InputSpec, value: JsonValue | undefined): ReturnType<typeof idsIn> => {
    if (value === undefined || value === null) return [];
    if (spec.type === 'record') return [{ entity: spec.entity, id: String(value) }];
    if (spec.type === 'list') return Array.isArray(value) ? value.flatMap((one) => within(spec.of, one)) : [];
    return spec.type === 'object' && isObject(value) ? idsIn(spec.fields, value) : [];
  };
  return Object.entries(declared).flatMap(([name, spec]) => within(spec, input[name]));
}
