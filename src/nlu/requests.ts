import type { Language } from '../core/domain/taxonomy.js';
import type { RequestGuess } from '../core/ports/language-layer.js';
import type { Nlu } from './nlu.js';
import { isPhrasedChange } from './phrase-intents.js';
import { REPLY_WORDS } from './reply.js';
import {
  guess,
  hardlyTalks,
  isSmalltalk,
  LEANING_WORDS,
  likeliestMatter,
  OWN_REQUEST,
  onlyAsked,
  wordsIn,
} from './request-guess.js';
import { foldText } from './slots/text.js';
import { requestBeforeQuestion } from './statement-before-question.js';

/** From here on a question beside a sure request is what it is likeliest to be. */
const BESIDE_SURE = 0.35;
/** From here on a clause beside thanks or a greeting does: it cannot be what the whole is about. */
const BESIDE_SMALLTALK = 0.4;
/** Below this a long message is no mere small talk. */
const DOUBTFUL = 0.5;
/** From here on a long message is an answer and nothing else. */
const SURE_ANSWER = 0.9;
/** Characters up to which a message is looked at for several requests. */
const LONGEST_LIST = 500;
/** From here on a part of a sentence is a symptom of its own. */
const SURE_SYMPTOM = 0.6;
/** From here on one part of a message is an order. */
const SURE_ORDER = 0.75;
/** Below this a text is like nothing that was learnt ("asdf"), and is no greeting for being least unlike one. */
const SURE_SMALLTALK = 0.25;

/**
 * The requests in a text. A clause without a request of its own (a greeting, a reason, a name) is left out where
 * others have one; a text in which none has is one request as a whole, or none where it is smalltalk.
 */
export function requestsIn(nlu: Nlu, text: string, language: Language): readonly RequestGuess[] {
  if (asksWhoAnswers(text)) return [];
  const whole = guess(nlu, text, language);
  const isMatter = nlu.isMatter(text, language, whole.confidence) || hardlyTalks(nlu, text, whole);
  if (isSmalltalk(nlu, whole.intent) && isMatter) return [likeliestMatter(nlu, text, language)];
  if (
    isSmalltalk(nlu, whole.intent) &&
    whole.confidence >= SURE_SMALLTALK &&
    !isNoAnswer(nlu, text, whole, language)
  )
    return besideSmalltalk(nlu, text, language, whole);
  // A long letter tells a story; its sentences are not requests of their own.
  const split = text.length > LONGEST_LIST ? [] : withManner(nlu, nlu.slots.splitClauses(text));
  const clauses = split.map((clause) => ({ text: plainly(nlu, clause.text) }));
  const guessed = clauses.map((clause) => guess(nlu, clause.text, language));
  const own = ownRequests(nlu, guessed);
  const told = changeToldIn(nlu, whole, own);
  if (told.length > 0) return told;
  const distinct = [...requestBeforeQuestion(nlu, clauses, own, language), ...distinctOf(nlu, own)];
  if (own.every(({ intent }) => intent === 'praise') && isFriendly(nlu, text)) return [];
  // Anger and reasons around a question only blur the search for its answer; another question beside it does not.
  const [question] = distinct;
  const others = clauses.filter(
    ({ text: clause }) => clause !== question?.text && nlu.slots.isQuestion(clause),
  );
  if (distinct.length === 1 && question?.route === 'knowledge' && others.length === 0) return [question];
  const asked = distinct.map((one) => onlyAsked(nlu, whole, one));
  if (distinct.length > 1) return leaning(nlu, text, asked, language);
  // "Cancel it and tell me how that works" orders, however much the whole is like a question about it.
  const isOrder = question?.route === 'action' && question.confidence >= SURE_ORDER;
  if (question && isOrder && clauses.length > 1 && whole.route === 'knowledge') return [question];
  // What is told with all courtesy is clearer without it.
  const isClearer = question && clauses.length === 1 && question.confidence > whole.confidence;
  if (isClearer && whole.confidence < DOUBTFUL) return [question];
  const symptoms = whole.route === 'investigation' ? symptomsIn(nlu, text, language) : [];
  if (symptoms.length > 1) return symptoms;
  // A greeting before it makes a question of another trade no less foreign.
  const foreign = clauses.length === 1 ? nlu.classifyIntent(clauses[0]?.text ?? '').outOfScope : 0;
  return [{ ...whole, outOfScope: Math.max(whole.outOfScope, foreign) }];
}

/** True where a yes or no is only guessed at, and some words say neither: "and they carry over or nah". */
function isNoAnswer(
  nlu: Nlu,
  text: string,
  { intent, confidence }: RequestGuess,
  language: Language,
): boolean {
  if ((intent !== 'affirm' && intent !== 'deny') || confidence >= BESIDE_SMALLTALK) return false;
  return wordsIn(text) > LEANING_WORDS && nlu.slots.readYesNo(text, language).kind === 'other';
}

/** A question of so few words that asks why, or guesses at the answer, asks nothing of its own: "please tell me why?", "a week?". */
const WHY_WORDS = 2;
const WHY = /\b(?:why|how come|por ?que|pq|porq|motivo)\b|^(?:an?|one|two|uma?|dois|duas|\d+) /;

/** What a clause asks, without who writes it, and without the question that only asks why. */
function plainly(nlu: Nlu, text: string): string {
  const sentences = nlu.slots.sentencesOf(text);
  const last = sentences.at(-1) ?? '';
  if (sentences.length < 2) return text;
  const why = last.endsWith('?') ? nlu.slots.bare(last) : '';
  const asksWhy = wordsIn(why) <= WHY_WORDS && WHY.test(foldText(why));
  return nlu.slots.bare(asksWhy ? sentences.slice(0, -1).join(' ') : text);
}

/** "I want to come back. Where do I do that?" is one question: how it is done. */
function withManner(nlu: Nlu, clauses: readonly { readonly text: string }[]): readonly { text: string }[] {
  const joined: { text: string }[] = [];
  for (const { text } of clauses) {
    const before = joined.at(-1);
    if (before && nlu.asksHow(text)) before.text = `${before.text} ${text}`;
    else joined.push({ text });
  }
  return joined;
}

/**
 * The clauses that ask something of their own: those that are sure, and beside anything else that is asked each question. A
 * question that is like no request that is known is looked up in the help centre, so that no part of a message is left out.
 */
function ownRequests(nlu: Nlu, guessed: readonly RequestGuess[]): readonly RequestGuess[] {
  const isSure = ({ intent, confidence }: RequestGuess): boolean =>
    !isSmalltalk(nlu, intent) && intent !== 'out_of_scope' && confidence >= OWN_REQUEST;
  const isAsked = ({ text, intent, confidence }: RequestGuess): boolean =>
    nlu.slots.isQuestion(text) &&
    wordsIn(text) >= SHORTEST_QUESTION &&
    !(isSmalltalk(nlu, intent) && confidence >= OWN_REQUEST && !isOfPlace(nlu, text));
  // "I'd like my account wiped": what is wanted is told how it is done where nothing is sure what it is.
  const isWished = ({ text, intent, confidence }: RequestGuess): boolean =>
    nlu.slots.isWish(text) &&
    confidence >= BESIDE_SURE &&
    !isSmalltalk(nlu, intent) &&
    intent !== 'out_of_scope';
  const own = guessed.filter((one) => isSure(one) || isAsked(one) || isWished(one));
  if (own.length < 2 && !own.some(isSure)) return [];
  return own.flatMap((one) => {
    if (isSure(one)) return [one];
    // Nothing is changed and nobody called on a guess.
    const isGrave = one.route === 'action' || one.route === 'escalation';
    const isPlain = !isGrave && one.confidence >= BESIDE_SURE && !isSmalltalk(nlu, one.intent);
    if (isPlain) return [one];
    // "Tell me all of them, please" asks for nothing that is not asked for beside it.
    return nlu.slots.asksItself(one.text) || isWished(one) ? [{ ...one, route: 'knowledge' as const }] : [];
  });
}

/** "Do you work in Lisbon?" begins as a question to the hub itself does, and asks where the company is. */
function isOfPlace({ slots }: Nlu, text: string): boolean {
  return slots.isQuestion(text) && !asksWhoAnswers(text) && /\s\p{Lu}\p{L}{2,}\W*$/u.test(text);
}

/** A question of fewer words only presses for an answer: "well?". */
const SHORTEST_QUESTION = 2;

/** Each request once. How something of the record is done is asked of the help centre beside what the record says of it. */
function distinctOf(nlu: Nlu, own: readonly RequestGuess[]): readonly RequestGuess[] {
  const distinct: RequestGuess[] = [];
  for (const one of own) {
    if (distinct.some((other) => sameRequest(other, one))) continue;
    const isRecord = one.route === 'account' && distinct.some(({ intent }) => intent === one.intent);
    distinct.push(isRecord && nlu.slots.asksHow(one.text) ? { ...one, route: 'knowledge' } : one);
  }
  return distinct;
}

/** After a mere comma a question of so many words is about what stands before it: "if I am late, do I lose my seat?". */
const FOLLOWING_WORDS = 5;

/** Questions of a few words stand with the one before them, which says what they are about. */
function leaning(
  nlu: Nlu,
  text: string,
  requests: readonly RequestGuess[],
  language: Language,
): readonly RequestGuess[] {
  const joined: RequestGuess[] = [];
  for (const request of requests) {
    const before = joined.at(-1);
    const isGeneral = before?.route === 'knowledge' && request.route === 'knowledge';
    const isShort =
      wordsIn(request.text) <= LEANING_WORDS && before && (isSearch(nlu, request) || !isSearch(nlu, before));
    const follows =
      wordsIn(request.text) <= FOLLOWING_WORDS && text.includes(`${before?.text}, ${request.text}`);
    const leans = isShort || follows || nlu.slots.pointsBack(request.text);
    // Each is asked: "what is it, and how much?" wants both. What names something of its own is looked up by itself first.
    const both = before && leans && isGeneral ? guess(nlu, `${before.text} ${request.text}`, language) : null;
    // What is like something else together is two questions.
    if (both?.route === 'knowledge') {
      const isBare = follows || nlu.slots.pointsBack(request.text) || nlu.slots.asksFact(request.text);
      joined.push(isBare || nlu.slots.asksHow(request.text) ? both : { ...both, text: request.text });
    } else joined.push(request);
  }
  return joined;
}

/** True where what is on offer is looked up: what is asked after it is no part of that. */
function isSearch({ intents }: Nlu, { intent }: RequestGuess): boolean {
  return intents.of(intent).tool !== null;
}

/**
 * What is asked beside a word of thanks, a greeting, a yes or a no; none where that is all. A yes or no that says a good
 * deal more than that is no answer to anything, and is looked at as a request.
 */
function besideSmalltalk(
  nlu: Nlu,
  text: string,
  language: Language,
  whole: RequestGuess,
): readonly RequestGuess[] {
  const clauses = text.length > LONGEST_LIST ? [] : nlu.slots.splitClauses(text);
  const asked = clauses
    .map((clause) => guess(nlu, clause.text, language))
    .filter(
      (clause) =>
        clause.text.length < text.trim().length &&
        !isSmalltalk(nlu, clause.intent) &&
        clause.intent !== 'out_of_scope' &&
        clause.confidence >= BESIDE_SMALLTALK,
    );
  if (asked.length > 0)
    return asked.filter(
      (clause, index) => !asked.slice(0, index).some((other) => sameRequest(other, clause)),
    );
  // "Cheers. And the one before that?" asks something, whatever it is about.
  const leaning = clauses.find(
    ({ text: clause }) =>
      clause.length < text.trim().length &&
      clause.includes('?') &&
      wordsIn(clause) >= LEANING_WORDS &&
      !isSmalltalk(nlu, guess(nlu, clause, language).intent),
  );
  if (leaning) return [{ ...guess(nlu, leaning.text, language), route: 'knowledge' }];
  const isAnswer = whole.intent === 'affirm' || whole.intent === 'deny';
  const isDoubtful = whole.confidence < DOUBTFUL;
  const isLong = text.trim().split(/\s+/).length > REPLY_WORDS;
  const isPlain = whole.confidence >= SURE_ANSWER || nlu.slots.readYesNo(text, language).kind !== 'other';
  if (!isLong || (isAnswer ? isPlain : !isDoubtful)) return [];
  const rest = clauses.find((clause) => clause.text.length < text.trim().length);
  if (rest && !isAnswer) {
    const beside = guess(nlu, rest.text, language);
    return isSmalltalk(nlu, beside.intent) ? [] : [{ ...beside, route: 'knowledge' }];
  }
  const { ranked, outOfScope } = nlu.classifyIntent(text, language);
  const other = ranked.find(({ intent }) => !isSmalltalk(nlu, intent));
  return other ? [{ text, ...other, outOfScope, route: 'knowledge' }] : [];
}

/**
 * A change that the words ask for by themselves, with what is asked beside it: what it covers is part of it. Where no clause
 * says it, all of them together do, and their general questions are about it.
 * @returns nothing where the words ask for no change
 */
function changeToldIn(nlu: Nlu, whole: RequestGuess, own: readonly RequestGuess[]): readonly RequestGuess[] {
  const isTold = ({ intent }: RequestGuess) => isPhrasedChange(nlu.intents.of(intent));
  const said = own.find(isTold) ?? (isTold(whole) ? whole : undefined);
  if (said === undefined) return [];
  const { covers } = nlu.intents.of(said.intent);
  const others = own.filter(({ text, intent, route }) => {
    const isPart = intent === said.intent || (said === whole && route === 'knowledge');
    return !isPart && (!covers.includes(intent) || nlu.slots.ids.find(text).length > 0);
  });
  return [said, ...others];
}

/** What a customer says went wrong, each thing once. */
function symptomsIn(nlu: Nlu, text: string, language: Language): readonly RequestGuess[] {
  const found = nlu
    .stretchesOf(text)
    .map((stretch) => guess(nlu, stretch, language))
    .filter(({ route, confidence }) => route === 'investigation' && confidence >= SURE_SYMPTOM);
  return found.filter((one, index) => !found.slice(0, index).some((other) => sameRequest(other, one)));
}

/** Praise, also mixed with thanks and farewells, that asks nothing. */
function isFriendly(nlu: Nlu, text: string): boolean {
  const { intent, ranked } = nlu.classifyIntent(text);
  const kind = ranked.filter((one) => one.intent === 'praise' || isSmalltalk(nlu, one.intent));
  const share = kind.reduce((sum, { confidence }) => sum + confidence, 0);
  return intent === 'praise' && share >= OWN_REQUEST && !text.includes('?');
}

/**
 * Twice the same symptom is one. A wish may be about two things ("cancel A and cancel B"), and of a record two things may be asked:
 * "the receipt of the last charge, and when is the next?".
 */
function sameRequest(a: RequestGuess, b: RequestGuess): boolean {
  return a.intent === b.intent && a.route === 'investigation';
}

/** What may stand before the question: a greeting, a word that goes on from what was said. */
const BEFORE =
  /^\W*(?:(?:hi|hello|hey|and|so|how are you|oi|ol[aá]|opa|e|ent[aã]o|mas|tudo (?:bem|bom)|bom dia|boa (?:tarde|noite))\b\W*)*/iu;
const WHO_ANSWERS =
  /^(?:who are you|what are you|what can you do|what(?:['’]?s| is) your name|do you have a name|are you (?:a |an )?(?:bot|robot|human|person|real|ai|machine)|quem [eé] voc[eê]|o que voc[eê] (?:faz|[eé])|como (?:[eé] que )?(?:voc[eê]|vc|tu) se chama|como te chamas?|qual (?:[eé] |eh )?(?:o )?(?:seu|teu) nome|(?:voc[eê]|vc) tem nome|voc[eê] [eé] (?:um |uma )?(?:rob[oô]|bot|humano|pessoa|m[aá]quina|ia))(?!\p{L})/iu;

/** True where the customer asks whom they are talking to. */
export function asksWhoAnswers(text: string): boolean {
  return text.length < 120 && WHO_ANSWERS.test(text.replace(BEFORE, ''));
}
