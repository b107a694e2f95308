import { Component } from 'preact';
import { useCallback, useEffect, useState } from 'preact/hooks';
import type { Api } from '../shared/api.js';
import type { Article, Citation, Pending, PublicConfig } from '../shared/api-types.js';
import { Avatar, Button, Icon, Logo } from '../shared/components/controls.js';
import { Dialog } from '../shared/components/dialog.js';
import { Markdown, PlainText } from '../shared/components/markdown.js';
import { isNamesOnly, type LoadFile, MessageFiles } from '../shared/components/message-files.js';
import { longTime, shortTime } from '../shared/format.js';
import { language } from '../shared/i18n.js';
import { fill } from '../shared/message.js';
import { asApiError } from '../shared/problem.js';
import { useStore } from '../shared/store.js';
import type { Conversation } from './conversation.js';
import { PendingCard } from './pending-card.js';
import { errorText, useTexts } from './texts.js';
import { type ShownMessage, seenMessage, type ThreadState } from './thread-state.js';

interface MessageItemProps {
  readonly message: ShownMessage;
  /** The first of a group tells who writes and when. */
  readonly first: boolean;
  /** True below the last of the customer's messages that an operator has opened. */
  readonly seen: boolean;
  /** What it asks is shown on cards below it, not twice. */
  readonly questions: readonly Pending[];
  readonly onArticle: (citation: Citation) => void;
  readonly onRetry: (clientMessageId: string) => void;
  readonly load: LoadFile;
  /** Where links of the messages may lead to. */
  readonly linkHosts: readonly string[];
}

/** One message. Drawn again only when it is another: a long conversation stays quick while tokens arrive. */
class MessageItem extends Component<MessageItemProps> {
  override shouldComponentUpdate(next: MessageItemProps): boolean {
    const { message, first, seen, questions } = this.props;
    if (next.message !== message || next.first !== first || next.seen !== seen) return true;
    return next.questions.length !== questions.length;
  }

  override render(props: MessageItemProps) {
    return <Item {...props} />;
  }
}

function Item({ message, first, seen, questions, onArticle, onRetry, load, linkHosts }: MessageItemProps) {
  const { role, content, status, files } = message;
  const kind = role === 'customer' || role === 'hub' || role === 'operator' ? role : 'system';
  const said = isNamesOnly(content, files) ? '' : content;
  const text = questions.reduce((rest, { question }) => rest.replace(question, ''), said).trim();
  if (kind === 'system') {
    return (
      <div class="message message--system">
        <PlainText text={content} />
      </div>
    );
  }
  return (
    <article class={`message message--${kind} message--${status}${first ? ' message--first' : ''}`}>
      {first && <Sender message={message} />}
      {text !== '' && (
        <div class="message__body">
          <PlainText text={text} {...(kind === 'customer' ? {} : { hosts: linkHosts })} />
        </div>
      )}
      <MessageFiles files={files} load={load} />
      <Sources citations={message.citations} onArticle={onArticle} />
      <Delivery message={message} seen={seen} onRetry={onRetry} />
    </article>
  );
}

function Sender({ message: { role, author, created_at: at } }: { readonly message: ShownMessage }) {
  const texts = useTexts();
  const shown = useStore(language);
  const name = role === 'customer' ? texts.you : role === 'hub' ? texts.assistant : (author ?? texts.team);
  return (
    <p class="message__sender">
      {role === 'hub' && <Logo />}
      {role === 'operator' && <Avatar name={name} />}
      <span class={role === 'customer' ? 'visually-hidden' : 'message__name'}>{name}</span>
      <time dateTime={at} title={longTime(at, shown)}>
        {shortTime(at, shown)}
      </time>
    </p>
  );
}

/** An article that was opened in a tab of its own; null mostly. */
export function articleInAddress(): Citation | null {
  const id = /^#\/article\/([\w.:-]{1,100})$/.exec(location.hash)?.[1];
  return id === undefined ? null : { article_id: id, title: '', confidence: 0 };
}

function Sources({
  citations,
  onArticle,
}: {
  readonly citations: readonly Citation[];
  readonly onArticle: (citation: Citation) => void;
}) {
  const texts = useTexts();
  if (citations.length === 0) return null;
  return (
    <div class="sources">
      <span class="sources__label">{texts.sources}</span>
      <ul class="sources__list">
        {citations.map((citation) => (
          <li key={citation.article_id}>
            <a
              class="source"
              href={`#/article/${encodeURIComponent(citation.article_id)}`}
              aria-label={fill(texts.openSource, { title: citation.title })}
              onClick={(event) => {
                event.preventDefault();
                onArticle(citation);
              }}
            >
              <Icon name="article" />
              <span class="source__title" dir="auto">
                {citation.title}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Delivery({
  message: { status, error, client_message_id: id },
  seen,
  onRetry,
}: {
  readonly message: ShownMessage;
  readonly seen: boolean;
  readonly onRetry: (clientMessageId: string) => void;
}) {
  const texts = useTexts();
  if (status === 'sending') return <p class="message__delivery">{texts.sending}…</p>;
  if (seen) return <p class="message__delivery">{texts.seen}</p>;
  if (status !== 'failed') return null;
  return (
    <div class="message__delivery message__delivery--failed" role="alert">
      <span>
        <Icon name="alert" /> {texts.notSent} {error && errorText(texts, error)}
      </span>
      <Button kind="outline" icon="refresh" onClick={() => id !== null && onRetry(id)}>
        {texts.tryAgain}
      </Button>
    </div>
  );
}

/** Messages closer together than this, by the same writer, are one group. */
const GROUP_MS = 5 * 60_000;

/** What was said, with the questions below the messages that asked them. New messages are read out. */
export function MessageList({
  state,
  conversation,
  hours,
  linkHosts,
  onArticle,
}: {
  readonly state: ThreadState;
  readonly conversation: Conversation;
  readonly hours: PublicConfig['support_hours'];
  readonly linkHosts: readonly string[];
  readonly onArticle: (citation: Citation) => void;
}) {
  const texts = useTexts();
  const { messages, cards } = state;
  const seen = seenMessage(state);
  return (
    <div class="messages" role="log" aria-live="polite" aria-label={texts.log}>
      {messages.map((message, at) => {
        const asked = cards.filter(({ messageId }) => messageId === message.id);
        return (
          <div key={message.client_message_id ?? message.id}>
            <MessageItem
              message={message}
              first={begins(messages[at - 1], message)}
              seen={message.id === seen}
              questions={asked.map(({ pending }) => pending)}
              onArticle={onArticle}
              onRetry={conversation.retry}
              load={conversation.file}
              linkHosts={linkHosts}
            />
            {asked.map((card) => (
              <PendingCard key={card.pending.id} card={card} conversation={conversation} hours={hours} />
            ))}
          </div>
        );
      })}
    </div>
  );
}

function begins(before: ShownMessage | undefined, message: ShownMessage): boolean {
  if (before === undefined || before.role !== message.role || before.author !== message.author) return true;
  return new Date(message.created_at).getTime() - new Date(before.created_at).getTime() > GROUP_MS;
}

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
