import { NEW_DIALOGUE } from '../core/domain/session.js';
import type { Act, ActKind, ReadMessage } from '../dialogue/index.js';
import { actAnswer, type DialogueAnswer, endAnswer, leftText, whyText } from './act-answer.js';
import { outcomeAsked, wantedAgain, whenMoneyIsBack } from './after-done.js';
import { changeAsked } from './change-asked.js';
import { chosenReading, tellingText } from './clarify.js';
import {
  ADDRESS,
  asksOnOfArticle,
  type ClassifiedAct,
  classifyAct,
  goesOnChoosing,
  isBareAddress,
  isBelieved,
  leansOn,
} from './dialogue-act.js';
import { askedBesideAside, besideOthers, changesToo } from './dialogue-beside.js';
import { listAsked, listMeant, saidOfList } from './dialogue-lists.js';
import { aboutRecords, isCompared, isElliptical, isPlaced, namedOwn } from './dialogue-records.js';
import type { DialogueTurn } from './dialogue-types.js';
import { facetAnswer } from './facets.js';
import type { GraphDeps } from './graph-deps.js';
import { type InConversation, NOTHING } from './in-conversation.js';
import { likeliestChange } from './initial-tasks.js';
import { endsAskingForPerson, readMessage, whatIsMeant } from './message-reading.js';
import { whatIsNamed } from './named-record.js';
import { neighbourAnswer } from './neighbours.js';
import { acceptedOffer, isBrief, lifeAnswer, offerInstead, tellsOnly, unwantedRecord } from './offers.js';
import { answersInput, namesChoice } from './open-question.js';
import { requestStatus } from './open-requests.js';
import { type OwnPart, ownParts } from './own-questions.js';
import { asksForMore, decideByReading, isForArticles, type ReadingDecision } from './reading-decision.js';
import { factOfRecord } from './record-facts.js';
import { namedRecordsAnswer } from './record-sums.js';
import { clashAnswer } from './record-times.js';
import {
  addedDetails,
  doneText,
  leavesAsItIs,
  statusText,
  teamText,
  waitingTicket,
} from './request-status.js';
import { givesRequestedDetails } from './requested-details.js';
import { answersProcedure, goesOnLooking, isUnhelped } from './same-symptom.js';
import type { HubStateType } from './state.js';
import { pointsAtChange, termsAnswer, termsBeside } from './terms.js';

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
function isTalk({ deps, text }: DialogueTurn, acts: readonly ActKind[]): boolean {
  const last = deps.dialogue.sentencesIn(text).at(-1) ?? '';
  const isSmall = acts.every((act) => act === 'how_are_you' || act === 'praise');
  return isSmall && !last.includes('?') && (deps.dialogue.readQuestion(text)?.chanceOf('talk') ?? 0) >= TALK;
}

/** Below this confidence of triage a kind word asks for nothing. */
const UNCLEAR = 0.5;

/**
 * Answers what a message does in the conversation rather than asks of the company: about a record that was just shown, why,
 * what was done, whether it worked, whether anybody is there, what became of an earlier request, small talk.
 * @returns null where the message asks for something else too
 */
export async function dialogueAnswer(
  deps: GraphDeps,
  graph: HubStateType,
  written: string,
): Promise<InConversation> {
  const { session } = graph;
  // "I do not want to pause, I want to see my bookings" is what it means.
  const text = whatIsMeant(deps, written);
  const read = session && deps.models.provider === 'offline' ? deps.dialogue.read(text) : null;
  if (!session || !read || session.agent !== undefined) return NOTHING;
  const state = graph.dialogue ?? NEW_DIALOGUE;
  const turn = { deps, graph, session, text, state, texts: deps.tools.texts.for(session.language) };
  const said = (spoken: DialogueAnswer | null): InConversation => ({ ...NOTHING, spoken });
  const question = deps.dialogue.readQuestion(text);
  const isRead = question !== null && !(isPlainQuestion(graph) && question.chanceOf('programme') < OFFERED);
  const message = isRead ? await readMessage(turn, deps.messages) : null;
  // A choice that was asked for is no danger to anybody, whatever its name sounds like.
  if (answersInput(deps, graph.focus, text, session))
    return { ...NOTHING, isTold: namesChoice(deps, graph.focus, text) };
  const accepted = await acceptedOffer(turn);
  if (accepted === 'declined' && !asksForMore(message))
    return said({ text: turn.texts.say('nothing_changed'), state });
  // A word that only says which is no anger, whatever such words are like.
  if (accepted && accepted !== 'declined') return { ...NOTHING, accepted, isTold: isBrief(text) };
  const again = await wantedAgain(turn);
  if (again) return { ...NOTHING, accepted: again };
  const goesOn = { ...NOTHING, symptom: state.symptom ?? null };
  if (answersProcedure(turn)) return goesOn;
  const reading = chosenReading(deps, graph, { text, written }, session);
  if (reading?.kind === 'none') return said({ text: '', state, escalate: 'low_confidence' });
  if (reading?.kind === 'left') return said({ text: leftText(turn), state });
  if (reading?.kind === 'about') return { ...NOTHING, about: reading.title, asked: session.previousMessage };
  if (isBareAddress(turn)) return said({ text: turn.texts.say('address_only'), state });
  if (namesOtherAccount(turn))
    return said({ text: turn.texts.say('own_account_only'), state, isExact: true });
  if (session.life && read.acts.length === 0 && tellsOnly(graph, text))
    return said(await lifeAnswer(turn, session.life));
  const adds = await addedDetails(turn, message);
  if (adds !== null) return { ...NOTHING, adds };
  if ((await givesRequestedDetails(turn)) || endsAskingForPerson(turn))
    return { ...NOTHING, own: [{ text, asks: [], person: true }] };
  const status = await requestStatus(turn, read);
  if (status) return said(status);
  const change = await changeAsked(turn);
  if (change) return 'answer' in change ? said(change.answer) : { ...NOTHING, ...change };
  const offered = message && (await listMeant(turn, message));
  if (offered) return { ...NOTHING, list: offered };
  const instead = await offerInstead(turn);
  if (instead) return said(instead);
  // Asked of what was just done or waits, whatever else such words are asked of.
  const end = await endAnswer(turn);
  if (end) return said(end);
  const back = await whenMoneyIsBack(turn);
  if (back !== null) return { ...NOTHING, about: back, only: true, isTold: true };
  const next = await neighbourAnswer(turn);
  if (next) return said(next);
  const facets = await facetAnswer(turn);
  if (facets) return facets.rest === '' ? said(facets) : { ...NOTHING, beside: facets };
  const about = (await namedOwn(turn)).length === 0 ? await asksOnOfArticle(turn) : null;
  if (about !== null) return { ...NOTHING, ...about };
  const unwanted = await unwantedRecord(turn);
  if (unwanted) return { ...NOTHING, accepted: unwanted, isTold: true };
  const here = await inConversation(turn, read);
  const { about: _leans, asked: _asked, ...claims } = here;
  const isMore = here.talks !== undefined && asksForMore(message);
  // An order of what is to stay is no order of a change.
  const isWrong = isMore && !(here.talks === 'leaves' && message?.kind === 'order');
  const isClaimed = !isWrong && Object.values(claims).some((one) => one != null && one !== false);
  const exact = here.own?.some((part) => part.exact);
  const decision = message && !exact && (await decideByReading(turn, read, message, isClaimed));
  if (decision) return decided(turn, decision);
  if (isWrong) return NOTHING;
  const mayTell = message !== null && isForArticles(turn) && (await namedOwn(turn)).length === 0;
  return mayTell ? { ...here, message } : here;
}

/** From here on a question may ask for what anybody may choose from. */
const OFFERED = 0.5;
/** From here on triage is believed that a question is a general one. */
const CERTAIN_QUESTION = 0.6;

/** True for a first message that triage surely hears as a question for the help centre: it leans on nothing, and is searched for once. */
function isPlainQuestion({ classification, session }: HubStateType): boolean {
  const { requests = [], confidence = 0 } = classification ?? {};
  const isKnowledge = requests.length === 1 && requests.every(({ route }) => route === 'knowledge');
  return session?.lastReply === null && isKnowledge && confidence >= CERTAIN_QUESTION;
}

async function decided(turn: DialogueTurn, decision: ReadingDecision): Promise<InConversation> {
  switch (decision.kind) {
    case 'article':
      return { ...NOTHING, about: decision.title, only: true, isTold: true };
    case 'person':
      return { ...NOTHING, own: [{ text: turn.text, asks: [], person: true }] };
    case 'order':
      return { ...NOTHING, orders: true };
    case 'case':
      return { ...NOTHING, spoken: { text: await statusText(turn), state: turn.state } };
  }
}

/** What the conversation and its records make of a message that no article is known to answer. */
async function inConversation(turn: DialogueTurn, read: ReadMessage): Promise<InConversation> {
  const { deps, graph, session, text, state } = turn;
  const said = (spoken: DialogueAnswer | null): InConversation => ({ ...NOTHING, spoken });
  const talked = (spoken: DialogueAnswer | null): InConversation => ({ ...said(spoken), talks: 'talk' });
  const saidOf = (one: Act | ActKind) => (MAKES_TALK.has(one) ? talked : said);
  const goesOn = { ...NOTHING, symptom: state.symptom ?? null };
  const placed = isPlaced(turn, read) && !changesToo(turn) ? await aboutRecords(turn, read) : null;
  if (placed) return said(placed);
  const named = await namedRecordsAnswer(turn);
  if (named) return said(named);
  const own = await ownParts(turn);
  // What only asks about several records is read more exactly below.
  if (own?.some(({ single, person, taught, about }) => about || person || (single && !taught)))
    return withRecords(turn, own);
  const pointed = (await pointsAtChange(turn, read)) ? await termsAnswer(turn, true) : null;
  if (pointed) return said(pointed);
  const besides = await termsBeside(turn, read);
  if (besides) return said(besides);
  const clash = await clashAnswer(turn);
  if (clash) return said(clash);
  const fact = await factOfRecord(turn, () => namedOwn(turn));
  if (fact) return said(fact);
  const outcome = (await outcomeAsked(turn)) ?? (await saidOfList(turn));
  if (outcome) return said(outcome);
  // What sentences have taught may be a list too, of something else: "what did I go to this month?".
  const list = own?.some(({ taught }) => taught) ? null : await listAsked(turn);
  if (list) return { ...NOTHING, list };
  const asksRecord = read.asked.length > 0 || isCompared(turn) || isElliptical(turn, read);
  // Beside a change the parts are looked at one by one; "already reinstalled" is said of the steps that were quoted.
  const isAlone = asksRecord && !changesToo(turn) && !(state.article && read.acts.some(isUnhelped));
  const record = isAlone && ((await aboutRecords(turn, read)) ?? (await askedBesideAside(turn, read)));
  if (record) return said(record);
  const whole = await whatIsNamed(turn, read);
  if (whole) return 'about' in whole ? { ...NOTHING, about: whole.about } : said(whole);
  const beside = read.asked.length > 0 ? await besideOthers(turn) : null;
  if (beside) return beside.rest === '' ? said(beside) : { ...NOTHING, beside };
  // "And shows?" asks for some, and praises nothing.
  const [first] = text.includes('?') ? read.acts.filter((kind) => kind !== 'praise') : read.acts;
  const act = read.acts.find((kind) => kind !== 'praise' && kind !== 'how_are_you') ?? first;
  if (act !== undefined && isKindWord(turn, act)) return saidOf(act)(await actAnswer(turn, act));
  if (read.acts.some(isUnhelped) && goesOnLooking(turn)) return goesOn;
  if (act !== undefined && (read.rest.length === 0 || isTalk(turn, read.acts)))
    return saidOf(act)(await actAnswer(turn, act));
  // "I found it myself, no need to ask your team" says why.
  const parts = text.includes('?') ? [] : [text, ...text.split(/[.,;!]+/)];
  const callsOff = parts.some((part) => deps.dialogue.read(part)?.acts.includes('no_person'));
  if (callsOff && (await waitingTicket(turn)) !== null) return said(await actAnswer(turn, 'no_person'));
  const terms = await termsAnswer(turn);
  if (terms) return said(terms);
  if (own) return withRecords(turn, own);
  const heard = await classifyAct(turn);
  if (heard && goesOnChoosing(turn, heard)) return { ...NOTHING, chooses: true };
  if (heard && isUnhelped(heard.guess.act) && isBelieved(heard, turn) && goesOnLooking(turn)) return goesOn;
  // What went wrong is looked into, and thanked for by nobody.
  const isTrouble = (deps.dialogue.readQuestion(text)?.chanceOf('trouble') ?? 0) >= TROUBLE;
  const told = isTrouble ? null : tellingText(deps, graph, text, session, false);
  const isPolite = heard !== null && POLITE.has(heard.guess.act);
  const spoken = heard && !(isTrouble && isPolite) ? await heardAnswer(turn, heard) : null;
  if (!spoken && isTrouble) return heard ? { ...NOTHING, about: await leansOn(turn, heard) } : NOTHING;
  if (!spoken && told !== null) return talked({ text: told, state });
  if (!spoken && (await leavesAsItIs(turn)))
    return { ...said(await actAnswer(turn, 'withdraw')), talks: 'leaves' };
  if (!heard) return NOTHING;
  const onlyTalks = spoken !== null && MAKES_TALK.has(heard.guess.act);
  return { ...NOTHING, spoken, ...(onlyTalks && { talks: 'talk' }), about: await leansOn(turn, heard) };
}

/** What the customer's own record answers; what else is asked about records is answered beside it. */
async function withRecords(turn: DialogueTurn, own: readonly OwnPart[]): Promise<InConversation> {
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

/** True where what is asked for is somebody else's, by the address of it: a customer sees and changes their own alone. */
function namesOtherAccount({ deps, graph, session, text }: DialogueTurn): boolean {
  const own = session.identity.kind === 'customer' ? session.identity.email.toLowerCase() : null;
  const foreign = [...text.matchAll(new RegExp(ADDRESS, 'g'))].some(([email]) => email.toLowerCase() !== own);
  if (own === null || !foreign) return false;
  // An address may be what a change is given: where to send something, the new one.
  const given = likeliestChange(deps, text, session)?.asks?.inputs ?? [];
  if (given.some(({ reading }) => reading.kind === 'text')) return false;
  const routes = graph.classification?.requests.map(({ route }) => route) ?? [];
  return routes.some((route) => route === 'account' || (route !== null && deps.agents.changes(route)));
}
