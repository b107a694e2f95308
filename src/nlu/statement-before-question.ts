import type { Language } from '../core/domain/taxonomy.js';
import type { RequestGuess } from '../core/ports/language-layer.js';
import type { Nlu } from './nlu.js';
import { guess, LEANING_WORDS, wordsIn } from './request-guess.js';

/*
 * Messages that state something first and end with a question. Either the statement is a request of its own, or it is only
 * background and the question alone is the request.
 */

/** Maximum length of a message in characters. In a longer one the sentences belong to one story and are not separated. */
const MAX_LENGTH = 500;

/** Minimum confidence for the question to be classified without the statement before it. */
const MIN_QUESTION_CONFIDENCE = 0.7;
/** Minimum confidence for the statement to be a request of its own. */
const MIN_STATEMENT_CONFIDENCE = 0.5;

/**
 * Finds a statement that is a request of its own because the question after it is about something else: "my card has expired. When
 * is my next payment?". Only a fault, or something that customers do themselves, counts; any other statement explains the question.
 * @param clauses the clauses of the message
 * @param questions the requests that were already found in the message
 * @returns at most one request
 */
export function requestBeforeQuestion(
  nlu: Nlu,
  clauses: readonly { readonly text: string }[],
  questions: readonly RequestGuess[],
  language: Language,
): readonly RequestGuess[] {
  if (questions.length === 0) return [];
  const request = clauses
    .flatMap(({ text }) => nlu.slots.sentencesOf(text).slice(0, -1))
    .filter((sentence) => wordsIn(sentence) > LEANING_WORDS && !nlu.slots.isQuestion(sentence))
    .map((sentence) => guess(nlu, sentence, language))
    .find(({ intent, confidence }) => {
      const { group, selfService } = nlu.intents.of(intent);
      const isRequest = group === 'symptom' || selfService;
      const isNew = questions.every((question) => question.intent !== intent);
      return isRequest && isNew && confidence >= MIN_STATEMENT_CONFIDENCE;
    });
  return request ? [request] : [];
}

/**
 * Finds the closing question of a message that would be misread because of the statement before it: "last week I overslept and
 * missed the show. Anything fun tonight?" does not ask about a booking.
 * @returns null where the message has no such question, or where the statement does not change how it is classified
 */
export function questionAfterStatement(nlu: Nlu, text: string, language: Language): string | null {
  if (text.length > MAX_LENGTH) return null;
  const sentences = nlu.slots.sentencesOf(text);
  const question = sentences.at(-1);
  if (question === undefined || sentences.length < 2 || !question.endsWith('?')) return null;
  const statements = sentences.slice(0, -1);
  if (statements.some((sentence) => nlu.slots.isQuestion(sentence))) return null;
  const message = guess(nlu, text, language);
  if (message.route === 'investigation' || message.route === 'action') return null;
  const asked = guess(nlu, question, language);
  const isDifferent = asked.intent !== message.intent && asked.route !== null;
  if (!isDifferent || asked.confidence < MIN_QUESTION_CONFIDENCE) return null;
  const isMisread = statements.some((sentence) => guess(nlu, sentence, language).intent === message.intent);
  return isMisread ? question : null;
}
