import { foldText } from '../../src/nlu/slots/text.js';
import { chancesOf } from '../../src/nlu/tool-chances.js';
import type { AgentContext } from '../../src/runtime/agent-definition.js';
import type { ListedRecord } from '../../src/runtime/define-tool.js';
import { candidate, type OfflineDeps } from '../offline-support.js';

/**
 * "The other two" where no list says which: those that the last answer said come next, else all but the one that it spoke of. Empty
 * where their number is another.
 */
export function othersSpokenOf(
  { nlu }: OfflineDeps,
  { dialogue, session, task, trace }: AgentContext,
  eligible: readonly ListedRecord[],
): readonly string[] {
  const { words } = nlu.roles;
  if (!words.others.test(task.text)) return [];
  const said = foldText(task.text).match(/\p{L}+|\d+/gu) ?? [];
  const count = said.map((word) => words.counts.get(word) ?? Number(word)).find((number) => number > 1);
  // What was done of them meanwhile counts too.
  const done = new Set(trace.flatMap(({ args }) => Object.values(args)));
  const known = (ids: readonly string[]): boolean =>
    ids.length > 0 && (ids.length + done.size === count || ids.length === count);
  const next = eligible.filter(({ title }) => session.lastReply?.includes(`"${title}"`)).map(({ id }) => id);
  if (count === undefined) return [];
  if (known(next)) return next;
  const spoken = dialogue?.focus ?? (dialogue?.shown.length === 1 ? dialogue.shown[0]?.id : undefined);
  const others = eligible.filter(({ id }) => id !== spoken).map(({ id }) => id);
  return others.length < eligible.length && known(others) ? others : [];
}

/** From here on a message without a no surely asks for a change. */
const ORDERS = 0.65;

/** True where a text surely asks for what a tool does, and takes nothing back. */
export function orders({ nlu }: OfflineDeps, { task, session }: AgentContext, tool: string): boolean {
  const { text } = task;
  const isNo = nlu.slots.readYesNo(text, session.language).kind === 'no';
  const isTakenBack = nlu.slots.readRequestAct(text).kind !== 'none';
  return !isNo && !isTakenBack && (chancesOf(nlu, text, session.language).get(tool) ?? 0) >= ORDERS;
}

/** The place that a text names where the only record there is has another: it is about something else. Null where it names none. */
export function placeBeside(
  deps: OfflineDeps,
  context: AgentContext,
  only: ListedRecord | undefined,
): string | null {
  const { places } = deps.nlu.slots.filters.read(context.task.text, {
    now: new Date(context.now),
    language: context.session.language,
  }).filters;
  const location = only ? (candidate(only).location ?? '') : '';
  if (location === '' || places.some((place) => location.includes(place))) return null;
  return places[0] ?? null;
}
