import { primaryOf } from '../core/domain/language.js';
import type { Language, Route } from '../core/domain/taxonomy.js';
import type { LanguageGuess, LanguageLayer, RequestGuess } from '../core/ports/language-layer.js';
import type { Nlu } from './nlu.js';
import { answersInput, isReply, REPLY_WORDS, saysPeriod } from './reply.js';
import { isToldChange } from './told-intents.js';
import { chancesOf, shareOf } from './tool-chances.js';
import { DANGER, hintsAtDanger } from './triage-rules.js';
import { readMarks } from './words.js';

/** From here on a clause counts as a request of its own. */
const OWN_REQUEST = 0.55;
/** From here on a clause is a change that may stand beside a question. */
const BESIDE_CHANGE = 0.55;
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
/** Up to so many words are not taken for a language near to that of the conversation. */
const NEIGHBOUR_WORDS = 12;
/** From here on a part of a sentence is a symptom of its own. */
const SURE_SYMPTOM = 0.6;
/** Below this a request is not worth a tool's place in a prompt. */
const HARDLY = 0.05;
/** From here on a request is plain, and what is hardly asked for beside it has no place in a prompt. */
const PLAINLY = 0.8;
/** Below this a text is like nothing that was learnt ("asdf"), and is no greeting for being least unlike one. */
const SURE_SMALLTALK = 0.25;

/** What the graph asks of the local language layer, over the trained classifier and the slot readers. */
export function createLanguageLayer(nlu: Nlu): LanguageLayer {
  const neighbours = new Map(nlu.languages.map((language) => [language, readMarks(language).neighbours]));
  return {
    detectLanguage(text, previous) {
      const near = neighbours.get(previous ?? '') ?? [];
      return stay(nlu.detectLanguage(text, previous), text, previous, near);
    },
    readYesNo: nlu.slots.readYesNo,
    readRequestAct: nlu.slots.readRequestAct,
    dangerIn(text) {
      const { intent, danger } = nlu.classifyIntent(text);
      if (intent !== DANGER) return null;
      return danger.kind === 'self_harm' ? 'self_harm' : 'harm';
    },
    hintsAtDanger: (text) => hintsAtDanger(nlu.classifyIntent(text)),
    speaksOfHaste: (text) => nlu.hasHaste(text),
    speaksOf: nlu.slots.speaksOf,
    namedAmong: nlu.slots.namedAmong,
    withoutNames: nlu.slots.withoutNames,
    hardlyAsksFor: (text, language, tool) => shareOf(nlu, text, language, tool) < HARDLY,
    chances: (text, language) => chancesOf(nlu, text, language),
    plainlyAsksFor(text, language, tool) {
      const share = shareOf(nlu, text, language, tool);
      return share >= PLAINLY && Number.isFinite(share);
    },
    symptoms: nlu.intents.names.filter((name) => nlu.intents.of(name).group === 'symptom'),
    requests: (text, language) => requestsIn(nlu, text, language),
    answersInput: (text, language, question) => answersInput(nlu, text, language, question),
    isReply: (text, language, question) => isReply(nlu, text, language, question),
    saysPeriod: (text, language, question) => saysPeriod(nlu, text, language, question),
  };
}

/** Nobody changes from Portuguese to Spanish for a few words in the middle of a conversation. */
function stay(
  guess: LanguageGuess,
  text: string,
  previous: Language | undefined,
  neighbours: readonly string[],
): LanguageGuess {
  const few = text.trim().split(/\s+/).length <= NEIGHBOUR_WORDS;
  if (previous === undefined || guess.supported || !few || !neighbours.includes(guess.detected)) return guess;
  return { language: previous, detected: primaryOf(previous), supported: true };
}

/**
 * The requests in a text. A clause without a request of its own (a greeting, a reason, a name) is left out where
 * others have one; a text in which none has is one request as a whole, or none where it is smalltalk.
 */
export function requestsIn(nlu: Nlu, text: string, language: Language): readonly RequestGuess[] {
  if (asksWhoAnswers(text)) return [];
  const whole = guess(nlu, text, language);
  if (isSmalltalk(nlu, whole.intent) && whole.confidence >= SURE_SMALLTALK)
    return besideSmalltalk(nlu, text, language, whole);
  // A long letter tells a story; its sentences are not requests of their own.
  const clauses = text.length > LONGEST_LIST ? [] : withManner(nlu, nlu.slots.splitClauses(text));
  const guessed = clauses.map((clause) => guess(nlu, clause.text, language));
  const own = ownRequests(nlu, guessed);
  const told = changeToldIn(nlu, whole, own);
  if (told.length > 0) return told;
  const distinct = distinctOf(nlu, own);
  if (own.every(({ intent }) => intent === 'praise') && isFriendly(nlu, text)) return [];
  // Anger and reasons around a question only blur the search for its answer; another question beside it does not.
  const [question] = distinct;
  const others = clauses.filter(
    ({ text: clause }) => clause !== question?.text && nlu.slots.isQuestion(clause),
  );
  if (distinct.length === 1 && question?.route === 'knowledge' && others.length === 0) return [question];
  if (distinct.length > 1) return leaning(nlu, distinct, language);
  const symptoms = whole.route === 'investigation' ? symptomsIn(nlu, text, language) : [];
  if (symptoms.length > 1) return symptoms;
  // A greeting before it makes a question of another trade no less foreign.
  const foreign = clauses.length === 1 ? nlu.classifyIntent(clauses[0]?.text ?? '').outOfScope : 0;
  return [{ ...whole, outOfScope: Math.max(whole.outOfScope, foreign) }];
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

/** What is read or done for this customer: what the help centre knows is another matter. */
const OWN: ReadonlySet<Route | null> = new Set<Route>(['account', 'action', 'investigation']);

/**
 * The clauses that ask something of their own: those that are sure, and each question where the one or the other is about the
 * customer's record. A question that is like no request that is known is looked up in the help centre.
 */
function ownRequests(nlu: Nlu, guessed: readonly RequestGuess[]): readonly RequestGuess[] {
  const isSure = ({ intent, confidence }: RequestGuess): boolean =>
    !isSmalltalk(nlu, intent) && intent !== 'out_of_scope' && confidence >= OWN_REQUEST;
  const changes = guessed.some(({ route, confidence }) => route === 'action' && confidence >= BESIDE_CHANGE);
  const sure = guessed.filter(isSure);
  const isBesideOwn = guessed.length > 1 && sure.some(({ route }) => OWN.has(route));
  const isAsked = ({ text }: RequestGuess): boolean =>
    nlu.slots.isQuestion(text) && (changes || text.trim().split(/\s+/).length > LEANING_WORDS);
  return guessed.flatMap((one) => {
    if (isSure(one)) return [one];
    const isOfRecord = one.route === 'account' && one.confidence >= BESIDE_SURE;
    if (sure.length === 0 || !(isBesideOwn || isOfRecord) || !isAsked(one)) return [];
    const isPlain = one.route !== 'action' && one.confidence >= BESIDE_SURE && !isSmalltalk(nlu, one.intent);
    if (isPlain) return [one];
    // "Tell me all of them, please" asks for nothing that is not asked for beside it.
    const isWhole = one.text.includes('?') || nlu.slots.asksFact(one.text);
    return isWhole ? [{ ...one, route: 'knowledge' as const }] : [];
  });
}

/** Each request once. How something of the record is done is asked of the help centre beside what the record says of it. */
function distinctOf(nlu: Nlu, own: readonly RequestGuess[]): readonly RequestGuess[] {
  const distinct: RequestGuess[] = [];
  for (const one of own) {
    if (!distinct.some((other) => sameRequest(other, one))) distinct.push(one);
    else if (one.route === 'account' && nlu.slots.asksHow(one.text))
      distinct.push({ ...one, route: 'knowledge' });
  }
  return distinct;
}

/** A question of so few words asks about what was asked before it: "how much is it?". */
const LEANING_WORDS = 4;

/** Questions of a few words stand with the one before them, which says what they are about. */
function leaning(nlu: Nlu, requests: readonly RequestGuess[], language: Language): readonly RequestGuess[] {
  const joined: RequestGuess[] = [];
  for (const request of requests) {
    const before = joined.at(-1);
    const leans = request.text.trim().split(/\s+/).length <= LEANING_WORDS;
    const isGeneral = before?.route === 'knowledge' && request.route === 'knowledge';
    if (before && leans && isGeneral)
      joined[joined.length - 1] = guess(nlu, `${before.text} ${request.text}`, language);
    else joined.push(request);
  }
  return joined;
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
  const isTold = ({ intent }: RequestGuess) => isToldChange(nlu.intents.of(intent));
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

function guess(nlu: Nlu, text: string, language: Language): RequestGuess {
  const { intent, confidence, outOfScope } = nlu.classifyIntent(text, language);
  const route = routeOf(nlu, intent);
  // What is asked how to do is not asked to be done.
  const [last = ''] = text.trim().match(/[^.!?\n]+[.!?]*$/) ?? [];
  const isExplained = route === 'action' && last !== text.trim() && nlu.asksHow(last);
  return { text, intent, confidence, outOfScope, route: isExplained ? 'knowledge' : route };
}

function routeOf(nlu: Nlu, intent: string): Route | null {
  return isSmalltalk(nlu, intent) ? null : answerRoute(nlu, intent, nlu.intents.of(intent).route);
}

/**
 * Who answers a request of this intent, which triage would send to `route`. What no tool can do is explained instead: how
 * the customer does it.
 */
export function answerRoute({ intents }: Pick<Nlu, 'intents'>, intent: string, route: Route): Route {
  return intents.of(intent).selfService && route === 'action' ? 'knowledge' : route;
}

function isSmalltalk({ intents }: Pick<Nlu, 'intents'>, intent: string): boolean {
  return intents.of(intent).group === 'smalltalk';
}

/** Twice the same wish is one, except where it may be about two things ("cancel A and cancel B"). */
function sameRequest(a: RequestGuess, b: RequestGuess): boolean {
  return a.intent === b.intent && a.route !== 'action' && a.route !== 'knowledge';
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
