import { useState } from 'preact/hooks';
import type { Api } from '../shared/api.js';
import type { Citation, PublicConfig } from '../shared/api-types.js';
import { Button } from '../shared/components/button.js';
import { useStore } from '../shared/store.js';
import { ActivityLine, Preview } from './activity.js';
import { ArticleDialog } from './article-dialog.js';
import { Composer } from './composer.js';
import type { Conversation } from './conversation.js';
import { LineNotice } from './line-notice.js';
import { articleInAddress } from './message-item.js';
import { MessageList } from './message-list.js';
import { OwnerBanner } from './owner-banner.js';
import { PendingCard } from './pending-card.js';
import { ProblemNote } from './problem-note.js';
import { Rating } from './rating.js';
import { useTexts } from './texts.js';
import { canStop, isOpen, isWorking } from './thread-state.js';
import { useStickyScroll } from './use-sticky-scroll.js';
import { Welcome } from './welcome.js';

/** One conversation: who answers, what was said, what is asked, and the field to write in. */
export function ConversationView({
  conversation,
  api,
  config,
  name,
}: {
  readonly conversation: Conversation;
  readonly api: Api;
  readonly config: PublicConfig;
  readonly name: string;
}) {
  const texts = useTexts();
  const state = useStore(conversation.state);
  const [article, setArticle] = useState<Citation | null>(articleInAddress);
  const scroll = useStickyScroll(state, state.messages.length > 0);
  const { messages, cards, phase } = state;
  const open = cards.findLast(isOpen);
  const last = messages.at(-1);
  const placed = new Set(messages.map(({ id }) => id));
  const loose = cards.filter(
    ({ messageId, status }) => !(messageId && placed.has(messageId)) && status !== 'closed',
  );

  if (phase === 'missing' || phase === 'failed') {
    return (
      <div class="conversation__note" role="alert">
        <p>{phase === 'missing' ? texts.missing : texts.loadFailed}</p>
        {phase === 'failed' && (
          <Button kind="primary" icon="refresh" onClick={conversation.reload}>
            {texts.tryAgain}
          </Button>
        )}
      </div>
    );
  }
  return (
    <div class="conversation">
      <OwnerBanner state={state} hours={config.support_hours} />
      <div
        class="conversation__scroll"
        ref={scroll.ref}
        onScroll={scroll.onScroll}
        tabIndex={0}
        role="region"
        aria-label={texts.log}
      >
        <div class="conversation__column">
          {phase === 'loading' && (
            <p class="conversation__loading" role="status">
              <span class="spinner" /> {texts.loading}
            </p>
          )}
          {phase === 'ready' && messages.length === 0 && <Welcome name={name} onChoose={conversation.send} />}
          <MessageList
            state={state}
            conversation={conversation}
            hours={config.support_hours}
            onArticle={setArticle}
          />
          {loose.map((card) => (
            <PendingCard
              key={card.pending.id}
              card={card}
              conversation={conversation}
              hours={config.support_hours}
            />
          ))}
          <Preview text={state.preview} />
          <ActivityLine state={state} />
          {state.problem && <ProblemNote problem={state.problem} />}
          {last?.role === 'hub' &&
            open?.pending.kind !== 'confirmation' &&
            !isWorking(state) &&
            state.owner === 'hub' && (
              <Rating
                key={last.id}
                conversation={conversation}
                messageId={last.id}
                rated={state.rated === last.id}
              />
            )}
        </div>
      </div>
      {scroll.away && (
        <div class="conversation__jump">
          <Button kind="outline" icon="down" onClick={scroll.toEnd}>
            {texts.newMessages}
          </Button>
        </div>
      )}
      <LineNotice line={state.line} />
      <Composer
        threadId={state.threadId}
        limit={config.max_message_chars}
        onStop={canStop(state) ? conversation.stop : null}
        note={state.owner === 'operator' ? texts.personNote : texts.disclaimer}
        placeholder={
          state.owner === 'operator'
            ? texts.placeholderPerson
            : open?.pending.kind === 'confirmation'
              ? texts.placeholderAnswer
              : texts.placeholder
        }
        onSend={(text) => {
          conversation.send(text);
          scroll.toEnd();
        }}
      />
      {article && (
        <ArticleDialog
          api={api}
          citation={article}
          linkHosts={config.link_hosts}
          onClose={() => setArticle(null)}
        />
      )}
    </div>
  );
}
