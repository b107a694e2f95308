import { HumanMessage } from '@langchain/core/messages';
import type { Language } from '../core/domain/taxonomy.js';
import { excerptOf, fold } from '../core/text.js';
import type { DialogueTurn } from './dialogue-types.js';
import type { HeardMessage } from './heard-message.js';
import { type InConversation, NOTHING } from './in-conversation.js';
import { callOff, mayCallOff, teamText, waitingTicket } from './request-status.js';
import { questionNamed } from './unanswered-parts.js';

/* What people of the company are asked through the hub, and what is said of that later. */

/** Of fewer words nothing is told that they need. */
const TOLD_WORDS = 4;
/** Somebody may be in danger: that weighs more than a question that is passed on. */
const GRAVE = 'requires_human';
/** So much of what was said before is passed on; the team reads all of it in the conversation. */
const MEANT_CHARS = 300;
/** In more words than these something else is told, or asked for. */
const SOLVED_WORDS = 20;

/**
 * What is to be passed on to the team, with what else is asked beside it: "yes, ask them. And is there a way in without the app?". What is
 * passed on is what the message says, else what was asked before it.
 */
export async function passedOn(heard: HeardMessage): Promise<InConversation | null> {
  const { deps, graph, session, text } = heard;
  const written = wordsOf(heard);
  const { humanReason = null } = graph.classification ?? {};
  const isGrave = humanReason === GRAVE || deps.language.dangerIn(text) !== null;
  // "Tell your team to stay in bed" passes nothing on.
  if (session.lastReply === null || isGrave || deps.language.callsOffTeam(written)) return null;
  const open = await deps.tools.pending.findOpenConfirmation(session.threadId);
  const isOffered = open === null && !graph.focus?.offered && deps.language.offersTeam(session.lastReply);
  const passed = deps.language.readPassedOn(written, isOffered);
  // "Shall I ask them?" is answered by it, where it says nothing of its own.
  if (!passed || (open !== null && passed.own === null)) return null;
  const order = orderedOfTeam(heard, passed.said);
  if (order !== null) return { ...NOTHING, orders: order };
  // What is told to who has the rest is added to that.
  const isAddition = deps.language.beforeAddition(text) !== null && (await waitingTicket(heard)) !== null;
  if (isAddition && passed.own === null) return null;
  const asked = passed.after.filter((one) => deps.dialogue.isQuestion(one));
  const told = passed.after.filter((one) => !asked.includes(one));
  const beside = asked.join(' ');
  const changes = deps.language
    .requests(beside, session.language)
    .some(({ route }) => route !== null && deps.agents.changes(route));
  if (beside !== '' && changes) return null;
  const isTold = [passed.said, ...told].some((one) => one.split(/\s+/).length >= TOLD_WORDS);
  // Whole sentences: what is left of one without the words that pass it on reads like nothing that anybody has said.
  const details = isTold
    ? deps.dialogue
        .sentencesIn(written)
        .filter((one) => !asked.includes(one))
        .join(' ')
    : '';
  const before = [meantBefore(heard), details];
  const matter =
    passed.own === null ? before.filter((one) => one !== '').join(' · ') : subjectOf(heard, passed.own);
  if (matter === '') return null;
  const rest = beside === '' ? [] : [{ text: beside, asks: [] }];
  return { ...NOTHING, own: [...rest, { text: matter, asks: [], person: true, passed: matter }] };
}

/**
 * The change that the team is to make, where the hub makes it itself, with the team's agreement where that is needed: "ask them to cancel
 * it" opens the cancellation of what is spoken of.
 * @param said what is to be passed on, without the words that pass it on
 */
function orderedOfTeam({ deps, state }: HeardMessage, said: string): string | null {
  if (state.focus === null) return null;
  const last = deps.dialogue.sentencesIn(said).at(-1) ?? '';
  return deps.dialogue.plainOrder(last)?.points === true ? last : null;
}

/** The customer's own words, whatever they are taken to mean. */
function wordsOf({ graph, written }: HeardMessage): string {
  return graph.messages.findLast((message) => HumanMessage.isInstance(message))?.text ?? written;
}

/** What was asked before this message: the question that the hub said it had no answer to, where it named one. */
function meantBefore({ deps, graph, session }: HeardMessage): string {
  const { dialogue, language } = deps;
  const { lastReply, previousMessage } = session;
  const named = questionNamed(lastReply ?? '', previousMessage ?? '', dialogue);
  if (named !== null && /\p{L}/u.test(named)) return named;
  // "Did you ask them?" is no question for them.
  const isOfTeam = (text: string) =>
    language.asksAfterTeam(text) !== null || language.readPassedOn(text, false) !== null;
  const said = graph.messages.filter((message) => HumanMessage.isInstance(message)).slice(0, -1);
  const meant = said.findLast(({ text }) => !isOfTeam(text))?.text ?? previousMessage ?? '';
  return excerptOf(meant, MEANT_CHARS);
}

/** Words that only point at a matter are so many at most: "about the 16 thing". */
const POINTING_WORDS = 6;
/** From here on a sentence only says that an answer was of no use. */
const UNHELPED = 0.6;

/**
 * What is passed on, by its subject: the question before it where a message only points at that ("about the 16 thing") or says that the
 * answer to it was of no use, else its own words.
 */
function subjectOf(heard: HeardMessage, own: string): string {
  const { deps, graph, session } = heard;
  const { dialogue } = deps;
  const isUnhelped = (one: string): boolean =>
    (dialogue
      .guessAct(one, 'answered', session.language)
      ?.chanceOf('not_helpful', 'wrong_answer', 'insult') ?? 0) >= UNHELPED;
  const parts = dialogue.sentencesIn(own).flatMap((one) => one.split(/,\s+/));
  if (parts.length > 1 && parts.some(isUnhelped)) return meantBefore(heard) || own;
  if (own.split(/\s+/).length > POINTING_WORDS || dialogue.isQuestion(own)) return own;
  const words = fold(own).match(/\d+|[a-z]{4,}/g) ?? [];
  const told = dialogue.read(own)?.rest ?? [];
  const named = told.length > 0 ? told : words;
  const said = graph.messages.filter((message) => HumanMessage.isInstance(message)).slice(0, -1);
  const asked = said.flatMap(({ text }) => dialogue.partsOf(text)).filter((one) => dialogue.isQuestion(one));
  const speaksOf = (text: string): boolean => {
    const words = new Set(fold(text).match(/[a-z0-9]+/g) ?? []);
    return named.some((word) => words.has(word));
  };
  return asked.findLast(speaksOf) ?? own;
}

/** The question that stood before "none of these": it is passed on. */
export function passedBefore({ session, state }: DialogueTurn): InConversation {
  const passed = session.previousMessage;
  const spoken = { text: '', state, escalate: 'low_confidence' as const };
  return { ...NOTHING, spoken: passed === null ? spoken : { ...spoken, passed } };
}

/** Whether the team has what was asked, and by when it answers; what else the message asks is answered beside it. */
export async function teamAskedAfter(heard: HeardMessage): Promise<InConversation | null> {
  const { deps, session, state, texts, written } = heard;
  const { asksAfterTeam } = deps.language;
  const how = asksAfterTeam(written);
  if (how === null && !(await callsBesideRemark(heard))) return null;
  const waiting = (await teamText(heard)) ?? (await waitingTicket(heard));
  if (waiting === null) {
    // "Did you tell them?" may be asked of what was never passed on.
    const isNew = how === 'whether' && session.lastReply !== null && state.last === 'answered';
    if (!isNew) return null;
    return { ...NOTHING, spoken: { text: texts.say('not_with_team'), state, isCertain: true } };
  }
  const others = deps.dialogue
    .sentencesIn(written)
    .filter((one) => deps.dialogue.isQuestion(one) && asksAfterTeam(one) === null)
    // "Only on Friday?" asks it on.
    .filter((one) => one.split(/\s+/).length >= TOLD_WORDS);
  const after = { ...state, asked: null, last: 'answered' as const };
  if (others.length > 0)
    return { ...NOTHING, beside: { text: waiting, state: after, rest: others.join(' ') } };
  return { ...NOTHING, spoken: { text: waiting, state: after, isExact: true } };
}

/** From here on a sentence asks whether anybody is there, or has decided. */
const CALLS = 0.7;
/** From here on a sentence beside it wants something of its own. */
const ORDERED = 0.6;

/**
 * True where one sentence asks whether anybody is there or has decided, by what such sentences are like, and the others only say
 * why that presses: "Did you decide? I need to know today".
 */
async function callsBesideRemark(heard: HeardMessage): Promise<boolean> {
  const { agents, dialogue, language } = heard.deps;
  const { session, written } = heard;
  const sentences = dialogue.sentencesIn(written);
  // Who says goodbye presses for nothing: "that will do. I wish you a pleasant evening".
  if (sentences.length < 2 || dialogue.read(written)?.acts.includes('goodbye')) return false;
  const context = (await teamText(heard)) === null ? 'escalated' : 'approval';
  const calls = (one: string): boolean => {
    const guess = dialogue.guessAct(one, context, session.language);
    return (guess?.chanceOf('status', 'presence', 'hurry') ?? 0) >= CALLS;
  };
  const orders = (one: string): boolean => ordersIn({ agents, language }, one, session.language).length > 0;
  const isRemark = (one: string): boolean =>
    !dialogue.isQuestion(one) && dialogue.changesNamed(one).length === 0 && !orders(one);
  return sentences.some(calls) && sentences.every((one) => calls(one) || isRemark(one));
}

/** That the team is needed no more, or that what was wrong is over: noted on what waits for them. */
export async function teamCalledOff(
  heard: DialogueTurn & Pick<HeardMessage, 'written'>,
): Promise<InConversation | null> {
  const { deps, graph, state, texts, written } = heard;
  const { language, dialogue } = deps;
  const isSolved = language.saysSolved(written);
  const isShort = written.trim().split(/\s+/).length <= SOLVED_WORDS;
  // "Does it work now?" of a skill is answered by it.
  const isOpen = graph.focus !== null && graph.focus.agent !== deps.agents.forRoute('investigation');
  const isPlain = isShort && !isOpen && dialogue.changesNamed(written).length === 0;
  const callsOff = language.callsOffTeam(written);
  if (!callsOff && !(isSolved && isPlain)) return null;
  // Who says so after an answer of the hub's alone has nothing to call off.
  const waits = (await waitingTicket(heard)) !== null || (await teamText(heard)) !== null;
  if (!waits && isPlain && heard.session.lastReply !== null) {
    const after = { ...state, asked: null, last: 'answered' as const };
    return {
      ...NOTHING,
      spoken: {
        text: texts.say('nothing_to_close', { solved: isSolved, closes: callsOff }).trim(),
        state: after,
        isExact: true,
      },
    };
  }
  if (!callsOff && !(await mayCallOff(heard))) return null;
  if (!(await callOff({ ...heard, text: written }))) return null;
  return calledOff(heard, isSolved, written);
}

/** That nobody is needed, and what is asked for besides: "no need for a person. Just list my payments". */
export function calledOff(
  { deps, session, state, texts }: DialogueTurn,
  solved: boolean,
  written: string,
): InConversation {
  const { agents, dialogue, language } = deps;
  const after = { ...state, asked: null, last: 'answered' as const };
  const callsOff = (one: string): boolean =>
    language.callsOffTeam(one) || dialogue.read(one)?.acts.includes('no_person') === true;
  const asks = (one: string): boolean =>
    one.includes('?') ||
    dialogue.onlyAsked(one) !== null ||
    ordersIn({ agents, language }, one, session.language).length > 0;
  const parts = dialogue.sentencesIn(written).flatMap((one) => one.split(/,\s+/));
  const rest = parts.filter((one) => !callsOff(one) && asks(one)).join(' ');
  const text = texts.say('person_called_off', { solved, more: rest !== '' });
  if (rest !== '') return { ...NOTHING, beside: { text, state: after, rest }, isTold: true };
  return { ...NOTHING, spoken: { text, state: after, isExact: true } };
}

/** What a part of a message surely asks of its customer's own records, or wants to be changed. */
function ordersIn(
  { agents, language }: Pick<DialogueTurn['deps'], 'agents' | 'language'>,
  text: string,
  spoken: Language,
) {
  return language
    .requests(text, spoken)
    .filter(
      ({ route, confidence }) =>
        route !== null && confidence >= ORDERED && (agents.changes(route) || agents.isPersonal(route)),
    );
}
