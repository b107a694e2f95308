import { deskNotes } from '../core/desk-notes.js';
import type { PendingAction } from '../core/domain/pending.js';
import type { Session } from '../core/domain/session.js';
import type { EscalationReason } from '../core/domain/taxonomy.js';
import { requestNumber } from '../core/domain/ticket.js';
import type { Sentences } from '../core/i18n/index.js';
import { excerptOf } from '../core/text.js';
import type { Act, MessageGuess } from '../dialogue/index.js';
import { numbered } from '../runtime/offline-step.js';
import { matterOf, outcomeOf } from '../runtime/release-action.js';
import { plausibleArticle } from './article-meant.js';
import { namedOwn } from './dialogue-records.js';
import type { DialogueTurn } from './dialogue-types.js';
import type { GraphDeps } from './graph-deps.js';
import { nextStep } from './next-step.js';

/** Of fewer words nothing more is told. */
const TOLD_WORDS = 3;
/** From here on triage has understood what is asked for. */
const UNDERSTOOD = 0.75;
/** From here on an article answers what is told: it is another matter. */
const ANSWERED = 0.6;
/** From here on an act is believed that ends or calls off what was said. */
const HEARD = 0.6;
const CLOSES: ReadonlySet<Act> = new Set([
  ...(['thanks', 'goodbye', 'acknowledge', 'affirm', 'deny', 'withdraw', 'praise', 'presence'] as const),
]);
/** From here on a first message is about what an article tells. */
const SURELY_MEANT = 0.8;
/** And a later one. */
const MEANT_LATER = 0.88;
/** And where the change that it is about is only denied. */
const ALL_BUT_CERTAIN = 0.95;
/** So much of a request is said again. */
const SAID_CHARS = 120;
/** For so long what was taken back is spoken of, in milliseconds. */
const A_DAY = 86_400_000;

/** What was changed last in this conversation; null where nothing was. */
export async function doneText(turn: DialogueTurn): Promise<string | null> {
  const { deps, session } = turn;
  const { threadId, language } = session;
  const waiting = await teamText(turn);
  if (waiting !== null) return waiting;
  const row = await deps.tools.pending.findLatestAgreed(threadId);
  const tool = row && deps.tools.roster.findAction(row.tool);
  return row && tool ? outcomeOf(tool, deps.tools, row, language) : null;
}

/** What waits for the operators; null where nothing does. */
export async function teamText({ deps, session, texts }: DialogueTurn): Promise<string | null> {
  const { threadId, identity, language } = session;
  const customerId = identity.kind === 'customer' ? identity.customerId : null;
  const rows = (await deps.tools.pending.listOpenApprovals(threadId)).filter(
    (row) => row.customerId === customerId,
  );
  if (rows.length === 0) return null;
  const matters = await Promise.all(rows.map((row) => matterIn(deps, row, language)));
  const known = matters.flatMap((matter) => matter ?? []);
  const ifAgreed = known.length === 1 ? (known[0]?.ifAgreed ?? null) : null;
  return texts.say('still_with_team', {
    names: texts.list(known.map(({ name }) => name)),
    if_agreed: ifAgreed,
  });
}

/** Asks whether what waits for the operators is taken back; null where nothing of this conversation waits. */
export async function takeBackAsked({ deps, session, texts }: DialogueTurn): Promise<string | null> {
  const { threadId, identity, language } = session;
  const customerId = identity.kind === 'customer' ? identity.customerId : null;
  const rows = await deps.tools.pending.listOpenApprovals(threadId);
  const own = rows.filter((row) => row.customerId === customerId);
  const matters = await Promise.all(own.map((row) => matterIn(deps, row, language)));
  const names = matters.flatMap((matter) => (matter ? [matter.name] : []));
  return names.length === 0 ? null : askTakeBack(names, texts);
}

/** Asks whether this request is taken back, or which of several. */
export function askTakeBack(names: readonly string[], texts: Sentences): string {
  const [name, ...others] = names;
  return name !== undefined && others.length === 0
    ? texts.say('withdraw_it', { name })
    : texts.say('withdraw_which', { list: numbered(names) });
}

/** That what the customer took back last is taken back, and what stands; null where nothing was of late. */
async function takenBackText({ deps, session, texts }: DialogueTurn): Promise<string | null> {
  const { identity, language, scopes, threadId } = session;
  if (identity.kind !== 'customer') return null;
  // Whoever speaks for a customer and may not read their account is told nothing of their other conversations.
  const mayReadAll = scopes?.includes('account:read') ?? true;
  const since = new Date(deps.tools.clock.now().getTime() - A_DAY).toISOString();
  const rows = await deps.tools.pending.listWithdrawn(since);
  const last = rows.findLast(
    (row) => row.customerId === identity.customerId && (mayReadAll || row.threadId === threadId),
  );
  const matter = last && (await matterIn(deps, last, language));
  return matter ? texts.say('taken_back', { unchanged: matter.unchanged }) : null;
}

/** What is said to who asks whether a request is off: that it is, or whether it shall be; null where there was none. */
export async function calledOffText(turn: DialogueTurn): Promise<string | null> {
  return (await takeBackAsked(turn)) ?? takenBackText(turn);
}

async function matterIn(deps: GraphDeps, row: PendingAction, language: Session['language']) {
  const tool = deps.tools.roster.findAction(row.tool);
  return tool && matterOf(tool, deps.tools, row, language);
}

/** Notes on the ticket that waits for a person that its customer needs none any more. @returns false where none waits */
export async function callOff(turn: Pick<DialogueTurn, 'deps' | 'session' | 'text'>): Promise<boolean> {
  const { deps, text } = turn;
  const waiting = await ticketOf(turn);
  if (!waiting) return false;
  await deps.tickets.addMessage(waiting.ticketId, 'system', deskNotes.said('called_off', text));
  return true;
}

/** Matters of a person's that the customer alone may end by saying that all is well. */
const SETTLED_BY_CUSTOMER: ReadonlySet<string> = new Set([
  'low_confidence',
  'customer_request',
  'sentiment_priority',
]);

/** True where what waits for a person is over as soon as its customer says so. */
export async function mayCallOff(turn: Pick<DialogueTurn, 'deps' | 'session'>): Promise<boolean> {
  const { deps } = turn;
  const waiting = await ticketOf(turn);
  const reasons = waiting ? await deps.tickets.listEscalations(waiting.ticketId) : [];
  return reasons.length > 0 && reasons.every(({ reason }) => SETTLED_BY_CUSTOMER.has(reason));
}

async function ticketOf({ deps, session }: Pick<DialogueTurn, 'deps' | 'session'>) {
  const tickets = await deps.tickets.listByThread(session.threadId);
  return tickets.findLast(({ owner, status }) => owner === 'operator' && status !== 'resolved');
}

/** That what was escalated before this question is with a person; null where nothing is, or it was for want of an answer only. */
export async function besideWaiting({
  deps,
  session,
}: Pick<DialogueTurn, 'deps' | 'session'>): Promise<string | null> {
  const waiting = await ticketOf({ deps, session });
  const reasons = waiting ? await deps.tickets.listEscalations(waiting.ticketId) : [];
  const isGrave = reasons.some(({ reason }) => reason !== 'low_confidence');
  return isGrave ? deps.tools.texts.for(session.language).say('other_with_team') : null;
}

/** The ticket of this conversation that waits for a person, in the customer's words; null where none does. */
export async function waitingTicket({ deps, session, texts }: DialogueTurn): Promise<string | null> {
  const waiting = await ticketOf({ deps, session });
  if (!waiting) return null;
  const known = await deps.tickets.getClassification(waiting.ticketId);
  const [first, ...later] = await deps.tickets.listEscalations(waiting.ticketId);
  const since = first && new Date(first.createdAt);
  const { by, outOfHours } = nextStep(deps, session.language, known?.priority, since);
  const { summary = null } = later.at(-1) ?? first ?? {};
  return texts.say('with_a_person', {
    summary: summary && excerptOf(summary, SAID_CHARS),
    by,
    out_of_hours: outOfHours,
  });
}

/** True where a person has a request of this conversation. */
export async function isWithPerson(turn: Pick<DialogueTurn, 'deps' | 'session'>): Promise<boolean> {
  return (await ticketOf(turn)) !== undefined;
}

/** By what number the ticket that waits for a person is found, or this conversation where none waits. */
export async function ticketNumber({ deps, session, texts }: DialogueTurn): Promise<string> {
  const waiting = await ticketOf({ deps, session });
  return texts.say('ticket_number', { number: requestNumber(waiting?.ticketId ?? session.ticketId) });
}

/**
 * Why the ticket that was escalated just now waits for a person, where a message only tells more of it: "he also took my phone".
 * @returns null where none waits, or the message asks for something, or for something else
 */
export async function addedDetails(
  turn: DialogueTurn,
  message: MessageGuess | null,
): Promise<EscalationReason | null> {
  const { deps, graph, session, state, text } = turn;
  // "I need no person, I only wanted to know where it is" calls the team off, and asks that.
  if (deps.dialogue.read(text)?.acts.includes('no_person')) return null;
  if (graph.focus === null && (onlyAdds(turn) || deps.language.addsForTeam(text))) {
    const reason = await openReason(turn, true);
    if (reason !== null) return reason;
  }
  const isPlain = (deps.dialogue.read(text)?.acts.length ?? 0) > 0;
  const isCase = message !== null && message.chanceOf('case') >= ADDS;
  if (isCase && !isPlain && graph.focus === null && !text.includes('?')) return openReason(turn);
  if (state.last !== 'escalated' || graph.focus !== null || asksOrOrders(turn)) return null;
  if (text.trim().split(/\s+/).length < TOLD_WORDS || (deps.dialogue.read(text)?.acts.length ?? 0) > 0)
    return null;
  const { act, confidence } = deps.dialogue.guessAct(text, 'escalated', session.language) ?? {};
  if (act !== undefined && CLOSES.has(act) && (confidence ?? 0) >= HEARD) return null;
  // "Just tell me how I delete it" is asked of the help centre, though a person has the matter.
  if (message !== null && message.chanceOf('article') >= OF_ARTICLES) return null;
  // What triage makes little of and asks nothing is part of the story, however near to an article.
  const isUnderstood = (graph.classification?.confidence ?? 0) >= UNDERSTOOD;
  if (isUnderstood && (await plausibleArticle(deps, session, text, ANSWERED)) !== null) return null;
  return openReason(turn, true);
}

/** True where the team is to be told something, and nothing is asked for before that: "cancel it and let them know" is an order. */
function onlyAdds({ deps: { dialogue, language }, text }: DialogueTurn): boolean {
  const before = language.beforeAddition(text);
  return before !== null && !dialogue.asksFor(before) && dialogue.changesNamed(before).length === 0;
}

/** From here on a message adds to what is with a person; and from the other on it asks for what articles tell. */
const [ADDS, OF_ARTICLES] = [0.5, 0.6];

/** Why the ticket that waits for a person waits; null where none does, or only for want of an answer unless that is asked for. */
async function openReason({ deps, session }: DialogueTurn, any = false): Promise<EscalationReason | null> {
  const waiting = await ticketOf({ deps, session });
  const escalations = waiting ? await deps.tickets.listEscalations(waiting.ticketId) : [];
  const open = escalations.filter(
    ({ status, reason }) => status === 'open' && (any || reason !== 'low_confidence'),
  );
  return open.at(-1)?.reason ?? null;
}

/** True where a message asks something, or for a change, a person or what is on record. */
function asksOrOrders({ deps, graph, text }: DialogueTurn): boolean {
  if (deps.dialogue.isQuestion(text)) return true;
  const { confidence = 0, humanReason = null, requests = [] } = graph.classification ?? {};
  const isOwn = requests.some(
    ({ route }) => route === 'account' || (route !== null && deps.agents.changes(route)),
  );
  return humanReason === 'customer_request' || requests.length > 1 || (isOwn && confidence >= UNDERSTOOD);
}

/** That the hub is there, and for whom the customer waits. */
export async function presenceText(turn: DialogueTurn): Promise<string> {
  const waiting = (await waitingTicket(turn)) ?? (await teamText(turn));
  const here = turn.texts.say('here', { waiting: waiting !== null });
  return waiting === null ? here : `${here} ${waiting}`;
}

/** Where the customer's request stands: with a person, with the team, or how the last one ended. */
export async function statusText(turn: DialogueTurn): Promise<string> {
  const { session, texts, deps } = turn;
  const open = (await teamText(turn)) ?? (await waitingTicket(turn));
  if (open !== null) return open;
  const done = (await takenBackText(turn)) ?? (await doneText(turn));
  if (done !== null) return done;
  // What was only answered just now is no request.
  const last = session.memory?.resolutions.find(
    ({ ticketId, resolutionType }) => ticketId !== session.ticketId || resolutionType !== 'answered',
  );
  if (!last) return texts.say('no_request');
  return texts.say('last_request', {
    summary: last.summary,
    date: deps.tools.time.date(last.createdAt, session.language),
  });
}

/** From here on triage knows that something is to be changed. */
const SURE_CHANGE = 0.9;

/** True where a message only says what is to stay as it is, and nothing waits for an answer: "leave my plan paused". */
export async function leavesAsItIs(turn: DialogueTurn): Promise<boolean> {
  const { deps, graph, session, text } = turn;
  // Where nothing was taken nothing is had back: "I want my visit back" asks for it.
  const takesBack = (part: string) => {
    const { kind, isWantedBack } = deps.language.readRequestAct(part);
    return kind === 'withdraw' && !isWantedBack;
  };
  const { requests = [], humanReason = null, confidence = 0 } = graph.classification ?? {};
  // "I will not be able to go on Sunday" names no change, and wants one.
  // "Do not cancel the samba" names it, and wants none; "I will not go, cancel it" does.
  const denies = text.split(/[,.;:!?]/).some((part) => deps.language.readRequestAct(part).actions.length > 0);
  const isUnnamed = !denies && deps.dialogue.changesNamed(text).length === 0 && confidence >= SURE_CHANGE;
  if (isUnnamed && requests.some(({ route }) => route !== null && deps.agents.changes(route))) return false;
  if (!takesBack(text) || text.includes('?') || requests.length > 1 || humanReason !== null) return false;
  const wanted = (part: string) =>
    deps.language
      .requests(part, session.language)
      .some(({ route }) => route !== null && deps.agents.changes(route));
  const parts = deps.dialogue.partsOf(text);
  if (graph.focus !== null || parts.some((part) => !takesBack(part) && wanted(part))) return false;
  // Before anything was said there is little to take back: "I subscribed yesterday and regret it".
  const meant = session.lastReply === null ? SURELY_MEANT : MEANT_LATER;
  const least = denies ? ALL_BUT_CERTAIN : meant;
  if (await plausibleArticle(deps, session, text, least)) return false;
  // "Undo that" is said of what was done.
  return (await doneText(turn)) === null && (denies || (await namedOwn(turn)).length === 0);
}
