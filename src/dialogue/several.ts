import { countingHead } from '../nlu/counting-head.js';
import type { Mention, MentionRole, MentionWords, RoleGuess, RoleReader } from '../nlu/mention-roles.js';
import type { Candidate, Selection, SelectOptions, Slots } from '../nlu/slots/index.js';
import { foldText } from '../nlu/slots/text.js';
import { wantedIn } from '../nlu/slots/wanted.js';
import { KEEP } from '../nlu/slots/withdrawal-words.js';

/** Characters in which things are named one after the other; a longer message tells a story. */
const LONGEST_LIST = 500;

/** The records that a text means. */
export interface Several {
  /** In the order in which they are named; empty where it means one, none, or does not say which of several. */
  readonly ids: readonly string[];
  /** Which it may mean where it does not say: "the other two" of three. */
  readonly among: readonly string[];
  /** True where each is named for itself, so that a no to one is none to the others. */
  readonly named?: boolean;
  /** Those that are to stay as they are, where it says so. */
  readonly kept?: readonly string[];
  /** True where it names no change and only says what is to stay: "no, the musical I am going to". */
  readonly onlyKept?: boolean;
  /** The text without the records that it names only as a reason, or to stay. */
  readonly rest?: string;
}

/** How a text is read that names several records. */
export interface SeveralOptions extends SelectOptions {
  /** True for a question about what it names, which wants nothing changed. */
  readonly asks?: boolean;
}

const NOTHING: Several = { ids: [], among: [] };
/** From here on a record is not what a message wants changed: the only one that it names, and one of several. */
const [ONLY_SURE, SURE] = [0.85, 0.82];
/** A message of more words tells a story: a day or a place in it is that of something else, where a record is named. */
const STORY_WORDS = 24;
/** Words beside the one that names a record which may belong to its name; letters of one that names it by itself. */
const [NEAR, SHORTEST_NAME] = [3, 4];
/** Parts of a message that are looked at. */
const MOST_PARTS = 24;
/** What says so in words is kept, whatever change is named beside it. */
const KEEPING = new RegExp(`\\b${KEEP}\\b`);
/** What has no name is kept: "cancel only the samba and keep the others". */
const KEEPS_OTHERS = new RegExp(
  `\\b(?:${KEEP}|(?:fic[ao]|ficar|quedar(?:me)?) con?m?|deix[ae]r?|leave)(?: (?:the|all|my|[ao]s|tod[ao]s|minhas|meus|l[ao]s|mis))* (?:others?|rest|remaining|outr[ao]s?|resto|demais|restantes|otr[ao]s)\\b`,
  'u',
);
/** Characters between two parts of one title, and on each side of a day in which it may be said to be that of a record. */
const [BETWEEN, POINTING] = [6, 6];

/** A record or several that a part of a text names, and where. */
interface Named extends Mention {
  readonly ids: readonly string[];
  /** True where it is called by its title, its number or its place in a list. */
  readonly isCalled: boolean;
  /** True where its places in a list say which: "the first two". */
  readonly isCounted: boolean;
}

/**
 * The records that a text wants something done to, where it names more than one or says what is to stay: all of a month, all but one,
 * several numbers, one after the other ("the jazz night and also the third"), the others; without those that it names as a reason.
 */
export function selectSeveral(
  {
    slots,
    roles,
  }: {
    readonly slots: Pick<Slots, 'selectCandidate' | 'comparedIn' | 'readRequestAct' | 'answers'>;
    readonly roles: RoleReader;
  },
  text: string,
  candidates: readonly Candidate[],
  options: SeveralOptions,
): Several {
  const { words } = roles;
  const { changes } = slots.answers;
  const counted = countedFirst(slots, text, candidates, options);
  if (counted !== null) {
    const { kept = [] } = selectSeveral(
      { slots, roles },
      text.slice(text.indexOf(counted.head) + counted.head.length),
      candidates,
      options,
    );
    return { ids: counted.ids.filter((id) => !kept.includes(id)), among: [], named: true, kept };
  }
  const list = text.slice(0, LONGEST_LIST);
  // "I have the workshop and the concert, drop the cheaper one" names both to compare them.
  if (slots.comparedIn(text) !== null) return NOTHING;
  const all = mentionsIn({ slots, words }, list, candidates, options);
  const isStory = list.split(/\s+/).length > STORY_WORDS && all.some(({ isCalled }) => isCalled);
  const mentions = isStory ? all.filter(({ isCalled }) => isCalled) : all;
  const guesses = options.asks ? [] : roles.rolesOf(list, mentions, options.language ?? '');
  // "All but the first": of all something is left out.
  const isAll = words.all.test(list);
  const least = isAll ? 0 : mentions.length > 1 ? SURE : ONLY_SURE;
  // "Cancel the reading, I still want to go to the samba": beside another one that stays.
  const goes = wantedIn(list);
  const told = mentions.map((one) => isTold(changes, words, list, one, mentions));
  const isGoing = ({ start, end }: Mention) => goes.some((span) => span.start <= start && end <= span.end);
  const stays = mentions.some((one) => !isGoing(one)) ? mentions.map(isGoing) : [];
  const roleAt = (at: number): MentionRole =>
    told[at] ? 'aside' : stays[at] ? 'kept' : believed(guesses[at], least);
  const as = (role: MentionRole): readonly string[] => [
    ...new Set(mentions.flatMap(({ ids }, at) => (roleAt(at) === role ? ids : []))),
  ];
  const kept = as('kept');
  const named = mentions.flatMap(({ ids }, at) => (roleAt(at) === 'wanted' && ids.length === 1 ? ids : []));
  // A day or a month in the story around an order means none of what is on then.
  const meant = named.length > 0 && !isAll ? [...new Set(named)] : as('wanted');
  const wanted = meant.filter((id) => !kept.includes(id));
  const rest = mentions.reduceRight(
    (left, { start, end }, at) => (roleAt(at) === 'wanted' ? left : left.slice(0, start) + left.slice(end)),
    list,
  );
  const about = rest === list ? {} : { rest };
  if (kept.length > 0 && wanted.length === 0) {
    // "Only the samba, and keep the others": what stays is not what is named.
    if (KEEPS_OTHERS.test(foldText(text)))
      return { ...NOTHING, kept: candidates.map(({ id }) => id).filter((id) => !kept.includes(id)) };
    const others = othersIn(words, rest, candidates, options, kept);
    const isAlone = others.ids.length + others.among.length === 0;
    const { kind, actions } = slots.readRequestAct(text);
    // "I asked to cancel Giselle, I want my 320 back" names the change and takes nothing back.
    const isChange = changes.kindsIn(text).length > 0 && kind === 'none';
    if (isAlone && isChange && !KEEPING.test(foldText(text))) return { ids: kept, among: [], ...about };
    return { ...others, ...about, kept, onlyKept: isAlone && actions.length === 0 };
  }
  const isOne = wanted.length < 2 && rest === list;
  if (isOne || wanted.length === 0) {
    const whole = slots.selectCandidate(rest, candidates, options);
    if (whole.kind === 'all') return { ids: whole.ids, among: [], ...about };
    const isEach =
      whole.kind === 'many' &&
      (words.all.test(rest) || words.eachOf.test(rest) || whole.by === 'ordinal' || whole.by === 'id');
    return { ...(isEach ? { ids: whole.ids, among: [] } : NOTHING), ...about };
  }
  const isEach = wanted.length > 1 && mentions.every(({ ids, isCounted }) => ids.length === 1 || isCounted);
  const isSure = isEach || isAll || words.eachOf.test(list) || rest !== list;
  if (!isSure) return NOTHING;
  return { ids: wanted, among: [], ...about, ...(isEach && { named: true }), kept };
}

/** True for a day that is told before what is ordered by its name: "it stays on the 3rd. So cancel the samba". */
function isTold(
  changes: Parameters<typeof selectSeveral>[0]['slots']['answers']['changes'],
  { pointing }: MentionWords,
  text: string,
  { start, end, isCalled }: Named,
  mentions: readonly Named[],
): boolean {
  const isOrdered = (at: number): boolean => changes.orderedIn(text.slice(0, at)).length > 0;
  const beside = text.slice(Math.max(0, start - POINTING), end + POINTING);
  if (isCalled || isOrdered(start) || pointing.test(beside)) return false;
  return mentions.some((one) => one.isCalled && isOrdered(one.start));
}

/** Several of a list by their places or number at the beginning, with more after it: a day in that means none of them. Null where none. */
function countedFirst(
  { selectCandidate }: Readers['slots'],
  text: string,
  candidates: readonly Candidate[],
  options: SeveralOptions,
): { readonly head: string; readonly ids: readonly string[] } | null {
  const { listed = [] } = options;
  const head = listed.length < 2 ? null : countingHead(text);
  if (head === null || head.trim() === text.trim()) return null;
  const among = candidates.filter(({ id }) => listed.includes(id));
  const picked = selectCandidate(head, among, options);
  return picked.kind === 'all' || picked.kind === 'many' ? { head, ids: picked.ids } : null;
}

/** The role of a mention: what is wanted, unless it surely is another. */
function believed(guess: RoleGuess | undefined, least: number): MentionRole {
  return guess && guess.chance >= least ? guess.role : 'wanted';
}

/** What mentions are looked for with. */
interface Readers {
  readonly slots: Pick<Slots, 'selectCandidate'>;
  readonly words: MentionWords;
}

/** What a text names: of each part of it one record, or those of a day, a month, a place. */
function mentionsIn(
  { slots: { selectCandidate }, words }: Readers,
  text: string,
  candidates: readonly Candidate[],
  options: SelectOptions,
): readonly Named[] {
  const known = new Map<string, Selection>();
  const pick = (start: number, end: number): Selection => {
    const part = text.slice(start, end).trim();
    const picked = known.get(part) ?? selectCandidate(part, candidates, { ...options, asNamed: true });
    known.set(part, picked);
    return picked;
  };
  const idsOf = (start: number, end: number): readonly string[] => {
    const picked = pick(start, end);
    if (picked.kind === 'one') return picked.by === 'only' || picked.by === 'position' ? [] : [picked.id];
    return picked.kind === 'none' || picked.kind === 'all' ? [] : picked.ids;
  };
  const picks = ({ start, end }: Mention, by: RegExp): boolean => {
    const picked = pick(start, end);
    return 'by' in picked && by.test(picked.by);
  };
  const named: Named[] = [];
  let from = 0;
  for (const { index, 0: joint } of partsOf(text, words)) {
    const found = namedWithin(text, from, index, idsOf);
    const one = found && {
      ...found,
      isCalled: picks(found, /title|id|ordinal/),
      isCounted: picks(found, /^ordinal$/),
    };
    from = index + joint.length;
    // "Both", "as duas" is no place in a list.
    if (!one || words.counts.has(foldText(text.slice(one.start, one.end)))) continue;
    const last = named.at(-1);
    // Both halves of "Villa-Lobos and Jobim" name the same concert.
    const isSame = last && one.start - last.end <= BETWEEN && isEqual(last.ids, one.ids);
    if (isSame) named[named.length - 1] = { ...last, end: one.end };
    else named.push(one);
  }
  return named;
}

/** Where the parts of a text end, and what joins each to the next. */
function partsOf(
  text: string,
  { parts }: MentionWords,
): readonly { readonly index: number; readonly 0: string }[] {
  return [...text.matchAll(parts), { index: text.length, 0: '' }].slice(0, MOST_PARTS);
}

/** What one part of a text names, in as few of its words as name it. */
function namedWithin(
  text: string,
  from: number,
  to: number,
  idsOf: (start: number, end: number) => readonly string[],
): Omit<Named, 'isCalled' | 'isCounted'> | null {
  const ids = idsOf(from, to);
  if (ids.length === 0) return null;
  const words = [...text.slice(from, to).matchAll(/\S+/gu)].map(({ index, 0: word }) => ({
    start: from + index,
    end: from + index + word.length,
  }));
  const at = (place: number) => words[place] ?? { start: from, end: to };
  const names = (first: number, last: number): boolean => isEqual(ids, idsOf(at(first).start, at(last).end));
  const isName = (place: number): boolean =>
    at(place).end - at(place).start >= SHORTEST_NAME && names(place, place);
  let last = words.length - 1;
  let first = furthest(0, last, (place) => names(place, last));
  last = last - furthest(0, last - first, (cut) => names(first, last - cut));
  // "Samba" of "the samba on Sunday" belongs to the name, though the day alone would do.
  for (let place = first - 1; place >= Math.max(0, first - NEAR); place -= 1)
    if (isName(place)) first = place;
  for (let place = last + 1; place < Math.min(words.length, last + 1 + NEAR); place += 1)
    if (isName(place)) last = place;
  return { ids, start: at(first).start, end: at(last).end };
}

/** The last place from the first one on that holds, where those that hold come before those that do not. */
function furthest(first: number, last: number, holds: (place: number) => boolean): number {
  let [low, high] = [first, last];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (holds(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

function isEqual(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((id) => other.includes(id));
}

/** What the rest of a text means that has said what stays: the others, or all of them; nothing where it speaks of none. */
function othersIn(
  words: MentionWords,
  rest: string,
  candidates: readonly Candidate[],
  { listed = [] }: SelectOptions,
  staying: readonly string[],
): Several {
  const isListed = listed.length > 1 && staying.every((id) => listed.includes(id));
  const left = candidates.filter(({ id }) => !staying.includes(id) && (!isListed || listed.includes(id)));
  const ids = left.map(({ id }) => id);
  const folded = rest.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  const counted = (folded.match(/\p{L}+|\d+/gu) ?? []).map((word) => words.counts.get(word) ?? Number(word));
  const count = counted.find((number) => number > 1 && number < 10) ?? null;
  // "All three. But the musical stays" counts what is left.
  const isCounted = count !== null && count === ids.length;
  if (!isCounted && !words.others.test(rest) && !words.all.test(rest)) return NOTHING;
  return count === null || count === ids.length ? { ids, among: [] } : { ids: [], among: ids };
}
