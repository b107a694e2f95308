import { Component } from 'preact';
import type { Citation, Pending } from '../shared/api-types.js';
import { Button } from '../shared/components/button.js';
import { Avatar } from '../shared/components/card.js';
import { Icon, Logo } from '../shared/components/icon.js';
import { PlainText } from '../shared/components/plain-text.js';
import { longTime, shortTime } from '../shared/format.js';
import { language } from '../shared/i18n.js';
import { fill } from '../shared/message.js';
import { useStore } from '../shared/store.js';
import { errorWords, useTexts } from './texts.js';
import type { ShownMessage } from './thread-state.js';

export interface MessageItemProps {
  readonly message: ShownMessage;
  /** The first of a group tells who writes and when. */
  readonly first: boolean;
  /** What it asks is shown on cards below it, not twice. */
  readonly questions: readonly Pending[];
  readonly onArticle: (citation: Citation) => void;
  readonly onRetry: (clientMessageId: string) => void;
}

/** One message. Drawn again only when it is another: a long conversation stays quick while tokens arrive. */
export class MessageItem extends Component<MessageItemProps> {
  override shouldComponentUpdate(next: MessageItemProps): boolean {
    const { message, first, questions } = this.props;
    return next.message !== message || next.first !== first || next.questions.length !== questions.length;
  }

  override render(props: MessageItemProps) {
    return <Item {...props} />;
  }
}

function Item({ message, first, questions, onArticle, onRetry }: MessageItemProps) {
  const { role, content, status } = message;
  const kind = role === 'customer' || role === 'hub' || role === 'operator' ? role : 'system';
  const text = questions.reduce((rest, { question }) => rest.replace(question, ''), content).trim();
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
          <PlainText text={text} />
        </div>
      )}
      <Sources citations={message.citations} onArticle={onArticle} />
      <Delivery message={message} onRetry={onRetry} />
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
  onRetry,
}: {
  readonly message: ShownMessage;
  readonly onRetry: (clientMessageId: string) => void;
}) {
  const texts = useTexts();
  if (status === 'sending') return <p class="message__delivery">{texts.sending}…</p>;
  if (status !== 'failed') return null;
  return (
    <div class="message__delivery message__delivery--failed" role="alert">
      <span>
        <Icon name="alert" /> {texts.notSent} {error && errorWords(texts, error)}
      </span>
      <Button kind="outline" icon="refresh" onClick={() => id !== null && onRetry(id)}>
        {texts.tryAgain}
      </Button>
    </div>
  );
}
