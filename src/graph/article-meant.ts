import type { Session, Task } from '../core/domain/session.js';
import { ESCALATION_ROUTE, type Language } from '../core/domain/taxonomy.js';
import type { Classification } from '../core/domain/ticket.js';
import { bookedNames, knownNames } from '../runtime/caller-facts.js';
import { namedOwn, ownRecords } from './dialogue-records.js';
import type { GraphDeps } from './graph-deps.js';
import type { HubStateType } from './state.js';

/**
 * Minimum confidence of an article that answers a message against triage, by the route that triage chose and by its confidence: below
 * .6, .8, .95, and above; null where triage is always right. Chosen on messages that neither was trained on: 200 of 1,344 plain questions
 * are corrected, 196 of them with the right article, and 41 of 1,178 wishes, reports and greetings are wrongly answered by one.
 */
const MIN_ARTICLE = {
  none: [0.75, 0.75, 0.85, null],
  knowledge: [0.8, null, null, null],
  account: [0.95, null, null, null],
  action: [0.7, 0.85, null, null],
  investigation: [0.6, 0.75, 0.85, 0.9],
} satisfies Readonly<Record<string, ByTriage>>;
type ByTriage = readonly [number, number | null, number | null, number | null];
/** Upper bounds of the first three columns. */
const TRIAGE_BOUNDS = [0.6, 0.8, 0.95] as const;
/** The same for a calm question that triage would escalate. */
const MIN_INSTEAD_OF_ESCALATION = 0.75;
/** The same for a visitor's message, which nothing but an article can answer, and for a visitor's question. */
export const PLAUSIBLE_ARTICLE = 0.5;
const VISITOR_QUESTION = 0.4;
/** The same for a visitor's question that only their own records would answer in full: "where is my refund?". */
const VISITOR_RECORD = 0.6;
/** The same for a look-up that mentions nothing of the customer's own, or that asks whether something can be done. */
const GENERAL_ARTICLE = 0.8;
/** Confidence below which triage only guesses that a message is about a record. */
const MIN_RECORD = 0.65;
/** Number of words from which a message stands alone; a shorter one may depend on the conversation, and takes a surer article. */
const INDEPENDENT_WORDS = 4;
const [MIN_SHORT_FIRST, MIN_SHORT_LATER] = [0.7, 0.85];
/** Routes that look up or change the customer's own records. */
export const OWN: ReadonlySet<string> = new Set(['account', 'action', 'investigation']);
/** Confidence below which triage only guesses that records answer a part of a message, and minimum confidence of the article instead. */
const MIN_PART = 0.6;
export const LIKELY = 0.8;
/** Confidence below which a grievance is a mere guess of triage. */
const MIN_GRIEVANCE = 0.45;
/** Minimum confidence for a clause to ask for something, whatever triage makes of the whole message. */
const MIN_CLAUSE = 0.8;
/** Confidence from which triage is right about visitors too. */
export const CERTAIN = 0.97;

/**
 * The article that answers a message although triage sends it elsewhere, where the search is surer of the article than triage is of its
 * route. A visitor's question is answered too, instead of asking the visitor to sign in.
 * @returns its title; null where no article is sure enough, or the message depends on the conversation
 */
export async function answeringArticle(
  deps: GraphDeps,
  {
    classification,
    session,
    text,
    focus,
  }: Pick<HubStateType, 'focus'> & {
    readonly classification: Classification;
    readonly session: Session;
    readonly text: string;
  },
): Promise<string | null> {
  const min = minConfidence(deps, classification, session, text);
  if (min === null || deps.models.provider !== 'offline') return null;
  // A first message depends on nothing, even if it contains a pronoun.
  const isFirst = session.lastReply === null && focus === null;
  if (!isFirst && (focus !== null || deps.dialogue.read(text)?.points === true)) return null;
  const isCustomer = session.identity.kind === 'customer';
  if (isCustomer && (deps.dialogue.readQuestion(text)?.own ?? 0) >= LIKELY) return null;
  const isShort = isCustomer && text.trim().split(/\s+/).length < INDEPENDENT_WORDS;
  const minShort = isShort ? (isFirst ? MIN_SHORT_FIRST : MIN_SHORT_LATER) : 0;
  const { language } = session;
  const wantsChange = text.split(/(?<=[.!?;])\s+/).some((part) => asksForChange(deps, part, language));
  if (wantsChange && isCustomer) return null;
  const [request] = classification.requests;
  if (request && request.route !== 'account' && (await namesBooked(deps, session, text))) return null;
  if (request?.route === 'action' && (await asksOfOwn(deps, session, text))) return null;
  // A question that names a record of the customer's is about that record.
  if (min === GENERAL_ARTICLE && (await namedOwn({ deps, session, text })).length > 0) return null;
  // A story around the question may sound like a grievance: the question is searched for alone as well.
  const questions = text.split(/(?<=[.!?;])\s+/).filter((part) => part.includes('?'));
  const isAround = classification.humanReason !== null || !isCustomer;
  const asked = isAround && questions.length === 1 ? questions : [];
  for (const part of [text, ...asked]) {
    const best = await likeliest(deps, session, part);
    if (best && best.confidence >= Math.max(min, minShort)) return best.title;
  }
  return null;
}

/** Minimum probability of a change of a record that the message names. */
const MIN_CHANGE = 0.35;

/** Minimum probability of a change that takes two records, where the message names both. */
const MIN_JOINING_CHANGE = 0.05;

/**
 * True where a text without a question names the two entities that a change combines, "change my trip to an earlier crossing", or the
 * input of a single change: "put my trip in economy".
 */
export function joinsTwo({ language, tools, models }: GraphDeps, session: Session, text: string): boolean {
  if (models.provider !== 'offline' || text.includes('?')) return false;
  const now = tools.clock.now();
  const into = tools.roster.actions.filter(
    ({ target, asks }) => target && language.ordersInto(text, session.language, asks?.inputs ?? [], now),
  );
  if (into.length === 1) return true;
  const led = language.ledTo(text);
  const chances = led.length === 0 ? new Map<string, number>() : language.chances(text, session.language);
  // An id that a text leads to says what is wanted, whatever its words are like: "change my trip to CRS-103".
  const least = language.ledById(text) ? 0 : MIN_JOINING_CHANGE;
  return tools.roster.actions.some(
    ({ name, target, asks }) =>
      target !== undefined &&
      (chances.get(name) ?? 0) >= least &&
      asks?.inputs.some(({ reading }) => reading.kind === 'record' && led.includes(reading.entity)),
  );
}

/**
 * True where a message without a question names one of the customer's records and may ask for a change of it. An article about that
 * change is no answer, however similar its title.
 */
export async function asksOfOwn(deps: GraphDeps, session: Session, text: string): Promise<boolean> {
  const { language, tools, models } = deps;
  if (models.provider !== 'offline' || text.includes('?')) return false;
  const own = await ownRecords({ deps, session });
  const choices = own.map(({ id, title }) => ({ id, title, startsAt: null }));
  const [id, ...others] = language.namedAmong(text, choices, tools.clock.now()) ?? [];
  const record = own.find((one) => one.id === id);
  if (!record || others.length > 0) return false;
  const bare = language.withoutNames(text, [record.title], session.language);
  return [text, bare].some((said) =>
    [...language.chances(said, session.language)].some(
      ([tool, chance]) =>
        chance >= MIN_CHANGE && tools.roster.findAction(tool)?.target?.entity === record.entity,
    ),
  );
}

/** True where a message names a booking of the customer's, and so is about that one. */
async function namesBooked({ language, tools }: GraphDeps, session: Session, text: string): Promise<boolean> {
  const booked = await bookedNames(tools, session);
  return booked.length > 0 && language.withoutNames(text, booked, session.language) !== text;
}

/** Minimum confidence of an article; null where triage decides. */
function minConfidence(
  deps: GraphDeps,
  classification: Classification,
  { identity, language }: Session,
  text: string,
): number | null {
  const { confidence, humanReason, requests } = classification;
  if (humanReason !== null)
    return asksCalmly(deps, classification, text) && !needsOperator(deps, text, language)
      ? MIN_INSTEAD_OF_ESCALATION
      : null;
  const routes = new Set(requests.map(({ route }) => route));
  const [route = 'none'] = routes;
  if (routes.size > 1 || !(route in MIN_ARTICLE)) return null;
  // A visitor has no records: the question is a general one, whatever it resembles.
  const isVisitor = identity.kind !== 'customer' && OWN.has(route);
  if (isVisitor) {
    if (route === 'account' && confidence >= CERTAIN) return VISITOR_RECORD;
    if (route === 'account' && asksAboutOwn(deps, text, language)) return VISITOR_RECORD;
    return deps.dialogue.asksFor(text) ? VISITOR_QUESTION : PLAUSIBLE_ARTICLE;
  }
  if (requests.length > 1) return null;
  const [asks, isOwn] = [text.includes('?'), deps.dialogue.ofSelf(text)];
  const isUnsure = confidence < MIN_RECORD && !isOwn;
  if (route === 'account' && (isUnsure || deps.dialogue.asksDeed(text))) return GENERAL_ARTICLE;
  // "Why do some shows cost extra?" is a general question; a fault of the customer's own records is investigated.
  if (route === 'investigation' && asks && !isOwn) return MIN_ARTICLE.investigation[0];
  if (route === 'investigation' && isOwn && !asks && isFault(deps, text, classification)) return null;
  const at = TRIAGE_BOUNDS.findIndex((bound) => confidence < bound);
  return MIN_ARTICLE[route as keyof typeof MIN_ARTICLE][at < 0 ? 3 : (at as 0 | 1 | 2)];
}

/** True where a text asks about the writer's own records by the name of their entity: "when is my next appointment?". */
function asksAboutOwn({ dialogue, tools }: GraphDeps, text: string, language: Language): boolean {
  return dialogue.ofSelf(text) && dialogue.readList(text, { now: tools.clock.now(), language })?.of === 'own';
}

/** The questions about the topic of the last answer, as one task each: "do I need proof? And how long before?". */
export function tasksAbout(
  { agents, dialogue }: GraphDeps,
  text: string,
  about: string,
  only = false,
): readonly Task[] {
  const task = {
    ...(only ? { only } : {}),
    route: 'knowledge' as const,
    agent: agents.forRoute('knowledge'),
    status: 'todo' as const,
  };
  const asked = dialogue.partsOf(text).filter(dialogue.asksFor);
  if (asked.length < 2) return [{ ...task, text, about }];
  return asked.map((part) => ({ ...task, text: part, within: text, about }));
}

/** The article that most likely answers a text; names in the text are ignored. */
export async function likeliest(deps: GraphDeps, session: Session, text: string) {
  const { language } = session;
  const bare = deps.language.withoutNames(text, await knownNames(deps.tools, session), language);
  const { hits } = await deps.tools.retriever.search(bare, { topK: 1, language });
  return hits[0];
}

/** The title of the article that answers a text at least this surely (more likely than not by default); null where none does. */
export async function plausibleArticle(
  deps: GraphDeps,
  session: Session,
  text: string,
  min = PLAUSIBLE_ARTICLE,
): Promise<string | null> {
  const best = await likeliest(deps, session, text);
  return best && best.confidence >= min ? best.title : null;
}

/**
 * The tasks of a message, where a look-up that triage only guesses at becomes a question for the article that almost certainly answers
 * it: the second of "which is my next booking? And does my helper pay?".
 */
export async function withAnsweringArticles(
  deps: GraphDeps,
  session: Session,
  tasks: readonly Task[],
): Promise<readonly Task[]> {
  if (deps.models.provider !== 'offline' || tasks.length < 2) return tasks;
  return Promise.all(
    tasks.map(async (task) => {
      const [guess] = deps.language.requests(task.text, session.language);
      const isVisitor = session.identity.kind !== 'customer';
      const isGuess = task.route === 'account' && (isVisitor || (guess?.confidence ?? 0) < MIN_PART);
      if (!isGuess || !deps.dialogue.asksFor(task.text)) return task;
      const best = await likeliest(deps, session, task.text);
      if (!best || best.confidence < (isVisitor ? PLAUSIBLE_ARTICLE : LIKELY)) return task;
      return {
        ...task,
        about: best.title,
        route: 'knowledge' as const,
        agent: deps.agents.forRoute('knowledge'),
      };
    }),
  );
}

/**
 * True for a general question that triage would escalate only for its topic: "my father uses a wheelchair, do I pay to go with him?" A
 * customer whose account is used by somebody else, or who may be in danger, gets an operator however calm the question is.
 */
function asksCalmly(
  { language, dialogue }: GraphDeps,
  { humanReason, sentiment, confidence }: Classification,
  text: string,
): boolean {
  // A customer who disputes a rule wants it explained, however upset.
  if (humanReason === 'sentiment_priority')
    return dialogue.argues(text) && text.includes('?') && !language.hintsAtDanger(text);
  // "Is a human there at weekends?" asks for no operator yet.
  const asks = text.includes('?') || dialogue.asksWhether(text);
  if (humanReason === 'customer_request') return confidence < MIN_CLAUSE && asks;
  // A guessed grievance is none: "I am a foreigner. What is this service?".
  const isCalm = sentiment === 'neutral' || sentiment === 'positive' || confidence < MIN_GRIEVANCE;
  return isCalm && humanReason === 'legal' && text.includes('?') && !language.hintsAtDanger(text);
}

/** True where a part that is no question requests what only an operator can do: "erase my profile, and do my receipts go too?". */
function needsOperator({ language }: GraphDeps, text: string, spoken: Language): boolean {
  const [first = '', ...more] = text.split(/[,.!;]\s+/);
  const isWish = (part: string) =>
    !part.includes('?') &&
    language
      .requests(part, spoken)
      .some(({ route, confidence }) => route === ESCALATION_ROUTE && confidence >= MIN_CLAUSE);
  return more.length > 0 && [first, ...more].some(isWish);
}

/** True where a clause by itself asks for a change. */
function asksForChange({ language }: GraphDeps, clause: string, spoken: Language): boolean {
  return language
    .requests(clause, spoken)
    .some(({ route, confidence }) => route === 'action' && confidence >= MIN_CLAUSE);
}

/** True where triage is sure and a skill investigates the fault that a text reports: "the app keeps closing". */
function isFault({ language, tools }: GraphDeps, text: string, classification: Classification): boolean {
  const intents = language.requests(text, classification.language).map(({ intent }) => intent);
  return (
    classification.confidence >= MIN_RECORD && tools.skills.pick({ text: '', intents }).ranked.length > 0
  );
}
