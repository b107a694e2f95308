import { ESCALATION_ROUTE } from '../core/domain/taxonomy.js';
import type { OwnQuestion } from '../dialogue/index.js';
import { namedOwn, ownRecords } from './dialogue-records.js';
import type { DialogueTurn } from './dialogue-types.js';
import { isPlainOrder, ordersOfPlan, ordersOfTool, reportsFault } from './message-tasks.js';
import { toldByArticle } from './told-by-article.js';

/** A part of a message, and the declared questions that it asks of the customer's own records; none where it is about something else. */
export interface OwnPart {
  readonly text: string;
  readonly asks: readonly string[];
  /** True where only a person answers it. */
  readonly person?: boolean;
  /** What is passed on to that person, where the customer wanted them asked. */
  readonly passed?: string;
  /** Title of the article that answers it. */
  readonly about?: string;
  /** True where it asks about what they have one of at most, such as their plan and its money. */
  readonly single?: boolean;
  /** True where its rule may name any record, and so tells exactly what is asked: no article tells it better. */
  readonly exact?: boolean;
  /** True where no rule reads it so: what reads records more exactly comes first. */
  readonly taught?: boolean;
}

/** From here on what stands beside such a question is a request of its own. */
const OWN_REQUEST = 0.5;
/** And what is marked as a question asks for a change. */
const SURE_CHANGE = 0.8;
/** And a change of its own. */
const OWN_CHANGE = 0.3;
/** Reasons to call a person that a question about the customer's own record does not give by itself. */
const TOLD_ANYWAY: ReadonlySet<string> = new Set(['sentiment_priority', 'customer_request']);

/**
 * The parts of a message where the customer's own record answers at least one of them, whatever articles say of such matters
 * and whatever triage takes it for: what and when they pay, until when the pause lasts, what is booked.
 * @returns null where none does, or a person is called for
 */
export async function ownParts(turn: DialogueTurn): Promise<readonly OwnPart[] | null> {
  const { graph, session } = turn;
  const { identity, scopes, previousMessage } = session;
  if (identity.kind !== 'customer' || !(scopes?.includes('account:read') ?? true)) return null;
  if (isPlainOrder(turn.deps, graph.classification, turn.text)) return null;
  const about = await toldByArticle(turn);
  if (about !== null) return [{ text: turn.text, asks: [], about }];
  const read = await readParts(turn, previousMessage ?? '');
  const goesOn = read.every(({ asks }) => asks.length === 0) ? toldMore(turn) : null;
  const parts = goesOn === null ? read : [goesOn];
  if (parts.every(({ asks, person }) => asks.length === 0 && !person)) return null;
  // Who only lists what they have asked for calls nobody, whatever such a wish is called by law.
  const isWhole = parts.every(({ asks, single }) => asks.length > 0 && !single);
  const { humanReason = null } = graph.classification ?? {};
  const isCalled = humanReason !== null && !TOLD_ANYWAY.has(humanReason);
  return isCalled && !(isWhole && humanReason === 'legal') ? null : parts;
}

async function readParts(turn: DialogueTurn, previous: string): Promise<readonly OwnPart[]> {
  const { deps, session, state, text } = turn;
  const { readOwnAsked, sentencesIn } = deps.dialogue;
  const wasShown = state.shown.length > 0;
  const names = (await namedOwn({ deps, session, text }, wasShown)).length > 0;
  // All that was asked before may be meant.
  let before: readonly string[] = sentencesIn(previous).flatMap((sentence) => {
    const { questions, topics } = readOwnAsked(sentence, { isShown: wasShown });
    return questions.some(({ person }) => !person) ? topics : [];
  });
  let spoken: readonly string[] = [];
  let wasNamed: boolean = false;
  let parts: OwnPart[] = [];
  for (const clause of deps.dialogue.partsOf(text)) {
    const asks: string[] = [];
    let isSingle = false;
    let isTaught = false;
    let isExact = false;
    let others: string[] = [];
    for (const sentence of sentencesIn(clause).flatMap((one) => apart(turn, one))) {
      const isFirst = asks.length === 0 && parts.every((part) => part.asks.length === 0 && !part.person);
      // "When is it again?" is asked of the record that is spoken of.
      const told = state.focus === null ? spoken : [];
      const topics = isFirst && spoken.length > 0 ? told : before;
      // "What did I pay for Elis, and when?": the end of it goes on about what was named.
      const goesOn: boolean = wasNamed && sentence.trim().split(/\s+/).length <= GOES_ON_WORDS;
      const isNamed: boolean =
        names && (goesOn || (await namedOwn({ deps, session, text: sentence }, wasShown)).length > 0);
      wasNamed = isNamed;
      const context = {
        before: topics,
        isNamed,
        isShown: wasShown || !isFirst,
        isBeside: text.includes('?'),
      };
      const { questions: all, topics: of, opens, asks: isAsked } = readOwnAsked(sentence, context);
      // "You said that it failed, and now that I paid. Which is it?" asks what it tells; sentences taught faults apart from that.
      const isHeard = text.includes('?') && all.some(({ taught }) => taught);
      // "The refund for the jazz has not come yet", "my payment was refused": the record tells of that very one.
      const isKnown = all.some(({ names: mayName, taught }) => mayName && !taught);
      const isFault = !isAsked && !isHeard && reportsFault(deps, session, sentence);
      // "Please pause it, and I want to know whether my bookings stay valid" orders what it asks about.
      const isOrder = asksChange(turn, sentence) && !(isKnown && !ordersOfPlan(deps, sentence));
      const isDone = ordersOfTool(deps, session, sentence);
      const isOther = !opens && (isDone || isOrder || (!isKnown && isFault));
      const isBelieved = all.some(({ taught }) => taught) ? await mayBeTaught(turn, sentence, all) : true;
      const read = isBelieved ? all : all.flatMap((one) => one.ruled ?? [one]);
      const questions = isOther ? [] : read;
      const [first] = questions;
      if (first?.person) parts.push({ text: sentence, asks: [], person: true });
      else if (first) {
        before = of;
        // "I want back in. What do I do?": what was told before is what is asked about.
        if (of === spoken && spoken.length > 0) [parts, others] = [parts.filter(isMarked), []];
        isSingle ||= questions.some(({ single }) => single);
        isTaught ||= questions.some(({ taught }) => taught);
        isExact ||= questions.some(({ names: mayName, taught }) => mayName && !taught);
        asks.push(...questions.map(({ name }) => name));
        // "Is that right?" asks no more of what was asked already.
      } else if (isFirst || of !== topics) others.push(sentence);
      spoken = [...spoken, ...of];
    }
    const known = { single: isSingle, taught: isTaught, exact: isExact };
    if (asks.length > 0) parts.push({ text: clause, asks: [...new Set(asks)], ...known });
    const rest = others.join(' ');
    const whole = await explainedBy(turn, parts.at(-1), rest);
    if (whole) parts = [...parts.slice(0, -1), whole];
    else if (rest !== '' && isRequest(turn, rest)) parts.push({ text: rest, asks: [] });
  }
  return parts;
}

/**
 * A question with what is told beside it, where both together are asked more exactly: "why was I charged in January? I had cancelled"
 * asks of a charge after the end, and orders nothing. Null where they are not.
 */
async function explainedBy(
  { deps, session }: DialogueTurn,
  part: OwnPart | undefined,
  told: string,
): Promise<OwnPart | null> {
  const { readOwnAsked } = deps.dialogue;
  if (!part?.single || told === '' || told.includes('?')) return null;
  // "I cancelled the film club" tells of something else than what they have one of.
  if ((await namedOwn({ deps, session, text: told }, true)).length > 0) return null;
  const text = part.text.includes(told) ? part.text : `${part.text} ${told}`;
  const { topics } = readOwnAsked(told);
  const asks = readOwnAsked(text)
    .questions.filter(({ single, taught, person }) => single && !taught && !person)
    .map(({ name }) => name);
  const isMore = topics.length > 0 && asks.length === 1 && !asks.some((name) => part.asks.includes(name));
  return isMore ? { ...part, text, asks } : null;
}

/** What only tells more of what was reported before it: "it came this morning, it is about the monthly fee". Null where it is something else. */
function toldMore({ deps, graph, session, state, text }: DialogueTurn): OwnPart | null {
  const { readOwnAsked, isQuestion, read } = deps.dialogue;
  const before = session.previousMessage;
  const isSure = (graph.classification?.confidence ?? 0) >= OWN_REQUEST;
  const isOpen = graph.focus !== null || state.last === 'done';
  if (!before || isSure || isOpen || [before, text].some((said) => said.includes('?') || isQuestion(said)))
    return null;
  const { topics } = readOwnAsked(text);
  const [asked, ...others] = readOwnAsked(before).questions;
  if (!asked?.single || asked.person || asked.taught || others.length > 0) return null;
  const whole = `${before} ${text}`;
  const isSame = readOwnAsked(whole).questions.some(({ name }) => name === asked.name);
  return isSame && topics.length > 0 && read(text)?.acts.length === 0
    ? { text: whole, asks: [asked.name], single: true, exact: asked.names === true }
    : null;
}

/** Of so few words a question says nothing but what it wants to know. */
const GOES_ON_WORDS = 2;
/** From here on triage knows what is looked up. */
const SURE_TRIAGE = 0.95;
/** Of fewer words a question after something was done is about that. */
const WHOLE_WORDS = 6;

/** True where questions are believed that no rule holds for: nobody is upset, and neither what was just done nor another record is asked about. */
async function mayBeTaught(
  turn: DialogueTurn,
  sentence: string,
  asked: readonly OwnQuestion[],
): Promise<boolean> {
  const { deps, graph, session, state } = turn;
  const isAfter = state.last === 'done' && sentence.trim().split(/\s+/).length < WHOLE_WORDS;
  const { humanReason = null, confidence = 0 } = graph.classification ?? {};
  // What triage is sure of is looked up as it always was, unless nothing but the sentences tells it.
  const isKnown = confidence >= SURE_TRIAGE && asked.some(({ taught, ruleless }) => taught && !ruleless);
  if (humanReason !== null || isAfter) return false;
  // "How about in December?" asks the same list of other days.
  const options = { now: deps.tools.clock.now(), language: session.language };
  const narrowed = state.listed ? deps.dialogue.readList(sentence, options) : null;
  if (narrowed?.isWhole && narrowed.narrows) return false;
  const isOfSeveral = asked.every(({ single }) => !single);
  // "Which booking of mine costs most?" picks one of them.
  if (isOfSeveral && deps.dialogue.comparedIn(sentence) === 'amount') return false;
  // "How long before Giselle can I still cancel?" asks of theirs, whatever the terms are in general.
  if (isKnown)
    return (
      isOfSeveral &&
      (pointsAtShown(turn, sentence) || (await namedOwn({ deps, session, text: sentence })).length > 0)
    );
  if (isOfSeveral) return true;
  const titles = (await ownRecords(turn)).map(({ title }) => title);
  return deps.language.withoutNames(sentence, titles, session.language) === sentence;
}

/** From here on sentences have taught that a question is surely about the own record. */
const SURELY_OWN = 0.95;

/** True where a question is about what was shown just now: "until when can I cancel it?". */
function pointsAtShown({ deps, session, state, text }: DialogueTurn, sentence: string): boolean {
  if (state.shown.length === 0) return false;
  if (state.focus !== null && deps.dialogue.read(sentence)?.points === true) return true;
  const options = { now: deps.tools.clock.now(), language: session.language };
  // After a list of what anybody may choose from it must say that theirs is meant.
  const isOwn = state.listed?.own !== false || deps.dialogue.readList(text, options)?.of === 'own';
  return isOwn && (deps.dialogue.readQuestion(sentence)?.own ?? 0) >= SURELY_OWN;
}

function isRequest({ deps, session, text: message }: DialogueTurn, text: string): boolean {
  // What is left of "btw?" is its mark.
  if (!/\p{L}/u.test(text)) return false;
  // "Que bom" begins as a question does, and asks nothing.
  const isLong = text.split(/\s+/).length > EXCLAMATION;
  const isAsked = deps.dialogue.readOwnAsked(text).opens || deps.dialogue.isQuestion(text);
  // "Meanwhile tell me: which plan am I on?" only leads to what is asked.
  const leads = message.includes(`${text}:`);
  if (text.includes('?') || (isLong && isAsked && !leads)) return true;
  const requests = deps.language.requests(text, session.language);
  const wants = deps.dialogue.asksFor(text);
  // "My grandson gave me this plan, and I am not good with computers" tells something and orders nothing.
  // "I would be going on the 5th" names no change, and asks for none; who mourns may leave it unsaid.
  const isNamed = session.life !== null || deps.dialogue.changesNamed(text).length > 0;
  const least = wants ? OWN_CHANGE : isNamed ? OWN_REQUEST : SURE_CHANGE;
  if (requests.some(({ route, confidence }) => route === 'action' && confidence >= least)) return true;
  if (!wants || leads) return false;
  return requests.some(({ route, confidence }) => route !== ESCALATION_ROUTE && confidence >= OWN_REQUEST);
}

/** Of so few words without its mark nothing is asked. */
const EXCLAMATION = 2;
/** Between two questions of a sentence. */
const JOINT = /,?\s+(?:and|e|y|&)\s+/giu;
/** So many words stand before the second of two questions at least: "when and how much" is one. */
const OWN_WORDS = 3;

/** The questions of a sentence that are joined by "and", where the second begins as one. */
function apart(turn: Pick<DialogueTurn, 'deps'>, sentence: string): readonly string[] {
  for (const { index, 0: joint } of sentence.matchAll(JOINT)) {
    const [left, right] = [sentence.slice(0, index), sentence.slice(index + joint.length)];
    const { opens, questions } = turn.deps.dialogue.readOwnAsked(right);
    const isOwn = left.split(/\s+/).length >= OWN_WORDS && opens;
    // "My plan and my payments" names two things.
    if (isOwn || (questions.length > 0 && turn.deps.dialogue.readOwnAsked(left).questions.length > 0))
      return [left, ...apart(turn, right)];
  }
  return [sentence];
}

/** True where it is marked as a question of its own. */
const isMarked = ({ text }: OwnPart): boolean => text.includes('?');
/** True where a sentence that begins as no question asks for a change. */
function asksChange({ deps, session }: DialogueTurn, text: string): boolean {
  const least = text.includes('?') ? SURE_CHANGE : OWN_REQUEST;
  return deps.language
    .requests(text, session.language)
    .some(({ route, confidence }) => route === 'action' && confidence >= least);
}
