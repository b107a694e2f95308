import type { IntentInfo, IntentTable } from '../core/domain/intent.js';
import { fold } from '../core/text.js';
import { statesPreference } from './slots/preference.js';

/** How sure it is what words ask for by themselves. */
const TOLD = 0.7;
/** How sure it is of a change, whose words are its own. */
const TOLD_CHANGE = 0.85;
/** From here on the model is believed against such words. */
const SURE_OF_ANOTHER = 0.9;
/** Below this a symptom, or a change, is no more than likely. */
const HARDLY = { symptom: 0.75, action: 0.8 };
/** Characters that are read: a longer letter tells a story. */
const LONGEST = 500;

/** What the model makes of a text; chances are 0 to 1. */
interface GuessedIntent {
  readonly intent: string;
  readonly confidence: number;
  readonly outOfScope: number;
  readonly ranked: readonly { readonly intent: string; readonly confidence: number }[];
}

/** True where the words of an intent ask for a change: they count whatever the model takes them for, also untrained. */
export function isPhrasedChange({ asked, group }: Pick<IntentInfo, 'asked' | 'group'>): boolean {
  return asked.length > 0 && group === 'action';
}

/** Names of the intents that sentences teach: the classes of a model. */
export function taughtNames(intents: IntentTable): readonly string[] {
  return intents.names.filter((name) => intents.of(name).byRule !== true);
}

/** The intents that are no class of a model and cannot be told without one. */
export function untaught(intents: IntentTable, classes: readonly string[]): readonly string[] {
  return taughtNames(intents).filter((name) => !classes.includes(name) && !isPhrasedChange(intents.of(name)));
}

/**
 * Makes the reader of the words that ask for an intent by themselves, as its `asked` says, or the engine's rule where it is `byRule`.
 * @param isThing true for a word of what the company's records are called
 * @returns null where a text has none; where the model heard a wish for people; or where they ask for no change and the model
 * is sure of another intent, or rather heard a change or a symptom
 */
export function createPhraseIntents(
  intents: IntentTable,
  isThing: (word: string) => boolean,
): <Guess extends GuessedIntent>(text: string, guess: Guess) => Guess | null {
  const all = intents.names.flatMap((name) => {
    const info = intents.of(name);
    if (info.asked.length === 0) return [];
    return [
      { name, isChange: isPhrasedChange(info), pattern: new RegExp(`\\b(?:${info.asked.join('|')})\\b`) },
    ];
  });
  const wish = intents.names.find((name) => intents.of(name).byRule) ?? null;
  return (text, guess) => {
    if (wish !== null && statesPreference(text, isThing)) return asTold(guess, wish, TOLD_CHANGE);
    if (all.length === 0) return null;
    const { group } = intents.of(guess.intent);
    const isGuessed = (group === 'symptom' || group === 'action') && guess.confidence < HARDLY[group];
    const isOpen = group === 'knowledge' || group === 'account' || group === 'out_of_scope' || isGuessed;
    const isOther = !isOpen || guess.confidence >= SURE_OF_ANOTHER;
    // What is said of the whole begins with its first word.
    const folded = fold(text.slice(0, LONGEST)).replace(/^\W+/, '');
    const told = all.find(({ isChange, pattern }) => {
      const mayCount = isChange ? group !== 'people' : !isOther;
      return mayCount && pattern.test(folded);
    });
    if (told === undefined) return null;
    return asTold(guess, told.name, told.isChange ? TOLD_CHANGE : TOLD);
  };
}

/** The guess with an intent that is told in front, at least so sure. */
function asTold<Guess extends GuessedIntent>(guess: Guess, intent: string, least: number): Guess {
  const confidence = Math.max(guess.confidence, least);
  const others = guess.ranked.filter((one) => one.intent !== intent).slice(0, 2);
  const sum = others.reduce((total, one) => total + one.confidence, 0);
  // They share what is left.
  const share = (1 - confidence) / Math.max(1, sum) / 4;
  const ranked = [
    { intent, confidence },
    ...others.map((one) => ({ ...one, confidence: one.confidence * share })),
  ];
  return { ...guess, intent, confidence, ranked, outOfScope: Math.min(guess.outOfScope, 1 - confidence) };
}
