import { fold } from '../core/text.js';
import type { Act, ActKind } from '../dialogue/index.js';
import { actAnswer, type DialogueAnswer, whyText } from './act-answer.js';
import { outcomeAsked } from './after-done.js';
import { tellingText } from './clarify.js';
import { type ConversationReader, goingOn, saying } from './conversation-readers.js';
import { type ClassifiedAct, classifyAct, goesOnChoosing, isBelieved, leansOn } from './dialogue-act.js';
import { askedBesideAside, besideOthers, changesToo } from './dialogue-beside.js';
import { listAsked, saidOfList } from './dialogue-lists.js';
import { aboutRecords, isCompared, isElliptical, isPlaced, namedOwn } from './dialogue-records.js';
import type { DialogueTurn } from './dialogue-types.js';
import type { HeardMessage } from './heard-message.js';
import { type InConversation, NOTHING } from './in-conversation.js';
import { whatIsNamed } from './named-record.js';
import { calledOff } from './passed-on.js';
import { factOfRecord } from './record-facts.js';
import type { MessagePart } from './record-questions.js';
import { namedRecordsAnswer } from './record-sums.js';
import { clashAnswer } from './record-times.js';
import { callOff, doneText, leavesAsItIs, teamText, waitingTicket } from './request-status.js';
import { goesOnLooking, isUnhelped } from './same-symptom.js';
import { pointsAtChange, termsAnswer, termsBeside } from './terms.js';
import { asksOfOpen } from './terms-of-open.js';

/** From here on triage is wrong that a person is wanted, and a message reports that something went wrong. */
const [CERTAIN, TROUBLE] = [0.7, 0.6];
/** What such a report is easily taken for. */
const POLITE: ReadonlySet<Act> = new Set(['acknowledge', 'thanks', 'withdraw', 'praise', 'goodbye']);

/** Acts that are answered in a sentence which says nothing of what the message may ask for. */
const MAKES_TALK: ReadonlySet<string> = new Set([
  ...['greeting', 'thanks', 'acknowledge', 'praise', 'goodbye', 'how_are_you'],
  ...['withdraw', 'not_helpful', 'wrong_answer'],
]);

/** From here on a message makes small talk, whatever it tells beside a word of it. */
const TALK = 0.6;
/** Below this confidence of triage a kind word asks for nothing. */
const UNCLEAR = 0.5;

/**
 * What the customer's records, what was quoted, and what the message does make of it, in the order in which that is tried: the
 * first that says something decides. What names a record exactly comes before what only asks about records, and small talk
 * comes after both.
 */
export const ANSWER_READERS: readonly ConversationReader[] = [
  {
    name: 'record_by_place',
    read: async (heard) =>
      isPlaced(heard, heard.read) && !changesToo(heard)
        ? saying(await aboutRecords(heard, heard.read))
        : null,
  },
  { name: 'named_records', read: async (heard) => saying(await namedRecordsAnswer(heard)) },
  {
    // What waits for a yes is asked about, and nothing that is over: "does that money go back to my card?".
    name: 'terms_of_open',
    read: async (heard) =>
      (await asksOfOpen(heard, heard.read)) ? saying(await termsAnswer(heard, true)) : null,
  },
  {
    // What only asks about several records is read more exactly below.
    name: 'own_exactly',
    async read(heard) {
      const own = await heard.own();
      const isExact = own?.some(
        ({ single, person, taught, about, exact }) => about || person || exact || (single && !taught),
      );
      return own && isExact ? withRecords(heard, own) : null;
    },
  },
  {
    name: 'terms_of_change',
    read: async (heard) =>
      (await pointsAtChange(heard, heard.read)) ? saying(await termsAnswer(heard, true)) : null,
  },
  { name: 'terms_beside', read: async (heard) => saying(await termsBeside(heard, heard.read)) },
  { name: 'times_clash', read: async (heard) => saying(await clashAnswer(heard)) },
  {
    name: 'record_fact',
    read: async (heard) => saying(await factOfRecord(heard, () => namedOwn(heard))),
  },
  {
    name: 'outcome',
    read: async (heard) => saying((await outcomeAsked(heard)) ?? (await saidOfList(heard))),
  },
  {
    // What sentences have taught may be a list too, of something else: "what did I go to this month?".
    name: 'list',
    async read(heard) {
      const own = await heard.own();
      const list = own?.some(({ taught }) => taught) ? null : await listAsked(heard);
      return list && { ...NOTHING, list };
    },
  },
  {
    name: 'about_records',
    async read(heard) {
      const { read, state } = heard;
      const asks = read.asked.length > 0 || isCompared(heard) || isElliptical(heard, read);
      // Beside a change the parts are looked at one by one; "already reinstalled" is said of the steps that were quoted.
      const isAlone = asks && !changesToo(heard) && !(state.article && read.acts.some(isUnhelped));
      if (!isAlone) return null;
      return saying((await aboutRecords(heard, read)) ?? (await askedBesideAside(heard, read)));
    },
  },
  {
    name: 'named_alone',
    async read(heard) {
      const whole = await whatIsNamed(heard, heard.read);
      if (!whole) return null;
      return 'about' in whole ? { ...NOTHING, about: whole.about } : saying(whole);
    },
  },
  {
    name: 'beside_others',
    async read(heard) {
      const beside = heard.read.asked.length > 0 ? await besideOthers(heard) : null;
      return beside && (beside.rest === '' ? saying(beside) : { ...NOTHING, beside });
    },
  },
  { name: 'act_by_rule', read: actByRule },
  {
    // "I found it myself, no need to ask your team" says why.
    name: 'person_called_off',
    async read(heard) {
      const { deps, text } = heard;
      const parts = text.includes('?') ? [] : [text, ...text.split(/[.,;!]+/)];
      const callsOff = parts.some((part) => deps.dialogue.read(part)?.acts.includes('no_person'));
      const isWaiting = callsOff && (await waitingTicket(heard)) !== null;
      return isWaiting && (await callOff(heard)) ? calledOff(heard, false, text) : null;
    },
  },
  { name: 'terms', read: async (heard) => saying(await termsAnswer(heard)) },
  {
    name: 'own',
    async read(heard) {
      const own = await heard.own();
      return own && withRecords(heard, own);
    },
  },
  { name: 'act_by_model', read: actByModel },
];

function said(spoken: DialogueAnswer | null): InConversation {
  return { ...NOTHING, spoken };
}

/** What an act is answered with; small talk says so. */
function answered(act: Act | ActKind, spoken: DialogueAnswer | null): InConversation {
  return { ...said(spoken), ...(MAKES_TALK.has(act) && { talks: 'talk' as const }) };
}

/** What rules read that the message does. */
async function actByRule(heard: HeardMessage): Promise<InConversation | null> {
  const { read, text } = heard;
  // "And shows?" asks for some, and praises nothing.
  const [first] = text.includes('?') ? read.acts.filter((kind) => kind !== 'praise') : read.acts;
  const act = read.acts.find((kind) => kind !== 'praise' && kind !== 'how_are_you') ?? first;
  if (act !== undefined && isKindWord(heard, act)) return answered(act, await actAnswer(heard, act));
  if (read.acts.some(isUnhelped) && goesOnLooking(heard)) return goingOn(heard);
  if (act === undefined || !(read.rest.length === 0 || isTalk(heard, read.acts))) return null;
  return answered(act, await actAnswer(heard, act));
}

/** What the model of acts hears in it, where that is believed. */
async function actByModel(heard: HeardMessage): Promise<InConversation | null> {
  const { deps, graph, session, state, text, texts } = heard;
  const act = await classifyAct(heard);
  if (act && goesOnChoosing(heard, act)) return { ...NOTHING, chooses: true };
  if (act && isUnhelped(act.guess.act) && isBelieved(act, heard) && goesOnLooking(heard))
    return goingOn(heard);
  // What went wrong is looked into, and thanked for by nobody.
  const isTrouble = (deps.dialogue.readQuestion(text)?.chanceOf('trouble') ?? 0) >= TROUBLE;
  const told = isTrouble ? null : tellingText(deps, graph, text, session, false);
  const isPolite = act !== null && POLITE.has(act.guess.act);
  const spoken = act && !(isTrouble && isPolite) ? await heardAnswer(heard, act) : null;
  if (!spoken && isTrouble) {
    const about = act && (await leansOn(heard, act));
    return about === null ? null : { ...NOTHING, about };
  }
  // "I checked the spam" after steps that say so has done them, and was not helped.
  if (!spoken && told !== null && state.article !== null && isInWordsOfLast(heard))
    return said({ text: texts.say('what_happened'), state: { ...state, stuck: state.stuck + 1 } });
  if (!spoken && told !== null) return { ...said({ text: told, state }), talks: 'talk' };
  if (!spoken && (await leavesAsItIs(heard)))
    return { ...said(await actAnswer(heard, 'withdraw')), talks: 'leaves' };
  if (!act) return null;
  const about = await leansOn(heard, act);
  if (!spoken) return about === null ? null : { ...NOTHING, about };
  return { ...answered(act.guess.act, spoken), about };
}

/** Of the words of so many letters at least this share stands in what was said last. */
const [LETTERS, MOSTLY] = [4, 0.5];

/** True where what is told is told in the words of the last answer. */
function isInWordsOfLast({ session, text }: DialogueTurn): boolean {
  const last = fold(session.lastReply ?? '');
  const words = (fold(text).match(/[a-z]+/g) ?? []).filter(({ length }) => length >= LETTERS);
  const known = words.filter((word) => last.includes(word.slice(0, LETTERS + 1)));
  return words.length > 0 && known.length >= words.length * MOSTLY;
}

/** True where a message only makes small talk, whatever it tells beside it. */
function isTalk({ deps, text }: DialogueTurn, acts: readonly ActKind[]): boolean {
  const last = deps.dialogue.sentencesIn(text).at(-1) ?? '';
  const isSmall = acts.every((act) => act === 'how_are_you' || act === 'praise');
  return isSmall && !last.includes('?') && (deps.dialogue.readQuestion(text)?.chanceOf('talk') ?? 0) >= TALK;
}

/** What the customer's own record answers; what else is asked about records is answered beside it. */
async function withRecords(turn: DialogueTurn, own: readonly MessagePart[]): Promise<InConversation> {
  const mine = own.filter(({ asks, person, about }) => asks.length > 0 || person || about);
  const rest = own
    .filter((part) => !mine.includes(part))
    .map(({ text }) => text)
    .join(' ');
  const beside = rest === '' ? null : await besideOthers({ ...turn, text: rest });
  if (!beside) return { ...NOTHING, own };
  return { ...NOTHING, own: beside.rest === '' ? mine : [...mine, { text: beside.rest, asks: [] }], beside };
}

/** Answers an act that only the model has heard, where nothing says that more is wanted. */
async function heardAnswer(turn: DialogueTurn, heard: ClassifiedAct): Promise<DialogueAnswer | null> {
  const { act, confidence } = heard.guess;
  if (!isBelieved(heard, turn)) return null;
  // Where nothing is known of a request, the record may say what became of it.
  const looksBack = act === 'status' || act === 'what_was_done' || act === 'did_it_work' || act === 'undo';
  if (looksBack && (await teamText(turn)) === null && (await doneText(turn)) === null) {
    if (act !== 'status' || (await waitingTicket(turn)) === null) return null;
  }
  if (act === 'repeat' && turn.session.lastReply === null) return null;
  // "Why can't I rate it?" asks for what it names, where nothing was said or done that it may be the reason of.
  const names = (turn.deps.dialogue.read(turn.text)?.rest.length ?? 0) > 0;
  if (act === 'why' && names && (await whyText(turn)) === null) return null;
  const answer = await actAnswer(turn, act);
  return answer && { ...answer, isCertain: act === 'bot_or_human' && confidence >= CERTAIN };
}

/** True where what is told beside a word to the hub itself asks for nothing: "how are you? I do hope they let you rest". */
function isKindWord({ deps, graph, text }: DialogueTurn, act: ActKind): boolean {
  const rest = deps.dialogue.withoutAsides(text);
  const { confidence = 0, humanReason = null } = graph.classification ?? {};
  const isAside = rest !== text && (act === 'praise' || act === 'how_are_you');
  return isAside && humanReason === null && confidence < UNCLEAR && !deps.dialogue.asksFor(rest);
}
