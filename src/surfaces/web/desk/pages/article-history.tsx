import { useState } from 'preact/hooks';
import type { ArticleDraft, ArticleVersion } from '../../shared/api-types.js';
import { Button, Field } from '../../shared/components/controls.js';
import { Dialog } from '../../shared/components/dialog.js';
import { language } from '../../shared/i18n.js';
import { fill } from '../../shared/message.js';
import { useStore } from '../../shared/store.js';
import { useDesk } from '../lib/desk-context.js';
import { onNothing, useAction, useData } from '../lib/use-data.js';
import { Differences } from '../parts/differences.js';
import { Empty, Failure, FormButtons, Show } from '../parts/states.js';
import { dateTime } from '../parts/time.js';
import { useTexts } from '../texts.js';

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
  const texts = useTexts();
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
          <Empty text={texts.versions.empty} />
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
  const texts = useTexts();
  const shown = useStore(language);
  const [older, setOlder] = useState(versions[1]?.version ?? versions[0]?.version ?? 0);
  const [newer, setNewer] = useState(versions[0]?.version ?? 0);
  const find = (version: number): ArticleVersion | undefined =>
    versions.find((one) => one.version === version);
  const nameOf = ({ version, published_at: at, published_by: by }: ArticleVersion): string => {
    const values = { version, when: dateTime(at, shown), name: by ?? '' };
    return fill(by === null ? texts.versions.imported : texts.versions.version, values);
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
  return (
    <section class="card form">
      <div class="versions__choice">
        {choose(texts.versions.older, older, setOlder)}
        {choose(texts.versions.newer, newer, setNewer)}
      </div>
      {older === newer && <p class="soft">{texts.versions.same}</p>}
      <Differences before={textOf(old)} after={textOf(find(newer))} label={texts.versions.changes} />
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
  const texts = useTexts();
  const { api } = useDesk();
  const [asking, setAsking] = useState(false);
  const restore = useAction(async (number: number, key) => {
    onRestored(await api.restoreArticle(version.article_id, number, key));
  });
  const submit = (event: Event): void => {
    event.preventDefault();
    void restore.run(version.version);
  };
  const title = fill(texts.versions.restore, { version: version.version });
  return (
    <p>
      <Button kind="outline" onClick={() => setAsking(true)}>
        {title}
      </Button>
      {asking && (
        <Dialog title={title} closeLabel={texts.app.close} onClose={() => setAsking(false)}>
          <form class="form" onSubmit={submit}>
            <p>{texts.versions.ask}</p>
            <Failure error={restore.error} />
            <FormButtons
              confirm={texts.versions.confirm}
              busy={restore.busy}
              onClose={() => setAsking(false)}
            />
          </form>
        </Dialog>
      )}
    </p>
  );
}
