import { plausibleArticle } from './article-meant.js';
import type { DialogueTurn } from './dialogue-types.js';
import { SURELY_GENERAL } from './message-reading.js';

/* What a customer says because the last answer asked for it: details, that it was somebody else, that it is so. */

/** Of so many words a message that asks nothing may give what an article asked for. */
const MOST_DETAILS = 30;
/** So general must a message be to ask something rather than to give it. */
const GENERAL_REPLY = 0.6;
/** A number that stands for somebody or something, or an address. */
const DETAIL = /\d[\d./ -]{8,}\d|[^\s@]+@[^\s@]+\.[^\s@]+/u;

/** A figure of any kind: a version, an hour. */
const FIGURE = /\d/u;

/** True where an article or what was looked into has answered last. */
const wasAnswered = ({ article, symptom }: DialogueTurn['state']): boolean =>
  article !== null || (symptom ?? null) !== null;

/** True where somebody gives, after an article that said what is needed, their details: those are for the team. */
function givesDetails({ deps, graph, session, state, text }: DialogueTurn): boolean {
  const { requests = [] } = graph.classification ?? {};
  const isAfter = wasAnswered(state) && session.lastReply !== null && graph.focus === null;
  if (!isAfter || text.split(/\s+/).length > MOST_DETAILS) return false;
  // What the article wants told here is a detail, however short: "android 12, galaxy s10".
  const isInvited = deps.language.invites(session.lastReply) && !deps.dialogue.isQuestion(text);
  if (!(isInvited ? FIGURE : DETAIL).test(text)) return false;
  const general = deps.dialogue.readQuestion(text)?.chanceOf('general') ?? 0;
  // A number of a company or an address is a detail unless the message surely asks how things are.
  const most = DETAIL.test(text) && !deps.dialogue.isQuestion(text) ? SURELY_GENERAL : GENERAL_REPLY;
  return general < most && requests.every(({ route }) => route !== 'action' && route !== 'account');
}

/** A statement of fewer words may be no more than a word of thanks. */
const SHORTEST = 3;
/** From here on an article is what a message is about. */
const SAME_ARTICLE = 0.35;

/** True where an article said "tell us here" and a message that asks nothing says it: the same article again would only ask for it once more. */
async function saysIt(turn: DialogueTurn): Promise<boolean> {
  const { deps, graph, session, state, text } = turn;
  const { requests = [] } = graph.classification ?? {};
  if (!wasAnswered(state) || graph.focus !== null || !deps.language.invites(session.lastReply ?? ''))
    return false;
  // What makes up for it is what was asked to be told: "my visit back would be fair".
  if (state.article !== null && !text.includes('?') && deps.language.beforeAddition(text) !== null)
    return true;
  if (state.article === null && state.symptom != null) return tellsMore(turn);
  if (deps.dialogue.isQuestion(text) || text.trim().split(/\s+/).length < SHORTEST) return false;
  if (deps.dialogue.asksFor(text) || deps.dialogue.asksDeed(text)) return false;
  const isOther = requests.some(({ route }) => route === 'action' || route === 'account');
  if (isOther || (deps.dialogue.read(text)?.acts.length ?? 0) > 0) return false;
  const { chanceOf } = deps.dialogue.guessAct(text, 'answered', session.language) ?? {};
  if ((chanceOf?.('thanks', 'goodbye', 'acknowledge', 'postpone', 'withdraw') ?? 0) >= CLOSES) return false;
  const article = await plausibleArticle(deps, session, text, SAME_ARTICLE);
  return article === null || article === state.article?.title;
}

/** True where a message after a procedure that wants more to be told here asks for nothing: "but I did book, I have the e-mail". */
function tellsMore({ deps, graph, session, text }: DialogueTurn): boolean {
  const { requests = [] } = graph.classification ?? {};
  if (text.includes('?') || text.trim().split(/\s+/).length < SHORTEST) return false;
  if (deps.dialogue.readOwnAsked(text).opens || requests.some(({ route }) => route === 'action'))
    return false;
  const { chanceOf } = deps.dialogue.guessAct(text, 'answered', session.language) ?? {};
  return (chanceOf?.('thanks', 'goodbye', 'acknowledge', 'postpone', 'withdraw') ?? 0) < CLOSES;
}

/** From here on a message ends a matter rather than telling more of it. */
const CLOSES = 0.5;

/** True where what was told in the message before is to be a complaint: nobody is asked to tell it again. */
function complainsOfIt({ deps, graph, session, text }: DialogueTurn): boolean {
  const told = session.previousMessage;
  if (told === null || told.includes('?') || graph.focus !== null || deps.dialogue.isQuestion(text))
    return false;
  const { isForTeam } = deps.language;
  return isForTeam(`${told}\n${text}`) && !isForTeam(told) && !isForTeam(text);
}

/** True where an answer said "tell us here in the chat" and the customer has just done so: the same answer again would be a circle. */
function didSo({ deps, graph, session, text }: DialogueTurn): boolean {
  const isInvited = graph.focus === null && deps.language.invites(session.lastReply ?? '');
  return isInvited && text.split(/\s+/).length <= MOST_DETAILS && deps.language.doesSo(text);
}

/** True where a message is what the last answer asked to be told, and is for the team: see the readers above. */
export async function givesRequestedDetails(turn: DialogueTurn): Promise<boolean> {
  const { deps, session, text } = turn;
  if (deps.language.deniesDeed(session.lastReply ?? '', text)) return true;
  return givesDetails(turn) || didSo(turn) || complainsOfIt(turn) || (await saysIt(turn));
}
