import { useState } from 'preact/hooks';
import type { ArticleDraft, ArticleVersion } from '../../shared/api-types.js';
import { Button, Field } from '../../shared/components/controls.js';
import { Dialog } from '../../shared/components/dialog.js';
import { language } from '../../shared/i18n.js';
import { fill } from '../../shared/message.js';
import { useStore } from '../../shared/store.js';
import { useDesk } from '../lib/desk-context.js';
import { onNothing, useAction, useData } from '../lib/use-data.js';
import { Empty, Failure, FormButtons, Show } from '../parts/states.js';
import { dateTime } from '../parts/time.js';
import { useWords } from '../texts.js';

/** The texts under which an article was published: what changed between two, and the way back to one. */
export function ArticleHistory({
  articleId,
  publishedAt,
  onRestored,
}: {
  readonly articleId: string;
  /** When it was published last: there is another version then. */
  readonly publishedAt: string;
  readonly onRestored: (draft: ArticleDraft) => void;
}) {
  const words = useWords();
  const { api } = useDesk();
  const loaded = useData(
    `versions:${articleId}:${publishedAt}`,
    () => api.articleVersions(articleId),
    onNothing,
  );
  return (
    <Show loaded={loaded}>
      {({ versions }) =>
        versions.length === 0 ? (
          <Empty text={words.versions.empty} />
        ) : (
          <Comparison versions={versions} onRestored={onRestored} />
        )
      }
    </Show>
  );
}

function Comparison({
  versions,
  onRestored,
}: {
  readonly versions: readonly ArticleVersion[];
  readonly onRestored: (draft: ArticleDraft) => void;
}) {
  const words = useWords();
  const shown = useStore(language);
  const [older, setOlder] = useState(versions[1]?.version ?? versions[0]?.version ?? 0);
  const [newer, setNewer] = useState(versions[0]?.version ?? 0);
  const find = (version: number): ArticleVersion | undefined =>
    versions.find((one) => one.version === version);
  const nameOf = ({ version, published_at: at, published_by: by }: ArticleVersion): string => {
    const values = { version, when: dateTime(at, shown), name: by ?? '' };
    return fill(by === null ? words.versions.imported : words.versions.version, values);
  };
  const textOf = (one: ArticleVersion | undefined): string =>
    one === undefined ? '' : `${one.title}\n\n${one.content}\n\n${one.tags.join(', ')}`.trim();
  const choose = (label: string, value: number, onChoose: (version: number) => void) => (
    <Field label={label}>
      {(control) => (
        <select
          {...control}
          class="input"
          value={value}
          onChange={({ currentTarget }) => onChoose(Number(currentTarget.value))}
        >
          {versions.map((one) => (
            <option key={one.version} value={one.version}>
              {nameOf(one)}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
  const old = find(older);
  const signs = { same: ' ', gone: '−', new: '+' } as const;
  return (
    <section class="card form">
      <div class="versions__choice">
        {choose(words.versions.older, older, setOlder)}
        {choose(words.versions.newer, newer, setNewer)}
      </div>
      <div class="versions__diff" role="region" aria-label={words.versions.changes} tabIndex={0}>
        {older === newer && <p class="soft">{words.versions.same}</p>}
        {lineDiff(textOf(old), textOf(find(newer))).map(({ kind, text }, at) => (
          <p key={`${at} ${kind}`} class={`versions__line versions__line--${kind}`}>
            <span aria-hidden="true">{signs[kind]}</span>
            {kind === 'same' ? <span>{text}</span> : kind === 'gone' ? <del>{text}</del> : <ins>{text}</ins>}
          </p>
        ))}
      </div>
      {old !== undefined && <Restore version={old} onRestored={onRestored} />}
    </section>
  );
}

function Restore({
  version,
  onRestored,
}: {
  readonly version: ArticleVersion;
  readonly onRestored: (draft: ArticleDraft) => void;
}) {
  const words = useWords();
  const { api } = useDesk();
  const [asking, setAsking] = useState(false);
  const restore = useAction(async (number: number, key) => {
    onRestored(await api.restoreArticle(version.article_id, number, key));
  });
  const submit = (event: Event): void => {
    event.preventDefault();
    void restore.run(version.version);
  };
  const title = fill(words.versions.restore, { version: version.version });
  return (
    <p>
      <Button kind="outline" onClick={() => setAsking(true)}>
        {title}
      </Button>
      {asking && (
        <Dialog title={title} closeLabel={words.app.close} onClose={() => setAsking(false)}>
          <form class="form" onSubmit={submit}>
            <p>{words.versions.ask}</p>
            <Failure error={restore.error} />
            <FormButtons
              confirm={words.versions.confirm}
              busy={restore.busy}
              onClose={() => setAsking(false)}
            />
          </form>
        </Dialog>
      )}
    </p>
  );
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
