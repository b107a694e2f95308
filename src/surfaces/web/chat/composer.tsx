import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { AttachedFile } from '../shared/api-types.js';
import { type Attachments, pastedFiles } from '../shared/attachments.js';
import { Icon } from '../shared/components/controls.js';
import { AttachButton, AttachmentList } from '../shared/components/message-files.js';
import { SHARED } from '../shared/i18n.js';
import { fill } from '../shared/message.js';
import { tabStorage } from '../shared/store.js';
import { useTexts } from './texts.js';

const TALLEST_PX = 200;

/** Where the customer writes. Enter sends, Shift and Enter begin a new line; what is not sent yet outlives a reload. */
export function Composer({
  threadId,
  limit,
  placeholder,
  note,
  attachments,
  onTyping,
  onSend,
  onStop,
}: {
  readonly threadId: string | null;
  readonly limit: number;
  readonly placeholder: string;
  /** What stands below the field while there is nothing to say about the length. */
  readonly note: string;
  readonly attachments: Attachments;
  readonly onTyping: () => void;
  readonly onSend: (text: string, files: readonly AttachedFile[]) => void;
  /** Stops the answer that is being made; null while there is none that could be stopped. */
  readonly onStop: (() => Promise<void>) | null;
}) {
  const texts = useTexts();
  const { wait: waiting } = SHARED.use().files;
  const key = `hub.chat.draft.${threadId ?? 'new'}`;
  const [text, setText] = useState(() => tabStorage.get(key) ?? '');
  const field = useRef<HTMLTextAreaElement>(null);
  const over = [...text.trim()].length - limit;

  useLayoutEffect(() => {
    // A phone would push its keyboard over the page that somebody has just opened.
    if (matchMedia('(pointer: fine)').matches) field.current?.focus({ preventScroll: true });
  }, []);
  useLayoutEffect(() => grow(field.current, text), [text]);
  const change = (next: string): void => {
    setText(next);
    tabStorage.set(key, next === '' ? null : next);
  };
  // What is written next goes first: with words in the field the button sends them.
  const isEmpty = text.trim() === '' && attachments.list.length === 0;
  const stops = onStop !== null && isEmpty;
  const [stopping, setStopping] = useState(false);
  useLayoutEffect(() => setStopping(false), [onStop === null]);
  const stop = (): void => {
    setStopping(true);
    field.current?.focus();
    onStop?.().catch(() => setStopping(false));
  };
  const send = (event: Event): void => {
    event.preventDefault();
    field.current?.focus();
    if (isEmpty || over > 0 || !attachments.ready) return;
    change('');
    onSend(text.trim(), attachments.take());
  };
  return (
    <form class="composer" onSubmit={send}>
      <AttachmentList attachments={attachments} />
      <div class="composer__box">
        <AttachButton attachments={attachments} />
        <textarea
          ref={field}
          id="composer"
          class="composer__field"
          rows={1}
          dir="auto"
          aria-label={texts.composer}
          aria-describedby="composer-note"
          aria-invalid={over > 0 ? 'true' : undefined}
          placeholder={placeholder}
          enterkeyhint="send"
          value={text}
          onInput={({ currentTarget }) => {
            change(currentTarget.value);
            onTyping();
          }}
          onPaste={(event) => {
            const files = pastedFiles(event);
            if (files.length === 0) return;
            event.preventDefault();
            attachments.add(files);
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && !event.shiftKey && !event.isComposing && event.keyCode !== 229)
              send(event);
          }}
        />
        {stops ? (
          <button
            type="button"
            class="composer__send composer__send--stop"
            aria-label={texts.stop}
            title={texts.stop}
            aria-disabled={stopping}
            onClick={stop}
          >
            <Icon name="stop" />
          </button>
        ) : (
          <button
            type="submit"
            class="composer__send"
            aria-label={texts.send}
            title={texts.send}
            aria-disabled={isEmpty || over > 0 || !attachments.ready}
          >
            <Icon name="send" />
          </button>
        )}
      </div>
      <p
        class={`composer__note${over > 0 ? ' composer__note--bad' : ''}`}
        id="composer-note"
        aria-live="polite"
      >
        {over > 0
          ? fill(texts.tooLong, { over })
          : !attachments.ready
            ? waiting
            : over > -limit * 0.1
              ? fill(texts.left, { count: -over })
              : note}
      </p>
    </form>
  );
}

/** As tall as its text, up to a limit. Set through the object model: the page allows no inline styles. */
function grow(field: HTMLTextAreaElement | null, text: string): void {
  if (!field) return;
  field.style.height = 'auto';
  if (text !== '') field.style.height = `${Math.min(field.scrollHeight, TALLEST_PX)}px`;
}
