import { useCallback, useEffect, useState } from 'preact/hooks';
import type { Api } from '../shared/api.js';
import type { Article, Citation } from '../shared/api-types.js';
import { Button } from '../shared/components/button.js';
import { Dialog } from '../shared/components/dialog.js';
import { Markdown } from '../shared/components/markdown.js';
import { longTime } from '../shared/format.js';
import { language } from '../shared/i18n.js';
import { fill } from '../shared/message.js';
import { asApiError } from '../shared/problem.js';
import { useStore } from '../shared/store.js';
import { useTexts } from './texts.js';

type Loaded =
  | { readonly phase: 'loading' | 'missing' | 'failed' }
  | { readonly phase: 'ready'; readonly article: Article };

/** The article an answer is from, beside the conversation. */
export function ArticleDialog({
  api,
  citation,
  linkHosts,
  onClose,
}: {
  readonly api: Api;
  readonly citation: Citation;
  readonly linkHosts: readonly string[];
  readonly onClose: () => void;
}) {
  const texts = useTexts();
  const shown = useStore(language);
  const [loaded, setLoaded] = useState<Loaded>({ phase: 'loading' });
  const load = useCallback(async () => {
    setLoaded({ phase: 'loading' });
    try {
      const path = `/api/articles/${encodeURIComponent(citation.article_id)}`;
      setLoaded({ phase: 'ready', article: await api.get<Article>(path) });
    } catch (error) {
      setLoaded({ phase: asApiError(error).status === 404 ? 'missing' : 'failed' });
    }
  }, [api, citation]);
  useEffect(() => void load(), [load]);
  const title = loaded.phase === 'ready' ? loaded.article.title : citation.title;
  return (
    <Dialog title={title} closeLabel={texts.close} place="side" onClose={onClose}>
      {loaded.phase === 'loading' && (
        <p role="status">
          <span class="spinner" /> <span class="visually-hidden">{texts.loading}</span>
        </p>
      )}
      {loaded.phase === 'missing' && <p role="alert">{texts.articleMissing}</p>}
      {loaded.phase === 'failed' && (
        <div role="alert" class="conversation__note">
          <p>{texts.articleFailed}</p>
          <Button kind="primary" icon="refresh" onClick={() => void load()}>
            {texts.tryAgain}
          </Button>
        </div>
      )}
      {loaded.phase === 'ready' && (
        <article class="article" lang={loaded.article.language ?? undefined}>
          <Markdown text={loaded.article.content} linkHosts={linkHosts} />
          <p class="article__date" lang={shown}>
            {fill(texts.articleUpdated, { date: longTime(loaded.article.updated_at, shown) })}
          </p>
        </article>
      )}
    </Dialog>
  );
}
