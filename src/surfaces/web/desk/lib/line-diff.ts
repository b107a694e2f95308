/** A line of a text, and whether it is in both versions or in one. */
export interface DiffLine {
  readonly kind: 'same' | 'gone' | 'new';
  readonly text: string;
}

/** Which lines of a text went and which came, in the order of reading. @param most lines compared; longer texts go whole */
export function lineDiff(before: string, after: string, most = 2_000): readonly DiffLine[] {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const line = (kind: DiffLine['kind']) => (text: string) => ({ kind, text });
  if (old.length > most || now.length > most) return [...old.map(line('gone')), ...now.map(line('new'))];
  const width = now.length + 1;
  // The length of the longest common rest, from each pair of places on.
  const rest = new Uint16Array((old.length + 1) * width);
  const at = (i: number, j: number): number => rest[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i -= 1)
    for (let j = now.length - 1; j >= 0; j -= 1)
      rest[i * width + j] = old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const found: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    const [left, right] = [old[i], now[j]];
    if (left !== undefined && left === right) {
      found.push({ kind: 'same', text: left });
      i += 1;
      j += 1;
    } else if (left !== undefined && (right === undefined || at(i + 1, j) >= at(i, j + 1))) {
      found.push({ kind: 'gone', text: left });
      i += 1;
    } else if (right !== undefined) {
      found.push({ kind: 'new', text: right });
      j += 1;
    }
  }
  return found;
}
