import type { Deed } from '../../core/domain/deed.js';
import type { Claim } from './clauses.js';
import { unsupportedFigure } from './figure-check.js';
import { figuresIn } from './figures.js';
import { HEDGES, NEUTRAL } from './grammar-words.js';
import { AT_ONCE, COSTS_NOTHING, DEADLINE, GIFT, NAMED, SETTLED } from './idioms.js';
import { deedOf, ROLES, senseOf } from './lexicon.js';
import type { KnownRecord } from './records.js';
import { type Sentence, sentencesOf } from './sentences.js';
import { claimsIn } from './speech.js';
import { fold } from './tokens.js';
import type { TurnEvidence } from './turn-evidence.js';

/** What an answer says without anything to say it from. */
export interface Unsupported {
  readonly kind: 'claimed_action' | 'promise' | 'figure';
  /** The words in question. */
  readonly what: string;
}

const CASES = new Set(
  'suspects suspect reasons reason causes cause might could may when if motivos motivo causas causa suspeitos quando se porque'.split(
    ' ',
  ),
);

/** Begins a sentence with a capital and is nobody's name: a pronoun, an article, several of a kind. */
const NO_NAME =
  /^(?:you|we|they|it|he|she|this|that|there|the|your|our|their|its|his|her|what|which|who|everything|nothing|then|after|voce|ele|ela|isso|isto|tudo|\p{L}+s)$/u;

/** So many lines of a list are looked at. */
const LISTED = 30;

/** What follows from a deed that was done. */
const IMPLIED: Readonly<Partial<Record<Deed, readonly Deed[]>>> = {
  settle: ['cancel', 'refund', 'pause', 'resume', 'note', 'change'],
  send: ['refund'],
  change: ['pause', 'resume', 'cancel'],
  book: ['book'],
};

/**
 * Compares what an answer says with what the turn knows: deeds with what tools did and records say, promises with the
 * rules that were read, figures with every source. Linear in the answer.
 * @returns the first thing that nothing supports, or null
 */
export function unsupportedIn(answer: string, evidence: TurnEvidence): Unsupported | null {
  const text = answer.normalize('NFC');
  const sentences = sentencesOf(text);
  let named: readonly KnownRecord[] = [];
  let possible = false;
  for (const [at, sentence] of sentences.entries()) {
    named = namedBy(sentences, at, named, evidence);
    if (!/^\s*[-•*\d]/.test(sentence.text) && sentence.words.size > 1) possible = isCases(sentence);
    else if (possible && sentence.words.size > 1) continue;
    const fault = claimFault(sentence, named, evidence) ?? swapped(sentence, evidence);
    if (fault) return fault;
  }
  const figure = unsupportedFigure(text, sentences, evidence);
  return figure === null ? null : { kind: 'figure', what: figure };
}

/** The records a sentence speaks of: those it names, those of the list it opens, else those of the one before. */
function namedBy(
  sentences: readonly Sentence[],
  at: number,
  before: readonly KnownRecord[],
  { records }: TurnEvidence,
): readonly KnownRecord[] {
  const sentence = sentences[at];
  if (!sentence) return before;
  const own = records.named(sentence.words);
  if (own.length > 0) return own;
  if (/:\s*$/.test(sentence.text)) {
    const listed = sentences
      .slice(at + 1, at + 1 + LISTED)
      .filter(({ text }) => /^\s*[-•*\d]/.test(text))
      .flatMap(({ words }) => records.named(words));
    if (listed.length > 0) return listed;
  }
  return before.length > 0 ? before : records.asked;
}

function claimFault(
  sentence: Sentence,
  named: readonly KnownRecord[],
  evidence: TurnEvidence,
): Unsupported | null {
  const plain = fold(sentence.text);
  const { facts, records } = evidence;
  if (!sentence.question) {
    if (SETTLED.test(plain) && records.done.size === 0)
      return { kind: 'claimed_action', what: sentence.text.trim() };
    for (const claim of claimsIn(sentence)) {
      const holds =
        claim.act === 'promise'
          ? isRule(claim, sentence, evidence)
          : isDone(claim, sentence, named, evidence);
      if (!holds)
        return { kind: claim.act === 'promise' ? 'promise' : 'claimed_action', what: sentence.text.trim() };
    }
    for (const [, name = ''] of sentence.text.matchAll(NAMED)) {
      if (!NO_NAME.test(fold(name)) && !facts.words.has(fold(name))) return { kind: 'promise', what: name };
    }
  }
  for (const word of sentence.words) {
    if (ROLES.has(word) && !facts.words.has(word)) return { kind: 'promise', what: word };
  }
  for (const [, gift = ''] of plain.matchAll(GIFT)) {
    const known = COSTS_NOTHING.test(gift) ? facts.free : facts.text.includes(gift);
    if (!known) return { kind: 'promise', what: gift };
  }
  if (sentence.question) return null;
  const how = AT_ONCE.exec(plain)?.[1];
  if (how && !facts.atOnce && !isNegative(sentence)) return { kind: 'promise', what: how };
  const by = DEADLINE.exec(plain)?.[1];
  const before = by ? plain.slice(0, plain.indexOf(by)) : '';
  if (
    by &&
    !/(?<!\p{L})(?:not|nao|no|never|nunca)(?!\p{L})/u.test(before) &&
    !facts.text.includes(by) &&
    !/[àa]s? \d|\bat \d/u.test(sentence.text)
  )
    return { kind: 'promise', what: by };
  return null;
}

/** "Usually it's one of these:" and lines follow: what may be, not what is. */
function isCases({ text, words }: Sentence): boolean {
  return /:\s*$/.test(text) && [...words].some((word) => HEDGES.has(word) || CASES.has(word));
}

function isNegative({ words }: Sentence): boolean {
  return ['not', 'nao', 'no', 'never', 'nunca'].some((word) => words.has(word));
}

/** True where a rule or finding that was read this turn says so. */
function isRule({ verb, deed }: Claim, sentence: Sentence, { facts, records }: TurnEvidence): boolean {
  const word = verb.replace(/^(?:people|own):/, '');
  const sense = senseOf(word);
  if (verb.startsWith('people:') && !sense.startsWith('=')) return true;
  // What the hub itself would do later it can only do by a tool, and what people decide is open until they have.
  if (verb.startsWith('own:') || deed === 'approve') return false;
  if (facts.senses.has(sense)) return true;
  // "If you cancel now, you will get R$ 60.00 back": the policy's own consequence; the amount is compared as a figure.
  const cancels = /\b(?:if|se|caso|when|quando)\b[^,]*\b(?:cancel|desist|desmarc)/.test(fold(sentence.text));
  if (deed === 'refund' && cancels) return true;
  return deed !== null && records.done.has(deed);
}

/** True where a tool has done it in this turn, or the record it speaks of says that it was done. */
function isDone(
  { act, deed, verb, said }: Claim,
  sentence: Sentence,
  named: readonly KnownRecord[],
  { records, facts }: TurnEvidence,
): boolean {
  if (said === 'state' && facts.senses.has(senseOf(verb))) return true;
  if (act === 'happened' && facts.told.has(senseOf(verb))) return true;
  if (NEUTRAL.has(verb) && records.all.length > 0) return true;
  if (said === 'own' && records.all.length === 0 && facts.statements.length === 0) return false;
  const wanted = deed === null ? [] : [deed, ...(IMPLIED[deed] ?? [])];
  const fits = ({ deeds }: KnownRecord) => wanted.some((one) => deeds.has(one));
  const changed = records.all.filter((record) => record.done && fits(record));
  if (changed.length > 0 && (named.length === 0 || named.some((record) => sharesName(record, changed))))
    return true;
  if (act === 'done') return false;
  if (deed === null)
    return (
      facts.words.has(verb) ||
      facts.senses.has(senseOf(verb)) ||
      records.all.some((record) => isMeant(record, sentence))
    );
  if (named.some((record) => !record.done && fits(record))) return true;
  if (
    facts.statements.some((text) =>
      sentencesOf(text).some(
        (one) =>
          claimsIn(one).some((claim) => claim.deed === deed) ||
          (!isNegative(one) && [...one.words].some((word) => deedOf(word) === deed)),
      ),
    )
  )
    return true;
  // That something is booked changes nothing for the customer, so any record may say it.
  if (deed === 'book' && named.length === 0) return records.all.some(fits);
  // "R$ 30.00 were refunded on 9 November": amount and day tell which record is meant.
  return named.length === 0 && records.all.some((record) => fits(record) && isMeant(record, sentence));
}

function sharesName({ names }: KnownRecord, others: readonly KnownRecord[]): boolean {
  return others.some(
    (other) =>
      other.names === names || other.names.size === 0 || [...names].some((name) => other.names.has(name)),
  );
}

function isMeant({ money, days }: KnownRecord, { text }: Sentence): boolean {
  return figuresIn(text).some(
    ({ kind, values: [value] }) =>
      (kind === 'money' && typeof value === 'number' && money.has(value)) ||
      (kind === 'date' && typeof value === 'string' && days.has(value)),
  );
}

/** Day or hour of another record in a sentence that names one record alone. */
function swapped(sentence: Sentence, { records }: TurnEvidence): Unsupported | null {
  const [record, ...more] = records.named(sentence.words);
  if (!record || more.length > 0 || record.times.size === 0) return null;
  const others = records.all.filter((other) => other !== record);
  const figures = figuresIn(sentence.text);
  // Of several hours or days some may be of a record that is named in other words.
  if (['time', 'date'].some((kind) => figures.filter((figure) => figure.kind === kind).length > 1))
    return null;
  const wrong = figures.find(({ kind, values }) => {
    if (kind !== 'time' && kind !== 'date') return false;
    const has = ({ days, times }: KnownRecord) =>
      values.some((value) => (typeof value === 'string' ? days.has(value) : times.has(value)));
    return !has(record) && others.some(has);
  });
  return wrong ? { kind: 'figure', what: sentence.text.slice(wrong.from, wrong.to) } : null;
}
