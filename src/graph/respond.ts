import { AIMessage, HumanMessage, RemoveMessage } from '@langchain/core/messages';
import type { Citation } from '../core/domain/article.js';
import type { Draft, Focus, Session, ToolTrace } from '../core/domain/session.js';
import type { ProviderName } from '../core/domain/taxonomy.js';
import type { Classification, Escalation } from '../core/domain/ticket.js';
import type { Sentences } from '../core/i18n/index.js';
import { waitFor } from '../runtime/plan-action.js';
import { messageOf, wordsIn } from './clarify.js';
import { complaintNote } from './complaint-note.js';
import { dialogueAfter, looksElsewhere } from './dialogue-after.js';
import { keepWithWaiting } from './escalate-ticket.js';
import { escalationText } from './escalation-text.js';
import type { GraphDeps } from './graph-deps.js';
import { asOneText } from './one-text.js';
import { performedActions } from './performed-actions.js';
import { remember } from './remember.js';
import { withRepetition } from './reply-text.js';
import { besideWaiting } from './request-status.js';
import { faultyDrafts } from './review.js';
import { citedIds, retrievedArticles } from './review-rules.js';
import { isSaid, owedIn, saidIn } from './said-drafts.js';
import type { FinalReply, HubStateType, HubUpdate } from './state.js';

/**
 * Makes the one answer of the turn and stores it. A single agent's words go out as they are; several are put one
 * under the other. In the thread's memory a turn is what the customer said and what was answered.
 */
export function respondNode(deps: GraphDeps) {
  return async (state: HubStateType): Promise<HubUpdate> => {
    const { session } = state;
    if (!session) throw new Error('Respond was called outside a turn');
    const beside = await saidBeside(deps, state, session);
    const note = await complaintNote(deps, state, session, messageOf(state));
    const composed = compose(state, session, deps, { beside, note });
    const asked = state.escalationNotice?.kind === 'aside' ? (state.escalationNotice.focus ?? null) : null;
    const focus = asked ?? openAfter(state, composed.text);
    const spoken = isSpokenTurn(state);
    const ticketId = spoken ? await keepWithWaiting(deps, session, state.classification) : session.ticketId;
    const { citations } = composed;
    const { messageId } = await deps.ownership.speak(session, (claim) =>
      deps.tickets.addMessage(ticketId, 'hub', composed.text, {
        citations,
        ...(claim === undefined ? {} : { claim }),
      }),
    );
    const reply: FinalReply = { ...composed, messageId };
    const isKept = ticketId !== session.ticketId;
    if (!state.escalation && !isKept) await waitFor(deps, ticketId, 'waiting_customer');
    if (!spoken) await remember(deps, state, session, reply, sendable(state.drafts).at(-1));
    deps.tools.log.info({
      agent: 'respond',
      action: 'replied',
      ticketId,
      details: { provider: reply.provider, characters: reply.text.length, escalated: reply.escalated },
    });
    const [citation] = citations;
    const dialogue = spoken ? state.dialogue : await dialogueAfter(deps, state, session, composed.text);
    const article = citation ? { articleId: citation.articleId, title: citation.title } : null;
    const start = state.messages.findLastIndex((message) => HumanMessage.isInstance(message));
    const inner = state.messages
      .slice(start + 1)
      .flatMap((message) => (message.id ? [new RemoveMessage({ id: message.id })] : []));
    return {
      messages: [...inner, new AIMessage({ id: `reply_${session.turnId}`, content: reply.text })],
      reply,
      ...(isKept ? { session: { ...session, ticketId }, ticket_id: ticketId } : {}),
      focus: focus ?? stillOpen(deps, state, dialogue),
      dialogue: dialogue && {
        ...dialogue,
        ...(spoken ? state.escalation && { last: 'escalated' as const } : { article }),
        ...(beside.length > 0 ? { last: 'answered' as const } : {}),
      },
      next: null,
    };
  };
}

/** What the turn asks or offers; beside an escalation only what the customer reads, since the answer to that is no other request. */
function openAfter({ drafts, escalation }: HubStateType, said: string): Focus | null {
  const kept = sendable(drafts);
  if (!escalation) return kept.at(-1)?.focus ?? null;
  const offering = kept.filter(
    ({ focus, text }) =>
      focus !== null && (text.includes('?') || focus.choices.length === 1) && said.includes(text),
  );
  return offering.length === 1 ? (offering[0]?.focus ?? null) : null;
}

/**
 * The question which record is meant, where the turn only showed such records instead of answering it: who asks what they have
 * booked before they say which of it to cancel picks from that list then, in its order.
 */
function stillOpen(
  { tools, agents }: GraphDeps,
  { focus, escalation, trace, classification }: HubStateType,
  dialogue: HubStateType['dialogue'],
): Focus | null {
  const entity = focus && tools.roster.findAction(focus.intent)?.target?.entity;
  const isOther = trace.some(({ tool }) => tools.roster.findAction(tool) !== null);
  if (!focus || !entity || focus.choices.length < 2 || escalation || isOther) return null;
  const shown = (dialogue?.shown ?? []).filter((record) => record.entity === entity);
  const requests = classification?.requests ?? [];
  // Small talk and "forget it" ask for nothing: the question is over then.
  const isRead = requests.length > 0 && requests.every(({ route }) => !agents.changes(route));
  if (!isRead || shown.length === 0 || !focus.choices.some(({ id }) => shown.some((one) => one.id === id)))
    return null;
  const listed = shown.map(({ id, title, startsAt }) => ({ id, title, startsAt }));
  return { ...focus, choices: shown.length > 1 ? listed : focus.choices };
}

/** True where the conversation itself was answered from, so that nothing was asked of the company. */
function isSpokenTurn({ route }: Pick<HubStateType, 'route'>): boolean {
  return route.at(-1)?.by.startsWith('rule:R18') === true;
}

/** Drafts that were not already sent together with a question that paused the turn. */
function sendable(drafts: readonly Draft[]): readonly Draft[] {
  const lastPaused = drafts.findLastIndex((draft) => draft.paused);
  return lastPaused === -1 ? drafts : drafts.slice(lastPaused);
}

/** What is said, once, beside the answer to the first question after an escalation. */
async function saidBeside(
  deps: GraphDeps,
  state: HubStateType,
  session: Session,
): Promise<readonly string[]> {
  const { classification, dialogue, escalation, escalationNotice } = state;
  const isFirst = dialogue?.last === 'escalated' && !escalation && !escalationNotice;
  if (session.meant?.takesBack !== undefined) return [];
  const asks = (classification?.requests.length ?? 0) > 0;
  const text = messageOf(state);
  // A part of it may call the person off: "I don't need anybody, it's fine".
  const acts = [text, ...text.split(/[.,;!]+/)].flatMap((part) => deps.dialogue.read(part)?.acts ?? []);
  if (!isFirst || !asks || acts.length > 0 || deps.models.provider !== 'offline') return [];
  const said = await besideWaiting({ deps, session });
  return said === null ? [] : [said];
}

function compose(
  state: HubStateType,
  session: Session,
  deps: GraphDeps,
  { beside, note }: Readonly<Record<'beside' | 'note', readonly string[]>>,
): Omit<FinalReply, 'messageId'> {
  const texts = deps.tools.texts.for(session.language);
  const faulty = new Set(faultyDrafts(deps, state).map(({ draft }) => draft));
  // Some ways to a person pass no review, so what must not be sent is kept back here whatever way it came.
  const sent = sendable(state.drafts);
  const drafts = sent.filter((draft) => isSaid(draft, faulty));
  const answers = asOneText(
    saidIn(sent, faulty),
    (line) => deps.language.requests(line, session.language).length === 0,
  );
  const byModel = drafts.some((draft) => draft.provider === 'openai');
  const withdrawn = withdrawnIn(state.trace);
  if (withdrawn.some((said) => !answers.some((text) => text.includes(said))))
    answers.splice(0, answers.length, ...withdrawn);
  if (isAnyLost(state, faulty))
    answers.unshift(
      ...performedActions(deps, state.trace, session).filter(
        (deed) => !answers.some((text) => text.includes(deed)),
      ),
    );
  // Where a turn has paused, what comes before the answer was said with the question.
  const parts =
    byModel || state.drafts.some(({ paused }) => paused)
      ? answers
      : [...opening(session, state.classification, state.escalation, texts), ...answers];
  // What a person has is not said to be unanswered.
  if (!state.escalation && drafts.length > 0) parts.push(...owedIn(sent, faulty, session, texts));
  parts.push(...beside);
  if (state.escalationNotice)
    parts.push(
      escalationText(state.escalation?.reason, state.escalationNotice, texts, session.lastReply),
      ...note,
    );
  const text = parts.join('\n\n');
  // A question to the customer, or an offer, is asked as often as it takes.
  const isNew = isSpokenTurn(state) || looksElsewhere(deps, state);
  const mayRepeat = byModel || isNew || drafts.some(({ focus: asked }) => asked !== null);
  return {
    text: mayRepeat
      ? text
      : withRepetition(text, session, messageOf(state), { ...deps, texts, written: wordsIn(state) }),
    provider: providerOf(drafts),
    citations: citationsOf(drafts, state.trace, deps.tools.policy.retrieval.confidence_threshold),
    escalated: state.escalation !== null,
  };
}

/** True where an agent's words are not sent: what it has done for the customer is then said without them. */
function isAnyLost({ tasks, drafts }: HubStateType, faulty: ReadonlySet<Draft>): boolean {
  return faulty.size > 0 || tasks.filter(({ status }) => status === 'done').length > drafts.length;
}

/** What comes before the answer where rules wrote it; a model is told in its prompt to say it itself. */
export function opening(
  session: Session,
  classification: Classification | null,
  escalation: Escalation | null,
  texts: Sentences,
): readonly string[] {
  const parts: string[] = session.meant?.declines ? [texts.say('nothing_changed')] : [];
  const takesBack = session.meant?.takesBack;
  if (takesBack === 'alarm') return [texts.say('false_alarm', { asks: true })];
  if (takesBack === 'person') parts.push(texts.say('nobody_asked_for'));
  if (session.unsupportedLanguage) parts.push(texts.say('unsupported_language'));
  const life = session.life ? texts.say('life', { event: session.life }) : '';
  if (life !== '') return session.lastReply?.includes(life) ? parts : [...parts, life];
  // Who is passed on with what they complain of is not met with an "of course" alone.
  const complains = escalation?.reason === 'customer_request' && classification?.sentiment === 'negative';
  const upset = classification?.sentiment === 'frustrated' || complains;
  const sorry = texts.say('acknowledge');
  const isSaid = session.lastReply?.includes(sorry) ?? false;
  if (upset && !isSaid && escalation?.reason !== 'sentiment_priority') parts.push(sorry);
  return parts;
}

/** `offline` unless a model wrote all of it. */
function providerOf(drafts: readonly Draft[]): ProviderName {
  return drafts.length > 0 && drafts.every((draft) => draft.provider === 'openai') ? 'openai' : 'offline';
}

/** What else the knowledge agent reads has no articles: an answer from it cites none. */
const READS_ARTICLES: ReadonlySet<string> = new Set(['search_knowledge', 'get_article_by_id']);

/** The articles an answer names; where a model names none but wrote from a good one, that one. What rules quote is always named. */
export function citationsOf(
  drafts: readonly Draft[],
  trace: readonly ToolTrace[],
  threshold: number,
): readonly Citation[] {
  const sources = retrievedArticles(trace);
  const ids = new Set(drafts.flatMap((draft) => citedIds(draft.text)));
  if (
    ids.size === 0 &&
    drafts.some(({ agent, provider }) => agent === 'knowledge' && provider !== 'offline')
  ) {
    const [best] = [...sources].sort(([, a], [, b]) => b.confidence - a.confidence);
    const askedElsewhere = trace.some(
      ({ agent, tool, ok }) => agent === 'knowledge' && ok && !READS_ARTICLES.has(tool),
    );
    if (best && best[1].confidence >= threshold && !askedElsewhere) ids.add(best[0]);
  }
  return [...ids].flatMap((id) => {
    const source = sources.get(id);
    return source ? [{ articleId: id, title: source.title, confidence: source.confidence }] : [];
  });
}

/** What the customer has taken back since the turn paused last: said in the hub's own words, whatever a model makes of it. */
function withdrawnIn(trace: readonly ToolTrace[]): readonly string[] {
  const lastPaused = trace.findLastIndex((entry) => entry.paused);
  return trace.slice(Math.max(0, lastPaused)).flatMap(({ code, result }) => {
    const said = (result as { readonly message?: unknown } | null)?.message;
    return code === 'pending_withdrawn' && typeof said === 'string' ? [said] : [];
  });
}
