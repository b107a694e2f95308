import type { Deed } from '../../core/domain/guardrail.js';
import type { Statement, StatementAct } from '../../core/ports/language-layer.js';
import { figuresIn } from './figures.js';
import {
  ABLE,
  BACK_TO,
  describes,
  ELLIPSIS,
  FREED,
  isOfAll,
  isOffer,
  isOfPaying,
  isOfReading,
  isTimeless,
  JUST,
  MAY,
  MOOD,
  NONE,
  NOW,
  OBLIGED,
  OF_SPEAKER,
  OVER,
  PERFECT,
  PERSON,
  THERE_IS,
  WHEN,
  WOULD,
} from './moods.js';
import { fits, holds, isAskedAndShown, isPast, OF_ACCOUNT, wasDone } from './record-states.js';
import type { KnownRecord } from './records.js';
import { CONDITION, partsOf, type Sentence } from './sentences.js';
import { fold, tokensOf } from './tokens.js';
import type { TurnEvidence } from './turn-evidence.js';

/** What an answer says without anything to say it from. */
export interface Unsupported {
  readonly kind: 'claimed_action' | 'promise' | 'figure';
  /** The words in question. */
  readonly what: string;
}

/** From this chance on that a statement is made for which there is no evidence, it is not sent. */
const SURE = 0.65;
/** From here on less of it has to be heard. */
const LIKELY = 0.88;
/** And from here on whatever else its sentence says. */
const CERTAIN = 0.95;
/** What is said to the customer in a part of a sentence is said from here on, whatever the rest says. */
const PLAIN = 0.9;
/** A reader that is less sure than this of what was done has found no deed that a condition or a figure would not excuse. */
const VAGUE = 0.5;
/** What its sentence as a whole does not say at all is misread of a part that stands in it. */
const HEARD = 0.3;
/** Fewer words state nothing. */
const FEWEST = 1;
/** Fewer words promise nothing: "back to you". */
const SHORTEST = 4;
/** So much of a promise one sentence of an article has to say where the articles speak of such a deed; and where they do not. */
const MENTIONED = 0.45;
export const BACKED = 0.6;
/** What is said in an article's words. */
const QUOTED = 0.75;
/** Stands for the title of a record. */
const NAME = '<x>';
const ACTS: readonly StatementAct[] = ['done', 'claim', 'denied', 'pending', 'promise'];
/** What no day of an allowance bears out. */
const OF_MONEY: ReadonlySet<Deed> = new Set([
  'refund',
  'cancel',
  'pay',
  'waive',
  'unblock',
  'send',
  'contact',
]);
/** Behind what is so, what is not. */
const NOT_THAT =
  /, (?:and |e |but |mas )?(?:not|n[aã]o|rather than|em vez de) (?:as |como )?\p{L}+(?=[.!]?$)/iu;
/** What rules announce to everybody; all else a rule promises under a condition only. */
const ANNOUNCED: ReadonlySet<Deed> = new Set(['contact', 'send']);
/** The first part of a sentence that states something for which there is no evidence; null where there is none. */
export function unsupportedStatement(
  sentence: Sentence,
  named: readonly KnownRecord[],
  evidence: TurnEvidence,
): Unsupported | null {
  const { text, titles } = evidence.records.masked(sentence.text.trim());
  let title = 0;
  const parts = partsOf(text);
  const isInWhole = (part: string, chance: number): boolean => {
    const whole = evidence.statements.read(text);
    if (chance > PLAIN && PERSON.test(part) && !CONDITION.test(text)) return true;
    const isStated =
      ACTS.reduce((sum, act) => sum + whole.acts[act], 0) > (chance > LIKELY ? HEARD / 2 : HEARD);
    // A condition in another part excuses none of this one.
    const isOwn = chance > CERTAIN || (CONDITION.test(text) && !CONDITION.test(part));
    return isStated && (isOwn || chanceUnsupported(whole, text, named, evidence).chance > HEARD);
  };
  for (const part of parts) {
    const count = part.split(NAME).length - 1;
    const names = titles.slice(title, title + count).join(' ');
    const words = parts.length === 1 ? sentence.words : wordsOf(`${part} ${names}`);
    const own = evidence.records.named(words);
    title += count;
    if ((part.replaceAll(NAME, '').match(/\p{L}{2,}|\d+(?= \p{L})/gu) ?? []).length < FEWEST) continue;
    if (ELLIPSIS.test(part) || isOfReading(part)) continue;
    // "It is shown as reserved, not as attended": the other one is denied.
    const statement = evidence.statements.read(part.replace(NOT_THAT, ''));
    const isTitled = own.some(({ names }) => [...names].some((name) => words.has(name)));
    const about = isTitled ? own : datedIn(part, own.length > 0 ? own : named, evidence);
    const { chance, promised } = chanceUnsupported(statement, part, about, evidence);
    const kind = promised > chance / 2 ? 'promise' : 'claimed_action';
    if (chance > SURE && (parts.length === 1 || isInWhole(part, chance)))
      return { kind, what: sentence.text.trim() };
  }
  return null;
}

/** "The $ 55.00 of 14 November": amounts and days tell which of the records that are spoken of is meant, or which other one. */
function datedIn(
  part: string,
  context: readonly KnownRecord[],
  { records, facts }: TurnEvidence,
): readonly KnownRecord[] {
  const figures = figuresIn(part, facts.currency).filter(({ kind }) => kind === 'money' || kind === 'date');
  if (figures.length === 0) return context;
  const dated = records.all.filter(
    (record) => record.title !== null && !record.done && figures.every((figure) => fits(figure, record)),
  );
  const meant = context.filter((record) => dated.includes(record));
  return meant.length > 0 ? meant : dated.length === 1 ? dated : context;
}

/** How likely it is that a part states what nothing supports, and promises it. */
function chanceUnsupported(
  { acts, deeds }: Statement,
  part: string,
  about: readonly KnownRecord[],
  evidence: TurnEvidence,
): { readonly chance: number; readonly promised: number } {
  let [chance, promised] = [0, 0];
  const likeliest = Math.max(...Object.values(deeds));
  // "So it will be 13 months tomorrow" is of no deed and of nobody.
  const promisesNothing = part.split(' ').length < SHORTEST || (likeliest < HEARD && !PERSON.test(part));
  const isVague = likeliest < VAGUE;
  for (const act of ACTS) {
    const said = acts[act];
    if (said < 0.05) continue;
    for (const [deed, share] of Object.entries(deeds) as [Deed, number][]) {
      if (act === 'claim' && isVague && (said < VAGUE || CONDITION.test(part))) continue;
      if (act === 'promise' && promisesNothing) continue;
      if (share < 0.02 || isSupported(act, deed, part, about, evidence)) continue;
      chance += said * share;
      if (act === 'promise') promised += said * share;
    }
  }
  return { chance, promised };
}

function isSupported(
  act: StatementAct,
  deed: Deed,
  part: string,
  about: readonly KnownRecord[],
  evidence: TurnEvidence,
): boolean {
  const { records, told, found, ruled, facts } = evidence;
  const read = records.all.some(({ done }) => !done);
  if (WOULD.test(part)) return true;
  if (MOOD.test(part)) return act !== 'done';
  if (deed === 'refund' && isOfPaying(part)) return isSupported(act, 'pay', part, about, evidence);
  if (deed === 'block' && FREED.test(part)) return isSupported(act, 'unblock', part, about, evidence);
  if (act !== 'denied' && isOffer(part) && !WHEN.test(fold(part))) return true;
  if (OBLIGED.test(part) && !PERFECT.test(fold(part.replace(OBLIGED, '')))) return act !== 'promise';
  switch (act) {
    case 'courtesy':
      return true;
    case 'done':
      return wasDone(deed, about, evidence);
    case 'claim':
      if (JUST.test(fold(part))) return wasDone(deed, about, evidence);
      if (NONE.test(part)) return isSupported('denied', deed, part, about, evidence);
      if (BACK_TO.test(part) && facts.tallies.length > 0) return true;
      return (
        (told.has(deed) && !NOW.test(fold(part))) ||
        (deed === 'book' && THERE_IS.test(part)) ||
        (deed === 'settle' && isAskedAndShown(evidence)) ||
        (isTimeless(part) && ruled.has(deed) && (isOfAll(part) || evidence.backing(part) >= QUOTED)) ||
        (OVER.test(part) && isPast(about, evidence)) ||
        // "You can book at once": what a rule lets everybody do.
        (ABLE.test(part) &&
          !PERFECT.test(fold(part.replace(ABLE, ''))) &&
          evidence.backing(part) >= BACKED) ||
        (!OF_MONEY.has(deed) && about.some(({ title }) => title !== null) && describes(part)) ||
        found.has(deed) ||
        ((CONDITION.test(part) ||
          (MAY.test(evidence.facts.asked) && !PERFECT.test(fold(part)) && !NOW.test(fold(part)))) &&
          ruled.has(deed)) ||
        wasDone(deed, about, evidence) ||
        holds(deed, part, about, evidence)
      );
    case 'pending':
      return (
        about.some(({ pending }) => pending.has(deed)) ||
        (about.length === 0 && records.all.some(({ pending }) => pending.has(deed)))
      );
    case 'denied':
      if (OF_ACCOUNT.has(deed)) return !read || !records.all.some(({ deeds }) => deeds.has(deed));
      return about.length === 0 || !about.every(({ deeds }) => deeds.has(deed));
    case 'promise':
      if (
        WHEN.test(fold(part)) &&
        !facts.rules.some((rule) => fold(rule).includes(WHEN.exec(fold(part))?.[1] ?? ''))
      )
        return false;
      if (records.done.has(deed)) return true;
      if (OF_SPEAKER.test(part)) return false;
      return (
        evidence.backing(part) >=
        (ruled.has(deed) && (ANNOUNCED.has(deed) || CONDITION.test(part)) ? MENTIONED : BACKED)
      );
  }
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(tokensOf(text).map((token) => token.text));
}
