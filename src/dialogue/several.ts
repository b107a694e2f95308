import type { Candidate, SelectOptions, Slots } from '../nlu/slots/index.js';

/** What is said after one of these takes the place of what was said before: "the samba one. wait no, the third". */
const CORRECTION =
  /(?:^|[\s,.;!?-])(?:i mean|i meant|no wait|wait no|oo?ps|actually|make (?:it|that)|or rather|quer dizer|quis dizer|digo|ou melhor|na verdade|na vdd|errei|foi mal|perd[aã]o|mejor)[\s,.:!-]+(?=\S)/giu;
/** Between things that are named one after the other. */
const AND = /\s*(?:[,;&+]|\b(?:and also|and|also|plus|as well as|e tamb[eé]m|tamb[eé]m|mais|e|y)\b)\s*/iu;
const ALL_BUT =
  /\b(?:all|every(?:thing)?|both|todas?|todos?|tudo|todo)\b.*?\b(?:but|except(?: for)?|apart from|besides|other than|menos|exceto|tirando|fora|salvo)\b\s*(.+)$/iu;
const ALL = /\b(?:all|every|each|both|todas|todos|cada|ambas|ambos)\b/iu;

/** What a text means once it has corrected itself; the text where it has not. */
export function afterCorrection(text: string): string {
  const last = [...text.matchAll(CORRECTION)].at(-1);
  return last ? text.slice(last.index + last[0].length) : text;
}

/**
 * The records that a text names, where it names more than one: all of a month, all but one, several numbers, or one after
 * the other ("the jazz night and also the third").
 * @returns ids in the order in which they are named; empty where it names one, none, or does not say which of several
 */
export function selectSeveral(
  { selectCandidate }: Pick<Slots, 'selectCandidate'>,
  text: string,
  candidates: readonly Candidate[],
  options: SelectOptions,
): readonly string[] {
  const kept = ALL_BUT.exec(text)?.[1];
  if (kept !== undefined) {
    const out = selectCandidate(kept, candidates, options);
    const ids = out.kind === 'one' ? [out.id] : out.kind === 'many' ? out.ids : [];
    const left = candidates.filter(({ id }) => !ids.includes(id)).map(({ id }) => id);
    return ids.length > 0 ? left : [];
  }
  const whole = selectCandidate(text, candidates, options);
  if (whole.kind === 'all') return whole.ids;
  if (whole.kind === 'many' && (ALL.test(text) || whole.by === 'ordinal' || whole.by === 'id'))
    return whole.ids;
  const named = text.split(AND).flatMap((part) => {
    const one = part.trim() === '' ? null : selectCandidate(part, candidates, options);
    return one?.kind === 'one' && one.by !== 'only' && one.by !== 'position' ? [one.id] : [];
  });
  const distinct = [...new Set(named)];
  return distinct.length > 1 ? distinct : [];
}
