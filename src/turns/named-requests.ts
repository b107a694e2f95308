import type { PendingAction } from '../core/domain/pending.js';
import { candidatesOf, namable, type OpenRequest } from './references.js';
import type { TurnDeps } from './turn.js';

/**
 * Ids of the open requests that a message names; null where it names nothing, empty where it names something else.
 * @param confirmation the customer's own open question
 */
export async function namedAmong(
  deps: Pick<TurnDeps, 'graph' | 'pending'>,
  text: string,
  open: readonly OpenRequest[],
  confirmation: PendingAction | null,
): Promise<readonly string[] | null> {
  const { language, tools } = deps.graph;
  const own = await namable(deps, open[0]?.row.customerId ?? '');
  const choices = [...own, ...open.flatMap(candidatesOf)];
  const named = language.namedAmong(text, choices, tools.clock.now());
  if (named === null) return null;
  // What the open question is about too does not distinguish the requests.
  const asked = Object.values(confirmation?.args ?? {});
  const meant = open.filter(({ row, about }) => named.includes(about?.id ?? row.pendingId));
  return meant.filter(({ about }) => !asked.includes(about?.id)).map(({ row }) => row.pendingId);
}
