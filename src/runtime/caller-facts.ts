import type { Scope } from '../core/domain/customer.js';
import type { EntityRecord } from '../core/domain/entity.js';
import { isObject, type JsonObject, type JsonValue } from '../core/domain/json.js';
import type { Session } from '../core/domain/session.js';
import type { SkillReach, SkillSummary } from '../core/domain/skill.js';
import { HubError } from '../core/errors.js';
import { unlessUnreachable } from '../core/signals.js';
import type { AnyTool, ToolContext, ToolDeps } from './define-tool.js';

/*
 * What the hub tells a skill about the caller. Calls of agents and of other software fill a skill's input with it, so that
 * no caller can state it.
 */

/** The verified customer; runTool has refused anonymous sessions before, so this cannot throw for one. */
export function customerIdOf(context: ToolContext): string {
  const { identity } = context.session;
  if (identity.kind !== 'customer') throw new HubError('not_signed_in', 'Sign in first.');
  return identity.customerId;
}

/** Who asks, from the database by the verified identity. @throws HubError `not_found` */
export async function factsOf(
  { customers }: Pick<ToolDeps, 'customers'>,
  customerId: string,
): Promise<JsonObject> {
  const customer = await customers.facts(customerId);
  if (!customer) throw new HubError('not_found', 'The customer has no record.');
  return { customer };
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

/**
 * Every record of the company's that an input names, however deep: `ENTITY_id` and `ENTITY_ids`.
 * @param entities ids of the entities there are
 */
export function recordsNamed(
  value: JsonValue | undefined,
  entities: readonly string[],
): readonly { readonly entity: string; readonly id: string }[] {
  if (Array.isArray(value)) return value.flatMap((item) => recordsNamed(item, entities));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, item]) => {
    const key = name.toLowerCase().replace(/_?ids?$/, '');
    const entity = key === name.toLowerCase() ? undefined : entities.find((one) => one === key);
    if (entity === undefined) return recordsNamed(item, entities);
    return [item].flat().flatMap((id) => (typeof id === 'string' ? [{ entity, id }] : []));
  });
}

/**
 * A record that is talked about must be the customer's own.
 * @throws HubError `not_found`, also where it is another customer's
 */
export async function demandOwn(
  { records }: Pick<ToolDeps, 'records'>,
  customerId: string,
  { entity, id }: { readonly entity: string; readonly id: string },
): Promise<void> {
  if (await records.find(entity, customerId, id)) return;
  throw new HubError('not_found', `There is no such ${entity}.`);
}

/**
 * How far a conversation reaches. What a pack asks of an API is for the customer in the chat; a program, which may say
 * anything in the customer's name, gets the customer's own rows alone.
 */
export function reachIn({ scopes }: Pick<Session, 'scopes'>): SkillReach {
  return scopes === undefined ? 'everybody' : 'customer';
}

/** The packs that may investigate a symptom in this conversation: they only read, and the session is a customer's. */
export function isForCustomers(
  skill: Pick<SkillSummary, 'type' | 'effect' | 'status' | 'reach'>,
  session: Pick<Session, 'scopes'>,
): boolean {
  const { type, effect, status, reach } = skill;
  if (type !== 'decision_tree' || effect !== 'read' || status !== 'active') return false;
  return reach === 'customer' || reachIn(session) === 'everybody';
}

type Whose = Pick<Session, 'identity'>;

/** Titles of what the customer has on a day. Each once. */
export async function bookedNames(
  deps: Pick<ToolDeps, 'records'>,
  session: Whose,
): Promise<readonly string[]> {
  return titlesOf(await recordsOf(deps, session));
}

/** Those, and titles of records that are public. */
export async function knownNames(
  deps: Pick<ToolDeps, 'records'>,
  session: Whose,
): Promise<readonly string[]> {
  const { records } = deps;
  const offered = records.catalogue ? await unlessUnreachable(records.catalogue(null), []) : [];
  return titlesOf([...(await recordsOf(deps, session)), ...offered]);
}

/** What the customer has at any time and not on a day, such as their plan, by its title; nothing that is over. */
export async function ownNames(deps: Pick<ToolDeps, 'records'>, session: Whose): Promise<readonly string[]> {
  const own = await recordsOf(deps, session);
  return own.flatMap(({ title, startsAt, upcoming }) => (startsAt === null && upcoming ? [title] : []));
}

async function recordsOf(
  { records }: Pick<ToolDeps, 'records'>,
  { identity }: Whose,
): Promise<readonly EntityRecord[]> {
  return identity.kind === 'customer' ? unlessUnreachable(records.list(identity.customerId), []) : [];
}

function titlesOf(records: readonly EntityRecord[]): readonly string[] {
  return [...new Set(records.flatMap(({ title, startsAt }) => (startsAt === null ? [] : [title])))];
}

/**
 * What a token must hold for a tool: nothing for what is public, `account:read` for the customer's record,
 * `action:write` for every change.
 */
export function scopeOf(tool: Pick<AnyTool, 'access' | 'effect' | 'name'>): Scope | null {
  if (tool.effect !== 'read') return 'action:write';
  if (tool.name === 'investigate') return 'skill:run';
  return tool.access === 'customer' ? 'account:read' : null;
}

/** The scope that is needed and not held; null where nothing is missing. @param held absent: no limits */
export function missingScope(
  tool: Pick<AnyTool, 'access' | 'effect' | 'name'>,
  held: readonly Scope[] | undefined,
): Scope | null {
  const needed = scopeOf(tool);
  return needed === null || held === undefined || held.includes(needed) ? null : needed;
}

/** For a model: what to say instead. */
export function scopeAdvice(scope: Scope): string {
  return `The program the customer uses was not given the right "${scope}". Say that this cannot be done from there, and that the customer can do it in the chat of the company.`;
}
