import type { WordSense } from '../../core/ports/language-layer.js';
import { cosine } from './nearness.js';
import type { Unit } from './passages.js';
import { type Sentence, sentencesOf } from './sentences.js';

/** Names this near are of one kind: two plans, two cities. */
const OF_A_KIND = 0.25;
/** Fewer letters are no name. */
const SHORTEST = 4;

/**
 * What an answer must not leave out: "for Premium subscribers only", to somebody who has spoken of another plan.
 * @param spoken the units that the answer draws on
 */
export function omittedIn(
  answer: readonly Sentence[],
  asked: string,
  spoken: readonly Unit[],
  sense: WordSense,
): Unit | null {
  const said = new Set(answer.flatMap(({ words }) => [...words]));
  const own = sentencesOf(asked).flatMap(namesIn);
  const isOther = (name: string) =>
    !said.has(name) && !own.includes(name) && own.some((one) => isOfAKind(one, name, sense));
  return (
    spoken.find(
      ({ bounds, text }) => bounds.has('only') && sentencesOf(text).flatMap(namesIn).some(isOther),
    ) ?? null
  );
}

function isOfAKind(one: string, other: string, sense: WordSense): boolean {
  return cosine(sense.vectorOf(one), sense.vectorOf(other)) >= OF_A_KIND;
}

/** Words with a capital that begin no sentence, folded. */
function namesIn({ tokens }: Sentence): readonly string[] {
  return tokens.flatMap(({ text, capital, number }, at) =>
    capital && at > 0 && number === null && text.length >= SHORTEST ? [text] : [],
  );
}

/** "With 2 no-shows", to somebody who spoke of two, where the articles say it of three. */
export function takesOver(
  { tokens }: Sentence,
  asked: string,
  nearest: Unit | null,
  sense: WordSense,
): boolean {
  const numbers = new Set(tokens.map(({ number }) => number));
  const told = new Set(sentencesOf(asked).flatMap((one) => one.tokens.map(({ number }) => number)));
  const counted = (nearest?.terms ?? []).flatMap(({ number }, at) =>
    number === null ? [] : [{ number, noun: nearest?.terms[at + 1]?.word ?? '' }],
  );
  return tokens.some(({ number }, at) => {
    if (number === null || !told.has(number) || counted.some((one) => one.number === number)) return false;
    const noun = tokens[at + 1]?.text ?? '';
    return counted.some((one) => !numbers.has(one.number) && isSameWord(noun, one.noun, sense));
  });
}

/** True where a number is the customer's alone, and none of the articles'. @param known theirs */
export function isEcho({ tokens }: Sentence, asked: string, known: ReadonlySet<number | null>): boolean {
  const told = new Set(sentencesOf(asked).flatMap((one) => one.tokens.map(({ number }) => number)));
  return tokens.some(({ number }) => number !== null && told.has(number) && !known.has(number));
}

function isSameWord(one: string, other: string, sense: WordSense): boolean {
  const forms = new Set(sense.formsOf(one));
  return one !== '' && sense.formsOf(other).some((form) => forms.has(form));
}
