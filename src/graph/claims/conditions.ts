import type { RecordSense } from '../../core/ports/language-layer.js';
import type { Facts } from './facts.js';
import type { Figure } from './figure.js';
import { WRITTEN_DOWN } from './mix-ups.js';
import { hasFigure } from './record-figures.js';
import type { RecordRow } from './record-rows.js';
import type { RecordWords } from './record-words.js';
import { CONDITION, type Sentence } from './sentences.js';
import { fold } from './tokens.js';

/* What a record says of a thing without a word: a yes or no, a number that is nought, how long it is until it begins. */

const HOUR = 60;
const NEGATIVE =
  /(?<!\p{L})(?:not|nao|no|never|nem|nunca|without|sem|nothing|nada|isn|aren|doesn|don|zero|none|nenhum\p{L}*)(?!\p{L})/u;
/** Says what would be. */
const OPEN =
  /(?<!\p{L})(?:if|whether|unless|would|could|once|when|then|at the time|na epoca|se|caso|quando|seria|ficaria|poderia)(?!\p{L})/u;
/** Names of numbers that say how much of a thing is to be had. */
const PLACES = /(?:^|_)(?:available|left|free|remaining|stock)(?:_|$)/;
/** There is room, and there is none. */
const ROOM =
  /(?<!\p{L})(?:(?:still|has|have|there (?:is|are)|tem|ha|ainda|restam?|com) (?:\p{L}+ ){0,2}(?:places?|spots?|seats?|room|tickets?|vagas?|lugar(?:es)?|ingressos?)|available|disponive(?:l|is))(?!\p{L})/u;
const FULL =
  /(?<!\p{L})(?:full(?! (?:refund|price|name|amount|year))|sold out|fully booked|lotad[oa]s?|lotou|esgotad[oa]s?|no (?:places?|spots?|seats?) left|sem vagas?)(?!\p{L})/u;
const OTHERS = /(?<!\p{L})(?:others?|outr[oa]s?)(?!\p{L})/u;
/** It costs something beside. */
const COSTS =
  /(?<!\p{L})(?:costs? (?:extra|more)|has an extra|tem (?:um )?(?:valor|custo)|e pag[oa])(?!\p{L})/u;
/** More than so many hours are left, and fewer. */
const MORE =
  /(?:outside|over|more than|beyond|well (?:before|ahead of|over|outside)|mais de|fora d\p{L}+|alem d\p{L}+)(?: \p{L}+){0,3} $/u;
const FEWER = /(?:less than|inside|fewer than|menos de)(?: \p{L}+){0,3} $/u;

/** Speaks of all that were named before. */
const ALL = /(?<!\p{L})(?:both|all|each|amb[oa]s|tod[oa]s|[oa]s (?:dois|duas))(?!\p{L})/iu;

/** What a sentence is read with. */
interface Reading {
  readonly facts: Facts;
  readonly sense: RecordSense;
  readonly nouns: RecordWords;
}

/**
 * What a sentence says of a thing against its record; null where nothing.
 * @param titles what it names, what the sentences before it name, and the one thing that was spoken of
 */
export function contraryTo(
  sentence: Sentence,
  figures: readonly Figure[],
  titles: {
    readonly named: readonly string[];
    readonly listed: readonly string[];
    readonly before: string | null;
  },
  all: readonly RecordRow[],
  { facts, sense, nouns }: Reading,
): Pick<Figure, 'from' | 'to'> | null {
  const { named, listed, before } = titles;
  const spoken = named.length > 0 ? named : ALL.test(sentence.text) ? listed : [before ?? ''];
  return (
    ofAnotherCondition(sentence, figures, spoken, named.length > 0, all, facts) ??
    ofAnotherState(sentence, [...new Set(named)], all, sense, nouns) ??
    ofNoReturn(sentence, figures, all, sense)
  );
}

/** A yes, a number or a time of these things, said otherwise. */
function ofAnotherCondition(
  { text, from }: Sentence,
  figures: readonly Figure[],
  titles: readonly string[],
  isNamed: boolean,
  all: readonly RecordRow[],
  facts: Facts,
): Pick<Figure, 'from' | 'to'> | null {
  const plain = fold(text);
  const whole = { from, to: from + text.length };
  const rows = all.filter(({ title, flags }) => title !== null && titles.includes(title) && flags.size > 0);
  if (rows.length === 0 || OPEN.test(plain)) return null;
  const isDenied = NEGATIVE.test(plain);
  const of = (row: RecordRow) =>
    [...row.counts].filter(([name]) => PLACES.test(name)).map(([, count]) => count);
  const says = (words: RegExp) => words.test(plain) && !isDenied;
  const wrong =
    ((titles.length === 1 || ALL.test(text)) &&
      rows.some((row) => [...row.flags].some(([name, value]) => isContrary(plain, name, value)))) ||
    (says(ROOM) && !FULL.test(plain) && !OTHERS.test(plain) && rows.some((row) => of(row).includes(0))) ||
    (says(FULL) && rows.every((row) => of(row).some((count) => count > 0))) ||
    (says(COSTS) && rows.every((row) => row.money.has(0)));
  if (wrong) return whole;
  const limit = figures.find(({ kind }) => kind === 'span');
  // "Tomorrow at six, less than 24 hours away": it says itself what is meant.
  if (!limit || rows.length > 1 || isDenied || (!isNamed && figures.some(({ kind }) => kind === 'time')))
    return null;
  const before = fold(text.slice(0, limit.from - from));
  const waits = rows.flatMap(({ moments }) =>
    moments.flatMap(({ at, minute, field }) =>
      minute === null || WRITTEN_DOWN.test(field) ? [] : [at - (facts.moments[0] ?? at)],
    ),
  );
  const hours = Number(limit.values[0]);
  const isAhead = waits.filter((wait) => wait > 0);
  if (isAhead.length !== 1 || hours % HOUR !== 0) return null;
  const [wait = 0] = isAhead;
  return (MORE.test(before) && wait < hours) || (FEWER.test(before) && wait > hours) ? limit : null;
}

/** "It is a premium session", of what is none; "it is not premium", of what is. @param name `is_premium` */
function isContrary(plain: string, name: string, value: boolean): boolean {
  const word = name.replace(/^is_/, '').replaceAll('_', ' ');
  if (word === name || word.length === 0) return false;
  const said = new RegExp(
    `(?<!\\p{L})(?:(?:is|are|['’]s|['’]re|e|sao|era|was)(?<no> not|n['’]t| nao)?|(?<nao>nao|nem) (?:e|sao)) (?:(?:just|only|also|so|apenas|tambem) )?(?:an? |uma? )?${word}(?!\\p{L})`,
    'u',
  ).exec(plain);
  if (!said) return false;
  const isNegative =
    said.groups?.no !== undefined ||
    said.groups?.nao !== undefined ||
    /(?:nao|nem) $/.test(plain.slice(0, said.index));
  return isNegative === value;
}

/** Between a form of "to be" and the state. */
const NEAR = 3;
/** So far before a state its subject stands. */
const SUBJECT = 6;
const BE =
  /^(?:is|are|was|were|been|re|as|foi|foram|esta|estava|estao|consta|como|ficou|continua|segue|remains|e)$/;
/** States that one thing has and another has not; what was booked may be all else too. */
const STATES: ReadonlySet<string> = new Set([
  'attend',
  'miss',
  'cancel',
  'refund',
  'fail',
  'pause',
  'block',
  'active',
]);

/** "The workshop was attended", of what was cancelled; "your account is active", of one that is blocked. */
function ofAnotherState(
  { text, tokens }: Sentence,
  titles: readonly string[],
  all: readonly RecordRow[],
  sense: RecordSense,
  nouns: RecordWords,
): Pick<Figure, 'from' | 'to'> | null {
  const plain = fold(text);
  if (NEGATIVE.test(plain) || OPEN.test(plain) || CONDITION.test(text)) return null;
  const words = tokens.map((token) => token.text);
  const [title, ...more] = titles;
  if (more.length > 0) return null;
  const found = tokens.find(({ text: word }, at) => {
    const state = sense.stateOf(word) ?? '';
    const isOf =
      title === undefined
        ? !['attend', 'miss', 'refund', 'fail'].includes(state)
        : state !== 'pause' && state !== 'block' && state !== 'active';
    if (!STATES.has(state) || !isOf) return false;
    if (!words.slice(Math.max(0, at - NEAR), at).some((before) => BE.test(before))) return false;
    // "Your account is blocked, though your plan is active": each state has a subject of its own.
    const kinds = new Set(
      words.slice(Math.max(0, at - SUBJECT), at).flatMap((one) => nouns.entityOf(one) ?? []),
    );
    // Of what has a title several may be meant.
    const isTitled = all.some((row) => row.title !== null && kinds.has(row.kind));
    if (title === undefined && (kinds.size !== 1 || isTitled)) return false;
    const rows = all.filter((row) =>
      title === undefined
        ? row.title === null && kinds.has(row.kind) && row.kind.length > 0
        : row.title === title,
    );
    const known = new Set<string>(rows.flatMap(({ deeds, pending }) => [...deeds, ...pending]));
    if (known.has('refund')) known.add('cancel');
    if (known.has('resume')) known.add('active');
    return known.size > 0 && !known.has(state);
  });
  return found ?? null;
}

/** What takes a payment back. */
const TAKEN_BACK: ReadonlySet<string> = new Set(['refund', 'cancel']);

/** "The charge of 21 November was reversed", of one that stands as it was paid: amount or day tell which is meant. */
function ofNoReturn(
  { text, tokens, from }: Sentence,
  figures: readonly Figure[],
  all: readonly RecordRow[],
  sense: RecordSense,
): Pick<Figure, 'from' | 'to'> | null {
  const at = tokens.findIndex(({ text: word }) => TAKEN_BACK.has(sense.stateOf(word) ?? ''));
  const state = tokens[at];
  const plain = fold(text.slice(0, (state?.from ?? from) - from));
  if (NEGATIVE.test(plain) || OPEN.test(plain) || CONDITION.test(plain)) return null;
  const before = tokens.slice(Math.max(0, at - 2 * SUBJECT), Math.max(0, at));
  const paid = before.findIndex(
    ({ text: word }) => sense.kindsOf(word).includes('payment') && sense.stateOf(word) === null,
  );
  const isDone = before.slice(-NEAR).some(({ text: word }) => BE.test(word));
  if (!state || paid === -1 || !isDone) return null;
  const start = before[paid]?.from ?? from;
  const named = figures.filter(
    (one) => (one.kind === 'date' || one.kind === 'money') && one.from > start && one.from < state.from,
  );
  const meant = all.filter(
    (row) => row.kind === 'payment' && named.length > 0 && named.every((one) => hasFigure(row, one)),
  );
  const isReturned = (row: RecordRow) =>
    all.some((one) => one.kind === 'refund' && [...one.money].some((amount) => row.money.has(amount)));
  return meant.length > 0 && !meant.some(isReturned) ? state : null;
}
