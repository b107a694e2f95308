import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Api } from '../shared/api.js';
import type { Citation, PublicConfig } from '../shared/api-types.js';
import { useAttachments, useDropZone } from '../shared/attachments.js';
import { Button } from '../shared/components/controls.js';
import { DropHint } from '../shared/components/message-files.js';
import { onScreen } from '../shared/notices.js';
import { useStore } from '../shared/store.js';
import { Composer } from './composer.js';
import type { Conversation } from './conversation.js';
import { panelShown } from './embed-bridge.js';
import { ArticleDialog, articleInAddress, MessageList } from './message-list.js';
import { ActivityLine, LineNotice, OwnerBanner, Preview, ProblemNote } from './notices.js';
import { PendingCard, Rating } from './pending-card.js';
import { useTexts } from './texts.js';
import { canStop, isOpen, isWorking, type ThreadState } from './thread-state.js';
import { Welcome } from './welcome.js';

/** Nearer than this to the end counts as reading the newest. */
const NEAR_PX = 80;

interface StickyScroll {
  readonly ref: RefObject<HTMLDivElement>;
  readonly onScroll: () => void;
  /** True where somebody reads further up. */
  readonly away: boolean;
  readonly toEnd: () => void;
}

/** Keeps the end in view while things are added, unless somebody has gone up to read. */
function useStickyScroll(content: unknown, enabled: boolean): StickyScroll {
  const ref = useRef<HTMLDivElement>(null);
  const sticks = useRef(true);
  const [away, setAway] = useState(false);
  useLayoutEffect(() => {
    const box = ref.current;
    if (box && enabled && sticks.current) box.scrollTop = box.scrollHeight;
  }, [content, enabled]);
  useLayoutEffect(() => {
    const box = ref.current;
    if (!box) return;
    const observer = new ResizeObserver(() => {
      if (enabled && sticks.current) box.scrollTop = box.scrollHeight;
    });
    observer.observe(box);
    return () => observer.disconnect();
  }, [enabled]);
  return {
    ref,
    away,
    onScroll() {
      const box = ref.current;
      if (!box) return;
      if (!enabled) return;
      sticks.current = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_PX;
      setAway(!sticks.current);
    },
    toEnd() {
      sticks.current = true;
      setAway(false);
      const box = ref.current;
      if (box) box.scrollTop = box.scrollHeight;
    },
  };
}

/** What stands below the field: who reads what is written there. */
function noteOf({ owner, operator }: ThreadState, texts: ReturnType<typeof useTexts>): string {
  if (owner === 'hub') return texts.disclaimer;
  return operator === null ? texts.teamNote : texts.personNote;
}

/** Tells the hub that its last answer, or an operator's, is on the customer's screen, once it is. */
function useReading(conversation: Conversation, answerId: string | undefined, atEnd: boolean): void {
  const visible = useStore(onScreen);
  const shown = useStore(panelShown);
  const isRead = visible && shown && atEnd;
  useEffect(() => {
    if (isRead && answerId !== undefined) conversation.read(answerId);
  }, [conversation, answerId, isRead]);
}

/** One conversation: who answers, what was said, what is asked, and the field to write in. */
export function ConversationView({
  conversation,
  api,
  config,
  name,
  onSignIn,
  children,
}: {
  readonly conversation: Conversation;
  readonly api: Api;
  readonly config: PublicConfig;
  readonly name: string;
  /** Null where somebody is signed in. */
  readonly onSignIn: (() => void) | null;
  /** What an empty conversation says besides its greeting. */
  readonly children: ComponentChildren;
}) {
  const texts = useTexts();
  const state = useStore(conversation.state);
  const [article, setArticle] = useState<Citation | null>(articleInAddress);
  const scroll = useStickyScroll(state, state.messages.length > 0);
  const attachments = useAttachments({
    limits: config.files,
    place: conversation,
    upload: conversation.attach,
  });
  const drop = useDropZone(attachments.add);
  const { messages, cards, phase, asksRating } = state;
  useReading(
    conversation,
    messages.findLast(({ role }) => role === 'operator' || role === 'hub')?.id,
    !scroll.away,
  );
  const open = cards.findLast(isOpen);
  const last = messages.at(-1);
  const rates = asksRating?.ticket_id ?? (last?.role === 'hub' ? last.id : undefined);
  const offersSignIn = onSignIn !== null && last !== undefined && last.id === state.needsSignIn;
  const placed = new Set(messages.map(({ id }) => id));
  const loose = cards.filter(
    ({ messageId, status }) => !(messageId && placed.has(messageId)) && status !== 'closed',
  );

  if (phase === 'missing' || phase === 'failed') {
    return (
      <div class="conversation__note" role="alert">
        <p>{phase === 'missing' ? texts.missing : texts.loadFailed}</p>
        {phase === 'missing' && onSignIn && (
          <Button kind="primary" icon="person" onClick={onSignIn}>
            {texts.signIn.signIn}
          </Button>
        )}
        {phase === 'failed' && (
          <Button kind="primary" icon="refresh" onClick={conversation.reload}>
            {texts.tryAgain}
          </Button>
        )}
      </div>
    );
  }
  return (
    <div class="conversation" {...drop.handlers}>
      <DropHint over={drop.over} />
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
          {phase === 'ready' && messages.length === 0 && (
            <Welcome name={name} demo={config.demo} onChoose={conversation.send} onSignIn={onSignIn}>
              {children}
            </Welcome>
          )}
          <MessageList
            state={state}
            conversation={conversation}
            hours={config.support_hours}
            linkHosts={config.link_hosts}
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
          <Preview text={state.preview} linkHosts={config.link_hosts} />
          <ActivityLine state={state} />
          {state.problem && <ProblemNote problem={state.problem} />}
          {offersSignIn && (
            <div class="offer">
              <p>{texts.visitor.offer}</p>
              <Button kind="primary" icon="person" onClick={onSignIn}>
                {texts.signIn.signIn}
              </Button>
            </div>
          )}
          {rates !== undefined &&
            !offersSignIn &&
            open?.pending.kind !== 'confirmation' &&
            !isWorking(state) &&
            state.owner === 'hub' && (
              <Rating
                key={rates}
                conversation={conversation}
                subject={rates}
                resolution={asksRating}
                rated={state.rated === rates}
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
        note={noteOf(state, texts)}
        placeholder={
          state.owner === 'operator'
            ? texts.placeholderPerson
            : open?.pending.kind === 'confirmation'
              ? texts.placeholderAnswer
              : texts.placeholder
        }
        attachments={attachments}
        onTyping={conversation.typing}
        onSend={(text, files) => {
          conversation.send(text, files);
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
