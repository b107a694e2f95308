import { type BaseMessage, HumanMessage, RemoveMessage } from '@langchain/core/messages';
import type { RunnableConfig } from '@langchain/core/runnables';
import { ANONYMOUS, type Identity, type Resolution } from '../core/domain/customer.js';
import { type DialogueState, NEW_DIALOGUE, type Session } from '../core/domain/session.js';
import { HubError } from '../core/errors.js';
import type { NewTicket } from '../core/ports/index.js';
import { unlessUnreachable } from '../core/signals.js';
import { correctedQuestion } from './corrected.js';
import { askedBesideNo } from './declined-offer.js';
import { namedOwn, ownRecords } from './dialogue-records.js';
import type { GraphDeps } from './graph-deps.js';
import { answersInput, lookupInputs } from './open-question.js';
import { saidBefore } from './reply-text.js';
import { languageOf } from './spoken-language.js';
import type { HubStateType, HubUpdate, Incoming } from './state.js';
import { answeredInStudio } from './studio.js';
import { alarmTakenBack, personTakenBack } from './taken-back.js';

/** Earlier tickets that are remembered, and how many resolutions are looked through for them. */
const EARLIER_TICKETS = 5;
const RESOLUTIONS = 40;
/** Messages before this turn's that the graph remembers at least; more where agents are to read more. */
const REMEMBERED = 24;

/**
 * Opens the turn: memory, language, session. The only place that writes the session, from what the
 * surface verified.
 */
export function intakeNode(deps: GraphDeps) {
  return async (state: HubStateType, config: RunnableConfig): Promise<HubUpdate> => {
    const text = state.messages.findLast((message) => HumanMessage.isInstance(message))?.text ?? '';
    if (state.incoming === null) {
      const answered = await answeredInStudio(deps, state, String(config.configurable?.thread_id), text);
      if (answered) return answered;
    }
    const incoming = state.incoming ?? (await fromStudio(deps, state, config, text));
    const { identity } = incoming;
    const customerId = identity.kind === 'customer' ? identity.customerId : null;
    const { ticketId } = incoming;
    const user =
      customerId === null ? null : await unlessUnreachable(deps.tools.customers.get(customerId), null);
    const recalled = customerId === null ? null : await deps.tools.memory.recall(customerId, RESOLUTIONS);
    const memory = recalled && { ...recalled, resolutions: oneOfEach(recalled.resolutions) };
    // What was talked of elsewhere belongs to the record, which not every program may see.
    const mayTell = incoming.limits?.scopes?.includes('account:read') ?? true;
    const previous = state.session?.language;
    const stored = { asked: memory?.preferredLanguage, onRecord: user?.language };
    const { language, unsupported } = await languageOf(deps, incoming, text, { ...stored, previous });
    const known: Session = {
      turnId: incoming.turnId,
      ticketId,
      threadId: incoming.threadId,
      graphThreadId: incoming.graphThreadId,
      channel: incoming.channel,
      identity,
      customerName: mayTell ? (user?.name ?? null) : null,
      language,
      unsupportedLanguage: unsupported,
      memory: mayTell ? memory : null,
      life: deps.dialogue.lifeEvent(text),
      ...settledIn(deps, incoming, text),
      ...(incoming.limits?.scopes ? { scopes: incoming.limits.scopes } : {}),
      ...(incoming.limits?.agent ? { agent: incoming.limits.agent } : {}),
      ...(incoming.hops === undefined ? {} : { hops: incoming.hops }),
      ...(incoming.requestKey === undefined ? {} : { requestKey: incoming.requestKey }),
      ...saidBefore(state.messages),
    };
    const isOffline = deps.models.provider === 'offline';
    const meant = isOffline ? await askedAgain(deps, state, known, text) : null;
    const session: Session = meant == null ? known : { ...known, meant };
    deps.tools.log.info({
      agent: 'intake',
      action: 'message_received',
      ticketId,
      details: { threadId: incoming.threadId, channel: incoming.channel, language, characters: text.length },
    });
    return {
      messages: forgotten(
        state.messages,
        Math.max(REMEMBERED, deps.tools.policy.conversation.history_messages),
      ),
      session,
      incoming: null,
      ticket_id: ticketId,
      user_email: identity.kind === 'customer' ? identity.email : null,
      next: 'triage',
      ...(isOffline ? { dialogue: dialogueAsking(deps, state, session, text) } : {}),
      ...(meant?.declines ? { focus: null } : {}),
      classification: null,
      tasks: [{ text: meant?.text ?? text, route: 'knowledge', agent: 'triage', status: 'active' }],
      drafts: [],
      route: [],
      trace: null,
      revision: null,
      guardrails: [],
      escalation: null,
      escalationNotice: null,
      reply: null,
    };
  };
}

/**
 * The whole question that a few words ask again with something else in it: "and the second one?", "paid by pix". What changes a
 * list that was shown stays as it is, and so does what answers a question of the hub's.
 */
async function askedAgain(
  deps: GraphDeps,
  { dialogue, focus }: HubStateType,
  session: Session,
  text: string,
): Promise<Session['meant']> {
  if (deps.dialogue.read(text)?.acts.includes('goodbye')) return null;
  const takenBack =
    (await alarmTakenBack(deps, session, text)) ?? (await personTakenBack(deps, session, text));
  if (takenBack !== null) return takenBack;
  // What is complained of is another matter than how one complains, unless somebody was hurt by it.
  const complaint = deps.language.hintsAtDanger(text) ? null : deps.dialogue.complaintAsked(text);
  if (complaint !== null) return { text: complaint, question: complaint };
  const besideNo = askedBesideNo(deps, focus, session, text);
  if (besideNo !== null) return besideNo;
  const corrected = focus === null ? await correctedQuestion(deps, dialogue, session, text) : null;
  if (corrected) return corrected;
  const order = wholeOrder(deps, { dialogue, focus }, session, text);
  if (order !== null) return { text: order, question: order };
  const leaning = focus === null ? offerFollowUp(deps, dialogue, session, text) : null;
  if (leaning !== null) {
    const isOffer = leaning === dialogue?.more;
    return { text: leaning, question: leaning, ...(isOffer ? {} : { late: true }) };
  }
  // "My son comes along. What have I booked, and does he pay?"
  const mayCall = focus === null && !deps.language.hintsAtDanger(text);
  const called = mayCall ? deps.dialogue.callingThem(text) : text;
  if (called !== text) return { text: called, question: deps.dialogue.sentencesIn(called).at(-1) ?? called };
  const isMeant = focus === null && deps.dialogue.saysWhatWasMeant(text);
  const question = dialogue?.question ?? (isMeant ? session.previousMessage : null);
  const asked = focus?.offered ? null : focus;
  const isAnswer = (asked?.choices.length ?? 0) > 1 || answersInput(deps, asked, text, session);
  if (question === null || (isAnswer && !asked?.args)) return null;
  const isOpen = asked?.args !== undefined;
  // "And the Clarice one too" wants what was just done for another.
  if (dialogue?.last === 'done' && !text.includes('?') && deps.dialogue.addsAnother(text)) return null;
  const { language, lastReply } = session;
  const now = deps.tools.clock.now();
  const list = dialogue?.listed ? deps.dialogue.readList(text, { now, language }) : null;
  if (list?.elsewhere || (list?.isWhole && (list.narrows || list.ofKind || list.sums || list.anywhere)))
    return null;
  const named = await namedOwn({ deps, session, text });
  const own = await ownRecords({ deps, session });
  const records = [...(dialogue?.shown ?? []), ...own];
  return deps.dialogue.askAgain(text, {
    question,
    reply: lastReply ?? '',
    records,
    named,
    inputs: lookupInputs(deps),
    isOpen,
    now,
    language,
  });
}

/** An order that leans on what was said last, in full; null where it leans on nothing. */
function wholeOrder(
  { dialogue, tools }: GraphDeps,
  { dialogue: state, focus }: Pick<HubStateType, 'dialogue' | 'focus'>,
  { language, lastReply, previousMessage }: Session,
  text: string,
): string | null {
  const spoken = [previousMessage ?? '', state?.article?.title ?? ''];
  const isOfRecords = focus !== null && tools.roster.findAction(focus.intent)?.target !== undefined;
  return dialogue.wholeOrder(text, {
    spoken,
    open: focus && (focus.args ?? {}),
    reply: lastReply ?? '',
    records: isOfRecords ? 'asked' : state?.shown.some(({ startsAt }) => startsAt !== null) ? 'spoken' : null,
    now: tools.clock.now(),
    language,
  });
}

/** What the conversation is about, with the question or the order that the next few words may lean on. */
function dialogueAsking(
  { agents, dialogue, language }: GraphDeps,
  { dialogue: before }: HubStateType,
  { meant, language: spoken }: Session,
  text: string,
): DialogueState {
  const state = before ?? NEW_DIALOGUE;
  // What has not come in its time is looked into.
  const late = meant?.late ? meant.text : null;
  const asked = meant?.question ?? dialogue.questionAfter(text, state.question ?? null);
  const orders = () =>
    language.requests(text, spoken).some(({ route }) => route !== null && agents.changes(route));
  return {
    ...state,
    ...(late === null ? {} : { symptom: late }),
    more: null,
    question: asked ?? (orders() ? text : null),
  };
}

/** How each ticket ended, the newest first: what was done or escalated counts for more than what was only answered. */
function oneOfEach(resolutions: readonly Resolution[]): readonly Resolution[] {
  const byTicket = new Map<string, Resolution>();
  for (const resolution of resolutions) {
    const known = byTicket.get(resolution.ticketId);
    const weighsMore = known?.resolutionType === 'answered' && resolution.resolutionType !== 'answered';
    if (!known || weighsMore) byTicket.set(resolution.ticketId, resolution);
  }
  return [...byTicket.values()].slice(0, EARLIER_TICKETS);
}

/**
 * What agents will not read again. The whole conversation is kept with its tickets; in the graph's state it would be read,
 * copied and stored with every turn, so that each turn cost more than the one before.
 */
function forgotten(messages: readonly BaseMessage[], remembered: number): RemoveMessage[] {
  return messages.slice(0, -(remembered + 1)).flatMap(({ id }) => (id ? [new RemoveMessage({ id })] : []));
}

/**
 * Where a message of the thread belongs. A ticket that was handed to the operators is theirs; what the customer asks next
 * is a ticket of its own, and joins theirs where it has to be escalated too. What is said about a request that operators
 * decide is no new subject: see OpenRequests.
 */
export async function openTicket(
  { tickets }: Pick<GraphDeps, 'tickets'>,
  wanted: NewTicket,
): Promise<string> {
  const open = await tickets.findOpenByThread(wanted.threadId);
  if (open && open.owner === 'hub' && open.customerId === wanted.customerId) return open.ticketId;
  return (await tickets.create(wanted)).ticketId;
}

async function fromStudio(
  deps: GraphDeps,
  state: HubStateType,
  config: RunnableConfig,
  text: string,
): Promise<Incoming> {
  const threadId = String(config.configurable?.thread_id ?? deps.ids.unguessable('thr'));
  const identity = deps.trustUserEmail ? await identify(deps, state.user_email) : ANONYMOUS;
  const customerId = identity.kind === 'customer' ? identity.customerId : null;
  const ticketId = await openTicket(deps, { threadId, customerId, channel: 'studio' });
  await deps.tickets.addMessage(ticketId, 'customer', text);
  return {
    turnId: deps.ids.next('trn'),
    threadId,
    graphThreadId: threadId,
    identity,
    channel: 'studio',
    ticketId,
  };
}

async function identify(deps: GraphDeps, email: string | null): Promise<Identity> {
  if (!email) return ANONYMOUS;
  const user = await deps.tools.customers.findByEmail(email);
  if (!user) throw new HubError('customer_unknown', `There is no customer with the address ${email}.`);
  return { kind: 'customer', customerId: user.customerId, email: user.email };
}

/** What an operator has settled; danger that is told now is none of it. */
function settledIn(
  { language }: GraphDeps,
  { settledReasons }: Incoming,
  text: string,
): Pick<Session, 'settledReasons'> {
  if (!settledReasons) return {};
  const danger = language.dangerIn(text);
  const isDanger = danger === 'harm' || danger === 'self_harm';
  return {
    settledReasons: isDanger ? settledReasons.filter((one) => one !== 'requires_human') : settledReasons,
  };
}

/**
 * The question behind a message that accepts the offer of the last answer, or says that something announced is overdue.
 * @returns null where the message does neither
 */
function offerFollowUp(
  { dialogue: reader, language, tools }: GraphDeps,
  state: DialogueState | null,
  { language: spoken, identity, lastReply, previousMessage }: Session,
  text: string,
): string | null {
  if (state?.more != null && lastReply !== null) {
    const { kind, more } = reader.readAnswer(text, spoken, lastReply);
    if ((kind === 'yes' && more === null) || reader.asksToSee(text)) return state.more;
  }
  if (identity.kind !== 'customer' || previousMessage === null || !reader.saysOverdue(text)) return null;
  const texts = tools.texts.for(spoken);
  const asked = language
    .requests(previousMessage, spoken)
    .map(({ intent }) => texts.sayOf('overdue', intent));
  return asked.find((one) => one !== '') ?? null;
}
