import type { JsonObject, JsonValue } from '../../core/domain/json.js';
import type { SkillHandoff, SkillResult } from '../../core/domain/skill.js';
import { HubError } from '../../core/errors.js';
import type { Scope } from '../expressions/condition.js';
import { fillValue } from '../expressions/placeholders.js';
import type { Pack } from '../pack/pack.js';
import type { TreeStep } from '../pack/tree-schema.js';
import type { RunContext } from '../run/run-context.js';
import { callSource } from '../sources/call-source.js';

/** What a step's action came to. */
export type ActionOutcome =
  | { readonly kind: 'result'; readonly result: JsonObject }
  | { readonly kind: 'waiting'; readonly handoff: SkillHandoff };

/**
 * Carries out the action of a step.
 * @throws HubError of the source or the part
 */
export async function performAction(
  pack: Pack,
  id: string,
  step: TreeStep,
  scope: Scope,
  context: RunContext,
): Promise<ActionOutcome> {
  const { action } = step;
  switch (action.type) {
    case 'query':
    case 'api':
      return { kind: 'result', result: await callSource(pack, action, jsonScope(scope), context) };
    case 'skill': {
      const part = context.services.catalog.get(action.skill, action.version);
      const given = action.input === undefined ? jsonScope(scope).input : fillValue(action.input, scope);
      const outcome = await context.runPart(id, part, (given ?? {}) as JsonObject, context.signal);
      if (outcome.status === 'waiting') return { kind: 'waiting', handoff: outcome.handoff };
      return { kind: 'result', result: resultVariable(outcome.result) };
    }
    default:
      throw new HubError('internal', `Step ${id} of ${pack.id} asks a person and has no action.`);
  }
}

/** Dates of a scope as the text that sources take. */
function jsonScope(scope: Scope): JsonObject {
  return Object.fromEntries(
    Object.entries(scope).map(([name, value]) => [
      name,
      value instanceof Date ? value.toISOString() : (value as JsonValue),
    ]),
  );
}

/** A part's result as conditions look at it: the data of a generation, the fields of anything else. */
function resultVariable(result: SkillResult): JsonObject {
  const { value } = result;
  const shown = result.kind === 'generation' ? (result.value.data ?? { success: false }) : value;
  const plain = JSON.parse(JSON.stringify(shown ?? null)) as JsonValue;
  if (Array.isArray(plain)) return { count: plain.length, rows: plain };
  return typeof plain === 'object' && plain !== null
    ? { count: 1, ...(plain as JsonObject) }
    : { count: 1, value: plain };
}
