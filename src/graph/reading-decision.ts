import { ESCALATION_ROUTE, type Route } from '../core/domain/taxonomy.js';
import type { Classification } from '../core/domain/ticket.js';
import type { ReadMessage } from '../dialogue/index.js';
import { OWN } from './article-meant.js';
import { isCompared, namedOwn } from './dialogue-records.js';
import type { DialogueTurn } from './dialogue-types.js';
import type { MessageReading } from './message-reading.js';
import { waitingTicket } from './request-status.js';

/** What a message is answered with, where its reading is sure: an article by its title, a person, a change, or how its case stands. */
export type ReadingDecision =
  | { readonly kind: 'article'; readonly title: string }
  | { readonly kind: 'person' | 'order' | 'case' };

/** From here on a reading is believed; an article must be surer where something else is likely. */
const [ARTICLE, ARTICLE_BESIDE, ARTICLE_NAMED] = [0.62, 0.85, 0.97];
/** From here on one article is believed to answer. */
const ANSWERS = 0.6;
/** How sure it must be that an article is asked for, and that this one answers it. */
type Surely = readonly [asked: number, answers: number];
/**
 * The same where a reader has an answer of its own. Readers that know a question by single words of it take one for the help centre for
 * one about a record more often than those to which the record is named: of 960 labelled messages `own` was right about 20 of 48.
 */
const CLAIMED: Surely = [0.92, 0.8];
const CLAIMED_BY: Readonly<Record<string, Surely>> = {
  own: [0.62, 0.75],
  about_records: [0.8, 0.6],
  record_fact: [0.8, 0.85],
  act_by_model: [0.75, 0.85],
  change_asked: [0.75, 0.8],
  terms: [0.75, 0.7],
};
/** From here on a question is for the help centre, whatever triage has heard in it. */
const SURELY_GENERAL: Surely = [0.7, 0.8];
/** From here on one article answers whatever a message asks. */
const SURELY_ONE: Surely = [0.8, 0.9];
const [CASE, ORDER, PERSON] = [0.5, 0.6, 0.75];
/** From here on triage is believed that a change is asked for, and some tool may be what is asked for. */
const [HEARD_CHANGE, SOME_CHANGE] = [0.6, 0.3];
/** From here on triage is believed that a record is asked for, and that something is to be looked into; unless a message is so general. */
const [SURE_RECORD, SURE_FAULT, GENERAL_RECORD, GENERAL_FAULT] = [0.75, 0.85, 0.85, 0.9];
/** Where questions, records, changes and faults go at any company. */
const BUILT_IN_ROUTES: ReadonlySet<Route> = new Set(['knowledge', 'account', 'action', 'investigation']);
/** A question of so few words only presses for the answer to the one before it: "a week? A month?". */
const BARE_WORDS = 2;
/** From here on a message may ask about a detail of the record that was shown. */
const MAY_BE_DETAIL = 0.3;

/**
 * False where no one article answers: danger, the law or a person is spoken of, several things are asked for, a change or a record
 * surely is, the question before is asked again, or somebody asks who answers.
 */
export function isForArticles(
  turn: DialogueTurn,
  message: MessageReading | null = null,
  claimed: string | null = null,
): boolean {
  const { deps, graph, session, text } = turn;
  const { requests = [], humanReason = null } = graph.classification ?? {};
  const isCalled = humanReason !== null && humanReason !== 'sentiment_priority';
  const isEscalated = requests.some(({ route }) => route === ESCALATION_ROUTE);
  const isFalse = (isCalled || isEscalated) && isFalseAlarm(turn, message);
  const isAlarmed = isCalled || isEscalated || deps.language.hintsAtDanger(text);
  // Where what errs would answer in its place, a sure reading is believed: of all that is asked, and whatever triage has heard.
  const isOwn = requests.some(({ route }) => route !== null && OWN.has(route));
  const mayErr = claimed === null ? isOwn : surenessBeside(turn, claimed) !== CLAIMED;
  const isOne = mayErr && message !== null && isSurely(message, SURELY_ONE);
  if ((requests.length > 1 && !isOne) || (isAlarmed && !isFalse)) return false;
  // What a change would be like is told by its own terms, and what few words ask again by what answered it.
  const isMisheard =
    (isOne && deps.dialogue.changesNamed(text).length === 0) ||
    // Nothing of a visitor's can be changed: "could I just pause it for a month?" asks how that is.
    (session.identity.kind !== 'customer' && message !== null && isSurely(message, SURELY_GENERAL));
  if ((hearsChange(turn) && !isMisheard) || session.meant != null) return false;
  // A change that is made nowhere here has no terms but those of an article: "which month counts if I book for December?".
  if (deps.dialogue.supposed(text, session.language)?.intent.tool != null) return false;
  // A route that the company has named has an agent of its own.
  const named = (route: Route | null) =>
    route !== null && route !== ESCALATION_ROUTE && !BUILT_IN_ROUTES.has(route);
  if (requests.some(({ route }) => named(route))) return false;
  // Of two questions each may have an article of its own.
  const isWhole = (one: string): boolean => one.split(/\s+/).length > BARE_WORDS;
  const asked = deps.dialogue.partsOf(text).filter(deps.dialogue.isQuestion).filter(isWhole).length;
  const marked = (text.match(/\p{L}[^?]*\?/gu) ?? []).filter(isWhole).length;
  if (Math.max(asked, marked) > 1) return false;
  const general = deps.dialogue.readQuestion(text)?.chanceOf('general') ?? 0;
  const isSure = mayErr && message !== null && isSurely(message, SURELY_GENERAL);
  if (hears(turn, 'account', SURE_RECORD) && general < GENERAL_RECORD && !isSure) return false;
  if (hears(turn, 'investigation', SURE_FAULT) && general < GENERAL_FAULT) return false;
  const heard = deps.dialogue.guessAct(text, 'answered', session.language);
  return heard?.act !== 'bot_or_human';
}

/** From here on what sentences have taught agrees that a record of one's own is asked for. */
const TAUGHT_OWN = 0.97;

function surenessBeside({ deps, text }: DialogueTurn, claimed: string): Surely {
  const isTaught = (deps.dialogue.readQuestion(text)?.own ?? 0) >= TAUGHT_OWN;
  return isTaught ? CLAIMED : (CLAIMED_BY[claimed] ?? CLAIMED);
}

function isSurely({ article, chanceOf }: MessageReading, [asked, answers]: Surely): boolean {
  return (
    article !== null && !article.isContested && chanceOf('article') >= asked && article.chance >= answers
  );
}

/** Below the first nobody is asked for, and from the others on an article answers. */
const CALM = { person: 0.45, article: 0.5, answers: 0.85 };
/** The same of a question about how people are treated, which must be no tale of it. */
const SURELY_CALM = { person: 0.1, article: 0.85, answers: 0.8 };

/**
 * True where triage hears that somebody is wanted, or was treated badly, and the message is surely read as a question that an article
 * answers: "I work in human resources, what do you offer companies?", "do they want to see proof of the disability?".
 */
function isFalseAlarm(turn: DialogueTurn, message: MessageReading | null): boolean {
  const { deps, graph, text } = turn;
  if (!message?.article || message.article.isContested) return false;
  const { humanReason = null } = graph.classification ?? {};
  const danger = deps.language.dangerIn(text);
  const isTreatment = humanReason === 'legal' && danger === 'discrimination' && text.includes('?');
  const isWish =
    (humanReason ?? 'customer_request') === 'customer_request' &&
    danger === null &&
    !deps.language.isForTeam(text) &&
    !wantsPerson(turn);
  if (!isTreatment && !isWish) return false;
  const least = isWish ? CALM : SURELY_CALM;
  return (
    message.chanceOf('person') < least.person &&
    message.chanceOf('article') >= least.article &&
    message.article.chance >= least.answers
  );
}

/** From here on a message that a person is to see also asks what one article answers. */
const FIRST_AID: Surely = [0.5, 0.7];
/** Where somebody may be hurt, whom to call is all that is said. */
const NO_ARTICLE: ReadonlySet<string> = new Set(['harm', 'self_harm']);

/**
 * The title of the article that is quoted before a person takes a message: what to do about a code that nobody asked for, or by which
 * number the team is reached, helps before anybody has read it.
 * @returns null where no one article surely answers, or where nothing may come before a person
 */
export function articleBeforePerson(
  { language }: DialogueTurn['deps'],
  { requiresHuman, humanReason }: Pick<Classification, 'requiresHuman' | 'humanReason'>,
  message: MessageReading | null,
  text: string,
): string | null {
  if (!requiresHuman || humanReason === 'sentiment_priority' || !message) return null;
  const danger = language.dangerIn(text);
  if (danger !== null && NO_ARTICLE.has(danger)) return null;
  return isSurely(message, FIRST_AID) ? (message.article?.title ?? null) : null;
}

/** From here on a part of a message says by itself that a person is wanted. */
const WANTED = 0.3;

/** True where a part of it alone asks for a person: "I need a human, my gift card does not work". */
function wantsPerson({ deps, session, text }: DialogueTurn): boolean {
  const parts = text.split(/[,.;!?\n]+/).filter((part) => /\p{L}/u.test(part));
  return parts.some(
    (part) => (deps.dialogue.guessAct(part, 'answered', session.language)?.chanceOf('human') ?? 0) >= WANTED,
  );
}

/** Below the first a message is hardly small talk, an answer or about an open case, where it is this surely something else. */
const [HARDLY_TALK, SURELY_MORE] = [0.12, 0.6];

/** True where a message that sounds like small talk or a withdrawal is read as a request of its own. */
export function asksForMore(message: MessageReading | null): boolean {
  if (message === null || message.chance < SURELY_MORE) return false;
  return message.chanceOf('talk', 'answer', 'case') < HARDLY_TALK;
}

/**
 * Decides by the reading of a message alone.
 * @param claimed the reader by which the conversation or its records have an answer: the reading must be surer than that; null
 * where there is none
 * @returns null where it is not sure, or something surer is known
 */
export async function decideByReading(
  turn: DialogueTurn,
  read: ReadMessage,
  message: MessageReading,
  claimed: string | null,
): Promise<ReadingDecision | null> {
  const { deps, graph, session, text } = turn;
  if (!isForArticles(turn, message, claimed)) return null;
  const isClaimed = claimed !== null;
  const isAlarm = !isForArticles(turn);
  if (!isClaimed && message.chanceOf('person') >= PERSON) return { kind: 'person' };
  // Plain words are what they are, unless one article surely answers what stands around them.
  const isPlain = read.acts.length > 0 && !isSurely(message, SURELY_ONE);
  if (isPlain && (isClaimed || read.rest.length === 0)) return null;
  const isOpen =
    graph.focus !== null || (await deps.tools.pending.findOpenConfirmation(session.threadId)) !== null;
  const free: Surely = [isOpen ? ARTICLE_BESIDE : isAlarm ? CALM.article : ARTICLE, ANSWERS];
  const least = claimed === null ? free : surenessBeside(turn, claimed);
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
  message: MessageReading,
  least: Surely,
): Promise<MessageReading['article']> {
  const { deps, state, text } = turn;
  const { article, chanceOf } = message;
  if (!isSurely(message, least)) return null;
  const detail = deps.dialogue.readQuestion(text)?.detail ?? 0;
  const isOfShown =
    state.shown.length > 0 && (detail >= MAY_BE_DETAIL || (read.asked.length > 0 && read.points));
  const isBeside = isOfShown || isCompared(turn);
  // What a record that is named tells is more exact than what holds for all.
  if ((await namedOwn(turn)).length > 0) return chanceOf('article') >= ARTICLE_NAMED ? article : null;
  return chanceOf('article') >= ARTICLE_BESIDE || !isBeside ? article : null;
}

function hearsChange(turn: DialogueTurn): boolean {
  return hears(turn, 'action', HEARD_CHANGE);
}

function hears({ graph }: DialogueTurn, route: Route, least: number): boolean {
  const { requests = [], confidence = 0 } = graph.classification ?? {};
  return confidence >= least && requests.some((request) => request.route === route);
}
