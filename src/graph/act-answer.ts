import { AIMessage, HumanMessage } from '@langchain/core/messages';
import { languageName } from '../core/domain/language.js';
import type { DialogueState, Focus, Session } from '../core/domain/session.js';
import type { EscalationReason } from '../core/domain/taxonomy.js';
import { unlessUnreachable } from '../core/signals.js';
import type { Act, ActKind } from '../dialogue/index.js';
import { saysThanks } from './clarify.js';
import { endsWith } from './dialogue-act.js';
import type { DialogueTurn, RecordAnswer } from './dialogue-types.js';
import { writtenIn } from './facets.js';
import { keepsAsItIsText, undoOffer } from './offers.js';
import { stateOfSpoken } from './record-states.js';
import { isShownToCustomer } from './reply-text.js';
import {
  calledOffText,
  callOff,
  doneText,
  presenceText,
  statusText,
  takeBackAsked,
  teamText,
  ticketNumber,
  waitingTicket,
} from './request-status.js';
import type { HubStateType } from './state.js';

/** What is answered from the conversation itself, without an agent. */
export interface DialogueAnswer extends RecordAnswer {
  /** Set where it ends with an offer. */
  readonly focus?: Focus;
  /** Set where a person must go on with it. */
  readonly escalate?: EscalationReason;
  /** What that person is asked, where it was asked before: see `Task.passed`. */
  readonly passed?: string;
  /** True where it is answered also if triage heard the wish for a person. */
  readonly isCertain?: boolean;
}

/** From here on what was asked for before is a wish that only the customer can fulfil. */
const LIKELY_WISH = 0.25;

/** That the hub cannot do what was asked for before, where only the customer can; null where it was something else. */
export function cannotText({ deps, session, texts }: DialogueTurn): string | null {
  if (session.previousMessage === null) return null;
  const wished = deps.language
    .requests(session.previousMessage, session.language)
    .filter(({ confidence }) => confidence >= LIKELY_WISH)
    .map(({ intent }) => texts.sayOf('cannot', intent));
  return wished.find((text) => text !== '') ?? null;
}

/** That the last answer holds, with the article that it was found in; null where none was given. */
function sureText({ graph, session, state, texts }: DialogueTurn): DialogueAnswer | null {
  if (session.lastReply === null || state.last !== 'answered' || graph.focus !== null) return null;
  const title = state.article?.title ?? null;
  return { text: texts.say('sure', { title }), state: { ...state, asked: null } };
}

/** What is said to an act, from the conversation; null where there is nothing to say it of. */
export async function actAnswer(turn: DialogueTurn, act: Act | ActKind): Promise<DialogueAnswer | null> {
  const { state, texts, session } = turn;
  const said = (text: string, more: Partial<DialogueState> = {}) => ({
    text,
    state: { ...state, asked: null, ...more },
  });
  switch (act) {
    case 'barred': {
      const { hits } = await turn.deps.tools.retriever.search(turn.text, {
        topK: 1,
        language: session.language,
      });
      const { confidence_threshold: least } = turn.deps.tools.policy.retrieval;
      // What an article says of it is more than that it is so.
      const isTold = (hits[0]?.confidence ?? 0) >= least;
      const blocked = isTold ? null : await blockedText(turn);
      return blocked === null ? null : { ...said(blocked), isExact: true };
    }
    case 'why':
      return said((await whyText(turn)) ?? (await blockedText(turn)) ?? texts.say('why_else'));
    case 'undo':
      return (await undoOffer(turn)) ?? said((await keepsAsItIsText(turn)) ?? texts.say('nothing_done'));
    case 'what_was_done':
      return said((await doneText(turn)) ?? texts.say('nothing_done'));
    case 'did_it_work': {
      const waiting = await teamText(turn);
      if (waiting !== null) return said(waiting);
      const done = await doneText(turn);
      if (done !== null) return said(texts.say('it_worked', { outcome: done }));
      return said((await stateOfSpoken(turn)) ?? texts.say('nothing_done'));
    }
    case 'goodbye':
      return said(texts.say('goodbye'));
    case 'in_writing': {
      const outcome = state.last === 'done' ? await doneText(turn) : null;
      return outcome ? said((await teamText(turn)) ?? texts.say('in_writing', { outcome })) : null;
    }
    case 'repeat': {
      const last = lastReply(turn.graph);
      // "What now?" after the question what happens is not answered with that question again.
      if (last?.includes(texts.say('what_happened')))
        return {
          ...said(texts.say('sorry_no_help'), { stuck: state.stuck + 1 }),
          escalate: 'low_confidence',
        };
      return last === null ? null : said(last);
    }
    // Asked where one is to be named: the question again, with what there is to choose from.
    case 'which_ones': {
      const last = (turn.graph.focus?.choices.length ?? 0) > 1 ? lastReply(turn.graph) : null;
      return last === null ? null : { ...said(last), asks: true };
    }
    case 'presence':
      return said(await presenceText(turn));
    case 'status':
      return said(await statusText(turn));
    case 'are_you_sure':
      return sureText(turn);
    case 'ticket_number':
      return { ...said(await ticketNumber(turn)), isExact: true };
    case 'history':
      return said(historyText(turn));
    case 'about_me':
      return said(aboutMe(turn));
    // Nobody is called for who has not asked for anybody.
    case 'no_person':
      return {
        ...said(
          (await callOff(turn))
            ? texts.say('person_called_off', { solved: false, more: false })
            : texts.say('no_person'),
        ),
        isCertain: true,
      };
    case 'legit':
      return { ...said(texts.say('legit')), isExact: true };
    case 'bot_or_human':
    case 'capabilities':
      return said(texts.say('identity'));
    // "Do it for me": what only they can do themselves, they were told how.
    case 'do_it': {
      const cannot = cannotText(turn);
      return cannot === null ? null : said(cannot);
    }
    case 'unfair': {
      const text = texts.say('small_talk', { about: act, name: null });
      // Who says it twice is not answered twice with the same.
      const again = session.lastReply?.includes(text) === true;
      return again ? { ...said(''), escalate: 'sentiment_priority' } : said(text);
    }
    case 'hurry': {
      const waiting = (await teamText(turn)) ?? (await waitingTicket(turn));
      return waiting === null ? null : said(texts.say('hurry', { waiting }));
    }
    case 'not_helpful':
    case 'wrong_answer': {
      const helpless = state.stuck > 0 || (act === 'not_helpful' && state.article !== null);
      const more = { stuck: state.stuck + 1 };
      return helpless
        ? { ...said(texts.say('sorry_no_help'), more), escalate: 'low_confidence' }
        : said(texts.say(act === 'not_helpful' ? 'what_happened' : 'misunderstood'), more);
    }
    default:
      if (act === 'called_off') {
        const off = await calledOffText(turn);
        return off === null ? null : said(off);
      }
      // What waits for the team does not stay as it is by itself.
      if (act === 'withdraw') return said((await takeBackAsked(turn)) ?? leftText(turn));
      return said(texts.say('small_talk', { about: act, name: firstName(session) }));
  }
}

/** What a message comes to in its last sentence, where that is asked of what was just done, or of what a person has; null where not. */
export async function endAnswer(turn: DialogueTurn): Promise<DialogueAnswer | null> {
  if (endsWith(turn, 'undo') && (await doneText(turn)) !== null) return actAnswer(turn, 'undo');
  if (!endsWith(turn, 'status') && !asksAfterEscalation(turn) && !onlyCalls(turn)) return null;
  const waiting = (await teamText(turn)) ?? (await waitingTicket(turn));
  // Who asks when a person answers has asked for one already.
  if (waiting === null) return null;
  return { text: waiting, state: { ...turn.state, asked: null, last: 'answered' }, isCertain: true };
}

/** True where a question has no word that says anything: "so?", "and?". "How much is it?" asks something of what is spoken of. */
function onlyCalls(turn: DialogueTurn): boolean {
  const { dialogue } = turn.deps;
  const text = writtenIn(turn);
  const read = dialogue.read(text);
  if (read === null || !text.includes('?') || dialogue.pointsAtIt(text)) return false;
  return [read.acts, read.asked, read.rest].every((one) => one.length === 0);
}

const isOneWord = (sentence: string): boolean => !/\s/.test(sentence.trim());

/** True where any sentence asks where the request stands that was escalated just now: "when do they answer? Only on Monday? It is today!". */
function asksAfterEscalation(turn: DialogueTurn): boolean {
  const { deps, state } = turn;
  if (state.last !== 'escalated') return false;
  return deps.dialogue.sentencesIn(writtenIn(turn)).some((sentence) => {
    const read = deps.dialogue.read(sentence);
    if (read === null || read.rest.length > 0) return false;
    // "When?" asks when they answer; "when is it?" points at something else.
    const asksWhen =
      read.asked.length > 0 && read.asked.every(({ attribute }) => attribute.of === 'starts_at');
    return read.acts.includes('status') || (asksWhen && isOneWord(sentence));
  });
}

/** Said to who wants nothing done after all. */
export function leftText({ deps, session, text, texts }: DialogueTurn): string {
  return texts.say('left_as_is', { thanked: saysThanks(deps, text, session) });
}

function firstName({ customerName }: Session): string | null {
  return customerName?.split(' ')[0] ?? null;
}

/** What the hub said last, before this message. */
function lastReply({ messages }: HubStateType): string | null {
  const start = messages.findLastIndex((message) => HumanMessage.isInstance(message));
  const last = messages
    .slice(0, start)
    .findLast((one) => AIMessage.isInstance(one) && isShownToCustomer(one));
  return last?.text ?? null;
}

/** The reason of what is open, waits or was told from an article; null where nothing is there that it may be asked of. */
export async function whyText(turn: DialogueTurn): Promise<string | null> {
  const { deps, session, state, texts } = turn;
  const { pending } = deps.tools;
  if (await pending.findOpenConfirmation(session.threadId)) return texts.say('why_confirm');
  const waiting = await teamText(turn);
  if (waiting !== null) return texts.say('why_team', { status: waiting });
  if (state.refused) return texts.say('why_refused', { reason: state.refused });
  if (state.article) return texts.say('why_article', { title: state.article.title });
  return null;
}

/** That the account is blocked, where it is; else null. */
async function blockedText({ deps, session, texts }: DialogueTurn): Promise<string | null> {
  const { identity } = session;
  if (identity.kind !== 'customer') return null;
  const user = await unlessUnreachable(deps.tools.customers.get(identity.customerId), null);
  return user?.isBlocked ? texts.sayOf('refusal', 'customer_blocked') : null;
}

/** The customer's earlier requests, one line each. */
function historyText({ deps, session, texts }: DialogueTurn): string {
  const lines = (session.memory?.resolutions ?? []).map((one) => {
    const date = deps.tools.time.date(one.createdAt, session.language);
    return texts.say('past_request', { summary: one.summary, date });
  });
  return texts.say('past_requests', {
    list: lines.length === 0 ? null : lines.map((line) => `- ${line}`).join('\n'),
    signed_in: session.identity.kind === 'customer',
  });
}

/** What the hub knows about the customer. */
function aboutMe({ session, texts }: DialogueTurn): string {
  const { identity, memory } = session;
  const word = (value: string) => texts.sayOf('preference', value) || value.replaceAll('_', ' ');
  const preferences = (memory?.preferences ?? []).map(({ key, value }) =>
    key === 'language'
      ? `${word(key)}: ${languageName(value, texts.language)}`
      : `${word(key)}: ${word(value)}`,
  );
  return texts.say('about_you', {
    name: session.customerName,
    email: identity.kind === 'customer' ? identity.email : null,
    preferences: preferences.length === 0 ? null : texts.list(preferences),
    requests: memory?.resolutions.length ?? 0,
  });
}
