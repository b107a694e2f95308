import type { Candidate, SelectOptions, Slots } from '../nlu/slots/index.js';

/** Between things that are named one after the other. */
const AND = /\s*(?:[,;&+]|\b(?:and also|and|also|plus|as well as|e tamb[eé]m|tamb[eé]m|mais|e|y)\b)\s*/iu;
const ALL_BUT =
  /\b(?:all|every(?:thing)?|both|todas?|todos?|tudo|todo)\b[^.!?;\n]*?\b(?:but|except(?: for)?|apart from|besides|other than|menos|exceto|tirando|fora|salvo)\b\s*(?:(?:not|n[aã]o)\s+)?([^.!?;\n]+)/iu;
const ALL = /\b(?:all|every|each|both|todas|todos|cada|ambas|ambos)\b/iu;

/** Characters in which things are named one after the other; a longer message tells a story. */
const LONGEST_LIST = 500;

/** What is to stay as it is, up to the end of the sentence or to what is to be done: "keep Elis, cancel the other two". */
const KEPT =
  /(?:^|[\s,.;:!-])(?:keep|leave|hold on to|hang on to|not|don'?t cancel|mant[eé]m|mantenha|manter|mant[eé]n|deix[ae]|fi[cq]\p{L}* com|n[aã]o cancel\p{L}*|no cancel\p{L}*)\s+(?:only |just |s[oó] |apenas )?([^,.;!?\n]+?)(?=$|[,.;!?\n]|\s+(?:and|but|just|only|e|y|mas|pero|s[oó]|apenas)\s+(?:just |only |s[oó] |apenas )?cancel)/iu;
/** The same the other way round: "the electronic one I am going to", "na de sexta eu vou". */
const GONE_TO =
  /(?:^|[,.;:!\n]\s*|\b(?:and|but|e|mas|y|pero)\s+)(?:(?:i am|i'm|im|i will be|i'll be)\s+(?:still |really )?going to\s+([^,.;!?\n]+)|([^,.;!?\n]+?)\s+(?:eu vou|vou sim|(?:que )?eu quero ir|i am going(?: to)?|i'm going(?: to)?|i do want(?: to go to)?))(?=$|[,.;!?\n])/iu;
/** Begins what says why something is wanted: what is named in it is not meant by the order. */
const REASON =
  /^\s*(?:[-–]\s*)?(?:(?:it|that|this|ela|ele|isso)\s+)?(?:because|since|as|which|so that|cos|cuz|clash\w*|falls|fell|is|it's|its|was|too|right|the same|porque|pq|pois|j[aá] que|que|caiu|cai|ficou|fica|[eé]|est[aá]|t[aá]|bate|bateu|coincide|muito|bem|no mesmo|na mesma|para|pra)(?!\p{L})/iu;
const OTHERS =
  /(?<!\p{L})(?:others?|rest|remaining|everything else|outr[ao]s?|otr[ao]s?|resto|demais|restantes|dem[aá]s)(?!\p{L})/iu;
const COUNTS: Readonly<Record<string, number>> = {
  ...{
    two: 2,
    three: 3,
    four: 4,
    five: 5,
    duas: 2,
    dois: 2,
    tres: 3,
    quatro: 4,
    cinco: 5,
    dos: 2,
    cuatro: 4,
  },
};

/** The records that a text means. */
export interface Several {
  /** In the order in which they are named; empty where it means one, none, or does not say which of several. */
  readonly ids: readonly string[];
  /** Which it may mean where it does not say: "the other two" of three. */
  readonly among: readonly string[];
  /** True where each is named for itself, so that a no to one is none to the others. */
  readonly named?: boolean;
}

const NOTHING: Several = { ids: [], among: [] };

/**
 * The records that a text names, where it names more than one or says what is to stay: all of a month, all but one, several
 * numbers, one after the other ("the jazz night and also the third"), or the others.
 */
export function selectSeveral(
  slots: Pick<Slots, 'selectCandidate'>,
  text: string,
  candidates: readonly Candidate[],
  options: SelectOptions,
): Several {
  const { selectCandidate } = slots;
  const idsIn = (part: string, among: readonly Candidate[] = candidates): readonly string[] => {
    const picked = selectCandidate(part, among, options);
    if (picked.kind === 'one') return picked.by === 'only' || picked.by === 'position' ? [] : [picked.id];
    return picked.kind === 'none' ? [] : picked.ids;
  };
  const list = text.slice(0, LONGEST_LIST);
  const kept = ALL_BUT.exec(list)?.[1];
  if (kept !== undefined) {
    const ids = idsIn(kept);
    const left = candidates.filter(({ id }) => !ids.includes(id)).map(({ id }) => id);
    return ids.length > 0 ? { ids: left, among: [] } : NOTHING;
  }
  const stays = KEPT.exec(list) ?? GONE_TO.exec(list);
  const keeps = stays?.[1] ?? stays?.[2];
  const staying = keeps === undefined ? [] : idsIn(keeps);
  if (stays && staying.length > 0)
    return besides(slots, list.replace(stays[0], ' '), candidates, options, staying);
  const whole = selectCandidate(text, candidates, options);
  if (whole.kind === 'all') return { ids: whole.ids, among: [] };
  if (whole.kind === 'many' && (ALL.test(text) || whole.by === 'ordinal' || whole.by === 'id'))
    return { ids: whole.ids, among: [] };
  const named = list.split(AND).flatMap((part, at) => {
    if (at > 0 && REASON.test(part)) return [];
    const one = part.trim() === '' ? null : selectCandidate(part, candidates, options);
    return one?.kind === 'one' && one.by !== 'only' && one.by !== 'position' ? [one.id] : [];
  });
  const distinct = [...new Set(named)];
  return distinct.length > 1 ? { ids: distinct, among: [], named: true } : NOTHING;
}

/** What the rest of a text means that has said what stays: the others, all of them, or one that it names. */
function besides(
  slots: Pick<Slots, 'selectCandidate'>,
  rest: string,
  candidates: readonly Candidate[],
  options: SelectOptions,
  staying: readonly string[],
): Several {
  const { listed = [] } = options;
  const isListed = listed.length > 1 && staying.every((id) => listed.includes(id));
  const left = candidates.filter(({ id }) => !staying.includes(id) && (!isListed || listed.includes(id)));
  const ids = left.map(({ id }) => id);
  if (!OTHERS.test(rest) && !ALL.test(rest)) {
    const several = selectSeveral(slots, rest, left, options);
    if (several.ids.length > 0 || several.among.length > 0) return several;
    const one = slots.selectCandidate(rest, left, options);
    return one.kind === 'one' && one.by !== 'only' && one.by !== 'position'
      ? { ids: [one.id], among: [] }
      : NOTHING;
  }
  const folded = rest.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  const counted = (folded.match(/\p{L}+|\d+/gu) ?? []).map((word) => COUNTS[word] ?? Number(word));
  const count = counted.find((number) => number > 1 && number < 10) ?? null;
  return count === null || count === ids.length ? { ids, among: [] } : { ids: [], among: ids };
}
