import { type Language, PRIORITIES, type Route, SENTIMENTS } from '../core/domain/taxonomy.js';
import type { Classification } from '../core/domain/ticket.js';
import { NO_USAGE } from '../core/domain/turn.js';
import { withQuotations } from '../core/own-words.js';
import type { ClassifierContext, TicketClassifier } from '../core/ports/chat-models.js';
import type { TriageGuess } from './guesses.js';
import type { Nlu } from './nlu.js';
import { answerRoute } from './request-guess.js';
import { requestsIn } from './requests.js';
import { questionAfterStatement } from './statement-before-question.js';
import { hintsAtDanger } from './triage-rules.js';

/** Triage without a model. Resolves at once; the same text gives the same answer. */
export function createNluClassifier(nlu: Nlu): TicketClassifier {
  return {
    classify: async (text, context) => ({
      classification: classify(withoutNames(nlu, context ?? {}), text, context ?? {}),
      provider: 'offline',
      usage: NO_USAGE,
    }),
  };
}

/** The same layer, for which the names that are known are only some record's: "Minas Electronic" is no complaint of a machine. */
function withoutNames(nlu: Nlu, { names = [] }: ClassifierContext): Nlu {
  if (names.length === 0) return nlu;
  const bare = (text: string, language?: Language): string =>
    nlu.slots.withoutNames(text, names, language ?? nlu.detectLanguage(text).language);
  return {
    intents: nlu.intents,
    knowing: (intents) => nlu.knowing(intents),
    languages: nlu.languages,
    ownWords: nlu.ownWords,
    slots: nlu.slots,
    roles: nlu.roles,
    stretchesOf: (text) => nlu.stretchesOf(text),
    asksHow: (text) => nlu.asksHow(text),
    meant: nlu.meant,
    asked: nlu.asked,
    detectLanguage: (text, previous) => nlu.detectLanguage(text, previous),
    team: nlu.team,
    isMatter: nlu.isMatter,
    hasHaste: (text) => nlu.hasHaste(text),
    classifyIntent: (text, language) => nlu.classifyIntent(bare(text, language), language),
    readQuestion: (text) => nlu.readQuestion(text),
    summaryOf: (text) => nlu.summaryOf(text),
    triage(text, previous) {
      const asWritten = nlu.triage(text, previous);
      const plain = bare(text, asWritten.language.language);
      if (plain === text) return asWritten;
      const { summary, language } = asWritten;
      return { ...nlu.triage(plain, language.language), summary, language };
    },
  };
}

/** Beginnings that lean on what was said before. */
const LEANING =
  /^(?:and|but|or|so|also|what about|how about|what if|e|mas|ou|ent[aã]o|tamb[eé]m|e se)\b|^(?:why|when|how (?:much|long|so)|por ?qu[eê]|quando|quanto(?: tempo)?|como assim)\W*$/iu;
const LEANING_WORDS = 9;
/** So few words lean on what was asked before, however sure they are by themselves. */
const TERSE_WORDS = 5;
const SURE = 0.8;
const UNCLEAR = 0.5;

function classify(nlu: Nlu, written: string, context: ClassifierContext): Classification {
  const before = context.previousMessage ?? '';
  const previousMessage = withQuotations(nlu.ownWords(before).text, []);
  const { text: ownWords, quotations } = nlu.ownWords(written);
  const message = plainly(nlu, goingOn(nlu, meantIn(nlu, ownWords, context), previousMessage), context);
  const said = (text: string): string => withQuotations(text, quotations);
  const alone = nlu.triage(message, context.language);
  const { group } = nlu.intents.of(alone.intent.intent);
  // "And the one before that?" is hardly a yes, whatever it is most like.
  const isDoubtful = alone.confidence < UNCLEAR && LEANING.test(message.trim()) && message.includes('?');
  const own = group !== 'smalltalk' || (isDoubtful && previousMessage !== '');
  const words = message.trim().split(/\s+/).length;
  // "And cancel the samba", "and can I bring my husband to it?": says what it wants, whatever was asked before.
  const stands = alone.confidence >= SURE && (group === 'action' || words > TERSE_WORDS);
  const leans = own && !stands && previousMessage && LEANING.test(message.trim()) && words <= LEANING_WORDS;
  const text = leans ? `${previousMessage} ${message}` : message;
  // "And where is it?" is about what was asked before; what it says by itself is no guide.
  const heard = leans && alone.confidence < UNCLEAR ? nlu.triage(text, context.language) : alone;
  const found = leans
    ? [{ text, route: heard.route, confidence: 0 }]
    : requestsIn(nlu, message, heard.language.language);
  // What is asked beside thanks or a greeting is what the message is about.
  const [asked] = own ? [] : found;
  const clear = !leans && found.length === 1 ? clearPart(nlu, message, heard) : null;
  const apart =
    !leans && found.length === 1 && heard.humanReason === null
      ? questionAfterStatement(nlu, message, heard.language.language)
      : null;
  const of = asked?.text ?? clear ?? apart ?? plainPart(found, heard);
  const part = of ? { ...nlu.triage(of, context.language), language: heard.language } : heard;
  const guess = part.humanReason === 'customer_request' ? withMatter(nlu, part, ownWords, context) : part;
  // Anger alone does not change what a request is about.
  const isAngry = guess.humanReason === 'sentiment_priority';
  const route = isAngry ? nlu.intents.of(guess.intent.intent).route : guess.route;
  // What is hardly a wish to see records is none, whatever triage is likeliest to take it for.
  const isLooked = route === 'account' && found[0]?.route === 'knowledge';
  const by = isLooked ? ('knowledge' as const) : answerRoute(nlu, guess.intent.intent, route);
  const single = found.length === 1 ? [{ text: said(apart ?? found[0]?.text ?? text), route: by }] : null;
  return {
    issueType: guess.issueType,
    priority: guess.priority,
    sentiment: guess.sentiment,
    requiresHuman: guess.requiresHuman,
    // What is taken for the request may be a part of what was written, or say it in other words.
    summary: leans ? guess.summary : nlu.summaryOf(said(ownWords)),
    confidence: isExact(nlu, guess, message) ? Math.max(guess.confidence, SURE) : guess.confidence,
    language: guess.language.language,
    route: guess.route,
    humanReason: guess.humanReason,
    requests:
      single ?? found.map(({ text: words, route }) => ({ text: said(words), route: route ?? guess.route })),
  };
}

/**
 * Who wishes for a person has said why around it: "nobody helps me, this is the third time! I want to talk to a person". It is
 * about that, and as pressing.
 */
function withMatter(
  nlu: Nlu,
  wish: TriageGuess,
  written: string,
  { language }: ClassifierContext,
): TriageGuess {
  const rest = nlu.triage(nlu.team.withoutPersonWish(written), language);
  const { group } = nlu.intents.of(rest.intent.intent);
  const isMatter =
    group !== 'smalltalk' && group !== 'out_of_scope' && rest.humanReason !== 'customer_request';
  const names = isMatter && rest.confidence >= UNCLEAR;
  const said = [wish, nlu.triage(written, language), ...(names ? [rest] : [])];
  const highest = <T>(order: readonly T[], of: (guess: TriageGuess) => T): T =>
    order[Math.max(...said.map((guess) => order.indexOf(of(guess))))] ?? of(wish);
  return {
    ...wish,
    issueType: names ? rest.issueType : wish.issueType,
    sentiment: highest(SENTIMENTS, ({ sentiment }) => sentiment),
    priority: highest(PRIORITIES, ({ priority }) => priority),
  };
}

/** What goes on from what was asked before, without the thanks in front of it: "cheers. And the one before that?". */
function goingOn(nlu: Nlu, message: string, previous: string): string {
  const [first, ...rest] = previous === '' ? [] : nlu.slots.sentencesOf(message);
  const left = rest.join(' ');
  if (first === undefined || !LEANING.test(left)) return message;
  const { intent, confidence } = nlu.classifyIntent(first);
  return nlu.intents.of(intent).group === 'smalltalk' && confidence >= UNCLEAR ? left : message;
}

/** What is wanted after a word of courtesy that makes the whole look like small talk: "ok cancel that one". */
function plainly(nlu: Nlu, text: string, { language }: ClassifierContext): string {
  const groupOf = (intent: string): string => nlu.intents.of(intent).group;
  const plain = nlu.slots.bare(text);
  if (plain === text) return text;
  const [whole, rest] = [nlu.triage(text, language), nlu.triage(plain, language)];
  const isGuess = groupOf(whole.intent.intent) === 'smalltalk' && whole.confidence < UNCLEAR;
  return isGuess && groupOf(rest.intent.intent) === 'action' && rest.confidence >= UNCLEAR ? plain : text;
}

/** Characters: what is longer says more than what it does not mean. */
const LETTER = 300;
const GRAVE: ReadonlySet<string> = new Set(['legal', 'requires_human']);

/** What a message means; nothing is left out where any of it calls for a person. */
function meantIn(nlu: Nlu, text: string, { language }: ClassifierContext): string {
  const meant = nlu.asked(text);
  if (meant === text) return text;
  const { humanReason, intent } = nlu.triage(text, language);
  // What a long letter is cross about is not in what it asks.
  const isGrave =
    text.length > LETTER ? humanReason !== null : humanReason !== null && GRAVE.has(humanReason);
  return isGrave || hintsAtDanger(intent) ? text : meant;
}

/** From here on a part says what a message is about that is unclear as a whole. */
const CLEAR_PART = 0.7;
const SHORTEST_PART = 3;
/** Where questions go: a change is not taken out of what was said around it. */
const ASKED: ReadonlySet<Route> = new Set<Route>(['account', 'knowledge']);
/** Characters of a message beyond which its parts tell a story. */
const LONGEST = 500;

/** The one part of an unclear message that says clearly what is asked; null where none does, or several do. */
function clearPart(nlu: Nlu, message: string, whole: TriageGuess): string | null {
  const { confidence, humanReason, language } = whole;
  if (confidence >= UNCLEAR || humanReason !== null || message.length > LONGEST) return null;
  const parts = nlu.slots.splitClauses(message).filter(({ text }) => {
    return text.length < message.trim().length && text.trim().split(/\s+/u).length >= SHORTEST_PART;
  });
  const clear = parts.filter(({ text }) => {
    const guess = nlu.classifyIntent(text, language.language);
    const { group, route } = nlu.intents.of(guess.intent);
    const asks = group !== 'smalltalk' && group !== 'out_of_scope' && ASKED.has(route);
    return asks && guess.confidence >= CLEAR_PART;
  });
  return clear.length === 1 ? (clear[0]?.text ?? null) : null;
}

/** The one request of an unclear message that is clear without the courtesy around it; null where there is none. */
function plainPart(
  found: readonly { readonly text: string; readonly confidence: number }[],
  { confidence, humanReason }: TriageGuess,
): string | null {
  const [only, ...others] = found;
  if (!only || others.length > 0 || confidence >= UNCLEAR || humanReason !== null) return null;
  return only.confidence >= CLEAR_PART ? only.text : null;
}

/** Only whether a period is said counts, not when it is. */
const ANY_TIME = new Date(0);

/** From here on a message orders something. */
const ORDER = 0.9;

/** "Go ahead and pause it today": names the one change that it orders. */
function ordersByName(nlu: Nlu, text: string): boolean {
  const ordered = nlu.slots.answers.changes.orderedIn(text);
  return ordered.length === 1 && (nlu.readQuestion(text)?.chanceOf('order') ?? 0) >= ORDER;
}

/** A wish to change something that names a record by its id, or says from when or for how long, is clear, however it is put. */
function isExact(nlu: Nlu, guess: TriageGuess, text: string): boolean {
  const { group, slots } = nlu.intents.of(guess.intent.intent);
  if (group !== 'action') return false;
  if (nlu.slots.ids.find(text).length > 0 || ordersByName(nlu, text)) return true;
  if (Object.keys(slots).length === 0) return false;
  // "I am in Recife for a week, does my plan work there?" is hardly a wish to pause it.
  if (text.includes('?') && guess.confidence < UNCLEAR) return false;
  const { start, days } = nlu.slots.findPeriod(text, { now: ANY_TIME, language: guess.language.language });
  return start !== null || days !== null;
}
