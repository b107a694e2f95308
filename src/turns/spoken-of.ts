import type { PendingAction } from '../core/domain/pending.js';
import type { Language } from '../core/domain/taxonomy.js';
import type { TicketStore } from '../core/ports/index.js';
import { candidatesOf, namable, type OpenRequest } from './references.js';
import type { TurnDeps } from './turn.js';

/* Which open questions and requests the hub's last answer and a message speak of. */

type Deps = Pick<TurnDeps, 'graph'>;

/** Messages that are looked through for what was said last. */
const RECENT = 20;

/** What the hub said last on a conversation; empty where it has said nothing. */
export async function lastAnswer(
  tickets: Pick<TicketStore, 'listThreadMessages'>,
  threadId: string,
): Promise<string> {
  const messages = await tickets.listThreadMessages(threadId, RECENT);
  return messages.findLast(({ role }) => role === 'hub')?.content ?? '';
}

/**
 * True where the hub's last message asks once more what it had asked before.
 * @param name what the confirmation is about, as its customer speaks of it
 */
export async function isAskedAgain(
  { graph: { tickets, tools } }: Deps,
  { threadId, question }: PendingAction,
  name: string,
  language: Language,
): Promise<boolean> {
  const texts = tools.texts.for(language);
  const last = await lastAnswer(tickets, threadId);
  const asked = [texts.say('answer_yes_or_no', { question }), texts.say('reminder', { name })];
  return asked.some((text) => last.endsWith(text));
}

/**
 * True where the end of the last answer is about one of these requests: "never mind" may take back one that waits for
 * operators, and after anything else it is said of that.
 */
export async function isSpokenOf(
  { graph: { tickets, tools } }: Deps,
  threadId: string,
  requests: readonly OpenRequest[],
  language: Language,
): Promise<boolean> {
  const end = (await lastAnswer(tickets, threadId)).split(/\n{2,}/).at(-1) ?? '';
  const names = requests.flatMap(({ name, about }) => (about ? [name, about.title] : [name]));
  const waits = tools.texts.for(language).say('waiting_for_approval');
  return [...names, waits].some((one) => end.includes(one));
}

/** What is asked after it: "that was another one. But never mind. What else do I have?"; the whole where that asks nothing. */
export function askedAfterBare({ graph: { dialogue, language } }: Deps, text: string): string {
  const sentences = dialogue.sentencesIn(text);
  const last = sentences.findLastIndex((one) => language.readRequestAct(one).isBare);
  const after = sentences.slice(last + 1);
  return after.some((one) => one.includes('?')) ? after.join(' ') : text;
}

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
