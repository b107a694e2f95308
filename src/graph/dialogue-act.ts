import { ESCALATION_ROUTE } from '../core/domain/taxonomy.js';
import type { Act, ActContext, ActGuess, ActKind } from '../dialogue/index.js';
import type { DialogueTurn } from './dialogue-types.js';

/** What a message does by the model, and after what it was said. */
export interface ClassifiedAct {
  readonly guess: ActGuess;
  readonly context: ActContext;
}

/** Null where the model was not taught the language, or the message is too long to be a move in a conversation. */
export async function classifyAct(turn: DialogueTurn): Promise<ClassifiedAct | null> {
  const context = await contextOf(turn);
  const guess = turn.deps.dialogue.guessAct(turn.text, context, turn.session.language);
  return guess && { guess, context };
}

/** What was done or asked last: the same words do something else after each. */
async function contextOf({ deps, graph, session, state }: DialogueTurn): Promise<ActContext> {
  const { pending } = deps.tools;
  const { threadId, lastReply } = session;
  if (graph.focus?.offered || (await pending.findOpenConfirmation(threadId))) return 'confirm';
  if ((graph.focus?.choices.length ?? 0) > 1) return 'which';
  if ((await pending.listOpenApprovals(threadId)).length > 0) return 'approval';
  return lastReply === null ? 'start' : (state.last ?? 'answered');
}

/** From here on triage is believed that it asks for a change, for the record or for a person. */
const SURE = 0.6;
/** The chance from which on the model alone is believed: more where something else could be meant in earnest. */
const HEARD: Partial<Record<Act, number>> = {
  ...{ bot_or_human: 0.55, capabilities: 0.75, why: 0.6, hurry: 0.65, repeat: 0.65, status: 0.65 },
  ...{ what_was_done: 0.65, did_it_work: 0.65, wrong_answer: 0.65, presence: 0.7, not_helpful: 0.7 },
  ...{ insult: 0.7, acknowledge: 0.7, undo: 0.75, history: 0.75, about_me: 0.75 },
  ...{ withdraw: 0.8 },
};
/** About what was just said or asked, whatever else the words are like. */
const LOOKS_BACK: ReadonlySet<Act> = new Set(['why', 'repeat', 'hurry', 'did_it_work', 'bot_or_human']);
/** What a question to the help centre is easily taken for. */
const GENERAL: ReadonlySet<Act> = new Set([
  'bot_or_human',
  'capabilities',
  'about_me',
  'history',
  'presence',
]);
/** What a question to the help centre that begins in the same words is taken for, even with certainty. */
const OF_US: ReadonlySet<Act> = new Set(['bot_or_human', 'capabilities', 'about_me']);
/** What only the record of somebody who is signed in answers. */
const OF_RECORD: ReadonlySet<Act> = new Set(['about_me', 'history']);
/** From here on triage is rather believed that such a question is general. */
const LIKELY_GENERAL = 0.5;
/** From here on such an act is believed beside a sure guess of triage. */
const CERTAIN = 0.92;

/** Below this triage has not understood what is asked. */
const UNSURE = 0.5;
/** Of more words a no may be a request. */
const BARE_WORDS = 4;

/** True where nothing says that more is wanted than the act that was heard. */
export function isBelieved(
  { guess, context }: ClassifiedAct,
  { deps, graph, session, text }: DialogueTurn,
): boolean {
  const { classification, focus } = graph;
  const { confidence: sure = 0, requests = [] } = classification ?? {};
  // A bare "leave it" turns down what was asked, where something was; and so does what is like nothing else that is asked for.
  const isBare = text.trim().split(/\s+/).length <= BARE_WORDS;
  const isPlain = guess.confidence >= CERTAIN && sure < UNSURE && !text.includes('?');
  // Who asks how something is put right takes nothing back.
  const isAsked = deps.dialogue.isQuestion(text);
  if (guess.act === 'withdraw' && (isAsked || !(focus === null && (isBare || isPlain)))) return false;
  if (OF_US.has(guess.act) && sure >= CERTAIN && requests.some(({ route }) => route === 'knowledge'))
    return false;
  // A general question may be about people, programs or data too.
  const isGeneral = GENERAL.has(guess.act) && (classification?.confidence ?? 0) >= SURE;
  if (isGeneral && guess.confidence < CERTAIN && classification?.humanReason == null) return false;
  // Nor has a visitor any record that could be asked for, and who asks how to get a copy of it wants to know how.
  const isOfArticle = requests.length > 0 && requests.every(({ route }) => route === 'knowledge');
  const hasNone = session.identity.kind !== 'customer' || sure >= LIKELY_GENERAL;
  if (OF_RECORD.has(guess.act) && isOfArticle && hasNone && guess.confidence < CERTAIN) return false;
  const isOwn = classification?.requests.some(({ route }) => deps.agents.isPersonal(route)) ?? false;
  // Two things that are asked for are no one act, however unsure the message is as a whole.
  const isWanted = sure >= SURE || requests.length > 1;
  const isRequest = isOwn && isWanted && context !== 'confirm';
  return guess.confidence >= (HEARD[guess.act] ?? 2) && (!isRequest || LOOKS_BACK.has(guess.act));
}

/** From here on a general question stands by itself, whatever is open. */
const CLEAR = 0.75;
/** From here on a message is taken to lean on what was said before it. */
const LEANS = 0.6;
/** From here on one of few words is, where an article was just quoted: the search decides whether it speaks of that. */
const MAY_LEAN = 0.2;
const FEW_WORDS = 9;
/** A question of so few words names nothing by itself. */
const BARE_QUESTION = 4;

/**
 * What a question leans on that only makes sense with what was just said: the matter that is asked about, or the article of the
 * last answer.
 * @returns null where it stands by itself
 */
export async function leansOn(
  { deps, graph, session, state, text, texts }: DialogueTurn,
  { guess, context }: ClassifiedAct,
): Promise<string | null> {
  const count = text.trim().split(/\s+/).length;
  const isShort = context !== 'confirm' && count <= FEW_WORDS;
  const { confidence = 0, requests = [] } = graph.classification ?? {};
  // "How do I apply?" says what it is about only with the article before it.
  const isBare =
    isShort &&
    count <= BARE_QUESTION &&
    confidence < UNSURE &&
    !GENERAL.has(guess.act) &&
    deps.dialogue.isQuestion(text);
  const least = isShort ? MAY_LEAN : LEANS;
  if (!isBare && guess.chanceOf('follow_up', 'ask_terms', 'repeat') < least) return null;
  // A change that is asked for beside a question must not be lost with it.
  const isChange = requests.some(({ route }) => route !== null && deps.agents.changes(route));
  const isOrder = !text.includes('?') && !deps.dialogue.readOwnAsked(text).opens;
  if (isChange && (requests.length > 1 || isOrder)) return null;
  // Who is not signed in has no record that such words could be asked of, unless they speak of their own.
  const hasRecords = session.identity.kind === 'customer' || deps.dialogue.ofSelf(text);
  const own = hasRecords && requests.some(({ route }) => route !== 'knowledge' && route !== null);
  if (requests.some(({ route }) => route === ESCALATION_ROUTE) || (own && confidence >= SURE)) return null;
  if (context !== 'confirm') return state.article?.title ?? null;
  if (confidence >= CLEAR) return null;
  const asked = await deps.tools.pending.findOpenConfirmation(session.threadId);
  const tool = asked && deps.tools.roster.findAction(asked.tool);
  return tool ? tool.request(tool.input.parse(asked.args), texts) : null;
}

/** From here on another article answers a question for a fact by itself, where a record is spoken of too. */
const ANOTHER = 0.75;
/** And what points at who or what was spoken of. */
const SURELY_ANOTHER = 0.9;

/**
 * The article of the last answer, where a few words ask it for a fact: "and how much would that be?". What was said last is meant
 * then, whatever record was spoken of before.
 * @returns its title, and whether it alone may answer; null where something else is asked, or another article answers that by itself
 */
export async function asksOnOfArticle({
  deps,
  graph,
  session,
  state,
  text,
}: DialogueTurn): Promise<{ readonly about: string; readonly only: boolean } | null> {
  const { article } = state;
  if (!article || graph.focus !== null || text.trim().split(/\s+/).length > FEW_WORDS) return null;
  const { confidence = 0, requests = [] } = graph.classification ?? {};
  if (
    requests.some(({ route }) => route === ESCALATION_ROUTE || (route !== null && deps.agents.changes(route)))
  )
    return null;
  // "How many visits do I have left?" is asked of the account, whatever was quoted just now.
  if (
    requests.length > 0 &&
    confidence >= CERTAIN &&
    requests.every(({ route }) => deps.agents.isPersonal(route))
  )
    return null;
  const { retriever } = deps.tools;
  const read = deps.dialogue.read(text);
  const only = { about: article.title, only: true };
  const isFact = await retriever.asksOn(article.articleId, text);
  // "How much is it?" has no word that says of what: no other article is asked for that, where no record is spoken of.
  if (isFact && state.focus === null) return only;
  // "Does she need a ticket?", "is it automatic?", "how?": asked of what was answered just now, unless a record says it of itself.
  const isOpen = read !== null && read.acts.length === 0 && read.asked.length === 0;
  const pointsAtIt = isOpen && (deps.dialogue.pointsAtIt(text) || read.rest.length === 0);
  const isOfIt = deps.dialogue.asksOfThem(text) || (deps.dialogue.isQuestion(text) && pointsAtIt);
  if (!isOfIt && !isFact) return null;
  if (isOfIt && text.trim().split(/\s+/).length <= BARE_QUESTION) return only;
  const { hits } = await retriever.search(text, { topK: 1, language: session.language });
  const [best] = hits;
  const least = isOfIt ? SURELY_ANOTHER : ANOTHER;
  return best && best.confidence >= least && best.articleId !== article.articleId ? null : only;
}

const CHOOSING_WORDS = 6;

/** True where a few words after a list of what anybody may choose from are no request of their own. */
export function goesOnChoosing(
  { deps, graph, text, state }: DialogueTurn,
  { guess, context }: ClassifiedAct,
): boolean {
  const { confidence = 0, requests = [] } = graph.classification ?? {};
  const isShort = text.trim().split(/\s+/).length <= CHOOSING_WORDS;
  const isGuess = confidence < CERTAIN && requests.every(({ route }) => deps.agents.isPersonal(route));
  if (state.looked == null || context === 'confirm' || !isShort || !isGuess) return false;
  return guess.chanceOf('follow_up') >= LEANS && requests.length > 0;
}

/** An e-mail address. */
export const ADDRESS = /[^\s@<>]{1,64}@[^\s@<>]{1,253}\.[^\s@<>]{2,24}/u;
/** Of so many words beside an address it only says whose it is. */
const INTRODUCED = 5;

/** True where somebody who is not signed in gives an e-mail address and asks for nothing that is clear. */
export function isBareAddress({ graph, session, text }: DialogueTurn): boolean {
  if (session.identity.kind === 'customer' || graph.focus !== null || text.includes('?')) return false;
  const rest = text.replace(ADDRESS, ' ');
  const { confidence = 0, requests = [] } = graph.classification ?? {};
  const clear = confidence >= SURE && requests.some(({ route }) => route !== 'knowledge');
  return rest !== text && !clear && rest.split(/\s+/).filter(Boolean).length <= INTRODUCED;
}

/**
 * What a message comes to in its last sentence, whatever it tells before: "I wanted to book something on the 12th. Undo that", "I was there
 * at four. When will I get an answer?".
 */
export function endsWith({ deps, text }: DialogueTurn, act: ActKind): boolean {
  const last = deps.dialogue.read(deps.dialogue.sentencesIn(text).at(-1) ?? '');
  return last !== null && last.rest.length === 0 && last.acts.includes(act);
}
