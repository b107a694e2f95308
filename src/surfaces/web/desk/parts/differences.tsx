import { fill } from '../../shared/message.js';
import { useTexts } from '../texts.js';

const SIGNS = { same: ' ', gone: '−', new: '+' } as const;

/** What differs between two texts, line by line. @param around how many lines that stay are shown beside those that do not; all where absent */
export function Differences({
  before,
  after,
  label,
  around,
}: {
  readonly before: string;
  readonly after: string;
  readonly label: string;
  readonly around?: number;
}) {
  const { versions } = useTexts();
  const lines = lineDiff(before, after);
  return (
    <div
      class={`versions__diff${around === undefined ? '' : ' versions__diff--file'}`}
      role="region"
      aria-label={label}
      tabIndex={0}
    >
      {shownOf(lines, around).map((shown, at) =>
        'left' in shown ? (
          <p key={`${at} left`} class="versions__left">
            {fill(versions.left, { count: shown.left })}
          </p>
        ) : (
          <p key={`${at} ${shown.kind}`} class={`versions__line versions__line--${shown.kind}`}>
            <span aria-hidden="true">{SIGNS[shown.kind]}</span>
            {shown.kind === 'same' ? (
              <span>{shown.text}</span>
            ) : (
              <Changed kind={shown.kind} text={shown.text} />
            )}
          </p>
        ),
      )}
    </div>
  );
}

/** A line that went or came; what it is indented by is not struck through. */
function Changed({ kind, text }: { readonly kind: 'gone' | 'new'; readonly text: string }) {
  const words = text.trimStart();
  const Mark = kind === 'gone' ? 'del' : 'ins';
  return (
    <span>
      {text.slice(0, text.length - words.length)}
      <Mark>{words}</Mark>
    </span>
  );
}

/** The lines near a difference, and how many are left out between them. */
function shownOf(
  lines: readonly DiffLine[],
  around: number | undefined,
): readonly (DiffLine | { readonly left: number })[] {
  if (around === undefined) return lines;
  const shown: (DiffLine | { left: number })[] = [];
  for (const [at, line] of lines.entries()) {
    const near = lines.slice(Math.max(0, at - around), at + around + 1).some(({ kind }) => kind !== 'same');
    const last = shown.at(-1);
    if (near) shown.push(line);
    else if (last !== undefined && 'left' in last) last.left += 1;
    else shown.push({ left: 1 });
  }
  return shown;
}

/** A line of a text, and whether it is in both versions or in one. */
interface DiffLine {
  readonly kind: 'same' | 'gone' | 'new';
  readonly text: string;
}

/** Which lines of a text went and which came, in the order of reading. @param most lines compared; longer texts go whole */
function lineDiff(before: string, after: string, most = 2_000): readonly DiffLine[] {
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
