import type { EntityRecord } from '../core/domain/entity.js';
import type { Session } from '../core/domain/session.js';
import { unlessUnreachable } from '../core/unreachable.js';
import type { ToolDeps } from './define-tool.js';

type Whose = Pick<Session, 'identity'>;

/** Titles of what the customer has on a day. Each once. */
export async function bookedNames(
  deps: Pick<ToolDeps, 'records'>,
  session: Whose,
): Promise<readonly string[]> {
  return titlesOf(await recordsOf(deps, session));
}

/** Those, and titles of what anybody may be told of. */
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
