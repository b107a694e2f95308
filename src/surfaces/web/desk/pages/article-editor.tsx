import { useState } from 'preact/hooks';
import type { ArticleDraft, ArticleVersions } from '../../shared/api-types.js';
import { Badge, Button, Icon } from '../../shared/components/controls.js';
import { Dialog, toast } from '../../shared/components/dialog.js';
import { Markdown } from '../../shared/components/markdown.js';
import { useDesk } from '../lib/desk-context.js';
import { go, linkTo } from '../lib/location.js';
import { useAction } from '../lib/use-data.js';
import { term } from '../lib/values.js';
import { Failure, FormButtons, Notice } from '../parts/states.js';
import { TicketTable } from '../parts/ticket-table.js';
import { useTexts } from '../texts.js';
import { ArticleFields, type ArticleTexts, textsOf, toArticle } from './article-form.js';
import { ArticleHistory } from './article-history.js';

interface ArticleEditorProps {
  /** An empty id: not written yet. */
  readonly versions: ArticleVersions;
  readonly onChanged: () => void;
}

type Tab = 'edit' | 'preview' | 'published' | 'history' | 'used';

const TABS = ['edit', 'preview'] as const;
const PAST = ['history', 'used'] as const;

/** Writes an article, shows how it will look, publishes it. */
export function ArticleEditor({ versions, onChanged }: ArticleEditorProps) {
  const texts = useTexts();
  const [tab, setTab] = useState<Tab>('edit');
  const editing = useEditing(versions, onChanged);
  const { fields, dirty, said, error } = editing;
  const isNew = versions.article_id === '';
  const state = versions.published === null ? 'draft' : versions.draft === null ? 'published' : 'changed';
  return (
    <article class="detail">
      <header class="detail__head">
        <a
          class="button button--quiet button--icon detail__back"
          href={linkTo('knowledge')}
          aria-label={texts.app.back}
        >
          <Icon name="back" />
        </a>
        <div class="detail__title">
          <h2>{fields.title.trim() || texts.knowledge.untitled}</h2>
          <p class="soft">
            {!isNew && (
              <Badge tone={state === 'published' ? 'good' : 'sun'}>{term(texts.article, state)}</Badge>
            )}{' '}
            {(dirty || isNew) && texts.knowledge.unsaved}
          </p>
        </div>
      </header>
      <div class="tabs">
        {(
          [
            ...TABS,
            ...(versions.published === null ? [] : ['published' as const]),
            ...(isNew ? [] : PAST),
          ] as const
        ).map((name) => (
          <button
            key={name}
            type="button"
            class="tabs__tab"
            aria-pressed={tab === name}
            onClick={() => setTab(name)}
          >
            {texts.knowledge[name]}
          </button>
        ))}
      </div>
      {said !== null && <Notice tone="good">{said}</Notice>}
      <Failure error={error} />
      {tab === 'history' ? (
        <ArticleHistory
          articleId={versions.article_id}
          publishedAt={versions.published?.updated_at ?? ''}
          onRestored={(draft) => {
            editing.restored(draft);
            setTab('edit');
          }}
        />
      ) : tab === 'used' ? (
        <TicketTable title={texts.knowledge.used} behind={{ article: versions.article_id }} />
      ) : tab === 'edit' ? (
        <div class="form">
          <ArticleFields fields={fields} tried={editing.tried} onChange={editing.change} />
        </div>
      ) : (
        <Preview fields={tab === 'preview' ? fields : textsOf({ ...versions, draft: null })} />
      )}
      <EditorButtons versions={versions} editing={editing} />
    </article>
  );
}

function Preview({ fields }: { readonly fields: ArticleTexts }) {
  const { config } = useDesk();
  return (
    <section class="card article__preview">
      <h3>{fields.title}</h3>
      <Markdown text={fields.content} linkHosts={config.link_hosts} topLevel={4} />
    </section>
  );
}

function EditorButtons({
  versions,
  editing,
}: {
  readonly versions: ArticleVersions;
  readonly editing: ReturnType<typeof useEditing>;
}) {
  const texts = useTexts();
  const [ask, setAsk] = useState<'discard' | 'unpublish' | null>(null);
  const { dirty, save, publish, discard, unpublish } = editing;
  const busy = save.busy || publish.busy || discard.busy || unpublish.busy;
  const confirm = async (event: Event): Promise<void> => {
    event.preventDefault();
    const action = ask === 'discard' ? discard : unpublish;
    if (await action.run(undefined)) setAsk(null);
  };
  return (
    <div class="detail__buttons">
      {versions.published !== null && (
        <Button kind="quiet" disabled={busy} onClick={() => setAsk('unpublish')}>
          {texts.knowledge.unpublish}
        </Button>
      )}
      {versions.draft !== null && (
        <Button kind="quiet" disabled={busy} onClick={() => setAsk('discard')}>
          {texts.knowledge.discard}
        </Button>
      )}
      <Button
        kind="outline"
        busy={save.busy}
        disabled={!dirty || busy}
        onClick={() => void editing.trySave()}
      >
        {texts.knowledge.saveDraft}
      </Button>
      <Button
        kind="primary"
        busy={publish.busy}
        disabled={busy || (!dirty && versions.draft === null)}
        onClick={() => void editing.tryPublish()}
      >
        {publish.busy ? texts.knowledge.publishing : texts.knowledge.publish}
      </Button>
      {ask !== null && (
        <Dialog title={texts.knowledge[ask]} closeLabel={texts.app.close} onClose={() => setAsk(null)}>
          <form class="form" onSubmit={confirm}>
            <p>{ask === 'discard' ? texts.knowledge.discardAsk : texts.knowledge.unpublishAsk}</p>
            <Failure error={ask === 'discard' ? discard.error : unpublish.error} />
            <FormButtons confirm={texts.knowledge[ask]} busy={busy} danger onClose={() => setAsk(null)} />
          </form>
        </Dialog>
      )}
    </div>
  );
}

/** The text that is being written, and what can be done with it. */
function useEditing(versions: ArticleVersions, onChanged: () => void) {
  const texts = useTexts();
  const { api } = useDesk();
  const id = versions.article_id;
  const [fields, setFields] = useState(() => textsOf(versions));
  const [saved, setSaved] = useState(() => textsOf(versions));
  const [tried, setTried] = useState(false);
  const [said, setSaid] = useState<string | null>(null);
  const dirty = JSON.stringify(fields) !== JSON.stringify(saved);

  // A new article moves to its own address, where another editor is shown: the news goes with the page then.
  const done = (text: string): void => {
    if (id === '') toast(text);
    else setSaid(text);
    onChanged();
  };
  const save = useAction(async (text: ArticleTexts, key) => {
    const article = toArticle(text);
    const articleId = id === '' ? (await api.createArticle(article, key)).article_id : id;
    if (id !== '') await api.saveArticle(id, article, key);
    setSaved(text);
    done(texts.knowledge.saved);
    if (id === '') go('knowledge', articleId);
  });
  const publish = useAction(async (text: ArticleTexts, key) => {
    const article = toArticle(text);
    let articleId = id;
    if (id === '') articleId = (await api.createArticle(article, `${key}-save`)).article_id;
    else if (dirty) await api.saveArticle(id, article, `${key}-save`);
    const { indexed } = await api.publishArticle(articleId, key);
    setSaved(text);
    done(indexed ? texts.knowledge.indexed : texts.knowledge.notIndexed);
    if (id === '') go('knowledge', articleId);
  });
  const discard = useAction(async () => {
    await api.discardArticle(id);
    const back = textsOf({ ...versions, draft: null });
    setFields(back);
    setSaved(back);
    done(texts.knowledge.discarded);
    if (versions.published === null) go('knowledge');
  });
  const unpublish = useAction(async (_input: undefined, key) => {
    await api.unpublishArticle(id, key);
    done(texts.knowledge.unpublished);
  });

  const restored = (draft: ArticleDraft): void => {
    const back = textsOf({ ...versions, draft });
    setFields(back);
    setSaved(back);
    done(texts.versions.restored);
  };
  const complete = (): boolean => {
    setTried(true);
    return fields.title.trim() !== '' && fields.content.trim() !== '';
  };
  return {
    fields,
    dirty,
    tried,
    said,
    error: save.error ?? publish.error,
    save,
    publish,
    discard,
    unpublish,
    restored,
    change(change: Partial<ArticleTexts>): void {
      setSaid(null);
      setFields((old) => ({ ...old, ...change }));
    },
    trySave: async (): Promise<void> => void (complete() && (await save.run(fields))),
    tryPublish: async (): Promise<void> => void (complete() && (await publish.run(fields))),
  };
}
