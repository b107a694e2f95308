import { ESCALATION_ROUTE } from '../core/domain/taxonomy.js';
import type { OwnAsked, OwnQuestion } from '../dialogue/index.js';
import { LIKELY, plausibleArticle } from './article-meant.js';
import { namedOwn, ownRecords } from './dialogue-records.js';
import type { DialogueTurn } from './dialogue-types.js';
import { ordersOfPlan, ordersOfTool, reportsFault } from './message-tasks.js';

/* Decides between a question about the customer's own records and what else the same sentence may be: an order, a fault, a remark. */

/** Minimum confidence for a text to be a request of its own. */
const MIN_REQUEST = 0.5;
/** The same for a change that is phrased as a question or is not named. */
const MIN_DOUBTFUL_CHANGE = 0.8;
/** The same for a change in a text that explicitly asks for something. */
const MIN_EXPLICIT_CHANGE = 0.3;
/** Confidence from which triage is certain. */
const CERTAIN_TRIAGE = 0.95;
/** Probability from which a question is certainly about the customer's own records. */
const CERTAINLY_OWN = 0.95;
/** Number of words from which a question is no longer about the one or the action before it. */
const INDEPENDENT_WORDS = 6;
/** Maximum number of words in an exclamation that begins like a question: "que bom". */
const MAX_EXCLAMATION_WORDS = 2;

/** True where a sentence orders a change or reports a fault, whatever question it resembles. */
export function isOtherRequest(
  turn: DialogueTurn,
  sentence: string,
  { questions, opens, asks }: OwnAsked,
): boolean {
  const { deps, session, text } = turn;
  if (opens) return false;
  // "My payment was refused" is answered from the record of that payment.
  const isKnown = questions.some(isExact);
  if (ordersOfTool(deps, session, sentence)) return true;
  // "Please pause it, and I want to know whether my bookings stay valid" orders what it asks about.
  if (asksForChange(turn, sentence) && !(isKnown && !ordersOfPlan(deps, sentence))) return true;
  // "You said that it failed, and now that I paid. Which is it?" asks about the fault; the classifier recognizes such questions.
  const isTaughtQuestion = text.includes('?') && questions.some(({ taught }) => taught);
  return !isKnown && !asks && !isTaughtQuestion && reportsFault(deps, session, sentence);
}

/** The questions of a sentence; where the classifier is not to be trusted, those that rules recognize. */
export async function believedQuestions(
  turn: DialogueTurn,
  sentence: string,
  questions: readonly OwnQuestion[],
): Promise<readonly OwnQuestion[]> {
  const isTaught = questions.some(({ taught }) => taught);
  if (!isTaught || (await trustsClassifier(turn, sentence, questions))) return questions;
  return questions.flatMap((question) => question.ruled ?? [question]);
}

/** True where the rest of a clause, which asks none of these questions, is a request of its own. */
export function isRequest({ deps, session, text: message }: DialogueTurn, rest: string): boolean {
  // Only punctuation is left of "btw?".
  if (!/\p{L}/u.test(rest)) return false;
  const isExclamation = wordCount(rest) <= MAX_EXCLAMATION_WORDS;
  const isQuestion = deps.dialogue.readOwnAsked(rest).opens || deps.dialogue.isQuestion(rest);
  // "Meanwhile tell me: which plan am I on?" only introduces the question.
  const isIntroduction = message.includes(`${rest}:`);
  if (rest.includes('?') || (!isExclamation && isQuestion && !isIntroduction)) return true;
  const requests = deps.language.requests(rest, session.language);
  const isExplicit = deps.dialogue.asksFor(rest);
  // "I would be going on the 5th" names no change and requests none. A customer in mourning may leave the change unnamed.
  const isNamed = session.life !== null || deps.dialogue.changesNamed(rest).length > 0;
  const minChange = isExplicit ? MIN_EXPLICIT_CHANGE : isNamed ? MIN_REQUEST : MIN_DOUBTFUL_CHANGE;
  if (requests.some(({ route, confidence }) => route === 'action' && confidence >= minChange)) return true;
  if (!isExplicit || isIntroduction) return false;
  return requests.some(({ route, confidence }) => route !== ESCALATION_ROUTE && confidence >= MIN_REQUEST);
}

/** True where a rule recognized a question that may name any record. */
export function isExact({ names, taught }: OwnQuestion): boolean {
  return names === true && !taught;
}

/** True where a question counts that only the classifier recognized: nothing more exact explains the sentence. */
async function trustsClassifier(
  turn: DialogueTurn,
  sentence: string,
  questions: readonly OwnQuestion[],
): Promise<boolean> {
  const { deps, graph, session, state } = turn;
  const { humanReason = null, confidence = 0 } = graph.classification ?? {};
  const isAboutAction = state.last === 'done' && wordCount(sentence) < INDEPENDENT_WORDS;
  if (humanReason !== null || isAboutAction) return false;
  // "How about in December?" filters the list that was shown.
  const options = { now: deps.tools.clock.now(), language: session.language };
  const list = state.listed ? deps.dialogue.readList(sentence, options) : null;
  if (list?.isWhole && list.narrows) return false;
  const isOfSeveral = questions.every(({ single }) => !single);
  // "Which booking of mine costs most?" selects one of them.
  if (isOfSeveral && deps.dialogue.comparedIn(sentence) === 'amount') return false;
  // Certain triage prevails, except over questions that no rule could recognize.
  const isTriaged =
    confidence >= CERTAIN_TRIAGE && questions.some(({ taught, ruleless }) => taught && !ruleless);
  // "How long before Giselle can I still cancel?" is about that booking, whatever the general terms are.
  if (isTriaged)
    return (
      isOfSeveral &&
      (pointsAtShown(turn, sentence) || (await namedOwn({ deps, session, text: sentence })).length > 0)
    );
  if (isOfSeveral) return true;
  const titles = (await ownRecords(turn)).map(({ title }) => title);
  return deps.language.withoutNames(sentence, titles, session.language) === sentence;
}

/** True where a question is about a record that was just shown: "until when can I cancel it?". */
function pointsAtShown({ deps, session, state, text }: DialogueTurn, sentence: string): boolean {
  if (state.shown.length === 0) return false;
  if (state.focus !== null && deps.dialogue.read(sentence)?.points === true) return true;
  const options = { now: deps.tools.clock.now(), language: session.language };
  // After a list of the company's offers the customer must say that their own records are meant.
  const isOwn = state.listed?.own !== false || deps.dialogue.readList(text, options)?.of === 'own';
  return isOwn && (deps.dialogue.readQuestion(sentence)?.own ?? 0) >= CERTAINLY_OWN;
}

/** True where a sentence asks for a change. */
function asksForChange({ deps, session }: DialogueTurn, sentence: string): boolean {
  const min = sentence.includes('?') ? MIN_DOUBTFUL_CHANGE : MIN_REQUEST;
  return deps.language
    .requests(sentence, session.language)
    .some(({ route, confidence }) => route === 'action' && confidence >= min);
}

/**
 * True where a clause only seems to ask again what a clause before it asks of the records, and an article answers it: "what was it for, and
 * am I entitled to a receipt for it?".
 * @param asks what it is taken to ask
 */
export async function isForArticle(
  { deps, session }: DialogueTurn,
  clause: string,
  asks: readonly string[],
  before: readonly { readonly asks: readonly string[] }[],
): Promise<boolean> {
  const isAgain = asks.length > 0 && asks.every((name) => before.some((part) => part.asks.includes(name)));
  if (!isAgain || wordCount(clause) < INDEPENDENT_WORDS) return false;
  return (await plausibleArticle(deps, session, clause, LIKELY)) !== null;
}

/** Number of words in a text. */
export function wordCount(text: string): number {
  return text.trim().split(/\s+/).length;
}
