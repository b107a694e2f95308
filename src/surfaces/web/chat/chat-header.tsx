import { useEffect } from 'preact/hooks';
import type { ThreadSummary } from '../shared/api-types.js';
import { COMPANY } from '../shared/company.js';
import { AppearanceMenu, NoticeChoices } from '../shared/components/appearance.js';
import { Badge, Button, Icon, IconButton, Logo } from '../shared/components/controls.js';
import { shortTime } from '../shared/format.js';
import { language } from '../shared/i18n.js';
import { fill } from '../shared/message.js';
import { onScreen } from '../shared/notices.js';
import { createStore, useStore } from '../shared/store.js';
import type { ChatModel } from './chat-model.js';
import { type Embed, panelShown } from './embed-bridge.js';
import { notices, type Push } from './push.js';
import { useTexts } from './texts.js';
import { emptyThread } from './thread-state.js';

const COUNT = /^\(\d+\) /;

/**
 * Tells of what is answered while the page lies behind another, or its panel is put away: in the title, and as the customer has
 * asked for it. A look at the page ends the count.
 * @param isFramed the title of a frame is seen nowhere: there the page's button counts
 */
export function useArrivals(model: ChatModel, push: Push, isFramed: boolean): void {
  const { answered } = useTexts();
  useEffect(() => {
    let unread = 0;
    const show = (count: number): void => {
      unread = count;
      const title = document.title.replace(COUNT, '');
      document.title = count === 0 ? title : `(${count}) ${title}`;
    };
    const keep = (): void => void push.keep(answered);
    keep();
    model.onMessage = (role) => {
      keep();
      if ((onScreen.get() && panelShown.get()) || (role !== 'hub' && role !== 'operator')) return;
      // Nothing of the answer itself: others may see the screen.
      notices.notify(answered, 'hub.chat');
      if (!isFramed) show(unread + 1);
    };
    const ends = [
      ...[model.config, model.session.state, notices.choice].map((store) => store.subscribe(keep)),
      onScreen.subscribe((visible) => {
        if (visible && !isFramed) show(0);
      }),
    ];
    return () => {
      for (const end of ends) end();
    };
  }, [model, push, isFramed, answered]);
}

/** The name of the house, and what is not about one message. */
export function ChatHeader({
  model,
  embed,
  onShowList,
}: {
  readonly model: ChatModel;
  readonly embed: Embed | null;
  readonly onShowList: () => void;
}) {
  const texts = useTexts();
  const who = useStore(model.who);
  const visiting = useStore(model.visiting);
  const signIn = (): void => model.signingIn.set(true);
  return (
    <header class="chat__header">
      <span class="chat__list-button">
        <IconButton icon="list" label={texts.conversations} aria-haspopup="dialog" onClick={onShowList} />
      </span>
      <Logo />
      <h1 class="brand">
        {COMPANY.name} <span class="brand__part">{texts.title}</span>
      </h1>
      <span class="chat__new-button">
        <IconButton icon="edit" label={texts.newConversation} onClick={() => startNew(model)} />
      </span>
      {visiting && COMPANY.accounts && (
        <span class="chat__sign-in">
          <Button kind="outline" icon="person" onClick={signIn}>
            {texts.signIn.signIn}
          </Button>
        </span>
      )}
      <AppearanceMenu>
        <NoticeChoices notices={notices} legend={texts.notices} />
        <hr class="menu__line" />
        {who && <p class="menu__who">{fill(texts.signedInAs, { name: who.name })}</p>}
        {visiting ? (
          COMPANY.accounts && (
            <Button kind="outline" icon="person" wide onClick={signIn}>
              {texts.signIn.signIn}
            </Button>
          )
        ) : (
          <Button kind="outline" icon="leave" wide onClick={model.signOut}>
            {texts.signOut}
          </Button>
        )}
      </AppearanceMenu>
      {embed && <IconButton icon="close" label={texts.closeChat} onClick={embed.close} />}
    </header>
  );
}

/** An empty conversation, ready to be written in. */
function startNew(model: ChatModel): void {
  if (model.conversation.get()?.state.get().threadId !== null) model.openThread(null);
  requestAnimationFrame(() => document.getElementById('composer')?.focus());
}

const NONE = createStore(emptyThread(null));

/** The conversations of the customer, the latest first. */
export function ThreadList({
  model,
  onOpened,
}: {
  readonly model: ChatModel;
  readonly onOpened: () => void;
}) {
  const texts = useTexts();
  const { phase, threads } = useStore(model.list);
  const conversation = useStore(model.conversation);
  const current = useStore(conversation?.state ?? NONE).threadId;
  const open = (threadId: string): void => {
    if (threadId !== current) model.openThread(threadId);
    onOpened();
  };
  return (
    <div class="threads">
      <Button
        kind="outline"
        icon="plus"
        wide
        onClick={() => {
          onOpened();
          startNew(model);
        }}
      >
        {texts.newConversation}
      </Button>
      {phase === 'failed' && (
        <p class="threads__note" role="alert">
          {texts.listFailed}{' '}
          <Button kind="quiet" icon="refresh" onClick={model.refreshList}>
            {texts.tryAgain}
          </Button>
        </p>
      )}
      {phase === 'ready' && threads.length === 0 && <p class="threads__note">{texts.noConversations}</p>}
      {threads.length > 0 && (
        <ul class="threads__list">
          {threads.map((thread) => (
            <li key={thread.thread_id}>
              <Entry thread={thread} current={thread.thread_id === current} onOpen={open} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** The conversations that a person has, or in which an answer was not read: who comes back looks for them first. */
export function Expected({ model }: { readonly model: ChatModel }) {
  const texts = useTexts();
  const { threads } = useStore(model.list);
  const expected = threads.filter(({ unread, owner }) => unread > 0 || owner === 'operator').slice(0, 3);
  if (expected.length === 0) return null;
  return (
    <section class="hello__expected" aria-labelledby="expected">
      <h3 id="expected">{texts.expected}</h3>
      {expected.map((thread) => (
        <Entry key={thread.thread_id} thread={thread} current={false} onOpen={model.openThread} />
      ))}
    </section>
  );
}

function Entry({
  thread,
  current,
  onOpen,
}: {
  readonly thread: ThreadSummary;
  readonly current: boolean;
  readonly onOpen: (threadId: string) => void;
}) {
  const texts = useTexts();
  const shown = useStore(language);
  return (
    <button
      type="button"
      class="thread"
      aria-current={current ? 'true' : undefined}
      onClick={() => onOpen(thread.thread_id)}
    >
      <span class="thread__title" dir="auto">
        {thread.title ?? texts.untitled}
      </span>
      <span class="thread__meta">
        {shortTime(thread.updated_at, shown)}
        {thread.owner === 'operator' && (
          <span class="thread__person">
            <Icon name="person" /> {thread.operator?.name ?? texts.withPerson}
          </span>
        )}
        {thread.unread > 0 && !current && <Badge>{fill(texts.unread, { count: thread.unread })}</Badge>}
      </span>
    </button>
  );
}
