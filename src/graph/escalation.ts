import { HumanMessage } from '@langchain/core/messages';
import { deskSays } from '../core/desk-notes.js';
import { type CompanyProfile, issueTypeOf } from '../core/domain/company.js';
import type { Session, ToolTrace } from '../core/domain/session.js';
import type { EscalationReason } from '../core/domain/taxonomy.js';
import type { Classification, Escalation } from '../core/domain/ticket.js';
import type { Danger } from '../core/ports/language-layer.js';
import { excerptOf } from '../core/text.js';
import { clarification, messageOf, tellingText } from './clarify.js';
import { type EscalatedTicket, escalateTicket, notePassed } from './escalate-ticket.js';
import { escalationText } from './escalation-text.js';
import type { GraphDeps } from './graph-deps.js';
import { investigationReport } from './investigation.js';
import { changesMade, performedActions } from './performed-actions.js';
import { remoteReport } from './remote-routing.js';
import { retrievedArticles } from './review-rules.js';
import { DETAILS } from './routing-rules.js';
import type { EscalationNotice, HubStateType, HubUpdate } from './state.js';
import { openTerms } from './terms.js';

const MAX_FOUND = 6;

/**
 * Escalates the ticket to the operators with everything on the table. The customer is told in the respond node. What a person
 * has handed back stays with the hub.
 */
export function escalateNode(deps: GraphDeps) {
  return async (state: HubStateType): Promise<HubUpdate> => {
    const { session, classification } = state;
    if (!session) throw new Error('Escalation was called outside a turn');
    const reason = reasonOf(state);
    if (isSettled(session, reason)) return { escalationNotice: { kind: 'settled' } };
    // What is told of what a person has goes to that person.
    const passed = passedIn(state);
    if (reason === 'low_confidence' && !detailsIn(state).details && passed === undefined) {
      const text = asideText(deps, state, session);
      if (text !== null) return { escalationNotice: { kind: 'aside', text } };
      const fact = tellingText(deps, state, messageOf(state), session, true);
      if (fact !== null) return { escalationNotice: { kind: 'aside', text: fact } };
      // Two questions at once would have one answer.
      const open = await deps.tools.pending.findOpenConfirmation(session.threadId);
      const terms = open && (await openTerms(deps, session, open, messageOf(state)));
      if (terms) return { escalationNotice: { kind: 'aside', text: terms } };
      const asked = open ? null : clarification(deps, state, session);
      if (asked) return { escalationNotice: { kind: 'aside', ...asked } };
    }
    const said = state.drafts.map((draft) => draft.text);
    const described = describe(deps, session, reason, classification, state.trace, said);
    const escalation = {
      ...described,
      ...(passed === undefined ? {} : { summary: passed }),
      found: [...wishesOf(session), ...described.found],
    };
    if (passed !== undefined) await notePassed(deps, session, passed);
    const escalated = await escalateTicket(deps, session, escalation);
    const { ticketId } = escalated;
    return {
      escalation,
      escalationNotice: {
        ...noticeOf(escalated),
        ...dangerIn(deps, state),
        ...detailsIn(state),
        ...(passed === undefined ? {} : { passed }),
        ...(reason === 'low_confidence' && !escalated.joined ? canIn(deps, session, messageOf(state)) : {}),
      },
      session: { ...session, ticketId },
      ticket_id: ticketId,
    };
  };
}

/** How the customer wants to be treated, for whoever takes the ticket. */
function wishesOf({ memory }: Session): readonly string[] {
  return (memory?.preferences ?? []).map(
    ({ key, value }) => `Preference ${key.replaceAll('_', ' ')}: ${value}`,
  );
}

/** What the customer is told of it. */
function noticeOf({ joined, next }: EscalatedTicket): EscalationNotice {
  return { kind: joined ? 'joined' : 'escalated', ...next };
}

/** Marked where the customer only tells more of what a person has already. */
function detailsIn({ route }: HubStateType): { readonly details?: true } {
  return route.at(-1)?.by.startsWith(`rule:${DETAILS}:`) ? { details: true } : {};
}

/** What the customer wanted the team asked, with what was asked beside it and nothing answers. */
function passedIn({ tasks, drafts }: HubStateType): string | undefined {
  const passed = tasks.find((task) => task.passed !== undefined)?.passed;
  const owed = drafts.flatMap((draft) => draft.owed?.question ?? []);
  return passed === undefined ? undefined : [passed, ...owed].join(' · ');
}

/** Marked where a person was hurt or is in danger, so that they are told whom to call first. */
function dangerIn({ language }: GraphDeps, state: HubStateType): { readonly danger?: Danger } {
  const danger = language.dangerIn(messageOf(state));
  return danger === null ? {} : { danger };
}

/** What can be done here, for who asks how something is done that nothing tells of. */
function canIn(deps: GraphDeps, session: Session, text: string): { readonly can?: readonly string[] } {
  return deps.dialogue.asksHow(text) ? { can: changesMade(deps, session) } : {};
}

/** From here on what a message asks for is taken to be so where nothing answers it. */
const SURE = 0.6;
/** From here on it is no matter of the company's; below, a question near to it would be turned away. */
const FOREIGN = 0.88;
/** The same where no article is anywhere near: then there is no such question. */
const LIKELY_FOREIGN = 0.75;
/** A question of so few words may be about what was just said. */
const LEANING_WORDS = 6;
/** Below this confidence of the nearest article none is. */
const FAR = 0.1;

/**
 * What is said instead of troubling a person where nothing answered the message because there is nothing to answer: praise,
 * a word of disappointment, another trade's business, or what only the customer can do.
 * @returns null where a person may know better
 */
function asideText(
  deps: GraphDeps,
  { drafts, messages, trace }: HubStateType,
  session: Session,
): string | null {
  if (drafts.some((draft) => draft.needsPerson)) return null;
  const text = messages.findLast((message) => HumanMessage.isInstance(message))?.text ?? '';
  const texts = deps.tools.texts.for(session.language);
  const requests = deps.language.requests(text, session.language);
  const nearest = Math.max(0, ...[...retrievedArticles(trace).values()].map(({ confidence }) => confidence));
  const foreign = nearest < FAR ? LIKELY_FOREIGN : FOREIGN;
  // "How do I fix it?" is about what was just said, which is no other trade's business.
  const isShort = session.lastReply !== null && text.trim().split(/\s+/).length <= LEANING_WORDS;
  const leans = isShort && deps.dialogue.read(text)?.points === true;
  const said = requests.map(({ intent, confidence, outOfScope }) => {
    if (outOfScope >= foreign) return leans ? texts.say('other_words') : texts.sayOf('aside', 'off_topic');
    return confidence < SURE ? '' : texts.sayOf('cannot', intent) || texts.sayOf('aside', intent);
  });
  if (said.length === 0 || said.includes('')) return null;
  // The same sentence twice is no conversation.
  const again = texts.sayOf('aside', 'again');
  const isRepeated = said.some((one) => session.lastReply?.includes(one));
  return isRepeated ? again : [...new Set(said)].join(' ');
}

/**
 * A turn pauses for the customer's yes while another part of it needs an operator: that one does not wait for an answer
 * that may never come. The customer is told with the end of the turn.
 */
export async function escalateWhilePaused(deps: GraphDeps, state: HubStateType): Promise<void> {
  const { session, classification, drafts, trace } = state;
  if (!session || !drafts.some((draft) => draft.needsPerson)) return;
  if (session.settledReasons?.includes('requires_human')) return;
  const said = drafts.map((draft) => draft.text);
  await escalateTicket(
    deps,
    session,
    describe(deps, session, 'requires_human', classification, trace, said),
    false,
  );
}

/** An answer that did not pass review, or none at all, is no new reason either. */
function isSettled({ settledReasons }: Session, reason: EscalationReason): boolean {
  return settledReasons !== undefined && (reason === 'fault' || settledReasons.includes(reason));
}

function reasonOf(state: HubStateType): EscalationReason {
  const step = state.route.at(-1);
  if (step?.to === 'escalation') return step.by.split(':').at(-1) as EscalationReason;
  if (state.drafts.some((draft) => draft.needsPerson)) return 'requires_human';
  return state.drafts.some((draft) => draft.unanswered) ? 'low_confidence' : 'fault';
}

/** What an operator needs to go on: what it is about, what was found and tried, and what can be done now. */
function describe(
  deps: GraphDeps,
  session: Session,
  reason: EscalationReason,
  classification: Classification | null,
  trace: readonly ToolTrace[],
  drafts: readonly string[],
): Escalation {
  const done = performedActions(deps, trace, session);
  const found = [...retrievedArticles(trace)].map(([, { title, confidence }]) =>
    deskSays('article', title, confidence.toFixed(2)),
  );
  const refusals = trace
    .filter((entry) => !entry.ok)
    .map((entry) => `${entry.tool} was refused: ${entry.code}`);
  const said = drafts
    .filter((draft) => draft !== '')
    .map((draft) => deskSays('answered', excerptOf(draft, EXCERPT_CHARS)));
  const tried = trace
    .filter((entry) => entry.tool !== 'classify_ticket')
    .map((entry) => `${entry.agent}: ${entry.tool}(${JSON.stringify(entry.args).slice(0, 120)})`);
  const investigated = investigationReport(trace);
  const elsewhere = remoteReport(trace);
  return {
    reason,
    summary: classification?.summary ?? deskSays('unclassified'),
    found: [
      ...investigated.found,
      ...elsewhere.found,
      ...done.map((deed) => deskSays('done', deed)),
      ...[...found, ...refusals, ...said].slice(0, MAX_FOUND),
    ],
    tried: [...tried, ...investigated.tried, ...elsewhere.tried],
    options: [
      ...investigated.options,
      ...optionsFor(reason, classification, deps.tools.company, done.length > 0),
    ],
  };
}

const EXCERPT_CHARS = 200;

function optionsFor(
  reason: EscalationReason,
  classification: Classification | null,
  company: CompanyProfile,
  isDone: boolean,
): readonly string[] {
  const options = [deskSays('reply'), deskSays('ask')];
  if (reason === 'low_confidence') options.push(deskSays('add_article'));
  if (reason === 'legal') options.push(deskSays('to_legal'));
  if (reason === 'fault' || reason === 'hop_limit')
    options.push(deskSays(isDone ? 'rest_by_hand' : 'by_hand'));
  const { option } = issueTypeOf(company, classification?.issueType ?? '');
  // As it is kept; the desk shows it in the operator's language.
  if (option !== null) options.push(option.en ?? Object.values(option)[0] ?? '');
  return [...options, deskSays('resolve')];
}

/**
 * The graph broke off: escalates what there is, and says what the customer is told.
 * @throws HubError `taken_over`
 */
export async function escalateFault(
  deps: GraphDeps,
  values: Pick<HubStateType, 'session' | 'classification' | 'trace' | 'drafts'>,
  tooManySteps: boolean,
): Promise<{
  readonly text: string;
  readonly escalation: Escalation;
  readonly ticketId: string;
  readonly messageId: string;
}> {
  const { session, classification, trace, drafts } = values;
  if (!session) throw new Error('A fault was escalated outside a turn');
  const reason = tooManySteps ? 'hop_limit' : 'fault';
  const said = (drafts ?? []).map((draft) => draft.text);
  const escalation = describe(deps, session, reason, classification, trace ?? [], said);
  const escalated = await escalateTicket(deps, session, escalation);
  const { ticketId } = escalated;
  const texts = deps.tools.texts.for(session.language);
  const why = escalated.joined ? `${texts.sayOf('refusal', 'internal')} ` : '';
  const text = `${why}${escalationText(reason, noticeOf(escalated), texts)}`;
  const { messageId } = await deps.ownership.speak(session, (claim) =>
    deps.tickets.addMessage(ticketId, 'hub', text, claim === undefined ? {} : { claim }),
  );
  return { text, escalation, ticketId, messageId };
}
