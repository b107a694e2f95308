import type { IntentTable } from '../core/domain/intent.js';
import { fold } from '../core/fold.js';

/** How sure it is what words ask for by themselves. */
const TOLD = 0.7;
/** From here on the model is believed against such words. */
const SURE_OF_ANOTHER = 0.9;

/** What the model makes of a text; chances are 0 to 1. */
interface GuessedIntent {
  readonly intent: string;
  readonly confidence: number;
  readonly outOfScope: number;
}

/**
 * Makes the reader of the words that ask for an intent by themselves, as its `asked` says.
 * @returns null where a text has none, or the model is sure of another intent or heard a change, a symptom or a wish for people
 */
export function createToldIntents(
  intents: IntentTable,
): <Guess extends GuessedIntent>(text: string, guess: Guess) => Guess | null {
  const all = intents.names.flatMap((name) => {
    const { asked } = intents.of(name);
    return asked.length === 0 ? [] : [[name, new RegExp(`\\b(?:${asked.join('|')})\\b`)] as const];
  });
  return (text, guess) => {
    const { group } = intents.of(guess.intent);
    const isOpen = group === 'knowledge' || group === 'account' || group === 'out_of_scope';
    if (all.length === 0 || !isOpen || guess.confidence >= SURE_OF_ANOTHER) return null;
    const folded = fold(text);
    const intent = all.find(([, pattern]) => pattern.test(folded))?.[0];
    if (intent === undefined) return null;
    const confidence = Math.max(guess.confidence, TOLD);
    return { ...guess, intent, confidence, outOfScope: Math.min(guess.outOfScope, 1 - confidence) };
  };
}
