import { fold } from '../core/text.js';

/** Words up to which the first sentence of an answer may be a greeting. */
const GREETING_WORDS = 5;
/** Characters from which on a sentence that stands twice is a repetition, and not "Yes." */
const LONG_ENOUGH = 20;
const ITEM = /^\s*(?:[-*•–]|\d{1,2}[.)])\s/u;
const SENTENCES = new Intl.Segmenter('en', { granularity: 'sentence' });

/**
 * The answers of several agents as one text: one greeting, and nothing said twice. The first answer, and so a single
 * agent's, stays word for word.
 * @param isSmalltalk whether a sentence asks and tells nothing
 */
export function asOneText(answers: readonly string[], isSmalltalk: (sentence: string) => boolean): string[] {
  const said: string[] = [];
  return answers.flatMap((answer, index) => {
    const sentences = sentencesOf(answer);
    const all = index === 0 ? sentences : withoutGreeting(sentences, isSmalltalk);
    const kept = index === 0 ? all : withoutEmptyHeads(all, all.filter(isNew(said)));
    // Sentence by sentence: what ends with a number ("up to 2.") is not told apart from what follows it.
    said.push(sentences.map(sameAs).join(' '));
    const text = kept.join('').trim();
    return text === '' ? [] : [index === 0 ? answer : text];
  });
}

/** An item of a list is one, with its number. */
function sentencesOf(answer: string): readonly string[] {
  return answer
    .split(/(?<=\n)/u)
    .flatMap((line) =>
      ITEM.test(line) ? [line] : [...SENTENCES.segment(line)].map(({ segment }) => segment),
    );
}

function withoutGreeting(
  sentences: readonly string[],
  isSmalltalk: (sentence: string) => boolean,
): readonly string[] {
  const [first = '', ...rest] = sentences;
  const isShort = first.trim().split(/\s+/).length <= GREETING_WORDS;
  // What a list is shown with asks which of it is meant.
  return rest.length > 0 && isShort && !leadsList(rest) && isSmalltalk(first.trim()) ? rest : sentences;
}

/** Without what introduces a list of which every item has been said. */
function withoutEmptyHeads(all: readonly string[], kept: readonly string[]): readonly string[] {
  const leads = (among: readonly string[], at: number): boolean => leadsList(among.slice(at + 1));
  const heads = new Set(all.filter((one, at) => /:\s*$/.test(one) && leads(all, at)));
  return kept.filter((one, at) => !heads.has(one) || leads(kept, at));
}

/** True where a list is what comes next; a blank line may stand before it. */
function leadsList(after: readonly string[]): boolean {
  return ITEM.test(after.find((one) => one.trim() !== '') ?? '');
}

/** True of a sentence that none of the answers before it says, also as a step of a list. */
function isNew(said: readonly string[]): (sentence: string) => boolean {
  return (sentence) => {
    const isShort = sentence.trim().length < LONG_ENOUGH && !ITEM.test(sentence);
    return isShort || !said.some((answer) => ` ${answer} `.includes(` ${sameAs(sentence)} `));
  };
}

function sameAs(sentence: string): string {
  return fold(sentence)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
