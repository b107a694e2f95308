import type { Figure } from './figure.js';

/* A sentence in the parts that stand around its figures of one kind. */

/** Where a part of a sentence ends. */
const JOINT = /[,;:–—]|(?<!\p{L})(?:and|but|while|or|e|mas|enquanto|ou|y|pero|mientras|o)(?!\p{L})/u;
/** What follows it is said beside: "$ 90.00 a month, plus a guest". */
const TAIL = /[,;] |\n/u;
/** Nothing but this stands between figures of one list. */
const LISTED = /^\s*(?:[,;/–-]|(?:and|or|to|e|ou|a|para|pra|y|o)(?!\p{L}))?\s*$/u;
/** Shorter words name nothing that is counted. */
const SHORTEST = 4;

/** What stands around a figure. */
export interface Part {
  readonly figures: readonly Figure[];
  readonly text: string;
}

/** The words that say when something begins tell nothing of what it is. */
export function withoutStarts(text: string, figures: readonly Figure[]): string {
  return figures.reduce(
    (rest, { kind, from, to }) =>
      kind === 'start' ? rest.slice(0, from) + ' '.repeat(to - from) + rest.slice(to) : rest,
    text,
  );
}

/** A text cut between figures of one kind, so that each stands with its own words; a range or a list is not cut. */
export function partsBy(text: string, figures: readonly Figure[]): readonly Part[] {
  const groups: Figure[][] = [];
  for (const figure of figures) {
    const last = groups.at(-1);
    const before = last?.at(-1);
    if (last && before && (before.start || LISTED.test(text.slice(before.to, figure.from))))
      last.push(figure);
    else groups.push([figure]);
  }
  const lead = groups.length > 1 ? text.slice(0, figures[0]?.from ?? 0) : '';
  // What opens the sentence is said of all of them.
  let from = lastJoint(lead);
  return groups.map((group, at) => {
    const [end, next] = [group.at(-1)?.to ?? 0, groups[at + 1]?.[0]?.from];
    const between = next === undefined ? '' : text.slice(end, next);
    const joint = JOINT.exec(between);
    const rest = TAIL.exec(text.slice(end));
    const cut =
      next === undefined ? end + (rest?.index ?? text.length - end) : joint ? end + joint.index : end;
    const part = text.slice(from, joint || next === undefined ? cut : next);
    from = cut;
    return { figures: group, text: part };
  });
}

/** The same figures, one beside the other. */
export function isSameRow(row: readonly Part[], other: readonly Part[]): boolean {
  return (
    row.length === other.length &&
    row.every(({ figures }, at) =>
      figures.every((figure) => other[at]?.figures.some((one) => isSame(one, figure)) === true),
    )
  );
}

/** Where the last part of a text begins. */
function lastJoint(text: string): number {
  return [...text.matchAll(new RegExp(JOINT, 'gu'))].at(-1)?.index ?? 0;
}

/** What is counted; a word of grammar behind a number is nothing that is. */
export function singular({ noun = '' }: Figure): string {
  return noun.length < SHORTEST ? '' : noun.replace(/s$/, '');
}

/** Of the same kind and of the same things. */
export function isLike(one: Figure, other: Figure): boolean {
  return one.kind === other.kind && singular(one) === singular(other);
}

/** And the same. */
export function isSame(one: Figure, other: Figure): boolean {
  return isLike(one, other) && one.values.some((value) => other.values.includes(value));
}
