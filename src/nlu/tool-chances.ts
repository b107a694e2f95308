import type { Language } from '../core/domain/taxonomy.js';
import type { IntentGuess } from './guesses.js';
import type { Nlu } from './nlu.js';

/** How likely a text asks for what a tool does, 0 to 1; infinite where no request is known that it is for. */
export function shareOf(nlu: Nlu, text: string, language: Language, tool: string): number {
  return chancesOf(nlu, text, language).get(tool) ?? Number.POSITIVE_INFINITY;
}

/** A company may have hundreds of tools, and each of them is asked about in a turn. */
const counted = new WeakMap<IntentGuess, ReadonlyMap<string, number>>();

/** The same of each tool that a request is known for. */
export function chancesOf(nlu: Nlu, text: string, language: Language): ReadonlyMap<string, number> {
  const guess = nlu.classifyIntent(text, language);
  const known = counted.get(guess);
  if (known) return known;
  const chances = new Map(nlu.intents.names.map((name) => [nlu.intents.of(name).tool ?? '', 0]));
  for (const { intent, confidence } of guess.ranked) {
    const tool = nlu.intents.of(intent).tool ?? '';
    chances.set(tool, (chances.get(tool) ?? 0) + confidence);
  }
  counted.set(guess, chances);
  return chances;
}
