import type { JsonObject, JsonValue } from '../core/domain/json.js';
import type { Session } from '../core/domain/session.js';
import type { SkillReach, SkillSummary } from '../core/domain/skill.js';
import { HubError } from '../core/errors.js';
import type { ToolDeps } from './define-tool.js';

/*
 * What the hub itself says to a skill about who asks. An agent's call and one from other software fill a skill's input
 * with this, so that nobody can say it instead.
 */

type Deps = Pick<ToolDeps, 'customers'>;

/** Who asks, from the database by the verified identity. @throws HubError `not_found` */
export async function factsOf(deps: Deps, customerId: string): Promise<JsonObject> {
  const [user, subscription] = await Promise.all([
    deps.customers.getUser(customerId),
    deps.customers.getSubscription(customerId),
  ]);
  if (!user) throw new HubError('not_found', 'The customer has no record.');
  return {
    customer: {
      user_id: user.userId,
      full_name: user.fullName,
      email: user.email,
      is_blocked: user.isBlocked,
      subscription: subscription && { status: subscription.status, tier: subscription.tier },
    },
  };
}

/**
 * The part of a value that a skill's schema knows.
 * @param open whether fields that the schema does not name may stay
 */
export function fitting(value: JsonObject, schema: JsonObject, open: boolean): JsonObject {
  const { properties, additionalProperties } = schema;
  if (!isObject(properties)) return value;
  const kept = Object.entries(value).flatMap(([name, field]) => {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (known === undefined) return open && additionalProperties !== false ? [[name, field] as const] : [];
    return [[name, isObject(field) && isObject(known) ? fitting(field, known, true) : field] as const];
  });
  return Object.fromEntries(kept);
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * A reservation that is talked about must be the customer's own.
 * @throws HubError `not_found`, also where it is somebody else's
 */
export async function demandOwn(
  { customers }: Deps,
  customerId: string,
  reservationId: string,
): Promise<void> {
  if (await customers.getReservation(customerId, reservationId)) return;
  throw new HubError('not_found', 'There is no such reservation.');
}

/**
 * How far a conversation reaches. What a pack asks of an API is for the customer in the chat; a program, which may say
 * anything in the customer's name, gets the customer's own rows alone.
 */
export function reachIn({ scopes }: Pick<Session, 'scopes'>): SkillReach {
  return scopes === undefined ? 'everybody' : 'customer';
}

/** The procedures a symptom may be put to in this conversation: they read, and somebody stands behind them. */
export function isForCustomers(
  skill: Pick<SkillSummary, 'type' | 'effect' | 'status' | 'reach'>,
  session: Pick<Session, 'scopes'>,
): boolean {
  const { type, effect, status, reach } = skill;
  if (type !== 'decision_tree' || effect !== 'read' || status !== 'active') return false;
  return reach === 'customer' || reachIn(session) === 'everybody';
}
