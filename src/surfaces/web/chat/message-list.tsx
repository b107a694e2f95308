import type { Citation, PublicConfig } from '../shared/api-types.js';
import type { Conversation } from './conversation.js';
import { MessageItem } from './message-item.js';
import { PendingCard } from './pending-card.js';
import { useTexts } from './texts.js';
import type { ShownMessage, ThreadState } from './thread-state.js';

/** Messages closer together than this, by the same writer, are one group. */
const GROUP_MS = 5 * 60_000;

/** What was said, with the questions below the messages that asked them. New messages are read out. */
export function MessageList({
  state,
  conversation,
  hours,
  onArticle,
}: {
  readonly state: ThreadState;
  readonly conversation: Conversation;
  readonly hours: PublicConfig['support_hours'];
  readonly onArticle: (citation: Citation) => void;
}) {
  const texts = useTexts();
  const { messages, cards } = state;
  return (
    <div class="messages" role="log" aria-live="polite" aria-label={texts.log}>
      {messages.map((message, at) => {
        const asked = cards.filter(({ messageId }) => messageId === message.id);
        return (
          <div key={message.client_message_id ?? message.id}>
            <MessageItem
              message={message}
              first={begins(messages[at - 1], message)}
              questions={asked.map(({ pending }) => pending)}
              onArticle={onArticle}
              onRetry={conversation.retry}
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
