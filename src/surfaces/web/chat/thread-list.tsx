import type { ThreadSummary } from '../shared/api-types.js';
import { Button } from '../shared/components/button.js';
import { Icon } from '../shared/components/icon.js';
import { shortTime } from '../shared/format.js';
import { language } from '../shared/i18n.js';
import { createStore, useStore } from '../shared/store.js';
import { startNew } from './chat-header.js';
import type { ChatModel } from './chat-model.js';
import { useTexts } from './texts.js';
import { emptyThread } from './thread-state.js';

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
      </span>
    </button>
  );
}
