import type { PendingAction } from '../core/domain/pending.js';
import type { Choice } from '../core/domain/session.js';
import { unlessUnreachable } from '../core/signals.js';
import type { TurnDeps } from './turn.js';

/** In more words something else is told. */
const MOST_WORDS = 16;

/** The records, of those that the same change can be made to, where a text means more than one of them. */
export async function severalInstead(
  { graph: { dialogue, models, tools } }: Pick<TurnDeps, 'graph'>,
  text: string,
  { tool: name, customerId }: PendingAction,
): Promise<readonly Choice[]> {
  const target = tools.roster.findAction(name)?.target;
  const isFew = text.trim().split(/\s+/).length <= MOST_WORDS;
  if (
    !target ||
    !isFew ||
    dialogue.pointsAtAnother(text) ||
    models.provider !== 'offline' ||
    dialogue.isQuestion(text)
  )
    return [];
  const all = await unlessUnreachable(tools.records.list(customerId, target.entity), []);
  const eligible = target.eligible(all, new Set());
  const among = all.filter(({ id }) => eligible.some((one) => one.id === id));
  const { ids } = dialogue.several(text, among, { now: tools.clock.now() });
  return ids.length < 2
    ? []
    : among.flatMap(({ id, title, startsAt }) => (ids.includes(id) ? [{ id, title, startsAt }] : []));
}
