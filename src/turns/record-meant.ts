import type { PendingAction } from '../core/domain/pending.js';
import type { Language } from '../core/domain/taxonomy.js';
import { unlessUnreachable } from '../core/signals.js';
import { matterOf } from '../runtime/release-action.js';
import type { TurnDeps } from './turn.js';

/* Which record a message means while a confirmation is open. */

type Deps = Pick<TurnDeps, 'graph' | 'pending'>;

/** The record that a confirmation is about; undefined where it is about none. */
export async function aboutOf(
  { graph: { tools } }: Deps,
  confirmation: PendingAction,
  language: Language,
): Promise<string | undefined> {
  const tool = tools.roster.findAction(confirmation.tool);
  return (tool && (await matterOf(tool, tools, confirmation, language)))?.about?.id;
}

/** What the change that is asked about may be made to next to its record in time, where a text points there: null where it does not. */
export async function neighbourOf(
  deps: Deps,
  text: string,
  confirmation: PendingAction,
  language: Language,
): Promise<string | null> {
  const { dialogue, tools } = deps.graph;
  const side = dialogue.neighbourIn(text);
  const target = tools.roster.findAction(confirmation.tool)?.target;
  if (side === null || !target || (await namedIn(deps, text, confirmation)).length > 0) return null;
  const about = await aboutOf(deps, confirmation, language);
  const all = await unlessUnreachable(tools.records.list(confirmation.customerId), []);
  const own = all.filter(({ entity }) => entity === target.entity);
  const possible = new Set(target.eligible(own, new Set()).map(({ id }) => id));
  const ahead = own
    .filter(
      ({ id, startsAt, upcoming }) => startsAt !== null && upcoming && (id === about || possible.has(id)),
    )
    .toSorted((a, b) => Date.parse(a.startsAt ?? '') - Date.parse(b.startsAt ?? ''));
  const at = ahead.findIndex(({ id }) => id === about);
  return at < 0 ? null : (ahead[side === 'after' ? at + 1 : at - 1]?.id ?? null);
}

/**
 * Ids of the customer's records that a text names.
 * @param counted what "the second" counts in; all of them where that is not known
 */
export async function namedIn(
  deps: Deps,
  text: string,
  { customerId }: Pick<PendingAction, 'customerId'>,
  counted: readonly string[] = [],
): Promise<readonly string[]> {
  const { tools } = deps.graph;
  // Whether these can be read says nothing of the answer: a yes is a yes while another system is down.
  const all = await unlessUnreachable(tools.records.list(customerId), []);
  const choices = all.flatMap(({ id, title, startsAt }) =>
    startsAt === null ? [] : [{ id, title, startsAt }],
  );
  const among = counted.flatMap((id) => choices.find((one) => one.id === id) ?? []);
  const inList = among.length > 1 ? deps.graph.language.namedAmong(text, among, tools.clock.now()) : null;
  return inList ?? deps.graph.language.namedAmong(text, choices, tools.clock.now(), among.length < 2) ?? [];
}
