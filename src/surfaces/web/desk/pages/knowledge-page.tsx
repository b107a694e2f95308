import { useState } from 'preact/hooks';
import type { ArticleEntry } from '../../shared/api-types.js';
import { Badge } from '../../shared/components/card.js';
import { Icon } from '../../shared/components/icon.js';
import { useDesk } from '../lib/desk-context.js';
import { linkTo } from '../lib/location.js';
import { term } from '../lib/term.js';
import { onEverything, onNothing, useData } from '../lib/use-data.js';
import { useSettled } from '../lib/use-settled.js';
import { MasterDetail, SearchBox } from '../parts/master-detail.js';
import { Empty, Show } from '../parts/states.js';
import { Time } from '../parts/time.js';
import { useWords } from '../texts.js';
import { ArticleEditor } from './article-editor.js';
import { Gaps } from './gaps.js';

/** The id in the address of an article that is not written yet. */
export const NEW_ARTICLE = 'new';

const TONES: Readonly<Record<ArticleEntry['state'], 'good' | 'sun' | 'info'>> = {
  published: 'good',
  draft: 'sun',
  changed: 'info',
};

/** The articles the hub answers from: found, written, tried, published. */
export function KnowledgePage({ articleId }: { readonly articleId: string | null }) {
  const words = useWords();
  const { api } = useDesk();
  const [text, setText] = useState('');
  const q = useSettled(text);
  const list = useData(`articles:${q}`, () => api.articles(q), onEverything);
  return (
    <MasterDetail
      title={words.knowledge.title}
      open={articleId !== null}
      list={
        <>
          <div class="split__top">
            <div class="split__line">
              <h2>{words.knowledge.title}</h2>
              <a class="button button--primary" href={linkTo('knowledge', NEW_ARTICLE)}>
                <Icon name="plus" />
                {words.knowledge.create}
              </a>
            </div>
            <Gaps onDrafted={list.reload} />
            <SearchBox label={words.knowledge.search} value={text} onInput={setText} />
          </div>
          <Show loaded={list}>
            {({ articles }) =>
              articles.length === 0 ? (
                <Empty text={q === '' ? words.knowledge.empty : words.knowledge.nothing} />
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
        <Empty text={words.knowledge.choose} />
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
  const words = useWords();
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
            {term(words.language, article.language)} · <Time at={article.updated_at} />
          </small>
        </span>
        <Badge tone={TONES[article.state] ?? 'info'}>{term(words.article, article.state)}</Badge>
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
