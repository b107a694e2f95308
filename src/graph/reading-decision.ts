import { ESCALATION_ROUTE, type Route } from '../core/domain/taxonomy.js';
import type { ReadMessage } from '../dialogue/index.js';
import { isCompared, namedOwn } from './dialogue-records.js';
import type { DialogueTurn } from './dialogue-types.js';
import type { MessageReading } from './message-reading.js';
import { waitingTicket } from './what-stands.js';

/** What a message is answered with, where its reading is sure: an article by its title, a person, a change, or how its case stands. */
export type ReadingDecision =
  | { readonly kind: 'article'; readonly title: string }
  | { readonly kind: 'person' | 'order' | 'case' };

/** From here on a reading is believed; an article must be surer where something else is likely. */
const [ARTICLE, ARTICLE_BESIDE, ARTICLE_CLAIMED, ANSWERS] = [0.62, 0.85, 0.94, 0.45];
const [CASE, ORDER, PERSON] = [0.5, 0.6, 0.75];
/** From here on triage is believed that a change is asked for, and some tool may be what is asked for. */
const [HEARD_CHANGE, SOME_CHANGE] = [0.6, 0.3];
/** From here on triage is believed that a record is asked for, and that something is to be looked into; unless a message is so general. */
const [SURE_RECORD, SURE_FAULT, GENERAL_RECORD, GENERAL_FAULT] = [0.75, 0.85, 0.85, 0.9];
/** Where questions, records, changes and faults go at any company. */
const BUILT_IN_ROUTES: ReadonlySet<Route> = new Set(['knowledge', 'account', 'action', 'investigation']);
/** From here on a message may ask about a detail of the record that was shown. */
const MAY_BE_DETAIL = 0.3;

/**
 * False where no one article answers: danger, the law or a person is spoken of, several things are asked for, a change or a record
 * surely is, the question before is asked again, or somebody asks who answers.
 */
export function isForArticles(turn: DialogueTurn): boolean {
  const { deps, graph, session, text } = turn;
  const { requests = [], humanReason = null } = graph.classification ?? {};
  const isCalled = humanReason !== null && humanReason !== 'sentiment_priority';
  const isEscalated = requests.some(({ route }) => route === ESCALATION_ROUTE);
  if (isCalled || isEscalated || requests.length > 1 || deps.language.hintsAtDanger(text)) return false;
  // What a change would be like is told by its own terms, and what few words ask again by what answered it.
  if (hearsChange(turn) || session.meant != null) return false;
  if (deps.dialogue.supposed(text, session.language) !== null) return false;
  // A route that the company has named has an agent of its own.
  if (requests.some(({ route }) => route !== null && !BUILT_IN_ROUTES.has(route))) return false;
  // Of two questions each may have an article of its own.
  if (deps.dialogue.partsOf(text).filter(deps.dialogue.isQuestion).length > 1) return false;
  const general = deps.dialogue.readQuestion(text)?.chanceOf('general') ?? 0;
  if (hears(turn, 'account', SURE_RECORD) && general < GENERAL_RECORD) return false;
  if (hears(turn, 'investigation', SURE_FAULT) && general < GENERAL_FAULT) return false;
  const heard = deps.dialogue.guessAct(text, 'answered', session.language);
  return heard?.act !== 'bot_or_human';
}

/**
 * Decides by the reading of a message alone.
 * @param isClaimed true where the conversation or its records have an answer: the reading must be surer than that
 * @returns null where it is not sure, or something surer is known
 */
export async function decideByReading(
  turn: DialogueTurn,
  read: ReadMessage,
  message: MessageReading,
  isClaimed: boolean,
): Promise<ReadingDecision | null> {
  const { deps, graph, session, text } = turn;
  if (!isForArticles(turn)) return null;
  if (!isClaimed && message.chanceOf('person') >= PERSON) return { kind: 'person' };
  // Plain words are what they are.
  if (read.acts.length > 0 && (isClaimed || read.rest.length === 0)) return null;
  const isOpen =
    graph.focus !== null || (await deps.tools.pending.findOpenConfirmation(session.threadId)) !== null;
  const least = isClaimed ? ARTICLE_CLAIMED : isOpen ? ARTICLE_BESIDE : ARTICLE;
  const article = await articleFor(turn, read, message, least);
  if (article !== null) return { kind: 'article', title: article.title };
  if (isOpen || isClaimed) return null;
  const isAsked = text.includes('?') && message.chanceOf('case') >= CASE;
  if (isAsked && (await waitingTicket(turn)) !== null) return { kind: 'case' };
  const isCustomer = session.identity.kind === 'customer';
  const isOrder = isCustomer && message.chanceOf('order') >= ORDER;
  const chances = deps.language.chances(text, session.language).values();
  return isOrder && Math.max(0, ...chances) >= SOME_CHANGE ? { kind: 'order' } : null;
}

/** The article that surely answers; surer where a question is open, a change is heard or records are spoken of. */
async function articleFor(
  turn: DialogueTurn,
  read: ReadMessage,
  { article, chanceOf }: MessageReading,
  least: number,
): Promise<MessageReading['article']> {
  const { deps, state, text } = turn;
  if (!article || article.isContested || article.chance < ANSWERS || chanceOf('article') < least) return null;
  const detail = deps.dialogue.readQuestion(text)?.detail ?? 0;
  const isOfShown =
    state.shown.length > 0 && (detail >= MAY_BE_DETAIL || (read.asked.length > 0 && read.points));
  const isBeside = isOfShown || isCompared(turn);
  const isSure = chanceOf('article') >= ARTICLE_BESIDE;
  return isSure || !(isBeside || (await namedOwn(turn)).length > 0) ? article : null;
}

function hearsChange(turn: DialogueTurn): boolean {
  return hears(turn, 'action', HEARD_CHANGE);
}

function hears({ graph }: DialogueTurn, route: Route, least: number): boolean {
  const { requests = [], confidence = 0 } = graph.classification ?? {};
  return confidence >= least && requests.some((request) => request.route === route);
}
