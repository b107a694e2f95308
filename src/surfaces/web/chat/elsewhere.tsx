import { useEffect, useRef } from 'preact/hooks';
import { now } from '../shared/clock.js';
import { Icon } from '../shared/components/controls.js';
import { fill } from '../shared/message.js';
import { useStore } from '../shared/store.js';
import type { ChatModel } from './chat-model.js';
import type { Conversation } from './conversation.js';
import { useTexts } from './texts.js';

/** The list is read this often while another conversation than the open one may be answered: only the open one has a line. */
const EVERY_MS = 20_000;
/** What lies longer is answered by mail or push, if at all. */
const DUE_MS = 3 * 86_400_000;

/** Says above the open conversation that another one has an answer, as long as nobody has read it, and leads there. */
export function Elsewhere({
  model,
  conversation,
}: {
  readonly model: ChatModel;
  /** The open one. */
  readonly conversation: Conversation;
}) {
  const texts = useTexts();
  const { phase, threads } = useStore(model.list);
  const current = useStore(conversation.state).threadId;
  const others = threads.filter(({ thread_id: id }) => id !== current);
  const isDue = others.some(({ updated_at: at }) => now().getTime() - Date.parse(at) < DUE_MS);
  useEffect(() => {
    if (!isDue) return;
    const timer = setInterval(model.refreshList, EVERY_MS);
    return () => clearInterval(timer);
  }, [model, isDue]);

  // What was read in the one that was open before is not unread any more.
  const left = useRef(current);
  useEffect(() => {
    if (left.current !== null && left.current !== current) model.refreshList();
    left.current = current;
  }, [model, current]);

  const unread = others.filter((one) => one.unread > 0);
  const count = unread.reduce((sum, one) => sum + one.unread, 0);
  const before = useRef<number | null>(null);
  useEffect(() => {
    if (phase !== 'ready') return;
    if (before.current !== null && count > before.current) model.onMessage('operator');
    before.current = count;
  }, [model, phase, count]);

  const [first] = unread;
  return (
    <div class="elsewhere" role="status">
      {first !== undefined && current !== null && (
        <button type="button" class="elsewhere__open" onClick={() => model.openThread(first.thread_id)}>
          <Icon name="article" />
          {fill(texts.elsewhere, { title: first.title ?? texts.untitled })}
        </button>
      )}
    </div>
  );
}
