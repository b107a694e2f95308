import type { CapabilityOutcome } from '../core/capabilities.js';
import { isObject, type JsonObject } from '../core/domain/json.js';
import type { Language } from '../core/domain/taxonomy.js';
import { type FieldError, toHubError } from '../core/errors.js';
import { demandOwn, factsOf, fitting, recordsNamed } from '../runtime/caller-facts.js';
import type { CapabilityDeps } from './caller-session.js';
import type { Entry } from './catalogue.js';
import { type CheckedCall, refused } from './checked-call.js';
import { identityFields, isClosed, withCustomer } from './skill-schema.js';
import { refuseInput } from './tool-schema.js';

type SkillInput =
  | { readonly ok: true; readonly value: JsonObject }
  | { readonly ok: false; readonly outcome: CapabilityOutcome };

/**
 * The input of a skill: of staff as it is; of a customer's program with who the customer is, from the verified identity
 * and the database, and with nothing that is another customer's.
 * @throws HubError `input_invalid`
 */
export async function skillInput(
  { tools }: CapabilityDeps,
  { skill, capability }: Extract<Entry, { skill: object }>,
  { call, input, language }: CheckedCall<JsonObject>,
): Promise<SkillInput> {
  const { inputSchema } = skill;
  const complete = withLanguage(input, inputSchema, language);
  const { identity, operator } = call.caller;
  if (operator || identity.kind !== 'customer') return { ok: true, value: complete };
  const said = identityFields(input, inputSchema);
  const errors = [
    ...said.map((field) => ({ field, message: 'is filled by the hub, from who is signed in' })),
    ...unknownFields(input, capability.inputSchema, skill.id).filter(({ field }) => !said.includes(field)),
  ];
  if (errors.length > 0) return refuseInput(skill.id, errors);
  const { customerId } = identity;
  try {
    for (const named of recordsNamed(input, tools.entities)) await demandOwn(tools, customerId, named);
    return { ok: true, value: await ownInput(tools, inputSchema, complete, customerId, language) };
  } catch (error) {
    const { code, message } = toHubError(error);
    if (code !== 'not_found') throw error;
    return { ok: false, outcome: refused('not_found', message) };
  }
}

/** The input with who the customer is and the language, as the schema asks for them. */
export async function ownInput(
  tools: CapabilityDeps['tools'],
  schema: JsonObject,
  input: JsonObject,
  customerId: string,
  language: Language,
): Promise<JsonObject> {
  const { customer } = await factsOf(tools, customerId);
  const record = isObject(customer) ? customer : {};
  const fit = (value: JsonObject, into: JsonObject): JsonObject => fitting(value, into, true);
  return withCustomer(withLanguage(input, schema, language), schema, { customerId, record }, fit);
}

function unknownFields(input: JsonObject, shown: JsonObject, name: string): readonly FieldError[] {
  if (!isClosed(shown)) return [];
  const known = Object.keys(isObject(shown.properties) ? shown.properties : {});
  return Object.keys(input)
    .filter((field) => !known.includes(field))
    .map((field) => ({
      field: field.slice(0, 80),
      message: `is no argument of ${name}, which takes ${known.join(', ')}`,
    }));
}

/** The call has a language, so nobody needs to say it twice. */
function withLanguage(input: JsonObject, { properties }: JsonObject, language: Language): JsonObject {
  const asked =
    isObject(properties) && Object.hasOwn(properties, 'language') ? properties.language : undefined;
  if (!isObject(asked) || input.language !== undefined) return input;
  const takes = Array.isArray(asked.enum) ? asked.enum.includes(language) : asked.type === 'string';
  return takes ? { ...input, language } : input;
}
