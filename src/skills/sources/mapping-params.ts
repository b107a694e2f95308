import { isObject, type JsonObject, type JsonValue } from '../../core/domain/json.js';
import { HubError } from '../../core/errors.js';
import { fillValue } from '../expressions/placeholders.js';
import type { Mapping } from '../pack/mappings-schema.js';
import type { Pack } from '../pack/pack.js';
import type { TreeAction } from '../pack/tree-schema.js';

/** A step that asks a source. */
export type SourceAction = Extract<TreeAction, { type: 'query' | 'api' }>;

/**
 * What the placeholders of a step's statement may name: everything the step sees, and the step's `params` under their own
 * names, which come first. A parameter that the step does not give is looked up by its name in the input.
 * @throws HubError `input_invalid` naming the first required parameter that has no value
 */
export function mappingScope(
  pack: Pack,
  action: SourceAction,
  mapping: Mapping | null,
  scope: JsonObject,
): JsonObject {
  const given: Record<string, JsonValue> = { ...mapping?.params.defaults };
  for (const [name, template] of Object.entries(action.params ?? {})) {
    given[name] = fillValue(template, scope) ?? null;
  }
  const values: JsonObject = { ...scope, ...given };
  for (const name of mapping?.params.required ?? []) {
    const value = lookUp(values, name) ?? lookUp(scope.input, name);
    if (value === null || value === undefined || value === '') throw missing(pack, action, name);
    if (lookUp(values, name) === undefined) given[name] = value;
  }
  return { ...scope, ...given };
}

/** `name` as a key, else as a path of keys (`customer.user_id`). Inherited properties are no values. */
function lookUp(value: JsonValue | undefined, name: string): JsonValue | undefined {
  if (!isObject(value)) return undefined;
  if (Object.hasOwn(value, name)) return value[name];
  const dot = name.indexOf('.');
  if (dot < 0) return undefined;
  const head = name.slice(0, dot);
  return Object.hasOwn(value, head) ? lookUp(value[head], name.slice(dot + 1)) : undefined;
}

function missing(pack: Pack, action: SourceAction, param: string): HubError {
  return new HubError(
    'input_invalid',
    `The mapping ${action.mapping} (api_mappings.yaml of ${pack.id}) needs ${param}, which has no value here. Give it in the input or in the step's params.`,
    { skill: pack.id, mapping: action.mapping, field: param },
  );
}
