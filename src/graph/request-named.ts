import { firstMatter, idOfNumber, requestNumber, type Ticket } from '../core/domain/ticket.js';
import { declinedText } from '../core/i18n/index.js';
import type { QueueEntry } from '../core/ports/ticket-store.js';
import { excerptOf } from '../core/text.js';
import type { ReadMessage } from '../dialogue/index.js';
import { outcomeOf } from '../runtime/release-action.js';
import type { DialogueAnswer } from './act-answer.js';
import { namedOwn, ownerOf } from './dialogue-records.js';
import type { DialogueTurn } from './dialogue-types.js';
import { nextStep } from './next-step.js';

/** What may be the number of a request, as customers write what they were told: `4EE-CNK`, `#4ee cnk`. */
const NUMBER = /(?<![\w-])#?([a-z0-9]{3}[\s-]?[a-z0-9]{3})(?![\w-])/gi;
/** What is surely meant as one, whoever's it is: ids of records are letters and then digits. */
const SURELY = /^(?:(?=[a-z]*\d)[a-z0-9]{3}-[a-z0-9]{3}|[a-z]{3}-(?=[a-z]*\d)(?!\d{3})[a-z0-9]{3})$/i;
/** The same of letters alone, where nothing else is said. */
const LETTERS = /^[A-Z]{3}-[A-Z]{3}$/;
/** With so many more words a message still only asks after the request. */
const BESIDE_WORDS = 7;
/** And with so many it is about a number that is none of theirs. */
const BESIDE_UNKNOWN = 4;
/** So many requests of a customer are looked through, the newest first. */
const REQUESTS = 500;
/** So much of a request is said again. */
const SAID_CHARS = 120;

/**
 * Where the request stands whose number a message names, in whatever conversation of the customer's it was made.
 * @returns null where none is named, or the message asks for more than that
 */
export async function requestNamed(turn: DialogueTurn, read: ReadMessage): Promise<DialogueAnswer | null> {
  const { deps, state, text, texts } = turn;
  const written = [...text.matchAll(NUMBER)].map(([whole, number = '']) => ({ whole, number }));
  if (written.length === 0) return null;
  const said = (answer: string): DialogueAnswer => ({
    text: answer,
    state: { ...state, asked: null },
    isExact: true,
  });
  const wordsBeside = (whole: string): number => text.replace(whole, ' ').match(/\p{L}+/gu)?.length ?? 0;
  const own = await ownRequests(turn);
  for (const { whole, number } of written) {
    const begin = idOfNumber(number);
    const entry = own.find(({ ticket }) => begin !== null && ticket.ticketId.startsWith(begin));
    if (!entry) continue;
    const asks = wordsBeside(whole) <= BESIDE_WORDS || read.acts.includes('status');
    return asks && deps.dialogue.changesNamed(text).length === 0
      ? said(await standingText(turn, entry))
      : null;
  }
  const unknown = written.find(
    ({ whole, number }) => SURELY.test(number) || (LETTERS.test(number) && wordsBeside(whole) === 0),
  );
  if (!unknown || wordsBeside(unknown.whole) > BESIDE_UNKNOWN || (await namedOwn(turn)).length > 0)
    return null;
  const signedIn = ownerOf(turn) !== null;
  return said(texts.say('no_such_request', { number: unknown.number.toUpperCase(), signed_in: signedIn }));
}

/** The customer's requests; those of this conversation where nobody is signed in, or the account may not be read. */
async function ownRequests({ deps, session }: DialogueTurn): Promise<readonly QueueEntry[]> {
  const customerId = ownerOf({ session });
  if (customerId !== null) return deps.tickets.queue({ customerId, newestFirst: true, limit: REQUESTS });
  const here = await deps.tickets.listByThread(session.threadId);
  return Promise.all(
    here.map(async (ticket) => ({
      ticket,
      classification: await deps.tickets.getClassification(ticket.ticketId),
      escalation: (await deps.tickets.listEscalations(ticket.ticketId)).at(-1) ?? null,
    })),
  );
}

/** Who has the request, by when it is answered and where, what came of it, or that it is done with. */
async function standingText(
  turn: DialogueTurn,
  { ticket, classification, escalation }: QueueEntry,
): Promise<string> {
  const { deps, session, texts } = turn;
  const { time } = deps.tools;
  const { language, threadId } = session;
  // Of what was added to it later the first is what it is about.
  const summary = firstMatter(classification?.summary ?? '');
  const since = escalation && new Date(escalation.createdAt);
  const by = since ? nextStep(deps, language, classification?.priority, since).by : null;
  const state = stateOf(ticket);
  const outcome = state === 'open' ? await outcomeText(turn, ticket) : null;
  return texts.say('request_named', {
    number: requestNumber(ticket.ticketId),
    date: time.date(ticket.createdAt, language),
    summary: summary === '' ? null : excerptOf(summary, SAID_CHARS),
    state: outcome === null ? state : 'decided',
    resolved: ticket.resolvedAt === null ? null : time.date(ticket.resolvedAt, language),
    by,
    outcome,
    here: ticket.threadId === threadId,
  });
}

/** What was done for the request, or that the team refused it; null where neither was. */
async function outcomeText(
  { deps: { tools }, session: { language }, texts }: DialogueTurn,
  { ticketId, threadId }: Ticket,
): Promise<string | null> {
  const approvals = await tools.pending.listApprovalsOfTicket(ticketId);
  const agreed = await tools.pending.findLatestAgreed(threadId);
  const own = agreed?.ticketId === ticketId ? agreed : null;
  const refused = approvals.findLast(({ status }) => status === 'rejected') ?? null;
  const tool = own && tools.roster.findAction(own.tool);
  const outcome = own && tool ? await outcomeOf(tool, tools, own, language) : null;
  const isLast = refused !== null && (refused.decidedAt ?? '') > (own?.decidedAt ?? '');
  return refused !== null && (outcome === null || isLast) ? declinedText(texts, refused.reason) : outcome;
}

function stateOf({ status, owner }: Ticket): 'resolved' | 'person' | 'decision' | 'open' {
  if (status === 'resolved') return 'resolved';
  if (owner === 'operator') return 'person';
  return status === 'waiting_operator' ? 'decision' : 'open';
}
