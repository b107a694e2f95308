import { Ajv2020 } from 'ajv/dist/2020.js';
import { SCOPES, type Scope } from '../../../src/core/domain/customer.js';
import type { TestServer } from '../../support/server.js';

export const ANA = 'ana.souza@example.com';
export const BRUNO = 'bruno.lima@example.com';
/** Ana's booking of the samba night, which she paid 60.00 for; it can be cancelled on the spot. */
export const ANAS_BOOKING = 'res_002';

/** A token of a program in a customer's name. */
export async function programToken(
  at: TestServer,
  email: string,
  scopes: readonly Scope[] = SCOPES,
): Promise<string> {
  return (await at.hub.app.sessions.issueFor({ email }, { scopes })).token;
}

/** A skill as the extension of a card tells of it. */
export interface SpecificSkill {
  readonly name: string;
  readonly description: string;
  readonly endpoint: string;
  readonly method: string;
  readonly input_schema: object;
  readonly output_schema: object;
  readonly effect: string;
  readonly scope: string | null;
  readonly requires_sign_in: boolean;
}

interface CardDocument {
  readonly capabilities: {
    readonly extensions: readonly { readonly params: { readonly skills?: readonly SpecificSkill[] } }[];
  };
}

/** What the extension of a card lists. */
export function specificSkillsOf(card: unknown): readonly SpecificSkill[] {
  return (card as CardDocument).capabilities.extensions.flatMap(({ params }) => params.skills ?? []);
}

/** What is wrong with a value by a schema; empty where nothing is. */
export function faultsOf(schema: object, value: unknown): readonly unknown[] {
  const validate = new Ajv2020({ strict: false, allErrors: true }).compile(schema);
  return validate(value) ? [] : (validate.errors ?? []);
}
