import type { PendingAction } from '../core/domain/pending.js';
import { declinedText } from '../core/i18n/index.js';
import type { ReadMessage } from '../dialogue/index.js';
import { matterOf } from '../runtime/release-action.js';
import type { DialogueAnswer } from './act-answer.js';
import { namedOwn } from './dialogue-records.js';
import type { DialogueTurn } from './dialogue-types.js';
import { nextStep } from './next-step.js';
import { isAnsweredElsewhere } from './planned-terms.js';
import { calledOffText, teamText } from './request-status.js';

/** From here on a message asks what became of a request. */
const ASKS_STATUS = 0.5;

/**
 * Where what this customer asked of the team stands, in whatever conversation it was asked: when it was, and that it is not decided.
 * @returns null where the message does not ask that, names something else, or nothing of theirs is open
 */
export async function requestStatus(turn: DialogueTurn, read: ReadMessage): Promise<DialogueAnswer | null> {
  const { session, state } = turn;
  const { identity, scopes } = session;
  // Whoever speaks for a customer and may not read their account is told nothing of their other conversations.
  if (identity.kind !== 'customer' || !(scopes?.includes('account:read') ?? true)) return null;
  if (turn.graph.focus !== null) return null;
  const off = read.acts.includes('called_off') ? await calledOffText(turn) : null;
  if (off !== null) return { text: off, state: { ...state, asked: null } };
  if (!asksStatus(turn, read)) return null;
  const text = (await approvalsText(turn)) ?? (isPlain(turn, read) ? await elsewhereText(turn) : null);
  if (text === null || (!saysStatus(read) && (await isAnsweredElsewhere(turn, text)))) return null;
  return { text, state: { ...state, asked: null } };
}

const saysStatus = ({ acts, asked }: ReadMessage): boolean =>
  acts.includes('status') || asked.some(({ attribute }) => attribute.id === 'status');

/** From here on triage is believed that the customer's own records are asked for. */
const SURE_RECORD = 0.9;

function asksStatus({ deps, graph, session, text }: DialogueTurn, read: ReadMessage): boolean {
  if (saysStatus(read)) return true;
  const { confidence = 0, requests = [] } = graph.classification ?? {};
  const isOwn = requests.every(({ route }) => deps.agents.isPersonal(route) && !deps.agents.changes(route));
  // "So what is left on my list?" is no question about what waits.
  const isRecord = requests.length > 0 && isOwn && confidence >= SURE_RECORD;
  if (isRecord && deps.language.readRequestAct(text).kind !== 'status') return false;
  const guess = deps.dialogue.guessAct(text, 'approval', session.language);
  return (guess?.chanceOf('status') ?? 0) >= ASKS_STATUS;
}

/** From here on a first message surely asks that, of whatever it was. */
const SURELY_STATUS = 0.65;

function isPlain({ deps, session, text }: DialogueTurn, { acts }: ReadMessage): boolean {
  if (acts.includes('status')) return true;
  const guess = deps.dialogue.guessAct(text, 'start', session.language);
  return (guess?.chanceOf('status') ?? 0) >= SURELY_STATUS;
}

/** What waits for the operators' decision; null where nothing does, or nothing of what is named. */
async function approvalsText(turn: DialogueTurn): Promise<string | null> {
  const { deps, session, texts } = turn;
  const { threadId, identity, language } = session;
  const customerId = identity.kind === 'customer' ? identity.customerId : null;
  const open = (await deps.tools.pending.listOpenApprovals()).filter((row) => row.customerId === customerId);
  if (open.length === 0) return null;
  const asked = (await Promise.all(open.map((row) => matterIn(turn, row)))).flatMap((one) => one ?? []);
  const named = (await namedOwn(turn)).map(({ id }) => id);
  const meant = named.length === 0 ? asked : asked.filter(({ about }) => named.includes(about?.id ?? ''));
  const [first] = meant;
  if (!first) return null;
  if (meant.some((one) => one.threadId === threadId)) return teamText(turn);
  const names = texts.list(meant.map(({ name }) => name));
  return texts.say('still_asked', { names, date: deps.tools.time.date(first.since, language) });
}

async function matterIn({ deps, session }: DialogueTurn, row: PendingAction) {
  const tool = deps.tools.roster.findAction(row.tool);
  if (!tool) return null;
  const { name, about } = await matterOf(tool, deps.tools, row, session.language);
  return { name, about, since: row.createdAt, threadId: row.threadId };
}

/** What a person has of another conversation of theirs; null where nothing, or something is named that it may not be about. */
async function elsewhereText(turn: DialogueTurn): Promise<string | null> {
  const { deps, session, texts } = turn;
  const { identity, threadId, language } = session;
  if (identity.kind !== 'customer' || (await namedOwn(turn)).length > 0) return null;
  const filter = { owner: 'operator', resolved: false, newestFirst: true, limit: 1 } as const;
  const [entry] = await deps.tickets.queue({ ...filter, customerId: identity.customerId });
  if (!entry?.escalation || entry.ticket.threadId === threadId) return null;
  const { classification, escalation } = entry;
  const since = new Date(escalation.createdAt);
  const { by } = nextStep(deps, language, classification?.priority, since);
  return texts.say('asked_elsewhere', {
    summary: classification?.summary ?? null,
    date: deps.tools.time.date(escalation.createdAt, language),
    by,
  });
}

/** From here on a message asks for a reason, however it is put. */
const ASKS_WHY = 0.35;
/** Of more words it names what it wants to know the reason of. */
const WHY_WORDS = 9;

/** From here on triage is believed that the reason of something else is asked: "why can't I book?". */
const ASKS_ELSE = 0.9;

/** Why operators declined what was asked for last, where a few words ask for the reason; null where they did not, or it is another one. */
export async function declinedWhy(turn: DialogueTurn): Promise<string | null> {
  const { deps, graph, session, text, texts } = turn;
  if (session.identity.kind !== 'customer' || text.trim().split(/\s+/).length > WHY_WORDS) return null;
  const guess = deps.dialogue.guessAct(text, 'answered', session.language);
  const isElse = (graph.classification?.confidence ?? 0) >= ASKS_ELSE;
  if (isElse || (guess?.chanceOf('why') ?? 0) < ASKS_WHY) return null;
  const { threadId } = session;
  const declined = await deps.tools.pending.findLatestDeclined(threadId);
  if (!declined) return null;
  const target = deps.tools.roster.findAction(declined.tool)?.target;
  const about = target && declined.args[target.input];
  if ((await namedOwn(turn)).some(({ id }) => id !== about)) return null;
  const agreed = await deps.tools.pending.findLatestAgreed(threadId);
  const isLast = (agreed?.decidedAt ?? '') <= (declined.decidedAt ?? '');
  return isLast ? texts.say('why_declined', { declined: declinedText(texts, declined.reason) }) : null;
}
