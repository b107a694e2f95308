import type { JsonObject, JsonValue } from '../../core/domain/json.js';
import { compileFormula } from '../expressions/formula.js';
import type { Prompt } from '../pack/template-schema.js';

/**
 * What a template and its fallback may name: the input, and what `computed` makes of it. Each expression sees the input only
 * (its fields by name, and `input`); one that does not go with this input is as absent as a field that was not given.
 * @throws HubError `expression_invalid` where one is no CEL
 */
export function variablesOf({ computed = {} }: Pick<Prompt, 'computed'>, input: JsonObject): JsonObject {
  const made: [string, JsonValue | undefined][] = Object.entries(computed).map(([name, expression]) => [
    name,
    compileFormula(expression).value({ ...input, input }),
  ]);
  return { ...input, ...Object.fromEntries(made) };
}
