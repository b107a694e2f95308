import { isObject, type JsonObject } from '../../core/domain/json.js';
import type { HandoffOption, SkillAnswer, SkillHandoff } from '../../core/domain/skill.js';
import type { Pack } from '../pack/pack.js';
import type { CompositeEnv } from './composite-env.js';
import type { Guess } from './level2-parameter-resolver.js';
import { faultsOfProperty, propertyOf } from './parameter-schema.js';
import { requiredOf } from './step-output.js';

/**
 * The question to a person about inputs of a part that nothing gives.
 * @param refused what was wrong with the values of the last answer
 */
export function askMissing(
  env: CompositeEnv,
  part: string,
  pack: Pack,
  missing: readonly string[],
  guesses: Readonly<Record<string, Pick<Guess, 'value' | 'confidence'>>>,
  refused: readonly string[] = [],
  tried: readonly string[] = [],
): SkillHandoff {
  const fields = missing.map((field) => describeField(pack, field, guesses[field]));
  const question = `${refused.length > 0 ? `That does not fit: ${refused.join('; ')}. ` : ''}The step ${part} (${pack.summary.title}) needs ${fields.join(', ')}.`;
  return {
    run_id: env.context.runId,
    skill_id: env.pack.id,
    at: part,
    trigger: 'missing_parameter',
    question,
    advice: null,
    found: [],
    tried,
    options: optionsFor(missing, guesses),
    proposal: null,
    fields: missing,
  };
}

function optionsFor(missing: readonly string[], guesses: Readonly<Record<string, unknown>>): HandoffOption[] {
  const guessed = missing.filter((field) => Object.hasOwn(guesses, field));
  const label =
    guessed.length > 0
      ? `Go on with the values given, and with what was inferred for ${guessed.join(', ')}`
      : 'Go on with the values given; without them this step is left out';
  return [
    { id: 'A', label },
    { id: 'C', label: 'A person takes over' },
  ];
}

function describeField(
  pack: Pack,
  field: string,
  guess: Pick<Guess, 'value' | 'confidence'> | undefined,
): string {
  const property = propertyOf(pack.descriptor.input_schema, field);
  const description =
    isObject(property) && typeof property.description === 'string' ? ` (${property.description})` : '';
  if (guess === undefined) return `${field}${description}`;
  return `${field}${description}, perhaps ${JSON.stringify(guess.value).slice(0, 200)} (confidence ${guess.confidence})`;
}

/** What an answer makes of a step that asked. */
export type Answered =
  | { readonly kind: 'go_on'; readonly input: JsonObject }
  | { readonly kind: 'left_out'; readonly message: string }
  | { readonly kind: 'wrong'; readonly refused: readonly string[] };

/**
 * Reads the answer to {@link askMissing}: of what is given the fields asked for count, then what was guessed. A value that does not fit is asked
 * for again; a step that nobody gives a required value for is left out, so that the run comes to an end.
 */
export function readAnswer(
  pack: Pack,
  asked: { readonly known: JsonObject; readonly guessed: JsonObject; readonly missing: readonly string[] },
  answer: SkillAnswer,
): Answered {
  const schema = pack.descriptor.input_schema;
  const given = asked.missing.flatMap((field) => {
    const value = answer.input?.[field];
    return value === undefined ? [] : [[field, value] as const];
  });
  const refused = given.flatMap(([field, value]) =>
    faultsOfProperty(schema, field, value).map((fault) => `${field} ${fault}`),
  );
  if (refused.length > 0) return { kind: 'wrong', refused };
  const input = { ...asked.known, ...asked.guessed, ...Object.fromEntries(given) };
  const without = requiredOf(schema).filter((field) => input[field] === undefined);
  if (without.length === 0) return { kind: 'go_on', input };
  return { kind: 'left_out', message: `It needs ${without.join(', ')}, and nobody gave it.` };
}
