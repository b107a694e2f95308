import { plausibleArticle } from './article-meant.js';
import type { DialogueTurn } from './dialogue-types.js';
import { SURELY_GENERAL } from './message-reading.js';

/*
 * Recognizes a message that supplies what the last answer asked for ("tell us here in the chat …"). Such a message goes to the
 * team: the same answer again would only repeat the request.
 */

/** Maximum number of words in a message that only supplies details. */
const MAX_DETAIL_WORDS = 30;
/** Minimum number of words in a statement. A shorter one may be no more than thanks. */
const MIN_STATEMENT_WORDS = 3;
/** An identifying number, such as an ID or a phone number, or an e-mail address. */
const IDENTIFIER = /\d[\d./ -]{8,}\d|[^\s@]+@[^\s@]+\.[^\s@]+/u;
/** Any digit, such as that of a version or a time. */
const DIGIT = /\d/u;
/** Probability of a general question from which a message is one, and no reply with details. */
const GENERAL_QUESTION = 0.6;
/** Probability of a closing act from which a message closes the request instead of describing it. */
const CLOSING = 0.5;
/** Minimum probability for an article to be the topic of a message. */
const MIN_TOPIC = 0.35;

/**
 * True where the customer supplies what the last answer asked for: details, a description, a denial ("I never cancelled it") or a
 * complaint. The message is then for the team.
 */
export async function givesRequestedDetails(turn: DialogueTurn): Promise<boolean> {
  const { deps, session, text } = turn;
  return (
    deps.language.deniesDeed(session.lastReply ?? '', text) ||
    givesIdentifyingDetails(turn) ||
    saysAlreadyTold(turn) ||
    turnsIntoComplaint(turn) ||
    (await givesDescription(turn))
  );
}

/** True where the last answer was an article or an investigation, and no question of the hub is open. */
function isAfterAnswer({ graph, state }: DialogueTurn): boolean {
  return (state.article !== null || (state.symptom ?? null) !== null) && graph.focus === null;
}

/** True where the last answer asked the customer to write something in the chat. */
function isInvited({ deps, session }: DialogueTurn): boolean {
  return deps.language.invites(session.lastReply ?? '');
}

/** True where a short message contains a number or an address that the last answer may have asked for. */
function givesIdentifyingDetails(turn: DialogueTurn): boolean {
  const { deps, graph, session, text } = turn;
  if (!isAfterAnswer(turn) || session.lastReply === null || wordCount(text) > MAX_DETAIL_WORDS) return false;
  const isQuestion = deps.dialogue.isQuestion(text);
  const hasIdentifier = IDENTIFIER.test(text);
  // After an invitation any figure is a detail, however short the message: "android 12, galaxy s10".
  const hasDetail = isInvited(turn) && !isQuestion ? DIGIT.test(text) : hasIdentifier;
  if (!hasDetail) return false;
  // A message with an identifier counts as a question only where it is surely a general one.
  const generalFrom = hasIdentifier && !isQuestion ? SURELY_GENERAL : GENERAL_QUESTION;
  const general = deps.dialogue.readQuestion(text)?.chanceOf('general') ?? 0;
  const { requests = [] } = graph.classification ?? {};
  return general < generalFrom && requests.every(({ route }) => route !== 'action' && route !== 'account');
}

/** True where the customer answers an invitation with "that's what I'm doing" or "I just told you". */
function saysAlreadyTold(turn: DialogueTurn): boolean {
  const { deps, graph, text } = turn;
  const isShort = wordCount(text) <= MAX_DETAIL_WORDS;
  return graph.focus === null && isShort && isInvited(turn) && deps.language.doesSo(text);
}

/** True where only this message and the one before it together are a complaint for the team, so that nothing needs to be repeated. */
function turnsIntoComplaint({ deps, graph, session, text }: DialogueTurn): boolean {
  const { previousMessage } = session;
  if (previousMessage === null || previousMessage.includes('?')) return false;
  if (graph.focus !== null || deps.dialogue.isQuestion(text)) return false;
  const { isForTeam } = deps.language;
  return isForTeam(`${previousMessage}\n${text}`) && !isForTeam(previousMessage) && !isForTeam(text);
}

/** True where the customer answers an invitation with a statement about the same topic. */
async function givesDescription(turn: DialogueTurn): Promise<boolean> {
  const { deps, session, state, text } = turn;
  if (!isAfterAnswer(turn) || !isInvited(turn)) return false;
  if (state.article === null) return continuesInvestigation(turn);
  // A proposed compensation is part of the description: "my visit back would be fair".
  if (!text.includes('?') && deps.language.beforeAddition(text) !== null) return true;
  if (!isStatement(turn) || closesRequest(turn)) return false;
  const article = await plausibleArticle(deps, session, text, MIN_TOPIC);
  return article === null || article === state.article.title;
}

/** True where a message neither asks for anything nor contains a dialogue act. */
function isStatement({ deps: { dialogue }, graph, text }: DialogueTurn): boolean {
  if (dialogue.isQuestion(text) || wordCount(text) < MIN_STATEMENT_WORDS) return false;
  if (dialogue.asksFor(text) || dialogue.asksDeed(text)) return false;
  const { requests = [] } = graph.classification ?? {};
  const isRequest = requests.some(({ route }) => route === 'action' || route === 'account');
  return !isRequest && (dialogue.read(text)?.acts.length ?? 0) === 0;
}

/** True where a statement after an investigation adds to what was reported: "but I did book, I have the e-mail". */
function continuesInvestigation(turn: DialogueTurn): boolean {
  const { deps, graph, text } = turn;
  if (text.includes('?') || wordCount(text) < MIN_STATEMENT_WORDS) return false;
  const { requests = [] } = graph.classification ?? {};
  if (deps.dialogue.readOwnAsked(text).opens || requests.some(({ route }) => route === 'action'))
    return false;
  return !closesRequest(turn);
}

/** True where a message likely thanks, says goodbye, acknowledges, postpones or withdraws. */
function closesRequest({ deps, session, text }: DialogueTurn): boolean {
  const { chanceOf } = deps.dialogue.guessAct(text, 'answered', session.language) ?? {};
  return (chanceOf?.('thanks', 'goodbye', 'acknowledge', 'postpone', 'withdraw') ?? 0) >= CLOSING;
}

function wordCount(text: string): number {
  return text.trim().split(/\s+/).length;
}
