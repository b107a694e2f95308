import { AIMessage, type BaseMessage, HumanMessage } from '@langchain/core/messages';
import type { PendingAction } from '../core/domain/pending.js';
import type { Focus, Session } from '../core/domain/session.js';
import type { Sentences } from '../core/i18n/index.js';
import { fold } from '../core/text.js';
import type { Dialogue } from '../dialogue/index.js';
import { DESK } from './operator-messages.js';

/** Of a reply of the hub's: an answer whole. */
const REPLY_CHARS = 1500;
/** So many replies before the last one are remembered, so that what they quoted is not quoted again beside what is new. */
const EARLIER_REPLIES = 3;
/** Of what the customer wrote before: its beginning. */
const CONTEXT_CHARS = 300;

/** What was said in a conversation before its last message, which is the customer's. */
export function saidBefore(
  messages: readonly BaseMessage[],
): Pick<Session, 'lastReply' | 'earlierReplies' | 'previousMessage'> {
  const said = messages.slice(0, -1).filter(({ name }) => name !== DESK);
  const replies = said
    .filter((message) => AIMessage.isInstance(message))
    .slice(-1 - EARLIER_REPLIES)
    .map(({ text }) => text.slice(-REPLY_CHARS));
  const earlier = replies.slice(0, -1).join('\n');
  return {
    lastReply: replies.at(-1) ?? null,
    ...(earlier === '' ? {} : { earlierReplies: earlier }),
    previousMessage:
      said.findLast((message) => HumanMessage.isInstance(message))?.text.slice(0, CONTEXT_CHARS) ?? null,
  };
}

/**
 * "Yes, the Friday one" to a question about Thursday is no yes to it. Words of at least four letters that the question
 * does not contain count, apart from those that only say yes in other words.
 */
export function namesSomethingElse(rest: string, question: string): boolean {
  const asked = fold(question);
  const words = fold(rest).match(/[a-z0-9]{4,}/g) ?? [];
  return words.some((word) => !asked.includes(word.slice(0, 5)) && !PLEASANTRIES.has(word));
}

/** "Yes, but make that 60" to a question about 30 days is a correction. */
export function saysAnotherNumber(rest: string, question: string): boolean {
  const numbers = (text: string): readonly string[] => text.match(/\d+/g) ?? [];
  const asked = numbers(question);
  return numbers(rest).some((number) => !asked.includes(number));
}

/** What a message is about that is said while this question is open. */
export function focusOn({ tool, args }: PendingAction): Focus {
  return { agent: 'action', intent: tool, choices: [], attempts: 0, args };
}

const PLEASANTRIES = new Set(
  'please thanks thank that this just right sure with ahead favor obrigado obrigada isso pode fazer faca tudo bem mesmo agora quero want would like confirm confirmo confirmar pede pedir peca eles elas them they team equipe ever lovely great kind'.split(
    ' ',
  ),
);

/** A shorter answer may come twice. */
const LONG = 40;

/** True where an answer is what the hub said last, and something else was written this time. */
export function repeatsReply(answer: string, { lastReply, previousMessage }: Session, text: string): boolean {
  const isOther = text.trim() !== previousMessage?.trim();
  return isOther && answer.length >= LONG && (lastReply?.includes(answer) ?? false);
}

/** From so many characters on an answer that comes twice is said to be the same. */
const REPETITION = 80;
const FEW_WORDS = 6;

/** Of an answer that repeats so much of the last one nothing is new. */
const NEARLY_ALL = 0.8;

/**
 * An answer of some length that was said last: the sentences of it that the question asks for, where not all do; else who asks the
 * same again reads that it is the same, and who asks something else that there is no more, and how to go on. As it is where it is new.
 */
export function withRepetition(
  answer: string,
  { lastReply, previousMessage }: Session,
  text: string,
  {
    texts,
    dialogue,
    written = text,
  }: {
    readonly texts: Sentences;
    readonly dialogue: Pick<Dialogue, 'afterComplaint' | 'isQuestion' | 'saysWhatWasMeant' | 'toThePoint'>;
    /** The message as it was written; `text` is what it means. */
    readonly written?: string;
  },
): string {
  // What asks for other words by itself is no answer that was given before.
  if (answer === texts.say('clarify')) return answer;
  const again = texts.say('same_again', { answer });
  // A long reply is kept by its end.
  const isSame = lastReply !== null && [answer, again].some((one) => one.endsWith(lastReply));
  const isNearlySame = lastReply !== null && dialogue.isQuestion(text) && repeatsNearly(answer, lastReply);
  // Who says that it was no answer reads it no second time.
  const corrects = dialogue.saysWhatWasMeant(written) || dialogue.afterComplaint(written) !== null;
  if (corrects && (isSame || isNearlySame) && answer.length >= REPETITION) return texts.say('other_words');
  if (!(isSame || isNearlySame) || lastReply === null || lastReply.length < REPETITION) return answer;
  // What is new before the same is all that is said.
  const isWhole = lastReply.length < REPLY_CHARS && answer.endsWith(lastReply);
  const news = isWhole ? answer.slice(0, -lastReply.length).trim() : '';
  if (news.length >= REPETITION) return news;
  const point = dialogue.isQuestion(text) ? dialogue.toThePoint(answer, text) : answer;
  if (point !== answer && !isLike(text, previousMessage ?? '')) return point;
  // A few words that have the same answer ask the same, in whatever words; who has read that it is the same reads it no third time.
  const isFew = text.trim().split(/\s+/).length <= FEW_WORDS && !again.endsWith(lastReply);
  const isSameAsked = isFew || isLike(text, previousMessage ?? '');
  if (isSameAsked) return again;
  // What is refused is refused again: only a question reads that there is no more to know.
  return dialogue.isQuestion(text) ? texts.say('other_words') : answer;
}

const SENTENCE_END = /(?<=[.!?:])\s+|\n+/u;

/** True where every sentence of an answer stands in the last one, and that has hardly another. */
function repeatsNearly(answer: string, lastReply: string): boolean {
  const sentences = answer.split(SENTENCE_END).filter((one) => one.trim() !== '');
  const isWithin = sentences.every((one) => lastReply.includes(one.trim()));
  return isWithin && answer.length >= lastReply.length * NEARLY_ALL;
}

/** True where at least two of three words of a message were written before. */
export function isLike(text: string, before: string): boolean {
  const wordsIn = (said: string): readonly string[] => fold(said).match(/[\p{L}\p{N}]+/gu) ?? [];
  const [said, known] = [wordsIn(text), new Set(wordsIn(before))];
  return said.filter((word) => known.has(word)).length * 3 >= said.length * 2;
}

/** What was said aloud: no tool calls, no tool results. */
export function isShownToCustomer(message: BaseMessage): boolean {
  if (HumanMessage.isInstance(message)) return true;
  return AIMessage.isInstance(message) && message.text !== '' && (message.tool_calls?.length ?? 0) === 0;
}

/** Of more words a message says more than a part of what it leans on. */
const BRIEF = 6;
/** So few words may lean on what is open without naming any of it. */
const FEW_TOLD = 3;

/** True where a message of some words shares next to none with what would come of the change: it is about something else. */
export function isFarFrom(text: string, outcome: string): boolean {
  const words = text.match(/\p{L}{4,}/gu) ?? [];
  const known = words.filter((word) => !namesSomethingElse(word, outcome));
  return words.length > FEW_TOLD && known.length * 4 < words.length;
}

/** True where a few words say nothing but what would come of it: "and the visit comes back?". */
export function isOnlyIn(text: string, outcome: string): boolean {
  const words = text.match(/\p{L}{4,}/gu) ?? [];
  const said = fold(outcome);
  // "Thanks, you are great" says nothing of it either.
  const isOfIt = words.some((word) => said.includes(fold(word)));
  return (
    isOfIt &&
    words.length > 1 &&
    words.length <= BRIEF &&
    !words.some((word) => namesSomethingElse(word, outcome))
  );
}

/** True where at least this share of its words of some length stands in the question too. */
export function isInWordsOf(text: string, question: string, share = 0.5): boolean {
  const words = text.match(/\p{L}{4,}/gu) ?? [];
  const known = words.filter((word) => !namesSomethingElse(word, question));
  return words.length > 0 && known.length >= share * words.length;
}
