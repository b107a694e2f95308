import { type BaseMessage, HumanMessage } from '@langchain/core/messages';
import type { Choice, Focus, Session } from '../core/domain/session.js';
import { ESCALATION_ROUTE, type Language } from '../core/domain/taxonomy.js';
import type { Classification } from '../core/domain/ticket.js';
import type { Texts } from '../core/i18n/index.js';
import type { Act } from '../dialogue/index.js';
import { bookedNames, knownNames } from '../runtime/known-names.js';
import { numbered } from '../runtime/offline-step.js';
import type { GraphDeps } from './graph-deps.js';
import type { Harvest } from './harvest.js';
import { retrievedArticles } from './review-rules.js';
import type { HubStateType } from './state.js';

/** What the hub asked last, where it had not understood what is wanted. */
const CLARIFY = 'clarify';
/** Who asks it: the hub itself. */
export const SUPERVISOR = 'supervisor';

/** A question back, with what the reply may choose. */
interface Clarification {
  readonly text: string;
  readonly focus: Focus;
}

/** From here on triage has understood what is asked. */
const UNDERSTOOD = 0.5;
/** Below this triage has understood next to nothing. */
const HARDLY = 0.35;
/** What an article's confidence must come to for it to be what was meant, and that of the likeliest. */
const PLAUSIBLE = 0.06;
const LIKELIEST = 0.2;
const MOST_READINGS = 3;
/** Of so many words beside a goodbye nothing is asked. */
const FEW_WORDS = 6;
/** From here on a text is no matter of the company's. */
const FOREIGN = 0.6;
/** From here on a sentence is a word of thanks, or turns all readings down. */
const HEARD = 0.7;

/**
 * Asks back, once, where nothing answers a message that triage has not understood, or a question about how things are: with
 * the articles that it may be about, and a person as the last choice.
 * @returns null where a wish was understood, it was asked back about just now, or may be about anything
 */
export function clarification(deps: GraphDeps, state: HubStateType, session: Session): Clarification | null {
  const { classification, focus, trace, drafts } = state;
  const unclear =
    classification !== null &&
    (classification.confidence < UNDERSTOOD ||
      classification.requests.every(({ route }) => route === 'knowledge'));
  if (!unclear || focus?.intent === CLARIFY || drafts.some(({ needsPerson }) => needsPerson)) return null;
  if (isGrave(deps, classification, messageOf(state)) || deps.models.provider !== 'offline') return null;
  const readings = [...retrievedArticles(trace)]
    .filter(([, { confidence }]) => confidence >= PLAUSIBLE)
    .slice(0, MOST_READINGS)
    .map(([id, { title }]): Choice => ({ id, title, startsAt: null }));
  const [likeliest = 0] = [...retrievedArticles(trace).values()].map(({ confidence }) => confidence);
  if (readings.length < 2 || likeliest < LIKELIEST) return null;
  const list = numbered(readings.map(({ title }) => title));
  const text = deps.tools.texts.for(session.language).say('clarify_readings', { list });
  return { text, focus: { agent: SUPERVISOR, intent: CLARIFY, choices: readings, attempts: 1 } };
}

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
/** A visitor can be told nothing else. */
const PLAUSIBLE_ARTICLE = 0.5;
/** Shorter words may lean on what was said before. */
const WHOLE_WORDS = 4;
/** So few words are a question of their own where an article is this sure of it; after a reply it must be surer. */
const TERSE_ARTICLE = 0.7;
const TERSE_LATER = 0.85;
/** Where what is the customer's own is looked up or changed. */
const OWN: ReadonlySet<string> = new Set(['account', 'action', 'investigation']);
/** From here on a clause asks for a change, whatever triage makes of the whole. */
const PLAIN = 0.8;
/** From here on triage knows what is wanted, whoever asks. */
const CERTAIN = 0.97;

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
  const isTerse = text.trim().split(/\s+/).length < WHOLE_WORDS;
  const terse = isTerse ? (isFirst ? TERSE_ARTICLE : TERSE_LATER) : 0;
  const { language } = session;
  const wantsChange = text.split(/(?<=[.!?;])\s+/).some((part) => asksForChange(deps, part, language));
  if (wantsChange && session.identity.kind === 'customer') return null;
  const [request] = classification.requests;
  if (request && request.route !== 'account' && (await namesBooked(deps, session, text))) return null;
  const bare = deps.language.withoutNames(text, await knownNames(deps.tools, session), language);
  const { hits } = await deps.tools.retriever.search(bare, { topK: 1, language });
  const [best] = hits;
  return best && best.confidence >= Math.max(least, terse) ? best.title : null;
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
  { identity }: Session,
  text: string,
): number | null {
  const { confidence, humanReason, requests } = classification;
  if (humanReason !== null) return asksCalmly(deps, classification, text) ? ASKED_ARTICLE : null;
  const routes = new Set(requests.map(({ route }) => route));
  const [route = 'none'] = routes;
  if (routes.size > 1 || !(route in LEAST)) return null;
  // Who is not signed in has no record here: what they ask is how things are, whatever it sounds like.
  const isVisitor = identity.kind !== 'customer' && OWN.has(route);
  if (isVisitor) return route === 'account' && confidence >= CERTAIN ? null : PLAUSIBLE_ARTICLE;
  if (requests.length > 1) return null;
  const at = BOUNDS.findIndex((bound) => confidence < bound);
  return LEAST[route as keyof typeof LEAST][at < 0 ? 3 : (at as 0 | 1 | 2)];
}

/**
 * True where a legal topic would call a person, and the text only touches it and asks how things are: "my father uses a wheelchair, do I
 * pay to go with him?" Whose account is used by another, or who may be in danger, gets a person however calmly it is asked.
 */
function asksCalmly(
  { language }: GraphDeps,
  { humanReason, sentiment }: Classification,
  text: string,
): boolean {
  const isCalm = sentiment === 'neutral' || sentiment === 'positive';
  return isCalm && humanReason === 'legal' && text.includes('?') && !language.hintsAtDanger(text);
}

/** A visitor is told beside the article's answer that their own records and changes are there once they have signed in. */
export function withSignIn(
  harvested: Harvest,
  { session, classification }: { readonly session: Session; readonly classification: Classification },
  texts: Texts,
): Harvest {
  const [asked] = classification.requests;
  const [draft, task] = [harvested.drafts.at(-1), harvested.tasks[harvested.answered]];
  const isOwn = asked?.route === 'account' || asked?.route === 'action';
  if (session.identity.kind === 'customer' || !isOwn || task?.route !== 'knowledge' || !draft?.text)
    return harvested;
  const note = texts.for(session.language).say('once_signed_in');
  return { ...harvested, drafts: [...harvested.drafts.slice(0, -1), { ...draft, note }] };
}

/** True where a clause by itself plainly asks for a change, whatever surrounds it. */
function asksForChange({ language }: GraphDeps, clause: string, spoken: Language): boolean {
  return language
    .requests(clause, spoken)
    .some(({ route, confidence }) => route === 'action' && confidence >= PLAIN);
}

/** Which of the readings a reply chooses: the title of an article, `none`, or null where it does neither. */
export function chosenReading(
  { dialogue, language, tools }: GraphDeps,
  focus: Focus | null,
  text: string,
  session: Session,
): { readonly title: string } | 'none' | null {
  if (focus?.intent !== CLARIFY || focus.choices.length === 0) return null;
  const named = language.namedAmong(text, focus.choices, tools.clock.now()) ?? [];
  const chosen = named.length === 1 && focus.choices.find(({ id }) => id === named[0]);
  if (chosen) return { title: chosen.title };
  const chance = dialogue.guessAct(text, 'which', session.language)?.chanceOf('choose_none', 'deny') ?? 0;
  return chance >= HEARD ? 'none' : null;
}

/**
 * What is said to somebody who only tells something, or says thanks after it: a human word, and no search for an answer to
 * what was not asked.
 * @param isUnanswered true where nothing answered it, so that less is needed to take it for that
 */
export function tellingText(
  deps: GraphDeps,
  { classification, focus }: Pick<HubStateType, 'classification' | 'focus'>,
  text: string,
  session: Session,
  isUnanswered: boolean,
): string | null {
  if (!classification || focus !== null || text.includes('?') || classification.humanReason) return null;
  const { sentiment, requests, confidence } = classification;
  const isOther = requests.some(({ route }) => route === ESCALATION_ROUTE || route === 'action');
  if (isGrave(deps, { ...classification, sentiment: 'neutral' }, text)) return null;
  if (sentiment === 'frustrated' || (isOther && confidence >= UNDERSTOOD)) return null;
  const texts = deps.tools.texts.for(session.language);
  if (confidence < UNDERSTOOD && endsInThanks(deps, text, session)) return texts.say('thanks');
  if (confidence < CERTAIN && leavesIt(deps, text, session)) return texts.say('thanks');
  if (deps.dialogue.asksFor(text)) return null;
  const guesses = deps.language.requests(text, session.language);
  const isForeign = guesses.length > 0 && guesses.every(({ outOfScope }) => outOfScope >= FOREIGN);
  const isCalm = sentiment !== 'negative' && deps.dialogue.tells(text);
  const isTold = isCalm && confidence < (isUnanswered ? UNDERSTOOD : HARDLY);
  if (!isForeign && !isTold) return null;
  return texts.say('small_talk', { about: sentiment === 'negative' ? 'told_sad' : 'told', name: null });
}

/** Where somebody may be in danger or is upset, a person is asked at once. */
function isGrave(
  { language }: GraphDeps,
  { sentiment, humanReason }: Pick<Classification, 'sentiment' | 'humanReason'>,
  text: string,
): boolean {
  return humanReason !== null || !['neutral', 'positive'].includes(sentiment) || language.hintsAtDanger(text);
}

function endsInThanks({ dialogue }: GraphDeps, text: string, { language }: Session): boolean {
  const sentences = text.split(/[.!;\n]+/).filter((sentence) => /\p{L}/u.test(sentence));
  const last = sentences.length > 1 ? (sentences.at(-1) ?? '') : '';
  return last !== '' && (dialogue.guessAct(last, 'answered', language)?.chanceOf('thanks') ?? 0) >= HEARD;
}

const CLOSES: readonly Act[] = ['thanks', 'goodbye'];
const GIVES_UP: readonly Act[] = ['withdraw', 'deny', 'not_helpful'];
const SAYS_NOTHING: readonly Act[] = [...CLOSES, ...GIVES_UP, 'acknowledge'];

/** True where a customer leaves it at that: gives up what was asked, says thanks or goodbye, and beside it no more than a word on something else. */
function leavesIt({ dialogue }: GraphDeps, text: string, { language }: Session): boolean {
  const clauses = text.split(/[,.!;\n]+/).filter((clause) => /\p{L}/u.test(clause));
  const isOne = (clause: string, acts: readonly Act[]): boolean =>
    (dialogue.guessAct(clause, 'answered', language)?.chanceOf(...acts) ?? 0) >= HEARD;
  const rest = clauses.filter((clause) => !isOne(clause, SAYS_NOTHING)).join(', ');
  const isShort = rest.trim().split(/\s+/).length <= FEW_WORDS;
  const isLeft = [CLOSES, GIVES_UP].every((acts) => clauses.some((clause) => isOne(clause, acts)));
  return isLeft && isShort && !dialogue.asksFor(rest);
}

/** The customer's last message. */
export function messageOf({ messages }: { readonly messages: readonly BaseMessage[] }): string {
  return messages.findLast((message) => HumanMessage.isInstance(message))?.text ?? '';
}
