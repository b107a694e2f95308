import type { Language } from '../../core/domain/taxonomy.js';
import {
  ASK_INSIDE,
  CANCEL,
  type ClauseWords,
  createClauseWords,
  isNoQuestion,
  JOINT,
  MONEY_THING,
  OTHER_CHANGE,
  POLITE,
  PRONOUNS,
  REBOOK,
  REFUND,
  SYMPTOM,
} from './clause-words.js';
import type { IdReader } from './ids-and-days.js';
import type { RecordWords } from './record-words.js';
import { announcing, type Piece, sentences, sentencesIn } from './sentences.js';
import { createSharedQuestions, type SharedQuestions } from './shared-questions.js';
import { type Folded, fold, MAX_TEXT, tokenize } from './text.js';

/** A stretch of a message that asks one thing. */
interface Clause {
  text: string;
  /** Offsets in the message. */
  start: number;
  end: number;
}

/** More than this nobody answers in one reply; the rest stays with the last. */
const MAX_CLAUSES = 8;

const MARK = /^(?:[-*•]\s+|\(?\d{1,2}[.)]\s+)/;
const body = (text: string): string =>
  text.trimStart().replace(MARK, '').replace(JOINT, '').replace(POLITE, '').trim();

/** Removes blanks, joints and list marks around a piece. */
const trim = (folded: string, piece: Piece): Piece => {
  const text = folded.slice(piece.start, piece.end);
  const lead = /^(?:\s|[-*•]\s|\(?\d{1,2}[.)]\s)*/.exec(text)?.[0].length ?? 0;
  const joint = JOINT.exec(text.slice(lead))?.[0].length ?? 0;
  const kept = text
    .slice(lead + joint)
    .trimEnd()
    .replace(/(?<=[\s,])(?:and|e|also|but|mas)$/, '')
    .replace(/(?<![\s,;:-])[\s,;:-]+$/, '');
  const start = piece.start + lead + joint;
  return { start, end: start + kept.length };
};

const asks = (words: ClauseWords, text: string): boolean => {
  const said = body(text);
  if (said === '' || isNoQuestion(said) || words.isGreeting(said)) return false;
  if (said.endsWith('?') && tokenize(said).length >= 2) return true;
  return words.ask.test(said) || words.order.test(said) || ASK_INSIDE.test(said) || isAsked(words, said);
};

/** True where a question stands in it: "I just joined, what did I sign up for" tells something first. */
const isAsked = (words: ClauseWords, said: string): boolean =>
  said.split(TOLD_FIRST).some((part) => words.question.test(body(part)));

/** Between what is told and what is asked in one sentence. */
const TOLD_FIRST = /(?:,|[.!;:]+)\s+(?:(?:but|mas|pero|so|then|e|and|y)\s+)?/;

/** Of so many words what stands before another matter is a matter of its own. */
const OWN_WORDS = 3;

/** True where a piece announces another matter than the one before it, which was told and not only greeted with. */
const isFurther = (words: ClauseWords, left: string, right: string): boolean =>
  words.further.test(right) && tokenize(body(left)).length >= OWN_WORDS;

/** True where the second of two pieces is another thing to tell: "tell me when I pay and whether I can change". */
const tellsToo = (words: ClauseWords, left: string, right: string): boolean =>
  words.knowing.test(left) && (words.indirect.test(body(right)) || words.question.test(body(right)));

/** A question about a fact: an order after it is one. */
const ASKS_FACT =
  /^(?:what time|when|where|which|who|how (?:much|many|long)|(?:a )?que (?:horas?|dia)|quando|onde|quant[oa]s?|qual|quais|quem)\b/;

/** A question about how or whether; "and cancel it" inside one is asked about, not ordered. */
const wonders = (words: ClauseWords, text: string): boolean =>
  (words.question.test(body(text)) && !ASKS_FACT.test(body(text))) ||
  /\b(?:how (?:do|can|to)|can i|could i|do i|is it possible|como (?:faco|posso|eu)|posso|da (?:pra|para))\b/.test(
    text,
  );

const ownObject = (words: ClauseWords, text: string): boolean =>
  tokenize(body(text).replace(words.order, '')).some(({ word }) => !PRONOUNS.has(word) && word.length > 1);

/** A refund or new date that follows from the cancellation before it, not a question about one. */
const follows = (words: ClauseWords, left: string, right: string): boolean =>
  CANCEL.test(left) &&
  (REFUND.test(right) || REBOOK.test(body(right))) &&
  !words.thing.test(right) &&
  !words.question.test(body(right)) &&
  !/\b(?:how|when|quant[oa]s?|quando|tell|diz|dias?|prazo|diga|know|saber|se|if|whether)\b|\?/.test(right);

/** An order for something that a symptom next to it does not explain. */
const changesElse = (words: ClauseWords, text: string): boolean =>
  OTHER_CHANGE.test(text) && !MONEY_THING.test(text) && ownObject(words, text) && !wonders(words, text);

/** "They charged me twice. Cancel it all": one is to be looked into, the other done. */
const unlike = (words: ClauseWords, left: string, right: string): boolean =>
  (SYMPTOM.test(left) && changesElse(words, right)) || (changesElse(words, left) && SYMPTOM.test(right));

/** "(1) which plan I have, (2) the date of the next payment"; and "which is it: this or that?". */
const [NUMBERED, CHOICE] = [/^\W*\(\d\)\s/, /^\W*[\w-]+ (?:or|ou|o) (?:[ao] )?[\w-]+\W*$/];
const DANGLING = /\b(?:where|when|how|what|why|who|which|onde|quando|como|quanto|qual|que)$/;
const separate = (
  words: ClauseWords,
  { before, left, right, joint }: Record<'before' | 'left' | 'right' | 'joint', string>,
): boolean => {
  if (unlike(words, left, right)) return true;
  if (isFurther(words, left, right)) return asks(words, right) || body(right).replace(/\W+$/, '') === '';
  if (tellsToo(words, before, right)) return !DANGLING.test(left.trimEnd());
  const isAsking = asks(words, left) || isAskedToo(words, left, right);
  if (!isAsking || follows(words, left, right) || DANGLING.test(left.trimEnd())) return false;
  const said = body(right);
  if (/\b(?:but|mas|pero)\b/.test(joint)) return words.question.test(said) || words.ask.test(said);
  if (words.ask.test(said) || words.question.test(said)) return true;
  if (words.stated.test(said) && !words.conditional.test(left)) return true;
  if (!words.order.test(said) || !ownObject(words, left) || wonders(words, left)) return false;
  return ownObject(words, right) || isOtherChange(left, said);
};

/** True where what stands before a marked question begins as one: "can staff bring a guest, and do they pay?". */
const isAskedToo = (words: ClauseWords, left: string, after: string): boolean =>
  /^[^.!?]*\?/.test(after) && !words.condition.test(body(left)) && words.question.test(`${body(left)} ?`);

/** "Cancel the samba and pause after that": of what the first is not said of. */
const isOtherChange = (left: string, right: string): boolean =>
  (PAUSE.test(right) && CANCEL.test(left)) || (CANCEL.test(right) && PAUSE.test(left));
const PAUSE = /\b(?:pausa\w*|pause|suspend\w*|congel\w*|freeze)\b/;

const WORD_JOINT =
  /(?:\s*,)?\s+(?:and|(?<!\b(?:i|we|there|was|were|had|have|has)\s+)also|then|plus|but|e|y|tambem|tambien|ademas|mas|pero|depois|alem disso|as well as|aproveita e|btw|by the way)\b|\s+n(?=\s+(?:what|when|where|how|who|can|do|does|is|are)s?\b)|\s*,(?=\s)|\s+[-+&]+\s+/g;

/** Cuts one sentence where a joint is followed by another request. */
const parts = (words: ClauseWords, folded: string, sentence: Piece): Piece[] => {
  const pieces: Piece[] = [];
  let start = sentence.start;
  // "Tell me two things: when it is, and whether I may be late."
  const head = announcing(folded, sentence.start);
  const text = folded.slice(sentence.start, sentence.end);
  for (const match of text.matchAll(WORD_JOINT)) {
    const at = sentence.start + match.index;
    if (at <= start) continue;
    const [before, left] = [head + folded.slice(sentence.start, at), folded.slice(start, at)];
    const right = folded.slice(at, sentence.end);
    if (separate(words, { before, left, right, joint: match[0] })) {
      pieces.push({ start, end: at });
      start = at;
    }
  }
  return [...pieces, { start, end: sentence.end }];
};

/** The same thing said again: nothing in it that the first did not say. */
const repeats = (left: string, right: string): boolean => {
  if (/\?/.test(right)) return false;
  const said = new Set(tokenize(left).map(({ word }) => word));
  return tokenize(right).every(({ word }) => said.has(word) || PRONOUNS.has(word) || POLITE.test(word));
};

const gather = (words: ClauseWords, source: Folded, pieces: readonly Piece[]): Piece[] => {
  const { folded } = source;
  const clauses: { start: number; end: number; asks: boolean }[] = [];
  // "Another thing:" stands by itself.
  let announced = false;
  for (const piece of pieces) {
    const text = folded.slice(piece.start, piece.end);
    if (words.isGreeting(body(text))) {
      announced ||= words.further.test(text);
      continue;
    }
    const last = clauses.at(-1);
    // What asks nothing explains: the request after it, or else the one before it.
    const before = last === undefined ? '' : folded.slice(last.start, last.end);
    const tells = tellsToo(words, folded.slice(0, piece.start), text);
    const presses = last !== undefined && words.pressing.test(body(text));
    const asking =
      !presses &&
      (tells || NUMBERED.test(text) || asks(words, text) || isAskedToo(words, text, folded.slice(piece.end)));
    const joins =
      last !== undefined &&
      !unlike(words, before, text) &&
      !(announced && asking) &&
      !isFurther(words, before, text) &&
      (!(last.asks || tells) ||
        !asking ||
        clauses.length >= MAX_CLAUSES ||
        follows(words, before, text) ||
        repeats(before, text) ||
        (CHOICE.test(text) && before.endsWith(':')));
    announced = false;
    if (joins && last !== undefined) {
      last.end = piece.end;
      last.asks ||= asking;
    } else clauses.push({ start: piece.start, end: piece.end, asks: asking });
  }
  return clauses;
};

/** Splits messages, and tells what their clauses are. */
export interface ClauseReader {
  /**
   * Splits a message into clauses that each ask one thing, in the order written; greetings and thanks are left out and
   * explanations stay with the request they belong to. A cancellation and the refund that follows from it are one clause.
   * Splits only where each side has its own request or question; a message that asks nothing is one clause.
   */
  splitClauses(text: string): Clause[];
  readonly sharedQuestions: SharedQuestions;
  /** True where a clause is a question, with or without its mark: "when does it end". */
  isQuestion(text: string): boolean;
  /** True where what is asked stands in it: "tell me all of them" only asks for an answer. */
  asksItself(text: string): boolean;
  /** True where somebody says what they want or orders it: "I'd like my account wiped". */
  isWish(text: string): boolean;
  /** True where a few words ask about what was said before them: "how much is it?". */
  pointsBack(text: string): boolean;
  /** The sentences of a text. */
  sentencesOf(text: string): readonly string[];
  /** True where a clause asks for a fact about something: "tell me when it is". */
  asksFact(text: string): boolean;
  /** True where it asks how something is done, or whether it may be. */
  asksHow(text: string): boolean;
}

/** Makes the reader of clauses for a company's records, in its languages. */
export function createClauses(
  records: RecordWords,
  ids: IdReader,
  languages: readonly Language[],
): ClauseReader {
  const words = createClauseWords(records, ids, languages);
  const folded = (text: string): string => fold(text.slice(0, MAX_TEXT)).folded;
  const isQuestion = (text: string): boolean => {
    const said = body(folded(text));
    if (isNoQuestion(said)) return false;
    const wants = words.ask.test(said) && words.knowing.test(said);
    return text.includes('?') || wants || words.indirect.test(said) || isAsked(words, said);
  };
  const asksFact = (text: string): boolean =>
    ASKS_FACT.test(body(folded(text)).replace(words.ask, '').trim());
  return {
    asksFact,
    splitClauses: (text) => clausesIn(words, text),
    sharedQuestions: createSharedQuestions(words),
    isQuestion,
    asksItself: (text) => {
      const said = body(folded(text)).replace(words.ask, '').trim();
      return text.includes('?') || asksFact(text) || words.indirect.test(said) || isAsked(words, said);
    },
    isWish: (text) => {
      const said = body(folded(text));
      const wanted = said.replace(words.ask, '');
      return (
        !isQuestion(text) && (wanted !== said ? tokenize(wanted).length >= OWN_WORDS : words.order.test(said))
      );
    },
    pointsBack: (text) => {
      const said = tokenize(folded(text)).map(({ word }) => word);
      const isOf = POINTS.has(said.at(-1) ?? '') || said.some((word) => POINTED.has(word));
      return said.length <= POINTING_WORDS && isOf;
    },
    sentencesOf: sentencesIn,
    asksHow: (text) => isQuestion(text) && HOW.test(body(folded(text))),
  };
}

/** How something is done, and where one goes for it. */
const HOW =
  /^(?:how (?:do|can|could|to|i)|where (?:do|can|could|i)|can i|como|onde (?:eu )?(?:\w+o|fica)|donde \w+o)\b/;

/** Words in which somebody asks about what was just said, and how such a question ends. */
const POINTING_WORDS = 5;
const POINTED = new Set(['they', 'them', 'eles', 'elas', 'ellos', 'ellas']);
const POINTS = new Set(['it', 'that', 'this', 'them', 'isso', 'isto', 'disso', 'nisso', 'eso', 'esto']);

function clausesIn(words: ClauseWords, text: string): Clause[] {
  const capped = text.slice(0, MAX_TEXT);
  const source = fold(capped);
  const hello = words.hello.exec(source.folded)?.[0].length ?? 0;
  const from = source.folded.slice(hello).trim() === '' ? 0 : hello;
  const pieces = sentences(source.folded)
    .map((piece) => ({ start: Math.max(piece.start, from), end: piece.end }))
    .filter((piece) => piece.end > piece.start)
    .flatMap((sentence) => parts(words, source.folded, sentence));
  const gathered = gather(words, source, pieces);
  const kept = gathered.length > 0 ? gathered : [{ start: 0, end: source.folded.length }];
  return kept
    .map((piece) => trim(source.folded, piece))
    .filter((piece) => piece.end > piece.start)
    .map((piece) => {
      const start = source.at[piece.start] ?? 0;
      const end = source.at[piece.end] ?? capped.length;
      return { text: capped.slice(start, end), start, end };
    });
}
