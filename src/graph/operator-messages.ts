import { AIMessage, type BaseMessage, HumanMessage } from '@langchain/core/messages';
import { markerOf } from '../core/desk-notes.js';
import { ESCALATION_REASONS, type Language } from '../core/domain/taxonomy.js';
import type { Ticket, TicketMessage } from '../core/domain/ticket.js';
import { isFilesOnly } from '../core/file-types.js';
import type { Texts } from '../core/i18n/index.js';
import type { Act } from '../dialogue/index.js';
import type { GraphDeps } from './graph-deps.js';

const RECENT = 80;
const HISTORY = 24;
/** Names of messages that a person at the desk wrote; what the customer never saw is told apart from what they did. */
const COLLEAGUE = 'colleague';
export const DESK = 'desk';

/** What was said on a conversation while people had it in hand, for the agents that go on with it. */
interface HumanStretch {
  /** The customer's messages that neither a person nor the hub has answered, oldest first; none but after a return to the hub. */
  readonly unanswered: readonly TicketMessage[];
  /** True where some of them were handed to people before anybody took over. */
  readonly includesEscalated: boolean;
  /** The conversation up to those messages, as agents read it. */
  readonly history: readonly BaseMessage[];
}

/** Where the messages are, and how the hub words them. */
type StretchDeps = Pick<GraphDeps, 'tickets'> & { readonly tools: Pick<GraphDeps['tools'], 'texts'> };

/** Reads it from the stored messages, which are whole whatever became of the graph that was dropped. */
export async function readOperatorMessages(
  { tickets, tools: { texts } }: StretchDeps,
  threadId: string,
): Promise<HumanStretch> {
  const messages = await tickets.listThreadMessages(threadId, RECENT);
  const { open, handedBack, escalated } = openMessages(messages, texts);
  // What is nothing but files says nothing that the hub could answer.
  const unanswered = handedBack ? open.filter((message) => !isFilesOnly(message)) : [];
  const left = new Set(unanswered.map(({ messageId }) => messageId));
  const history = messages.flatMap((message) => (left.has(message.messageId) ? [] : heard(message)));
  return {
    unanswered,
    includesEscalated: unanswered.some(({ messageId }) => escalated.has(messageId)),
    history: history.slice(-HISTORY),
  };
}

/** True where the customer wrote something, while people had the conversation or before, that nobody has answered. */
export async function isAwaited(
  { tickets, tools: { texts } }: StretchDeps,
  threadId: string,
): Promise<boolean> {
  return openMessages(await tickets.listThreadMessages(threadId, RECENT), texts).open.length > 0;
}

/** From here on a part of a message is believed to thank, to say goodbye, or to take note. */
const HEARD = 0.6;
/** Longer messages tell something. */
const LONGEST = 160;
const CLOSES: readonly Act[] = ['thanks', 'goodbye', 'praise'];

/**
 * True where a message of the customer only thanks or says goodbye, so that nobody waits for anything after it. Where an operator
 * has asked something last, it may be the answer.
 */
export async function asksNothing(
  { tickets, dialogue }: Pick<GraphDeps, 'tickets' | 'dialogue'>,
  threadId: string,
  text: string,
  language: Language,
): Promise<boolean> {
  if (text.length > LONGEST || text.includes('?')) return false;
  const parts = text.split(/[,.!;:\n]+/).filter((part) => /\p{L}/u.test(part));
  const isOne = (part: string, acts: readonly Act[]): boolean =>
    (dialogue.guessAct(part, 'answered', language)?.chanceOf(...acts) ?? 0) >= HEARD;
  const closes = parts.some((part) => isOne(part, CLOSES));
  if (!closes || !parts.every((part) => isOne(part, [...CLOSES, 'acknowledge']) && !dialogue.asksFor(part)))
    return false;
  const messages = await tickets.listThreadMessages(threadId, RECENT, 'customer');
  const last = messages.findLast(({ role }) => role === 'operator');
  return last === undefined || !last.content.includes('?');
}

/** The newest ticket of the conversation that was escalated and is not resolved; null where none is. */
export async function escalatedIn(
  { tickets }: Pick<StretchDeps, 'tickets'>,
  threadId: string,
): Promise<Ticket | null> {
  for (const ticket of (await tickets.listByThread(threadId)).toReversed()) {
    if (ticket.status === 'resolved') continue;
    const escalations = await tickets.listEscalations(ticket.ticketId);
    if (escalations.some((one) => one.status === 'open')) return ticket;
  }
  return null;
}

/**
 * Walks through the conversation. While a person has it, what the hub says (an acknowledgement, the outcome of an approval)
 * answers nothing; neither does its word that it has handed a message over.
 */
function openMessages(messages: readonly TicketMessage[], texts: Texts) {
  const escalations = escalationTexts(texts);
  let open: TicketMessage[] = [];
  let inHands = false;
  let handedBack = false;
  const escalated = new Set<string>();
  for (const message of messages) {
    const marker = markerOf(message);
    if (marker) {
      inHands = marker.kind === 'took_over';
      handedBack = marker.kind === 'handed_back';
      if (marker.kind === 'resolved') open = [];
    } else if (message.audience === 'customer') {
      if (message.role === 'customer') {
        if (message.countsAs !== 'nothing') open.push(message);
      } else if (
        message.role === 'operator' ||
        message.countsAs === 'answer' ||
        (!inHands && !escalations.some((text) => message.content.includes(text)))
      )
        open = [];
      else if (!inHands) for (const { messageId } of open) escalated.add(messageId);
    }
  }
  return { open, handedBack, escalated };
}

/** How the hub says that it has escalated a message. */
function escalationTexts(texts: Texts): readonly string[] {
  return texts.languages.flatMap((language) => {
    const said = texts.for(language);
    const reasons = [...ESCALATION_REASONS, 'asked'].map((reason) => said.sayOf('escalated', reason));
    return [...reasons, ...[...ESCALATION_REASONS, 'again', 'asked'].map((how) => said.sayOf('joined', how))];
  });
}

function heard(message: TicketMessage): readonly BaseMessage[] {
  const marker = markerOf(message);
  if (marker?.kind === 'handed_back') {
    const note =
      marker.note === null ? '' : ` Their note for you, which the customer has not seen: ${marker.note}`;
    const content = `[${marker.name}, a colleague, handed the conversation back to you.${note}]`;
    return [new AIMessage({ id: message.messageId, name: DESK, content })];
  }
  if (message.audience !== 'customer' || message.role === 'system') return [];
  const { messageId: id, content, author } = message;
  if (message.role === 'customer') return [new HumanMessage({ id, content })];
  if (message.role === 'hub') return [new AIMessage({ id, content })];
  return [
    new AIMessage({
      id,
      name: COLLEAGUE,
      content: `[${author ?? 'A colleague'}, a colleague, wrote:] ${content}`,
    }),
  ];
}
