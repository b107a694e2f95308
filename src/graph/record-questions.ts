import type { OwnQuestion } from '../dialogue/index.js';
import { plausibleArticle } from './article-meant.js';
import { namedOwn } from './dialogue-records.js';
import type { DialogueTurn } from './dialogue-types.js';
import { isPlainOrder } from './message-tasks.js';
import {
  believedQuestions,
  isExact,
  isForArticle,
  isOtherRequest,
  isRequest,
  wordCount,
} from './record-question-checks.js';

/*
 * Divides a message into the questions that the customer's own records answer (payments, plan, bookings) and other requests. Two
 * sources recognize a question: the rules that entities declare, which are exact, and a classifier that is trained on the company's
 * sentences ("taught"), which is used only where nothing more exact applies.
 */

/** A part of a message. */
export interface MessagePart {
  readonly text: string;
  /** Names of the declared questions that it asks; empty where the customer's records do not answer it. */
  readonly asks: readonly string[];
  /** True where only an operator can answer it. */
  readonly person?: boolean;
  /** The text for the operators, where the customer wants the hub to ask them. */
  readonly passed?: string;
  /** Title of the article that answers it. */
  readonly about?: string;
  /** True where it asks about an entity of which a customer has at most one record, such as the plan. */
  readonly single?: boolean;
  /** True where a rule recognized it that may name any record: no article answers it more exactly. */
  readonly exact?: boolean;
  /** True where only the classifier recognized it: other readers come first. */
  readonly taught?: boolean;
}

/** Minimum confidence for a message to be a request of its own, and no addition to the one before. */
const MIN_REQUEST = 0.5;
/** Minimum probability of an article for a topic that the company answers from articles alone. */
const MIN_ARTICLE = 0.2;
/** Maximum number of words in a text that continues the sentence before it: "and when?". */
const MAX_CONTINUATION_WORDS = 2;
/** Minimum number of words before "and" for two questions to be separate: "when and how much" is one. */
const MIN_SEPARATE_WORDS = 3;

/** Reasons for escalation that do not keep the hub from answering a question about the customer's records. */
const ANSWERED_REASONS: ReadonlySet<string> = new Set(['sentiment_priority', 'customer_request']);
/** Words that may join two questions. */
const CONJUNCTION = /,?\s+(?:and|e|y|&)\s+/giu;

/**
 * Divides a message of which the customer's own records answer at least one part, whatever triage classified it as.
 * @returns null where they answer none, where the customer may not read them, or where an operator is needed first
 */
export async function recordQuestions(turn: DialogueTurn): Promise<readonly MessagePart[] | null> {
  const { deps, graph, session, text } = turn;
  const { identity, scopes } = session;
  if (identity.kind !== 'customer' || !(scopes?.includes('account:read') ?? true)) return null;
  if (
    isPlainOrder(deps, graph.classification, text) &&
    !deps.dialogue.readOwnAsked(text).questions.some(isExact)
  )
    return null;
  const article = await articleForDeclaredTopic(turn);
  if (article !== null) return [{ text, asks: [], about: article }];
  const found = await readParts(turn);
  const continued = found.every(({ asks }) => asks.length === 0) ? withPreviousMessage(turn) : null;
  const parts = continued === null ? found : [continued];
  const isAnswered = parts.some(({ asks, person }) => asks.length > 0 || person);
  return isAnswered && !needsOperatorFirst(turn, parts) ? parts : null;
}

/**
 * The article about a topic that the company answers from articles alone, whatever else the message says: "I left my scarf at the
 * museum on Saturday, can you help?".
 * @returns its title; null where the message has no such topic or no article is about it
 */
async function articleForDeclaredTopic({ deps, session, text }: DialogueTurn): Promise<string | null> {
  const isOf = (said: string): boolean =>
    deps.dialogue.readOwnAsked(said).questions.some(({ article }) => article);
  if (!isOf(text)) return null;
  // What is told beside it may be near another article.
  const said = deps.dialogue.sentencesIn(text).find(isOf) ?? text;
  return plausibleArticle(deps, session, said, MIN_ARTICLE);
}

/** True where triage escalates the message for a reason that its questions do not settle. */
function needsOperatorFirst({ graph }: DialogueTurn, parts: readonly MessagePart[]): boolean {
  const { humanReason = null } = graph.classification ?? {};
  if (humanReason === null || ANSWERED_REASONS.has(humanReason)) return false;
  // A request to see one's bookings is answered, even where triage takes it for a legal request for personal data.
  const onlyListsRecords = parts.every(({ asks, single }) => asks.length > 0 && !single);
  return !(onlyListsRecords && humanReason === 'legal');
}

/** What is known while the parts of a message are read in order. */
interface Progress {
  parts: MessagePart[];
  /** Topics of the last question, which a question without a topic of its own continues: "and when?". */
  lastTopics: readonly string[];
  /** All topics of this message so far. */
  messageTopics: readonly string[];
  /** True where the last sentence named a record of the customer's. */
  wasNamed: boolean;
  /** True where the message asks on about what was told: what it tells beside that says why. */
  asksOn: boolean;
  /** True where the message names a record of the customer's anywhere. */
  readonly isNamed: boolean;
  /** True where the conversation has shown records. */
  readonly wasShown: boolean;
}

/** What was found in one clause. */
interface ClauseQuestions {
  readonly questions: OwnQuestion[];
  /** Sentences without such a question. */
  others: string[];
}

async function readParts(turn: DialogueTurn): Promise<readonly MessagePart[]> {
  const { deps, session, state, text } = turn;
  const { asQuestion, isReasonOf, partsOf, readOwnAsked, sentencesIn } = deps.dialogue;
  const wasShown = state.shown.length > 0;
  const progress: Progress = {
    parts: [],
    lastTopics: sentencesIn(session.previousMessage ?? '').flatMap((sentence) => {
      const { questions, topics } = readOwnAsked(sentence, { isShown: wasShown });
      return questions.some(({ person }) => !person) ? topics : [];
    }),
    messageTopics: [],
    ...{ wasNamed: false, asksOn: false },
    isNamed: (await namedOwn({ deps, session, text }, wasShown)).length > 0,
    wasShown,
  };
  const clauses = partsOf(text).filter((part) => !isReasonOf(part, text));
  for (const clause of clauses.map((part) => asQuestion(part, text))) {
    const found: ClauseQuestions = { questions: [], others: [] };
    for (const sentence of sentencesIn(clause).flatMap((one) => separateQuestions(turn, one)))
      await readSentence(turn, sentence, progress, found);
    await addClause(turn, clause, found, progress);
  }
  return progress.parts;
}

/** Adds the questions of a sentence to those of its clause. A question for an operator becomes a part at once. */
async function readSentence(
  turn: DialogueTurn,
  sentence: string,
  progress: Progress,
  found: ClauseQuestions,
): Promise<void> {
  const { deps, session, state, text } = turn;
  const { messageTopics, wasShown } = progress;
  const isFirst =
    found.questions.length === 0 && progress.parts.every(({ asks, person }) => asks.length === 0 && !person);
  // "When is it again?" is about the record in focus, not about the topics of the message.
  const statedTopics = state.focus === null ? messageTopics : [];
  const before = isFirst && messageTopics.length > 0 ? statedTopics : progress.lastTopics;
  // "What did I pay for Elis, and when?": the short end is about the record that was named.
  const isContinuation = progress.wasNamed && wordCount(sentence) <= MAX_CONTINUATION_WORDS;
  const isNamed =
    progress.isNamed &&
    (isContinuation || (await namedOwn({ deps, session, text: sentence }, wasShown)).length > 0);
  progress.wasNamed = isNamed;
  const readAfter = (topics: readonly string[]) =>
    deps.dialogue.readOwnAsked(sentence, {
      before: topics,
      isNamed,
      isShown: wasShown || !isFirst,
      isBeside: text.includes('?'),
    });
  const alone = readAfter(before);
  // "Used on what?" is asked of what was told, whatever words the question had that it was told to.
  const isTold = alone.goesOn && alone.questions.length === 0 && session.lastReply !== null;
  const [told = ''] = isTold ? deps.dialogue.sentencesIn(session.lastReply ?? '') : [];
  progress.asksOn ||= alone.goesOn === true;
  const read = isTold ? readAfter(deps.dialogue.readOwnAsked(told).topics) : alone;
  const questions = isOtherRequest(turn, sentence, read)
    ? []
    : await believedQuestions(turn, sentence, read.questions);
  if (questions[0]?.person) {
    progress.parts.push({ text: sentence, asks: [], person: true });
  } else if (questions.length > 0) {
    progress.lastTopics = read.topics;
    // "I want back in. What do I do?": the statement is what the question is about, and no request of its own.
    if (read.topics === messageTopics && messageTopics.length > 0) {
      progress.parts = progress.parts.filter((part) => part.text.includes('?'));
      found.others = [];
    }
    found.questions.push(...questions);
  } else if (isFirst || read.topics !== before) {
    // Otherwise the sentence only presses for an answer to the question before it: "is that right?".
    found.others.push(sentence);
  }
  progress.messageTopics = [...messageTopics, ...read.topics];
}

/** Adds the parts of a clause: its questions, and the rest where that is a request of its own. */
async function addClause(
  turn: DialogueTurn,
  clause: string,
  { questions, others }: ClauseQuestions,
  progress: Progress,
): Promise<void> {
  const asks = [...new Set(questions.map(({ name }) => name))];
  if (await isForArticle(turn, clause, asks, progress.parts)) progress.parts.push({ text: clause, asks: [] });
  else if (questions.length > 0)
    progress.parts.push({
      text: clause,
      asks,
      single: questions.some(({ single }) => single),
      taught: questions.some(({ taught }) => taught),
      exact: questions.some(isExact),
    });
  const rest = others.join(' ');
  const explained = await withExplanation(turn, progress.parts.at(-1), rest);
  if (explained) progress.parts = [...progress.parts.slice(0, -1), explained];
  if (explained || rest === '' || tellsOfRecord(turn, questions, rest)) return;
  // "2 of 2?? I have only been to one" doubts in the first words what the others ask on about.
  const isDoubt = !rest.includes('?') || wordCount(rest) <= MIN_SEPARATE_WORDS;
  if (!(progress.asksOn && isDoubt) && isRequest(turn, rest)) progress.parts.push({ text: rest, asks: [] });
}

/** What a statement is surely about, what it is no report of, and its words at least: "my bookings, please" is a wish. */
const [SURELY_OWN, TROUBLE, TELLING_WORDS] = [0.85, 0.1, 8];

/** "My plan was charged in October. Who cancelled it?": what the record holds is told on the way to the question, and asks for nothing. */
function tellsOfRecord(
  { deps }: DialogueTurn,
  questions: readonly OwnQuestion[],
  statement: string,
): boolean {
  const isTold = !statement.includes('?') && wordCount(statement) >= TELLING_WORDS;
  if (!isTold || !questions.some(isExact)) return false;
  const read = deps.dialogue.readQuestion(statement);
  return read !== null && read.own >= SURELY_OWN && read.chanceOf('trouble') < TROUBLE;
}

/**
 * A question together with a statement beside it, where both express a more exact question: "why was I charged in January? I had
 * cancelled" asks about a charge after the end, and orders no cancellation.
 * @returns null where they do not
 */
async function withExplanation(
  { deps, session }: DialogueTurn,
  part: MessagePart | undefined,
  statement: string,
): Promise<MessagePart | null> {
  const { readOwnAsked } = deps.dialogue;
  if (!part?.single || statement === '' || statement.includes('?')) return null;
  // "I cancelled the film club" is about a record of another entity.
  if ((await namedOwn({ deps, session, text: statement }, true)).length > 0) return null;
  const text = part.text.includes(statement) ? part.text : `${part.text} ${statement}`;
  const { topics } = readOwnAsked(statement);
  const asks = readOwnAsked(text)
    .questions.filter(({ single, taught, person }) => single && !taught && !person)
    .map(({ name }) => name);
  const isMoreExact =
    topics.length > 0 && asks.length === 1 && !asks.some((name) => part.asks.includes(name));
  return isMoreExact ? { ...part, text, asks } : null;
}

/**
 * The previous message together with this one, which only adds details to its report: "it came this morning, it is about the monthly
 * fee".
 * @returns null where this message is something else
 */
function withPreviousMessage({ deps, graph, session, state, text }: DialogueTurn): MessagePart | null {
  const { readOwnAsked, isQuestion, read } = deps.dialogue;
  const previous = session.previousMessage;
  const isRequest = (graph.classification?.confidence ?? 0) >= MIN_REQUEST;
  if (!previous || isRequest || graph.focus !== null || state.last === 'done') return null;
  if ([previous, text].some((message) => message.includes('?') || isQuestion(message))) return null;
  const { topics } = readOwnAsked(text);
  const [asked, ...others] = readOwnAsked(previous).questions;
  if (!asked?.single || asked.person || asked.taught || others.length > 0) return null;
  const whole = `${previous} ${text}`;
  const isSame = readOwnAsked(whole).questions.some(({ name }) => name === asked.name);
  return isSame && topics.length > 0 && read(text)?.acts.length === 0
    ? { text: whole, asks: [asked.name], single: true, exact: asked.names === true }
    : null;
}

/** The questions of a sentence that "and" joins, where the second stands by itself. */
function separateQuestions(turn: Pick<DialogueTurn, 'deps'>, sentence: string): readonly string[] {
  const { readOwnAsked } = turn.deps.dialogue;
  for (const { index, 0: conjunction } of sentence.matchAll(CONJUNCTION)) {
    const right = sentence.slice(index + conjunction.length);
    const left = `${sentence.slice(0, index)}${sentence.trimEnd().endsWith('?') ? '?' : ''}`;
    const { opens, questions } = readOwnAsked(right);
    const isSeparate = opens && left.split(/\s+/).length >= MIN_SEPARATE_WORDS;
    // "My plan and my payments" asks about two topics.
    if (isSeparate || (questions.length > 0 && readOwnAsked(left).questions.length > 0))
      return [left, ...separateQuestions(turn, right)];
  }
  return [sentence];
}
