import { MONTHS, WEEKDAYS } from './calendar.js';
import type { Facts, Tally } from './facts.js';
import { BETWEEN, MINUTES } from './figure-words.js';
import type { Sentence } from './sentences.js';
import type { Token } from './tokens.js';

const set = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/));

const LEFT = set(
  'left remaining remain remains available unused restante restantes disponivel disponiveis livre livres sobrando',
);
const LEAVES = set('resta restam sobra sobram sobrou sobraram leaves leaving');
const USED = set('used spent usada usadas usado usados gasta gastas gasto utilizada utilizadas');
const USES = set('used spent usou utilizou gastou');
const TO_USE = set('spend use enjoy');
const STILL = set('still ainda');
const HAVE = set('have tem has');
const NONE = set('none nenhum nenhuma no');
const ONLY = set('only unica unico');
const BOTH = set('both ambas ambos');
const UPCOMING = set('upcoming future coming ahead frente futura futuras futuro futuros');
/** Speaks of another time or of a part: what is counted now says nothing of it. */
const OTHERWISE = set(
  'will would ll could might if when once after next vai vao teria tera terao ficaria ficara restaria restara sobrara quando se caso depois apos proximo proxima other another else outra outro outras outros than',
);
/** "Which one you used": no number. */
const STANDS_FOR = set('which the this that each every any no another');
const BEFORE = set('before until by antes ate');
const WHOLE = set('of out de das dos from entre');
const STOP = /^(?:[.,;:!?()\n–—]|and|e|but|mas)$/;
/** So many words may stand between a number and what is said of it. */
const REACH = 8;
/** What is left of a thing itself, and not of an allowance. */
const ROOM =
  /^(?:places?|spots?|seats?|tickets?|rooms?|slots?|vagas?|lugar(?:es)?|ingressos?|assentos?|days?|dias?)$/;
/** "Five places left" may be of another thing than the allowance. */
const PLURAL = 2;

/**
 * A number in a sentence, in digits or in words, that contradicts what a record counts: what is left of an allowance or
 * was used of it, and how many things are still to come. "One left" where none is, "six upcoming" of five.
 * @param strict whether all of an allowance is wrong too where nothing says that it is
 * @returns the words in question, or null
 */
export function wrongTally(sentence: Sentence, facts: Facts, strict = false): string | null {
  if (sentence.question || (facts.tallies.length === 0 && facts.upcoming.size === 0)) return null;
  const { tokens } = sentence;
  for (const [at, token] of tokens.entries()) {
    const word = BOTH.has(token.text) ? PLURAL : NONE.has(token.text) || ONLY.has(token.text) ? 0 : null;
    const value = token.number ?? word;
    if (value === null || isOfDay(tokens, at)) continue;
    if (token.text === 'one' && STANDS_FOR.has(tokens[at - 1]?.text ?? '')) continue;
    const clause = clauseAround(tokens, at);
    if (speaksOfAnotherTime(clause)) continue;
    const only = ONLY.has(token.text);
    const wrong =
      (only ? false : isWrongShare(tokens, at, value, facts, strict)) ||
      isWrongUpcoming(clause, tokens, at, only ? 1 : value, only, facts);
    if (wrong) return sentence.text.trim();
  }
  return null;
}

/** "1 December", "a Saturday": no number of things. */
function isOfDay(tokens: readonly Token[], at: number): boolean {
  const word = (ahead: number) => tokens[at + ahead]?.text ?? '';
  return (
    [word(-1), word(1), word(2)].some((one) => one.length > 3 && MONTHS.has(one)) || WEEKDAYS.has(word(1))
  );
}

/** The words around a place up to the next signs. */
function clauseAround(tokens: readonly Token[], at: number): readonly Token[] {
  let [from, to] = [at, at];
  while (from > 0 && !STOP.test(tokens[from - 1]?.text ?? '')) from -= 1;
  while (to + 1 < tokens.length && !STOP.test(tokens[to + 1]?.text ?? '')) to += 1;
  return tokens.slice(from, to + 1);
}

function speaksOfAnotherTime(clause: readonly Token[]): boolean {
  const end = clause.findIndex(({ text }) => BEFORE.has(text));
  return clause
    .slice(0, end === -1 ? undefined : end)
    .some(({ text }) => OTHERWISE.has(text) || (MONTHS.has(text) && text.length > 3 && end !== -1));
}

/** Left or used, against every allowance that may be meant. */
function isWrongShare(
  tokens: readonly Token[],
  at: number,
  value: number,
  facts: Facts,
  strict: boolean,
): boolean {
  const before = within(tokens, at, -1);
  // "One of two left": the whole is not what is left of it.
  if (before.slice(0, 2).some((word) => WHOLE.has(word))) return false;
  const after = within(tokens, at, 1);
  const noun = after.find((word) => /^\p{L}/u.test(word) && !BETWEEN.has(word)) ?? '';
  const whole = after.findIndex((word) => WHOLE.has(word)) === 0 ? numberSoon(tokens, at) : null;
  const tallies = facts.tallies.filter((tally) => mayBeOf(tally, noun, facts));
  if (tallies.length === 0 || noun in MINUTES) return false;
  // "No consequence beyond being used up."
  if (
    /^(?:no|nenhuma?)$/.test(tokens[at]?.text ?? '') &&
    !tallies.some(({ of }) => facts.nameOf(noun) === of)
  )
    return false;
  const share = shareOf(before, after);
  if (share !== null)
    return tallies.every(
      (tally) => tally[share] !== value || (whole !== null && whole !== tally.used + tally.remaining),
    );
  if (whole === null || value === 0 || (value === whole && !strict)) return false;
  const meant = tallies.filter((tally) => tally.used + tally.remaining === whole);
  return (
    meant.length > 0 &&
    after.length <= REACH / 2 &&
    meant.every(({ used, remaining }) => used !== value && remaining !== value)
  );
}

function shareOf(before: readonly string[], after: readonly string[]): 'used' | 'remaining' | null {
  const near = before.slice(0, 2);
  if (near.some((word) => LEAVES.has(word))) return 'remaining';
  if (near.some((word) => USES.has(word))) return 'used';
  const found = after.find((word) => LEFT.has(word) || USED.has(word));
  if (found !== undefined) return LEFT.has(found) ? 'remaining' : 'used';
  const to = after.indexOf('to');
  if (to !== -1 && TO_USE.has(after[to + 1] ?? '')) return 'remaining';
  const has = before.slice(0, 3);
  const isMore = after[0] === 'more' ? has.some((word) => STILL.has(word)) : before[0] === 'mais';
  return isMore && has.some((word) => HAVE.has(word)) ? 'remaining' : null;
}

/** True where what is counted is the allowance, or is not named; another thing has another number. */
function mayBeOf({ of }: Tally, noun: string, facts: Facts): boolean {
  return facts.nameOf(noun) === of || (facts.countsOf(noun) === null && !ROOM.test(noun));
}

function isWrongUpcoming(
  clause: readonly Token[],
  tokens: readonly Token[],
  at: number,
  value: number,
  only: boolean,
  facts: Facts,
): boolean {
  if (!clause.some(({ text }) => UPCOMING.has(text))) return false;
  const noun = within(tokens, at, 1).find((word) => facts.upcoming.has(facts.nameOf(word)));
  const known = noun === undefined ? undefined : facts.upcoming.get(facts.nameOf(noun));
  if (known === undefined) return false;
  // A part of them may be less: "two upcoming in Rio".
  return value > known || (value < known && (only || value === 0) && clause.length <= REACH);
}

/** The words before or after a place, the nearest first, up to a sign. */
function within(tokens: readonly Token[], at: number, step: 1 | -1): readonly string[] {
  const words: string[] = [];
  for (let place = at + step; words.length < REACH; place += step) {
    const word = tokens[place];
    if (!word || STOP.test(word.text)) break;
    words.push(word.text);
  }
  return words;
}

function numberSoon(tokens: readonly Token[], at: number): number | null {
  return tokens.slice(at + 1, at + 5).find(({ number }) => number !== null)?.number ?? null;
}
