import { useState } from 'preact/hooks';
import type { ArticleEntry, KnowledgeGap } from '../../shared/api-types.js';
import { Badge, Button, Icon } from '../../shared/components/controls.js';
import { fill } from '../../shared/message.js';
import { useDesk } from '../lib/desk-context.js';
import { go, linkTo } from '../lib/location.js';
import { onEverything, onNothing, useAction, useData } from '../lib/use-data.js';
import { term } from '../lib/values.js';
import { Fold } from '../parts/marks.js';
import { Empty, Failure, MasterDetail, SearchBox, Show } from '../parts/states.js';
import { Time, useSettled } from '../parts/time.js';
import { useTexts } from '../texts.js';
import { ArticleEditor } from './article-editor.js';

/** Questions that no article answered: each becomes a draft, or is put away. */
function Gaps({ onDrafted }: { readonly onDrafted: () => void }) {
  const texts = useTexts();
  const { api } = useDesk();
  const loaded = useData('gaps', () => api.gaps(), onEverything);
  const gaps = loaded.data?.gaps ?? [];
  if (gaps.length === 0) return null;
  const changed = (): void => {
    loaded.reload();
    onDrafted();
  };
  return (
    <Fold title={fill(texts.gaps.title, { count: gaps.length })}>
      <ul class="choices-list">
        {gaps.map((gap) => (
          <Gap key={gap.ticket_id} gap={gap} onChanged={changed} />
        ))}
      </ul>
    </Fold>
  );
}

function Gap({ gap, onChanged }: { readonly gap: KnowledgeGap; readonly onChanged: () => void }) {
  const texts = useTexts();
  const { api } = useDesk();
  const { ticket_id: id } = gap;
  const draft = useAction(async (ticketId: string, key) => {
    const { article_id: articleId } = await api.draftGap(ticketId, key);
    onChanged();
    go('knowledge', articleId);
  });
  const dismiss = useAction((ticketId: string, key) => api.dismissGap(ticketId, key), onChanged);
  return (
    <li class="choices-list__item choices-list__item--wide">
      <p>
        <a href={linkTo('tickets', id)}>{gap.question}</a>{' '}
        {gap.times > 1 && <span class="soft">{fill(texts.gaps.times, { count: gap.times })}</span>}
      </p>
      <Button kind="outline" busy={draft.busy} onClick={() => void draft.run(id)}>
        {texts.gaps.draft}
      </Button>
      <Button kind="quiet" busy={dismiss.busy} onClick={() => void dismiss.run(id)}>
        {texts.gaps.dismiss}
      </Button>
      <Failure error={draft.error ?? dismiss.error} />
    </li>
  );
}

/** The id in the address of an article that is not written yet. */
const NEW_ARTICLE = 'new';

const TONES: Readonly<Record<ArticleEntry['state'], 'good' | 'sun' | 'info'>> = {
  published: 'good',
  draft: 'sun',
  changed: 'info',
};

/** The articles the hub answers from: found, written, tried, published. */
export function KnowledgePage({ articleId }: { readonly articleId: string | null }) {
  const texts = useTexts();
  const { api } = useDesk();
  const [text, setText] = useState('');
  const q = useSettled(text);
  const list = useData(`articles:${q}`, () => api.articles(q), onEverything);
  return (
    <MasterDetail
      title={texts.knowledge.title}
      open={articleId !== null}
      list={
        <>
          <div class="split__top">
            <div class="split__line">
              <h2>{texts.knowledge.title}</h2>
              <a class="button button--primary" href={linkTo('knowledge', NEW_ARTICLE)}>
                <Icon name="plus" />
                {texts.knowledge.create}
              </a>
            </div>
            <Gaps onDrafted={list.reload} />
            <SearchBox label={texts.knowledge.search} value={text} onInput={setText} />
          </div>
          <Show loaded={list}>
            {({ articles }) =>
              articles.length === 0 ? (
                <Empty text={q === '' ? texts.knowledge.empty : texts.knowledge.nothing} />
              ) : (
                <ul class="picks">
                  {articles.map((article) => (
                    <ArticlePick key={article.article_id} article={article} selected={articleId} />
                  ))}
                </ul>
              )
            }
          </Show>
        </>
      }
    >
      {articleId === null ? (
        <Empty text={texts.knowledge.choose} />
      ) : (
        <OpenArticle key={articleId} articleId={articleId} onChanged={list.reload} />
      )}
    </MasterDetail>
  );
}

function ArticlePick({
  article,
  selected,
}: {
  readonly article: ArticleEntry;
  readonly selected: string | null;
}) {
  const texts = useTexts();
  return (
    <li>
      <a
        class="pick"
        href={linkTo('knowledge', article.article_id)}
        aria-current={article.article_id === selected ? 'true' : undefined}
      >
        <span class="pick__text">
          <strong>{article.title}</strong>
          <small>
            {term(texts.language, article.language)} · <Time at={article.updated_at} />
          </small>
        </span>
        <Badge tone={TONES[article.state] ?? 'info'}>{term(texts.article, article.state)}</Badge>
      </a>
    </li>
  );
}

function OpenArticle({
  articleId,
  onChanged,
}: {
  readonly articleId: string;
  readonly onChanged: () => void;
}) {
  const { api } = useDesk();
  const isNew = articleId === NEW_ARTICLE;
  const loaded = useData(isNew ? null : `article:${articleId}`, () => api.article(articleId), onNothing);
  const changed = (): void => {
    loaded.reload();
    onChanged();
  };
  if (isNew) {
    return (
      <ArticleEditor versions={{ article_id: '', published: null, draft: null }} onChanged={onChanged} />
    );
  }
  return (
    <Show loaded={loaded}>{(versions) => <ArticleEditor versions={versions} onChanged={changed} />}</Show>
  );
}
