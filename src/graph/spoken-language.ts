import { languageAmong } from '../core/domain/language.js';
import type { Language } from '../core/domain/taxonomy.js';
import type { LanguageGuess } from '../core/ports/language-layer.js';
import { knownNames } from '../runtime/caller-facts.js';
import type { GraphDeps } from './graph-deps.js';
import type { Incoming } from './state.js';

/** What is known of the language of a customer: what they asked for, what the company has stored, what was spoken last. */
interface KnownLanguage {
  readonly asked: string | null | undefined;
  readonly onRecord: string | null | undefined;
  readonly previous: Language | undefined;
}

/**
 * The language to answer a message in, one of the company's: the one that the customer asked for, else the one they write.
 * @returns `unsupported`: ISO 639-1 of a language that the company does not speak, where none is stored of the customer; else null
 */
export async function languageOf(
  deps: GraphDeps,
  incoming: Incoming,
  text: string,
  { asked, onRecord, previous }: KnownLanguage,
): Promise<{ readonly language: Language; readonly unsupported: string | null }> {
  // Only a language that the company speaks counts, whatever was stored.
  const { languages } = deps.tools.company;
  const preferred = languageAmong(asked ?? undefined, languages);
  const stored = languageAmong(onRecord ?? undefined, languages);
  const guess = await detected(deps, incoming, text, previous ?? preferred ?? stored);
  if (preferred !== undefined) return { language: preferred, unsupported: null };
  if (stored !== undefined) return { language: spokenIn(text, guess, stored, previous), unsupported: null };
  return { language: guess.language, unsupported: guess.supported ? null : guess.detected };
}

/** Fewer words than these are no sentence that shows in which language a customer wants to talk: "ok", a name, a title. */
const SENTENCE_WORDS = 4;

/**
 * The language of a customer whose record names one, which they have not asked for themselves: that of the record until they write a
 * sentence in another one of the company's, then that one.
 */
function spokenIn(
  text: string,
  { language, supported }: LanguageGuess,
  onRecord: Language,
  previous: Language | undefined,
): Language {
  const isSentence = (text.match(/[\p{L}\p{N}]+/gu) ?? []).length >= SENTENCE_WORDS;
  return supported && (isSentence || language === onRecord) ? language : (previous ?? onRecord);
}

/**
 * The language of a message. What is on may have a title in any language, which says nothing of the customer's: "quando é o
 * Accordion Masters?".
 */
async function detected(
  { language, tools }: GraphDeps,
  { identity }: Incoming,
  text: string,
  previous: Language | undefined,
): Promise<LanguageGuess> {
  const guess = language.detectLanguage(text, previous);
  if (guess.supported) return guess;
  const names = await knownNames(tools, { identity });
  const [spoken] = tools.company.languages;
  const bare = spoken === undefined ? text : language.withoutNames(text, names, previous ?? spoken);
  return bare === text ? guess : language.detectLanguage(bare, previous);
}
