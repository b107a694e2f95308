import type { Language } from '../../core/domain/taxonomy.js';
import type { FindDates } from './dates.js';
import type { RecordWords } from './record-words.js';
import { fold, MAX_TEXT } from './text.js';
import { phraseAt, type Reader, readOpening } from './yes-no-opening.js';
import {
  type Opening,
  readSentences,
  type Word,
  withoutDoubledLetters,
  wordsOf,
  type YesNo,
} from './yes-no-sentences.js';
import {
  AFTER_NO,
  type AnswerWords,
  DOUBT_EMOJI,
  ECHO,
  echoesOf,
  NO_EMOJI,
  PLEASE,
  POLITE_ORDER,
  SAYS_AGAIN,
  SKIN,
  UNABLE_TO_GO,
  YES_EMOJI,
} from './yes-no-words.js';

export type { YesNo } from './yes-no-sentences.js';

/** Characters. */
const LONGEST_YES = 240;

const answer = (kind: YesNo['kind'], confidence: number, rest = ''): YesNo => ({ kind, rest, confidence });

const classifyYes = (
  reader: Reader,
  folded: string,
  opening: Opening,
  words: readonly Word[],
  from: number,
  rest: string,
): YesNo => {
  const strong = opening.cues.includes('strong');
  if (opening.cues.every((cue) => cue === 'action')) return answer('unclear', 0.6, rest);
  const left = words.slice(from);
  if (left.every(({ word }) => reader.fillers.has(word))) return answer('yes', strong ? 0.97 : 0.85, rest);
  const hedge = answer(strong ? 'unclear' : 'other', strong ? 0.6 : 0.5, rest);
  const tail = folded.slice(left[0]?.start ?? folded.length).trim();
  const { asking, doubt } = reader.guards;
  if (left.length > 12 || asking.test(tail) || doubt.test(tail)) {
    return strong || (left.length <= 6 && !asking.test(tail)) ? answer('unclear', 0.7, rest) : hedge;
  }
  if (
    left.every(
      ({ word }) =>
        reader.fillers.has(word) ||
        reader.around(word) ||
        reader.echoes(word) ||
        reader.records.isThing(word) ||
        phraseAt(reader, [{ word, start: 0, end: 0, joined: false }], 0)?.cue === 'strong',
    )
  ) {
    return answer('yes', strong ? 0.93 : 0.8, rest);
  }
  const named = reader.namesOne.test(tail) || SAYS_AGAIN.test(tail);
  if (!strong || !named || left.length > 10) return hedge;
  // "yes, do it tomorrow" puts it off; "yes, the one tomorrow" names it.
  const puttingOff =
    SAYS_AGAIN.test(tail) &&
    !/\b(?:the|my|a|o|da|do|de|for|minha|meu)\b/.test(tail) &&
    reader.findDates(tail, { now: ANY_DAY }).length > 0;
  return puttingOff ? answer('unclear', 0.6, rest) : answer('yes', 0.8, rest);
};

/** For whether there are date words at all: which day they mean does not matter. */
const ANY_DAY = new Date(0);

/**
 * Reads a message as the answer to an open yes/no question. Consent is taken only from a closed list of phrases
 * that open (or make up) the message and are not followed by a negation, condition, contrast, question or another
 * target: money moves on it, so every doubt is `unclear`. "Cancel" alone is unclear: it agrees to
 * "shall I cancel?" and calls off anything else; "then cancel it" agrees.
 * @param question what was asked, where that is known: its own words said again add nothing to a yes
 */
export type ReadYesNo = (text: string, language?: Language, question?: string) => YesNo;

/** Makes the reader of answers to a question about a company's records. */
export function createYesNo(records: RecordWords, findDates: FindDates, answers: AnswerWords): ReadYesNo {
  const reader: Reader = {
    guards: answers.guards(undefined),
    fillers: answers.fillersOf(undefined),
    records,
    answers,
    findDates,
    echoes: () => false,
    around: answers.aroundIn(''),
    namesOne: new RegExp(
      `^(?:(?:for|on) )?(?:the|that|my|this) .*\\b(?:ones?|${records.thingsIn('en')}|${records.singleIn('en')})$|^(?:[ao]s? |ess[ae] )?(?:d[aeo]s?|para [ao]|pr[ao]|n[ao]) |^(?:[ao]|minha|meu|ess[ae]) (?:${records.thingsIn('pt-BR')}|${records.singleIn('pt-BR')})\\b`,
    ),
  };
  return (text, language, question = '') => {
    const guards = answers.guards(language);
    const echoes = question === '' ? reader.echoes : echoesOf(question);
    const fillers = answers.fillersOf(language);
    const around = question === '' ? reader.around : answers.aroundIn(question);
    return answerIn(
      { ...reader, guards, fillers, echoes, around },
      text.replace(answers.several, ''),
      language,
    );
  };
}

function answerIn(reader: Reader, text: string, language: Language | undefined): YesNo {
  const read = readSentences(
    text,
    (part) => readAnswer(reader, part, language),
    reader.records,
    reader.answers,
  );
  // Consent is short. A long message holds more than was understood, and its end may not have been read at all.
  return read.kind === 'yes' && text.trim().length > LONGEST_YES ? answer('unclear', 0.6, read.rest) : read;
}

function readAnswer(reader: Reader, text: string, language: Language | undefined): YesNo {
  // Lines quoted from an earlier message are not the customer's answer.
  const own = text
    .slice(0, MAX_TEXT)
    .split('\n')
    .map((line) => (/^\s*>/.test(line) ? ' '.repeat(line.length) : line))
    .join('\n');
  const source = fold(own);
  const folded = source.folded
    .replace(SKIN, (skin) => ' '.repeat(skin.length))
    .replace(UNABLE_TO_GO, (reason) => ' '.repeat(reason.length));
  const emojiYes = (folded.match(YES_EMOJI) ?? []).length > 0;
  const emojiNo = (folded.match(NO_EMOJI) ?? []).length > 0;
  const words = wordsOf(folded).map((one) =>
    withoutDoubledLetters(
      one,
      (word) => reader.answers.phrases.has(word) || reader.fillers.has(word) || reader.around(word),
    ),
  );
  if (words.length === 0) {
    if (emojiYes === emojiNo || folded.includes('?') || DOUBT_EMOJI.test(folded))
      return answer('unclear', 0.5);
    return emojiYes ? answer('yes', 0.9) : answer('no', 0.9);
  }

  const opening = readOpening(reader, words);
  const restFrom = words[opening.action ?? opening.next]?.start;
  const rest = restFrom === undefined ? '' : own.slice(source.at[restFrom] ?? 0).trim();
  const asks = folded.includes('?');
  const first = opening.cues[0];
  const negated = reader.guards.negation.test(folded);
  const saysNo = opening.cues.includes('no') || opening.cues.includes('halt');
  const saysYes = opening.cues.includes('strong');
  const whole = own.trim();

  const explained = words.every(
    ({ word }) =>
      reader.fillers.has(word) ||
      reader.around(word) ||
      reader.echoes(word) ||
      reader.records.isThing(word) ||
      /^(?:can|could|would|will|podem?|poderia|da)$/.test(word),
  );
  const plain = explained && !saysNo && !emojiNo && !negated && !reader.guards.doubt.test(folded);
  const ordered = plain && asks && POLITE_ORDER.test(words.map(({ word }) => word).join(' '));
  const echoed = plain && !asks && words.some(({ word }) => ECHO.test(word) && reader.echoes(word));
  const echoes = words.some(({ word }) => reader.echoes(word));
  // "Then cancel it" agrees to "shall I cancel it?", where "cancel it" alone may call that off.
  const concluded = plain && !asks && first === 'action' && saysThen(reader, words);
  if (((ordered || concluded) && echoes) || (echoed && first === undefined)) return answer('yes', 0.75);

  if (first === undefined) {
    const said = words.map(({ word }) => word).join(' ');
    if ((PLEASE.test(said) || reader.answers.please.has(said)) && !asks && !emojiNo)
      return answer('yes', 0.7);
    if (emojiYes !== emojiNo && !asks && words.every(({ word }) => reader.fillers.has(word)))
      return answer(emojiYes ? 'yes' : 'no', 0.8);
    const near =
      words.length <= 8 &&
      !asks &&
      words.some((_, i) => phraseAt(reader, words, i)?.cue === 'strong' && (words[i]?.word.length ?? 0) > 1);
    return near ? answer('unclear', 0.5, whole) : answer('other', 0.8, whole);
  }
  const restWords = words.slice(opening.next);
  if (asks) {
    // "No, how long do I have?" is a no with a question after it; a yes with a question waits for the answer.
    const separate =
      first === 'no' &&
      !saysYes &&
      restWords.length > 0 &&
      /^[,.!;\s-]/.test(folded.slice(words[opening.last - 1]?.end ?? 0)) &&
      !/^\s*\w/.test(folded.slice(words[opening.last - 1]?.end ?? 0));
    if (separate) return answer('no', 0.7, rest);
    return saysYes && restWords.length > 0 ? answer('unclear', 0.7, rest) : answer('other', 0.8, whole);
  }
  if (opening.cues.includes('unclear')) return { ...answer('unclear', 0.8, rest), hedged: true };
  if (saysNo) {
    if (saysYes || emojiYes || opening.cues.includes('action')) return answer('unclear', 0.7, rest);
    // "Hold on, my card has expired" stops the hub, and refuses nothing.
    const goesOn = restWords.some(({ word }) => !reader.fillers.has(word));
    if (goesOn && opening.cues.every((cue) => cue === 'halt')) return answer('other', 0.6, rest);
    return readNo(reader, folded, words, opening, rest, language);
  }
  const quoted = /["]/.test(folded);
  if (negated || emojiNo || quoted || DOUBT_EMOJI.test(folded)) {
    return answer(saysYes || restWords.length <= 3 ? 'unclear' : 'other', 0.7, rest);
  }
  return classifyYes(reader, folded, opening, words, opening.next, rest);
}

/** True where a word says that what is asked about is decided, beside a word for that change. */
const saysThen = ({ answers, around, echoes }: Reader, words: readonly Word[]): boolean =>
  words.some(({ word }) => answers.concluding.has(word)) &&
  words.some(({ word }) => echoes(word) && around(word));

const readNo = (
  reader: Reader,
  folded: string,
  words: readonly Word[],
  opening: Opening,
  rest: string,
  language: Language | undefined,
): YesNo => {
  const left = words.slice(opening.next);
  if (left.every(({ word }) => reader.fillers.has(word))) return answer('no', 0.95, rest);
  const gap = folded.slice(words[opening.last - 1]?.end ?? 0, words[opening.last]?.start ?? folded.length);
  const tail = folded.slice(left[0]?.start ?? folded.length).trim();
  const insideYes = /\b(?:yes|go ahead|do it|sim|pode|confirmo)\b/.test(tail);
  if (/[,.;!\n-]/.test(gap)) return insideYes ? answer('unclear', 0.6, rest) : answer('no', 0.9, rest);
  const bare = opening.last <= 1;
  // "No sábado" and "no Rio" are Portuguese for "on Saturday" and "in Rio".
  const isEnglish = language === 'en' || /^(?:the|i|it|my|that|please|leave|keep)\b/.test(tail);
  if (bare && words[0]?.word === 'no' && !isEnglish) return answer('other', 0.6, `${words[0].word} ${rest}`);
  if (insideYes) return answer('unclear', 0.6, rest);
  if (bare && !AFTER_NO.test(tail)) return answer('other', 0.6, folded.trim());
  return answer('no', bare ? 0.7 : 0.8, rest);
};
