import type { PendingAction } from '../core/domain/pending.js';
import type { Language } from '../core/domain/taxonomy.js';
import type { TurnReply } from '../core/domain/turn.js';
import type { ErrorCode } from '../core/errors.js';
import { matterOf, outcomeOf } from '../runtime/matter.js';
import type { TurnDeps } from './turn.js';

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

/** What a confirmation is about, as its customer speaks of it: "the cancellation of ...". */
export async function nameOf(
  { graph: { tools } }: Deps,
  confirmation: PendingAction,
  language: Language,
): Promise<string> {
  const tool = tools.roster.findAction(confirmation.tool);
  return tool ? (await matterOf(tool, tools, confirmation, language)).name : confirmation.question;
}

/** "Yes, the opera" to a question about the samba is no yes to it. */
export async function namesAnother(
  deps: Deps,
  text: string,
  confirmation: PendingAction,
  language: Language,
): Promise<boolean> {
  const asked = await aboutOf(deps, confirmation, language);
  if (asked === undefined || !text.trim().includes(' ')) return false;
  const { tools } = deps.graph;
  const all = await tools.records.list(confirmation.customerId);
  const choices = all.flatMap(({ id, title, startsAt }) =>
    startsAt === null ? [] : [{ id, title, startsAt }],
  );
  const named = deps.graph.language.namedAmong(text, choices, tools.clock.now()) ?? [];
  return named.length > 0 && !named.includes(asked);
}

/** Of several changes the next is asked about: what became of the last one must not go unsaid. */
export async function becameOf(
  { graph: { tools }, pending }: Deps,
  decided: PendingAction,
  reply: TurnReply,
): Promise<string> {
  const texts = tools.texts.for(reply.language);
  const tool = tools.roster.findAction(decided.tool);
  const outcome = tool && (await outcomeOf(tool, tools, decided, reply.language));
  if (outcome) return outcome;
  // The customer's yes was the first of two: operators decide now.
  const waiting = await pending.listOpenApprovals(decided.threadId);
  if (waiting.some(({ argsHash }) => argsHash === decided.argsHash)) return texts.say('waiting_for_approval');
  const made = reply.toolCalls.find((call) => call.tool === decided.tool);
  return texts.sayOf('refusal', (made?.code ?? 'internal') as ErrorCode);
}
