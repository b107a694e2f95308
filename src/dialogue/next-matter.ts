import type { Language } from '../core/domain/taxonomy.js';
import type { Act } from '../nlu/acts.js';
import { fold, foldText } from '../nlu/slots/text.js';
import { ANSWERS, type AnswerReaders, HEARD, LIKELY } from './agreement.js';
import { isTerms, namedBeside, repeats } from './doubts.js';

/** From here on triage is believed that the next matter is one. */
const SURE_ASKED = 0.8;
/** From here on where something else says so too. */
const ASKED = 0.65;
/** Said of the matter that is asked about. */
const SAME_MATTER: readonly Act[] = [...ANSWERS, 'ask_terms', 'correct', 'why', 'repeat', 'hurry'];
/** From here on a question is about that matter, whatever else it is like. */
const SAME = 0.88;
const QUESTION_WORDS = 3;
/** Joints that are looked at. */
const MOST_JOINTS = 12;
/** Characters of a message in which its answer ends, where it has one: what follows is the next matter. */
const LONGEST_ANSWER = 240;

/** A message cut in two where it may stop and begin again. */
interface Cut {
  readonly head: string;
  /** What follows, as written, and the same without what joins it. */
  readonly after: string;
  readonly more: string;
}

/** Where a message may be an answer and something else, the likeliest place first. */
export function cutsOf({ words }: AnswerReaders, text: string): readonly Cut[] {
  const { folded, at } = fold(asJoined(text));
  const joints = [...folded.slice(0, LONGEST_ANSWER).matchAll(words.joint)].slice(0, MOST_JOINTS);
  // The end of a sentence parts more surely than a comma; what is asked back agrees to nothing.
  const said = joints.filter(({ index, 0: joint }) => {
    const goesOn = joint.trim() === '' && words.ordering.test(folded.slice(0, index));
    return !joint.includes('?') && !goesOn;
  });
  const sorted = [...said.filter(isEnd), ...said.filter((one) => !isEnd(one))];
  return sorted.map(({ index, 0: joint }) => {
    const from = index + joint.length;
    let lead = from;
    for (
      let joined = words.adding.exec(folded.slice(lead));
      joined;
      joined = words.adding.exec(folded.slice(lead))
    )
      lead += joined[0].length;
    const written = (start: number): string => text.slice(at[start] ?? text.length).trim();
    return { head: text.slice(0, at[index] ?? text.length), after: written(from), more: written(lead) };
  });
}

/** "É" is no "e": without its accent "it is the Sunday one" would add another one. */
function asJoined(text: string): string {
  return text.replace(/(?<!\p{L})é(?!\p{L})/giu, 'ø');
}

/** True where what follows a no is a matter of its own. */
export function isNextAfterNo(
  { model, ...readers }: AnswerReaders,
  more: string,
  language: Language,
): boolean {
  const same = model.read(more, 'confirm', language)?.chanceOf(...ANSWERS) ?? 1;
  return same < LIKELY && (isQuestion(more) || readers.asks(more, language).chance >= HEARD);
}

/** True where what follows a yes is a matter of its own, and not what the yes hangs on. */
export function isNextAfterYes(
  readers: AnswerReaders,
  { after, more, both }: Pick<Cut, 'after' | 'more'> & { readonly both: number },
  language: Language,
  question: string,
): boolean {
  const { words, model } = readers;
  const folded = foldText(asJoined(after));
  const isAdded = words.added.test(folded);
  // "Ok but what about my last refund?" has agreed to nothing.
  if (words.contrast.test(folded)) return false;
  // "Ok then yes, cancel the booking" says twice what it agrees to.
  if (repeats(readers, more, language, question)) return false;
  // "Yes, cancel the jazz one" corrects what is to be cancelled; "and cancel the jazz one" adds to it.
  if (!isAdded && words.namesChange(more, question).asked) return false;
  if (!isAdded && namedBeside(readers, more, language, question) !== '') return false;
  const about = model.read(more, 'confirm', language);
  const { chance, change } = readers.asks(more, language);
  const isHeard = both >= HEARD || (about?.chanceOf('new_matter') ?? 0) >= LIKELY;
  const isOther = isHeard && about !== null && about.chanceOf(...SAME_MATTER) < 1 - LIKELY;
  if (isQuestion(more)) {
    if ((isOther && chance >= HEARD) || words.timing.test(foldText(more))) return true;
    if (isTerms(readers, more)) return false;
    if (about === null) return chance >= ASKED;
    // "Yes, and could we move it instead?" may hang on it: such a question is answered first.
    return isAdded && both >= LIKELY && chance >= ASKED && about.chanceOf(...SAME_MATTER) < SAME;
  }
  // "Yes. My flight was moved" gives a reason, whatever else the words are like.
  if (words.telling.test(foldText(more))) return isAdded && chance >= (isHeard ? HEARD : SURE_ASKED);
  if (isOther && chance >= HEARD && (isAdded || both >= HEARD)) return true;
  if (!isAdded) return false;
  return about === null
    ? chance >= ASKED && !isTerms(readers, more)
    : both >= LIKELY || (change && chance >= ASKED);
}

/** A question of some words, which is owed an answer. */
export function isQuestion(text: string): boolean {
  return (
    text
      .slice(0, Math.max(0, text.lastIndexOf('?')))
      .trim()
      .split(/\s+/).length >= QUESTION_WORDS
  );
}

function isEnd({ 0: joint }: RegExpExecArray): boolean {
  return /[.;!?\n]/.test(joint);
}
