import type { Language } from '../core/domain/taxonomy.js';
import type { RequestGuess } from '../core/ports/language-layer.js';
import type { Nlu } from './nlu.js';
import { guess, LEANING_WORDS, wordsIn } from './request-guess.js';

/** Characters up to which a message is looked at: a longer one tells a story. */
const LONGEST = 500;

/** From here on a question is asked for itself, whatever is told before it. */
const APART = 0.7;
/** From here on what is told before a question is a matter of its own. */
const TOLD = 0.5;

/**
 * What is told in front of a question and is a matter for itself, where the question is about another: "my card has expired. When do I
 * pay next?". Only what the customer does themselves, or what is wrong: other stories explain what is asked.
 */
export function statedMatter(
  nlu: Nlu,
  clauses: readonly { readonly text: string }[],
  own: readonly RequestGuess[],
  language: Language,
): readonly RequestGuess[] {
  const told = clauses.flatMap(({ text }) => nlu.slots.sentencesOf(text).slice(0, -1));
  return told
    .filter((text) => wordsIn(text) > LEANING_WORDS && !nlu.slots.isQuestion(text))
    .map((text) => guess(nlu, text, language))
    .filter(({ intent, confidence }) => {
      const { group, selfService } = nlu.intents.of(intent);
      const isMatter = group === 'symptom' || selfService;
      return isMatter && confidence >= TOLD && own.length > 0 && own.every((one) => one.intent !== intent);
    })
    .slice(0, 1);
}

/**
 * The question of a message that is taken for what is only told in front of it: "last week I overslept and missed the show. Anything fun
 * tonight?" asks for no booking. Null where there is none, or the whole is taken for what is asked.
 */
export function questionAlone(nlu: Nlu, text: string, language: Language): string | null {
  if (text.length > LONGEST) return null;
  const sentences = nlu.slots.sentencesOf(text);
  const question = sentences.at(-1);
  if (question === undefined || sentences.length < 2 || !question.endsWith('?')) return null;
  const told = sentences.slice(0, -1);
  if (told.some((sentence) => nlu.slots.isQuestion(sentence))) return null;
  const whole = guess(nlu, text, language);
  const asked = guess(nlu, question, language);
  const isTold = told.some((sentence) => guess(nlu, sentence, language).intent === whole.intent);
  const isApart = asked.intent !== whole.intent && asked.confidence >= APART && asked.route !== null;
  return isApart && isTold && whole.route !== 'investigation' && whole.route !== 'action' ? question : null;
}
