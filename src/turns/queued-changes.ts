import type { PendingAction } from '../core/domain/pending.js';
import type { Language } from '../core/domain/taxonomy.js';
import { unlessUnreachable } from '../core/unreachable.js';
import { focusOn } from '../graph/spoken.js';
import type { Turn, TurnDeps } from './turn.js';

/** Messages that are looked through for the one that asked. */
const RECENT = 20;

/** One of several changes that a message asks for; `id` where it names the record and no words of its own. */
interface Asked {
  readonly text: string;
  readonly id?: string;
}

/**
 * What was asked for after the change that was decided, in the same message: the graph that knew it may be gone with its
 * process, and the stored message is enough.
 * @returns null where nothing follows
 */
export async function queuedAfter(
  { graph }: Pick<TurnDeps, 'graph'>,
  decided: PendingAction,
  language: Language,
): Promise<Pick<Turn, 'text' | 'focus' | 'about'> | null> {
  const { tickets, tools, models } = graph;
  const tool = tools.roster.findAction(decided.tool);
  if (!tool || models.provider !== 'offline') return null;
  const input = tool.target?.input;
  const target = input === undefined ? undefined : String(decided.args[input]);
  const messages = await tickets.listThreadMessages(decided.threadId, RECENT);
  const before = messages.filter(
    ({ role, createdAt }) => role === 'customer' && createdAt <= decided.createdAt,
  );
  for (const { content } of before.toReversed()) {
    const asked = await changesIn(graph, decided, content, language);
    const at = asked.findLastIndex(({ text, id }) =>
      id === undefined ? !graph.language.hardlyAsksFor(text, language, decided.tool) : id === target,
    );
    const [next, ...later] = at < 0 ? [] : asked.slice(at + 1);
    if (!next) continue;
    if (next.id === undefined) return { text: [next, ...later].map(({ text }) => text).join('. ') };
    const args = { ...decided.args, ...(input === undefined ? {} : { [input]: next.id }) };
    return { text: next.text, about: next.id, focus: { ...focusOn(decided), args, offered: true } };
  }
  return null;
}

/** The changes that a message asks for, in its order: each record that it names of one, and each other. */
async function changesIn(
  { language, dialogue, tools, agents }: TurnDeps['graph'],
  { tool: name, args, customerId }: PendingAction,
  text: string,
  spoken: Language,
): Promise<readonly Asked[]> {
  const target = tools.roster.findAction(name)?.target;
  const changes = language
    .requests(text, spoken)
    .filter(({ route }) => route !== null && agents.changes(route));
  const records = target ? await unlessUnreachable(tools.records.list(customerId, target.entity), []) : [];
  const among = records.filter(({ id, upcoming }) => upcoming || id === args[target?.input ?? '']);
  return changes.flatMap((change): readonly Asked[] => {
    if (!target || language.hardlyAsksFor(change.text, spoken, name)) return [change];
    const { ids } = dialogue.several(change.text, among, { now: tools.clock.now(), language: spoken });
    const named = ids.flatMap((id) => among.find((one) => one.id === id) ?? []);
    return named.length === 0 ? [change] : named.map(({ id, title }) => ({ id, text: title }));
  });
}
