import type { PendingAction } from '../core/domain/pending.js';
import type { Language } from '../core/domain/taxonomy.js';
import { unlessUnreachable } from '../core/signals.js';
import type { GraphDeps } from './graph-deps.js';
import type { HubStateType } from './state.js';

/**
 * What is asked about after this question, so that nothing of a message seems forgotten: the other records that it names,
 * and its other requests.
 * @returns null where nothing follows
 */
export async function remainingRequests(
  deps: GraphDeps,
  values: HubStateType,
  pending: PendingAction,
  language: Language,
): Promise<string | null> {
  if (deps.models.provider !== 'offline') return null;
  const waiting = values.tasks.filter(({ status }) => status === 'todo').map(({ text }) => text.trim());
  const named = await titlesAfter(deps, values, pending, language);
  const names = [...named, ...waiting].map((name) => `"${name}"`);
  const texts = deps.tools.texts.for(language);
  const afterTeam = pending.kind === 'approval';
  return names.length === 0
    ? null
    : texts.say('comes_next', { names: texts.list(names), after_team: afterTeam });
}

async function titlesAfter(
  { tools, dialogue }: GraphDeps,
  { tasks, focus, dialogue: state }: HubStateType,
  pending: PendingAction,
  language: Language,
): Promise<readonly string[]> {
  const target = tools.roster.findAction(pending.tool)?.target;
  const task = tasks.find(({ status }) => status === 'active');
  if (!target || !task || task.proposal) return [];
  const records = await unlessUnreachable(tools.records.list(pending.customerId, target.entity), []);
  const choices = focus?.choices.map(({ id }) => id) ?? [];
  const listed = choices.length > 0 ? choices : state?.shown.map(({ id }) => id);
  const eligible = new Set(target.eligible(records, new Set()).map(({ id }) => id));
  // "Both of them" is said of what was listed, where something was.
  const among = records.filter(
    ({ id }) => eligible.has(id) && (choices.length === 0 || choices.includes(id)),
  );
  const { ids } = dialogue.several(task.text, among, {
    ...{ now: tools.clock.now(), language },
    ...(listed && listed.length > 1 ? { listed } : {}),
  });
  const at = ids.indexOf(String(pending.args[target.input]));
  return at === -1 ? [] : ids.slice(at + 1).flatMap((id) => among.find((one) => one.id === id)?.title ?? []);
}
