import type { EntityRecord } from '../core/domain/entity.js';
import type { Route } from '../core/domain/taxonomy.js';
import { unlessUnreachable } from '../core/signals.js';
import { fold } from '../core/text.js';
import { afterShowing } from '../dialogue/index.js';
import { ownRecords } from './dialogue-records.js';
import type { DialogueTurn, RecordAnswer } from './dialogue-types.js';

/** A record that begins at a time. */
type Timed = EntityRecord & { readonly startsAt: string };
type Untimed = EntityRecord & { readonly startsAt: null };

/** From here on triage is believed that a change is asked for. */
const SURE_CHANGE = 0.6;
const MINUTE_MS = 60_000;
/** Words that fit more than so many things name none of them. */
const MOST_NAMED = 2;

/**
 * Whether what the customer names, what is spoken of, or all they have booked is at the same time: told by when things begin,
 * and by how long they take where their text says it.
 * @returns null where that is not asked, or nothing is known to compare
 */
export async function clashAnswer(turn: DialogueTurn): Promise<RecordAnswer | null> {
  const { deps, graph, state, text, texts } = turn;
  if (graph.focus !== null || !deps.dialogue.asksClash(text) || asksWhatIsOn(turn)) return null;
  const { confidence = 0, requests = [] } = graph.classification ?? {};
  // "You charged me twice on the same day" reports what is wrong, and speaks of no two things to be at.
  const isElse = (route: Route | null) =>
    route !== null && (deps.agents.changes(route) || route === 'investigation');
  if (confidence >= SURE_CHANGE && requests.some(({ route }) => isElse(route))) return null;
  const own = (await ownRecords(turn)).filter(isAhead);
  const named = await namedIn(turn, own);
  // "Both tomorrow" of who has nothing then is no question about what is on other days.
  if (named.length === 0 && isOnDays(turn)) return null;
  const spoken = state.shown.filter(isAhead);
  const focus = spoken.find(({ id }) => id === state.focus);
  const compared = named.length > 0 ? named : spoken.length === 2 && !focus ? spoken : focus ? [focus] : [];
  const [one, ...more] = compared;
  const others = more.length > 0 ? more : own.filter((record) => !one || !isSame(record, one));
  if (one && others.length === 0) {
    if (turn.session.identity.kind !== 'customer') return null;
    const when = whenOf(turn, one);
    return { text: texts.say('clash_alone', { title: one.title, when }), state: afterShowing(state, [one]) };
  }
  const pairs = one ? others.map((other) => [one, other] as const) : pairsOf(others);
  const [closest] = [...pairs].sort((a, b) => apart(a) - apart(b));
  if (!closest) return null;
  // What is on the same day is told for each, the rest by what comes nearest.
  const together = pairs.filter((pair) => isSameDay(turn, pair));
  const said = (together.length > 0 ? together : [closest]).map((pair) => clashOf(turn, pair, !one));
  return { text: said.join(' '), state: one ? afterShowing(state, [one]) : state };
}

/** "What is on in Rio the same day?" asks for a list, and compares nothing. */
function asksWhatIsOn({ deps, session, text }: DialogueTurn): boolean {
  const options = { now: deps.tools.clock.now(), language: session.language };
  const read = deps.dialogue.readList(text, options);
  return read?.sameDay === true && read.isWhole && read.of === 'offered';
}

/** What the text names of what may be compared: of the customer's own, of what was shown, of what anybody may be told of. */
async function namedIn(turn: DialogueTurn, own: readonly Timed[]): Promise<readonly Timed[]> {
  const { deps, session, state, text } = turn;
  const { records, clock } = deps.tools;
  const offered = records.catalogue ? await unlessUnreachable(records.catalogue(null), []) : [];
  const all = [...state.shown, ...offered].filter(isAhead);
  const others = all.filter(
    (record, at) => ![...own, ...all.slice(0, at)].some((other) => isSame(record, other)),
  );
  const options = { now: clock.now(), language: session.language };
  const picked = (
    said: string,
    known: readonly Timed[],
    records: readonly (Timed | Untimed)[],
  ): readonly Timed[] => {
    const { ids, named: isEach } = deps.dialogue.several(said, records, { ...options, asks: true });
    const named = ids.length > 0 ? ids : (deps.language.namedAmong(said, records, options.now) ?? []);
    // "Both" and "all of them" name nothing.
    return named.length < known.length || known.length === 1 || isEach
      ? known.filter(({ id }) => named.includes(id))
      : [];
  };
  const mine = picked(text, own, own);
  if (mine.length > 1) return mine;
  // What is not theirs is named by its title, in words that name none of theirs: a day alone does not mean what is on then.
  const isMine = (word: string) => mine.some((record) => deps.dialogue.isTitled(record, [fold(word)]));
  const rest = text.split(/\s+/).filter((word) => !isMine(word));
  const theirs = picked(
    rest.join(' '),
    others,
    others.map((record) => ({ ...record, startsAt: null })),
  );
  return [...mine, ...(mine.length + theirs.length > MOST_NAMED ? [] : theirs)];
}

/** True where the text says on which days it means. */
function isOnDays({ deps, session, text }: DialogueTurn): boolean {
  const options = { now: deps.tools.clock.now(), language: session.language };
  return deps.dialogue.filtersIn(text, options).filters.days.length > 0;
}

function isAhead(record: EntityRecord): record is Timed {
  return record.upcoming && record.startsAt !== null;
}

/** A booking and what it is for are the same. */
function isSame(a: Timed, b: Timed): boolean {
  return a.id === b.id || (a.title === b.title && a.startsAt === b.startsAt);
}

function pairsOf(records: readonly Timed[]): readonly (readonly [Timed, Timed])[] {
  return records.flatMap((first, at) => records.slice(at + 1).map((second) => [first, second] as const));
}

type Pair = readonly [Timed, Timed];

const apart = ([a, b]: Pair): number => Math.abs(Date.parse(a.startsAt) - Date.parse(b.startsAt));

function isSameDay({ deps }: DialogueTurn, [a, b]: Pair): boolean {
  const dayOf = ({ startsAt }: Timed) => deps.tools.time.local(new Date(startsAt)).day;
  return dayOf(a) === dayOf(b);
}

function whenOf({ deps, session }: DialogueTurn, { startsAt }: Timed): string {
  return deps.tools.time.dateTime(startsAt, session.language);
}

/** How two stand to one another. @param ofAll true where they are the closest of all */
function clashOf(turn: DialogueTurn, pair: Pair, ofAll: boolean): string {
  const [first, second] = pair[0].startsAt <= pair[1].startsAt ? pair : [pair[1], pair[0]];
  const minutes = minutesOf(turn, first);
  const gap = apart(pair) / MINUTE_MS;
  const known = minutes === null ? 'unknown' : gap < minutes ? 'over' : 'fits';
  const onDay = gap === 0 ? 'same' : known;
  return turn.texts.say('clash', {
    how: isSameDay(turn, pair) ? onDay : ofAll ? 'nearest' : 'apart',
    first: first.title,
    second: second.title,
    first_when: whenOf(turn, first),
    second_when: whenOf(turn, second),
    first_place: first.place,
    second_place: second.place,
    minutes,
  });
}

/** How long it takes, where its texts say it. */
function minutesOf({ deps }: DialogueTurn, { attributes }: Timed): number | null {
  for (const value of Object.values(attributes)) {
    const minutes = typeof value === 'string' ? deps.dialogue.minutesIn(value) : null;
    if (minutes !== null) return minutes;
  }
  return null;
}
