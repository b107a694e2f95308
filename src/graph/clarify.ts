import { HumanMessage } from '@langchain/core/messages';
import type { Choice, Focus, Session } from '../core/domain/session.js';
import { ESCALATION_ROUTE } from '../core/domain/taxonomy.js';
import type { Classification } from '../core/domain/ticket.js';
import type { Sentences, Texts } from '../core/i18n/index.js';
import type { Act } from '../dialogue/index.js';
import { numbered } from '../runtime/offline-step.js';
import type { AgentResults } from './agent-results.js';
import { CERTAIN } from './article-meant.js';
import type { GraphDeps } from './graph-deps.js';
import { retrievedArticles } from './review-rules.js';
import type { HubStateType } from './state.js';

/** What the hub asked last, where it had not understood what is wanted. */
export const CLARIFY = 'clarify';
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
/** Of the chance of the likeliest: what has less is named beside it only to be turned down. */
const REAL_CHANCE = 0.25;
const MOST_READINGS = 3;
/** Of so many words beside a goodbye nothing is asked. */
const FEW_WORDS = 6;
const ONLY_A_NUMBER = /^[\s\p{P}]*\d{1,3}[\s\p{P}]*$/u;
/** From here on a text is no matter of the company's. */
const FOREIGN = 0.6;
/** From here on what is said beside a no only vents. */
const TALKS = 0.5;
/** From here on a sentence is a word of thanks, or turns all readings down. */
const HEARD = 0.7;

/**
 * Asks back, once, where nothing answers a message that triage has not understood, or a question about how things are: with
 * the articles that it may be about, and a person as the last choice.
 * @returns null where a wish was understood, it was asked back about just now, or may be about anything
 */
export function clarification(deps: GraphDeps, state: HubStateType, session: Session): Clarification | null {
  const { classification, focus, trace, drafts } = state;
  const routes = new Set(classification?.requests.map(({ route }) => route));
  // What no procedure looks into is asked of the help centre too, and who tells what is wrong is not upset for it.
  const isSymptom = routes.size === 1 && routes.has('investigation');
  const unclear =
    classification !== null &&
    (classification.confidence < UNDERSTOOD ||
      isSymptom ||
      [...routes].every((route) => route === 'knowledge'));
  if (!unclear || focus?.intent === CLARIFY || drafts.some(({ needsPerson }) => needsPerson)) return null;
  const { sentiment } = classification;
  const isUnsure = state.tasks.some(({ unsure }) => unsure);
  const calm =
    (isSymptom || isUnsure) && sentiment === 'negative'
      ? { ...classification, sentiment: 'neutral' as const }
      : classification;
  if (isGrave(deps, calm, messageOf(state)) || deps.models.provider !== 'offline') return null;
  const texts = deps.tools.texts.for(session.language);
  const asks = (text: string, choices: readonly Choice[]): Clarification => ({
    text,
    focus: { agent: SUPERVISOR, intent: CLARIFY, choices, attempts: 1 },
  });
  // What hardly asks for an article is not about any of those that share a word with it.
  if (isUnsure) return asks(session.lastReply === null ? greeted(texts, session) : texts.say('clarify'), []);
  const found = [...retrievedArticles(trace)];
  const [likeliest = 0] = found.map(([, { confidence }]) => confidence);
  const plausible = found.filter(([, { confidence }]) => confidence >= PLAUSIBLE);
  const readings = plausible
    .filter(([, { confidence }]) => confidence >= likeliest * REAL_CHANCE)
    .slice(0, MOST_READINGS)
    .map(([id, { title }]): Choice => ({ id, title, startsAt: null }));
  const [first, second] = readings;
  if (!first || plausible.length < 2 || likeliest < LIKELIEST) return null;
  // Who turned that article down is not asked whether they mean it.
  const isTurnedDown =
    state.tasks.some(({ rejected }) => rejected) && state.dialogue?.article?.title === first.title;
  if (!second && isTurnedDown) return null;
  if (!second) return asks(texts.say('clarify_reading', { title: first.title }), readings);
  return asks(
    texts.say('clarify_readings', { list: numbered(readings.map(({ title }) => title)) }),
    readings,
  );
}

/** Who only says who they are is greeted, and asked what they need. */
function greeted(texts: Sentences, { customerName, memory }: Session): string {
  const name = customerName?.split(' ')[0] ?? null;
  return texts.say('greeting', { name, returning: (memory?.resolutions.length ?? 0) > 0 });
}

/** A visitor is told beside the article's answer that their own records and changes are there once they have signed in. */
export function withSignIn(
  harvested: AgentResults,
  { session, classification }: { readonly session: Session; readonly classification: Classification },
  texts: Texts,
): AgentResults {
  const [asked] = classification.requests;
  const [draft, task] = [harvested.drafts.at(-1), harvested.tasks[harvested.answered]];
  const isOwn = (route: string | null | undefined): boolean => route === 'account' || route === 'action';
  // Where a part of the message needs it they are asked to sign in.
  const isAsked = harvested.tasks.some(({ route }) => isOwn(route));
  const isVisitor = session.identity.kind !== 'customer';
  if (!isVisitor || !isOwn(asked?.route) || isAsked || task?.route !== 'knowledge' || !draft?.text)
    return harvested;
  const note = texts.for(session.language).say('once_signed_in');
  if (session.lastReply?.includes(note)) return harvested;
  return { ...harvested, drafts: [...harvested.drafts.slice(0, -1), { ...draft, note }] };
}

/** Up to so many words only name what was meant. */
const NAMING_WORDS = 3;

/** What a reply makes of the readings it was given. */
type Reading =
  /** What was asked before is asked of this. */
  | { readonly kind: 'about'; readonly title: string }
  /** `none` is it, and the question stands; or the question is `left` too. */
  | { readonly kind: 'none' | 'left' };

/**
 * What a reply makes of the readings that it was asked back about: one of them, none, or "none, I meant the review".
 * @param said the reply as `written`, and the `text` of it that is meant
 * @returns null where it asks for something of its own: "none of these. How much is Premium?"
 */
export function chosenReading(
  { dialogue, language, tools }: GraphDeps,
  { focus, classification }: Pick<HubStateType, 'focus' | 'classification'>,
  { text, written }: { readonly text: string; readonly written: string },
  session: Session,
): Reading | null {
  if (focus?.intent !== CLARIFY) return null;
  // "I want to see a play in Belo Horizonte" asks for a list, whatever was asked back about.
  const list = dialogue.readList(text, { now: tools.clock.now(), language: session.language });
  if (list?.isWhole && list.narrows && list.of === 'offered') return null;
  const hears = (part: string, ...acts: readonly Act[]) =>
    (dialogue.guessAct(part, 'which', session.language)?.chanceOf(...acts) ?? 0) >= HEARD;
  const rest = written.endsWith(text) ? written.slice(0, -text.length) : '';
  const [only, ...others] = focus.choices;
  const isYes = only !== undefined && others.length === 0 && hears(text, 'affirm');
  if (isYes) return { kind: 'about', title: only.title };
  const isDown = focus.choices.length === 0 || hears(rest === '' ? text : rest, 'choose_none', 'deny');
  const named =
    rest !== '' && isDown ? [] : (language.namedAmong(text, focus.choices, tools.clock.now()) ?? []);
  const chosen = named.length === 1 && focus.choices.find(({ id }) => id === named[0]);
  if (chosen) return { kind: 'about', title: chosen.title };
  if (!isDown) return null;
  // "None. Are you kidding me?" says nothing else that was meant.
  const isTalk = !dialogue.asksFor(text) && (dialogue.readQuestion(text)?.chanceOf('talk') ?? 0) >= TALKS;
  const instead = dialogue.meantInstead(written) ?? (rest === '' || isTalk ? null : text);
  const isLong = text.split(/\s+/).length > NAMING_WORDS;
  const stands = text.includes('?') || (isLong && (classification?.confidence ?? 0) >= UNDERSTOOD);
  if (instead !== null) return stands ? null : { kind: 'about', title: instead };
  if (focus.choices.length === 0) return null;
  return { kind: clausesOf(text).some((part) => hears(part, 'withdraw', ...CLOSES)) ? 'left' : 'none' };
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
  if (!classification || focus !== null || deps.dialogue.isQuestion(text) || classification.humanReason)
    return null;
  const { sentiment, requests, confidence } = classification;
  const isOther = requests.some(({ route }) => route === ESCALATION_ROUTE || route === 'action');
  if (isGrave(deps, { ...classification, sentiment: 'neutral' }, text)) return null;
  if (sentiment === 'frustrated' || (isOther && confidence >= UNDERSTOOD)) return null;
  const texts = deps.tools.texts.for(session.language);
  // The number of a list that is no longer open.
  if (ONLY_A_NUMBER.test(text)) return texts.say('clarify');
  if (confidence < UNDERSTOOD && endsInThanks(deps, text, session)) return texts.say('thanks');
  if (confidence < CERTAIN && leavesIt(deps, text, session)) return texts.say('thanks');
  const isRequest = requests.length > 0 || confidence < UNDERSTOOD;
  if (isRequest && confidence < CERTAIN && closesWith(deps, text, session)) return texts.say('thanks');
  if (deps.dialogue.asksFor(text)) return null;
  const guesses = deps.language.requests(text, session.language);
  const isForeign = guesses.length > 0 && guesses.every(({ outOfScope }) => outOfScope >= FOREIGN);
  // Where no sentences have taught what reports trouble, what is told of what they bought may be one: "my rug has a hole".
  const isReport =
    sentiment !== 'positive' &&
    deps.dialogue.readQuestion(text) === null &&
    deps.dialogue.speaksOfThings(text);
  const isCalm = sentiment !== 'negative' && !isReport && deps.dialogue.tells(text);
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

function endsInThanks(deps: GraphDeps, text: string, { language }: Session): boolean {
  const sentences = text.split(/[.!;\n]+/).filter((sentence) => /\p{L}/u.test(sentence));
  const last = sentences.length > 1 ? (sentences.at(-1) ?? '') : '';
  return last !== '' && isThanks(deps, last, language);
}

const CLOSES: readonly Act[] = ['thanks', 'goodbye'];
const GIVES_UP: readonly Act[] = ['withdraw', 'deny', 'not_helpful'];
const SAYS_NOTHING: readonly Act[] = [...CLOSES, ...GIVES_UP, 'acknowledge'];

/** True where a customer leaves it at that: gives up what was asked, says thanks or goodbye, and beside it no more than a word on something else. */
function leavesIt({ dialogue }: GraphDeps, text: string, { language }: Session): boolean {
  const clauses = clausesOf(text);
  const isOne = (clause: string, acts: readonly Act[]): boolean =>
    (dialogue.guessAct(clause, 'answered', language)?.chanceOf(...acts) ?? 0) >= HEARD;
  const rest = clauses.filter((clause) => !isOne(clause, SAYS_NOTHING)).join(', ');
  const isShort = rest.trim().split(/\s+/).length <= FEW_WORDS;
  const isLeft = [CLOSES, GIVES_UP].every((acts) => clauses.some((clause) => isOne(clause, acts)));
  return isLeft && isShort && !dialogue.asksFor(rest);
}

/** Of so many words beside a word of thanks nothing is asked that does not say so. */
const TOLD_WORDS = 12;

/** True where a customer says thanks and what they will do: "thanks, the browser it is". */
function closesWith(deps: GraphDeps, text: string, { language }: Session): boolean {
  const clauses = clausesOf(text);
  const rest = clauses.filter((clause) => !isThanks(deps, clause, language)).join(', ');
  const told = rest.split(/\s+/).length;
  return (
    rest !== '' &&
    rest.length < text.length &&
    clauses.length > 1 &&
    told <= TOLD_WORDS &&
    !deps.dialogue.asksFor(rest)
  );
}

/** True where a part of a message says thanks. */
export function saysThanks(deps: GraphDeps, text: string, { language }: Session): boolean {
  return clausesOf(text).some((clause) => isThanks(deps, clause, language));
}

function isThanks({ dialogue }: GraphDeps, clause: string, language: Session['language']): boolean {
  return (dialogue.guessAct(clause, 'answered', language)?.chanceOf('thanks') ?? 0) >= HEARD;
}

function clausesOf(text: string): readonly string[] {
  return text.split(/[,.!?;\n]+/).filter((clause) => /\p{L}/u.test(clause));
}

/** The customer's last message; what its few words mean, where they ask the last question again. */
export function messageOf({ messages, session }: Pick<HubStateType, 'messages' | 'session'>): string {
  return session?.meant?.text ?? wordsIn({ messages });
}

/** The customer's own words, whatever they stand for. */
export function wordsIn({ messages }: Pick<HubStateType, 'messages'>): string {
  return messages.findLast((message) => HumanMessage.isInstance(message))?.text ?? '';
}
