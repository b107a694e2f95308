import { ESCALATION_ROUTE } from '../core/domain/taxonomy.js';
import type { ReadMessage } from '../dialogue/index.js';
import { isCompared, namedOwn } from './dialogue-records.js';
import type { DialogueTurn } from './dialogue-types.js';
import type { MessageReading } from './message-reading.js';
import { waitingTicket } from './what-stands.js';

/** What a message is answered with, where its reading is sure: an article by its title, a person, a change, or how its case stands. */
export type ReadingDecision =
  | { readonly kind: 'article'; readonly articleId: string; readonly title: string }
  | { readonly kind: 'person' | 'order' | 'case' };

/** From here on a reading is believed; an article must be surer where something else is likely. */
const [ARTICLE, ARTICLE_BESIDE, ANSWERS, CASE, ORDER, PERSON] = [0.62, 0.85, 0.4, 0.5, 0.6, 0.75];
/** From here on a message asks who answers here. */
const WHO_ANSWERS = 0.55;
/** From here on triage is believed that a change is asked for, and some tool may be what is asked for. */
const [HEARD_CHANGE, SOME_CHANGE] = [0.6, 0.3];
/** From here on a message may ask about a detail of the record that was shown. */
const MAY_BE_DETAIL = 0.3;

/** False where danger, the law or a person is spoken of, or several things are asked for: no one article answers that. */
export function isForArticles({ deps, graph, text }: DialogueTurn): boolean {
  const { requests = [], humanReason = null } = graph.classification ?? {};
  const isCalled = humanReason !== null && humanReason !== 'sentiment_priority';
  const isEscalated = requests.some(({ route }) => route === ESCALATION_ROUTE);
  return !(isCalled || isEscalated || requests.length > 1 || deps.language.hintsAtDanger(text));
}

/** Decides by the reading of a message alone. @returns null where it is not sure, or something surer is known */
export async function decideByReading(
  turn: DialogueTurn,
  read: ReadMessage,
  message: MessageReading,
): Promise<ReadingDecision | null> {
  const { deps, graph, session, text } = turn;
  if (!isForArticles(turn)) return null;
  if (message.chanceOf('person') >= PERSON) return { kind: 'person' };
  // Plain words are what they are.
  if (read.acts.includes('repeat') || (read.acts.length > 0 && read.rest.length === 0)) return null;
  const heard = deps.dialogue.guessAct(text, 'answered', session.language);
  if (heard && heard.chanceOf('bot_or_human') >= WHO_ANSWERS) return null;
  const isOpen =
    graph.focus !== null || (await deps.tools.pending.findOpenConfirmation(session.threadId)) !== null;
  const article = await articleFor(turn, read, message, isOpen);
  if (article !== null) return { kind: 'article', ...article };
  if (isOpen) return null;
  const isAsked = text.includes('?') && message.chanceOf('case') >= CASE;
  if (isAsked && (await waitingTicket(turn)) !== null) return { kind: 'case' };
  const isCustomer = session.identity.kind === 'customer';
  const isOrder = isCustomer && !hearsChange(turn) && message.chanceOf('order') >= ORDER;
  const chances = deps.language.chances(text, session.language).values();
  return isOrder && Math.max(0, ...chances) >= SOME_CHANGE ? { kind: 'order' } : null;
}

/** The article that surely answers; surer where a question is open, a change is heard or records are spoken of. */
async function articleFor(
  turn: DialogueTurn,
  read: ReadMessage,
  { article, chanceOf }: MessageReading,
  isOpen: boolean,
): Promise<MessageReading['article']> {
  const { deps, state, text } = turn;
  if (!article || article.chance < ANSWERS || chanceOf('article') < ARTICLE) return null;
  // Of two questions each may have an article of its own.
  if (deps.dialogue.partsOf(text).filter(deps.dialogue.asksFor).length > 1) return null;
  const detail = deps.dialogue.readQuestion(text)?.detail ?? 0;
  const isOfShown =
    state.shown.length > 0 && (detail >= MAY_BE_DETAIL || (read.asked.length > 0 && read.points));
  const isBeside = isOpen || hearsChange(turn) || isOfShown || isCompared(turn);
  const isSure = chanceOf('article') >= ARTICLE_BESIDE;
  return isSure || !(isBeside || (await namedOwn(turn)).length > 0) ? article : null;
}

function hearsChange({ graph }: DialogueTurn): boolean {
  const { requests = [], confidence = 0 } = graph.classification ?? {};
  return confidence >= HEARD_CHANGE && requests.some(({ route }) => route === 'action');
}
