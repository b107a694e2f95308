/** Names further away than this are no typing error of each other. */
const MAX_DISTANCE = 3;
/** Longer names are compared by their beginning; distances are quadratic in length. */
const MAX_LENGTH = 64;

/**
 * The known name that was most likely meant: equal but for case or a few letters, or one that begins with the other.
 * Undefined where none is near.
 */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  const wanted = name.slice(0, MAX_LENGTH).toLowerCase();
  const limit = Math.min(MAX_DISTANCE, Math.floor(wanted.length / 2));
  let best: string | undefined;
  let least = limit + 1;
  for (const candidate of known) {
    const other = candidate.slice(0, MAX_LENGTH).toLowerCase();
    const startsAlike = wanted.length >= 3 && (other.startsWith(wanted) || wanted.startsWith(other));
    const distance =
      startsAlike && other.length >= 3 ? Math.min(limit, 1) : editDistance(wanted, other, limit);
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

/** ` Did you mean "x"?` where a known name is near, else the known names, as far as there are few. */
export function didYouMean(name: string, known: Iterable<string>): string {
  const names = [...known];
  const near = nearestName(name, names);
  if (near !== undefined) return ` Did you mean "${near}"?`;
  if (names.length === 0) return ' There are none.';
  const shown = names.slice(0, 12).join(', ');
  return ` There ${names.length === 1 ? 'is' : 'are'}: ${shown}${names.length > 12 ? ', ...' : ''}.`;
}

/** Letters to insert, delete, replace or swap with their neighbour; lengths further apart than `limit` give `limit + 1`. */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min((next[j - 1] ?? 0) + 1, (row[j] ?? 0) + 1, (row[j - 1] ?? 0) + (same ? 0 : 1));
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      next.push(cost);
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? 0;
}
