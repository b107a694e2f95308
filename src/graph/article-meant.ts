import type { Session, Task } from '../core/domain/session.js';
import { ESCALATION_ROUTE, type Language } from '../core/domain/taxonomy.js';
import type { Classification } from '../core/domain/ticket.js';
import { bookedNames, knownNames } from '../runtime/caller-facts.js';
import { namedOwn, ownRecords } from './dialogue-records.js';
import type { GraphDeps } from './graph-deps.js';
import type { HubStateType } from './state.js';

/**
 * How sure an article must be to be what a message is about, by what triage takes it for and by how sure it is of that: below
 * .6, .8, .95, and beyond. Chosen on messages that neither had learned from: of 1,344 plain questions 200 are won back, 196 of
 * them with the right article, and of 1,178 wishes, reports and greetings 41 are taken.
 */
const LEAST: Readonly<Record<'none' | 'knowledge' | 'account' | 'action' | 'investigation', LeastSure>> = {
  none: [0.75, 0.75, 0.85, null],
  knowledge: [0.8, null, null, null],
  account: [0.95, null, null, null],
  action: [0.7, 0.85, null, null],
  investigation: [0.6, 0.75, 0.85, 0.9],
};
/** Null where no article is sure enough. */
type LeastSure = readonly [number, number | null, number | null, number | null];
const BOUNDS = [0.6, 0.8, 0.95] as const;
/** The same for a question about what a person would be called for otherwise. */
const ASKED_ARTICLE = 0.75;
/** A visitor can be told nothing else; a question of theirs is one even more. */
export const PLAUSIBLE_ARTICLE = 0.5;
const VISITOR_QUESTION = 0.4;
/** The same where only their own record would tell it in full: "where is my refund?". */
const VISITOR_RECORD = 0.6;
/** A question that speaks of nobody's own record, or wants something done that no record does. */
const GENERAL_ARTICLE = 0.8;
/** Below this triage is not sure that it is a record which is asked about. */
const GUESSED_RECORD = 0.65;
/** Shorter words may lean on what was said before: an article must be this sure of them; after a reply it must be surer. */
export const WHOLE_WORDS = 4;
const [TERSE_ARTICLE, TERSE_LATER] = [0.7, 0.85];
/** Where what is the customer's own is looked up or changed. */
export const OWN: ReadonlySet<string> = new Set(['account', 'action', 'investigation']);
/** Below this triage only guesses that the customer's record tells a part of a message, and how sure an article of it must be. */
const GUESSED = 0.6;
export const LIKELY = 0.8;
/** Below this triage only guesses that somebody was treated badly. */
const GUESSED_GRIEVANCE = 0.45;
/** From here on a clause asks for a change, whatever triage makes of the whole. */
const PLAIN = 0.8;
/** From here on triage knows what is wanted, whoever asks. */
export const CERTAIN = 0.97;

/**
 * The article that answers a message which triage takes for something else, without being surer of that than the search is of the
 * article; or a visitor's question: what would be guessed at is no change, then, and nobody is asked back or told to sign in.
 * @returns its title; null where there is none, or the message leans on something else
 */
export async function articleMeant(
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
  const least = leastFor(deps, classification, session, text);
  if (least === null || deps.models.provider !== 'offline') return null;
  // A first message has nothing to lean on, whatever it points at.
  const isFirst = session.lastReply === null && focus === null;
  if (!isFirst && (focus !== null || deps.dialogue.read(text)?.points === true)) return null;
  const isCustomer = session.identity.kind === 'customer';
  if (isCustomer && (deps.dialogue.readQuestion(text)?.own ?? 0) >= LIKELY) return null;
  const isTerse = isCustomer && text.trim().split(/\s+/).length < WHOLE_WORDS;
  const terse = isTerse ? (isFirst ? TERSE_ARTICLE : TERSE_LATER) : 0;
  const { language } = session;
  const wantsChange = text.split(/(?<=[.!?;])\s+/).some((part) => asksForChange(deps, part, language));
  if (wantsChange && isCustomer) return null;
  const [request] = classification.requests;
  if (request && request.route !== 'account' && (await namesBooked(deps, session, text))) return null;
  if (request?.route === 'action' && (await asksOfOwn(deps, session, text))) return null;
  // What is theirs by name is asked about, in whatever words.
  if (least === GENERAL_ARTICLE && (await namedOwn({ deps, session, text })).length > 0) return null;
  // What is told around a question may sound like a grievance: the question is looked up by itself.
  const questions = text.split(/(?<=[.!?;])\s+/).filter((part) => part.includes('?'));
  const isAround = classification.humanReason !== null || !isCustomer;
  const asked = isAround && questions.length === 1 ? questions : [];
  for (const part of [text, ...asked]) {
    const best = await likeliest(deps, session, part);
    if (best && best.confidence >= Math.max(least, terse)) return best.title;
  }
  return null;
}

/** From here on a change may be meant of a record that is named. */
const MAY_CHANGE = 0.35;

/** From here on a change that takes two records may be meant, where both are named. */
const MAY_JOIN = 0.05;

/**
 * True where a text that asks nothing names two kinds of records that a change brings together, "change my trip to an earlier crossing",
 * or what one change alone puts such a record into: "put my trip in economy".
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
  return tools.roster.actions.some(
    ({ name, target, asks }) =>
      target !== undefined &&
      (chances.get(name) ?? 0) >= MAY_JOIN &&
      asks?.inputs.some(({ reading }) => reading.kind === 'record' && led.includes(reading.entity)),
  );
}

/**
 * True where a message that no question is names one record of the customer's own and may ask for a change that is made to such: an
 * article about that change has no answer to it, however much its title is like the wish.
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
        chance >= MAY_CHANGE && tools.roster.findAction(tool)?.target?.entity === record.entity,
    ),
  );
}

/** True where a message names what the customer has booked: what is wanted or went wrong is about that one. */
async function namesBooked({ language, tools }: GraphDeps, session: Session, text: string): Promise<boolean> {
  const booked = await bookedNames(tools, session);
  return booked.length > 0 && language.withoutNames(text, booked, session.language) !== text;
}

/** How sure an article must be; null where none is looked for. */
function leastFor(
  deps: GraphDeps,
  classification: Classification,
  { identity, language }: Session,
  text: string,
): number | null {
  const { confidence, humanReason, requests } = classification;
  if (humanReason !== null)
    return asksCalmly(deps, classification, text) && !wantsPerson(deps, text, language)
      ? ASKED_ARTICLE
      : null;
  const routes = new Set(requests.map(({ route }) => route));
  const [route = 'none'] = routes;
  if (routes.size > 1 || !(route in LEAST)) return null;
  // Who is not signed in has no record here: what they ask is how things are, whatever it sounds like.
  const isVisitor = identity.kind !== 'customer' && OWN.has(route);
  if (isVisitor) {
    if (route === 'account' && confidence >= CERTAIN) return VISITOR_RECORD;
    if (route === 'account' && asksOfTheirs(deps, text, language)) return VISITOR_RECORD;
    return deps.dialogue.asksFor(text) ? VISITOR_QUESTION : PLAUSIBLE_ARTICLE;
  }
  if (requests.length > 1) return null;
  const [asks, isOwn] = [text.includes('?'), deps.dialogue.ofSelf(text)];
  const isUnsure = confidence < GUESSED_RECORD && !isOwn;
  if (route === 'account' && (isUnsure || deps.dialogue.asksDeed(text))) return GENERAL_ARTICLE;
  // "Why do some shows cost extra?" asks how things are; what went wrong with what is theirs is looked into.
  if (route === 'investigation' && asks && !isOwn) return LEAST.investigation[0];
  if (route === 'investigation' && isOwn && !asks && isFault(deps, text, classification)) return null;
  const at = BOUNDS.findIndex((bound) => confidence < bound);
  return LEAST[route as keyof typeof LEAST][at < 0 ? 3 : (at as 0 | 1 | 2)];
}

/** True where a text asks of the writer's own records, by what those are called: "when is my next appointment?". */
function asksOfTheirs({ dialogue, tools }: GraphDeps, text: string, language: Language): boolean {
  return dialogue.ofSelf(text) && dialogue.readList(text, { now: tools.clock.now(), language })?.of === 'own';
}

/** What leans on what was just said, each of its questions by itself: "do I need proof? And how long before?". */
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
  const parts = asked.length > 1 ? asked : [text];
  return parts.map((part) => ({ ...task, text: part, about }));
}

/** The article that most likely answers a text, whatever it names. */
export async function likeliest(deps: GraphDeps, session: Session, text: string) {
  const { language } = session;
  const bare = deps.language.withoutNames(text, await knownNames(deps.tools, session), language);
  const { hits } = await deps.tools.retriever.search(bare, { topK: 1, language });
  return hits[0];
}

/**
 * The title of the article that answers a text; null where none does.
 * @param least how sure it must be: more likely than not, where not said
 */
export async function plausibleArticle(
  deps: GraphDeps,
  session: Session,
  text: string,
  least = PLAUSIBLE_ARTICLE,
): Promise<string | null> {
  const best = await likeliest(deps, session, text);
  return best && best.confidence >= least ? best.title : null;
}

/**
 * The parts of a message, where a part of which triage only guesses that the customer's record tells it goes to the article that all
 * but certainly answers it: "which is my next booking? And does my helper pay?".
 */
export async function partsMeant(
  deps: GraphDeps,
  session: Session,
  tasks: readonly Task[],
): Promise<readonly Task[]> {
  if (deps.models.provider !== 'offline' || tasks.length < 2) return tasks;
  return Promise.all(
    tasks.map(async (task) => {
      const [guess] = deps.language.requests(task.text, session.language);
      const isVisitor = session.identity.kind !== 'customer';
      const isGuess = task.route === 'account' && (isVisitor || (guess?.confidence ?? 0) < GUESSED);
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
 * True where a legal topic would call a person, and the text only touches it and asks how things are: "my father uses a wheelchair, do I
 * pay to go with him?" Whose account is used by another, or who may be in danger, gets a person however calmly it is asked.
 */
function asksCalmly(
  { language, dialogue }: GraphDeps,
  { humanReason, sentiment, confidence }: Classification,
  text: string,
): boolean {
  // Who argues about a rule wants it explained, however cross they are.
  if (humanReason === 'sentiment_priority')
    return dialogue.argues(text) && text.includes('?') && !language.hintsAtDanger(text);
  // A mere guess at a grievance is none: "I am a foreigner. What is this service?".
  // "Is a human there at weekends?" wants none yet.
  const asks = text.includes('?') || dialogue.asksWhether(text);
  if (humanReason === 'customer_request') return confidence < PLAIN && asks;
  const isCalm = sentiment === 'neutral' || sentiment === 'positive' || confidence < GUESSED_GRIEVANCE;
  return isCalm && humanReason === 'legal' && text.includes('?') && !language.hintsAtDanger(text);
}

/** "Erase my profile, and do my receipts go too?": a part that asks nothing is a wish that only a person fulfils. */
function wantsPerson({ language }: GraphDeps, text: string, spoken: Language): boolean {
  const [first = '', ...more] = text.split(/[,.!;]\s+/);
  const isWish = (part: string) =>
    !part.includes('?') &&
    language
      .requests(part, spoken)
      .some(({ route, confidence }) => route === ESCALATION_ROUTE && confidence >= PLAIN);
  return more.length > 0 && [first, ...more].some(isWish);
}

/** True where a clause by itself plainly asks for a change, whatever surrounds it. */
function asksForChange({ language }: GraphDeps, clause: string, spoken: Language): boolean {
  return language
    .requests(clause, spoken)
    .some(({ route, confidence }) => route === 'action' && confidence >= PLAIN);
}

/** True where a skill is for the fault that a text tells of, and triage is sure: "the app keeps closing" is none of the record. */
function isFault({ language, tools }: GraphDeps, text: string, heard: Classification): boolean {
  const intents = language.requests(text, heard.language).map(({ intent }) => intent);
  return heard.confidence >= GUESSED_RECORD && tools.skills.pick({ text: '', intents }).ranked.length > 0;
}
