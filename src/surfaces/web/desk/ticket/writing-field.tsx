import type { TicketView } from '../../shared/api-types.js';
import { pastedFiles } from '../../shared/attachments.js';
import { Button } from '../../shared/components/button.js';
import { fill } from '../../shared/message.js';
import { sayTyping, useColleagues } from '../lib/presence.js';
import { useWords } from '../texts.js';

/** What an operator is writing: to the customer, or for colleagues. */
export type DraftKind = 'reply' | 'note';

/** The colleagues at the desk, each named in the note with a press. */
export function Mentions({ onMention }: { readonly onMention: (name: string) => void }) {
  const { presence } = useWords();
  const colleagues = useColleagues();
  if (colleagues.length === 0) return null;
  return (
    <div class="composer__mentions">
      {colleagues.map(({ id, name }) => (
        <Button
          key={id}
          kind="quiet"
          aria-label={fill(presence.mention, { name })}
          onClick={() => onMention(name)}
        >
          @{name}
        </Button>
      ))}
    </div>
  );
}

/** To whom the operator writes. */
export function KindSwitch({
  kind,
  onChoose,
}: {
  readonly kind: DraftKind;
  readonly onChoose: (kind: DraftKind) => void;
}) {
  const words = useWords();
  return (
    <div class="composer__kinds">
      {(['reply', 'note'] as const).map((name) => (
        <button
          key={name}
          type="button"
          class="composer__kind"
          aria-pressed={kind === name}
          onClick={() => onChoose(name)}
        >
          {words.composer[name]}
        </button>
      ))}
    </div>
  );
}

/** Where the words are typed. */
export function WritingField({
  field,
  kind,
  ticket,
  text,
  onInput,
  onFiles,
  onSend,
}: {
  readonly field: { current: HTMLTextAreaElement | null };
  readonly kind: DraftKind;
  readonly ticket: TicketView;
  readonly text: string;
  readonly onInput: (text: string) => void;
  /** Takes what is pasted; null where no files can be sent. */
  readonly onFiles: ((files: readonly File[]) => void) | null;
  readonly onSend: () => Promise<void>;
}) {
  const words = useWords();
  const name = ticket.customer_name ?? words.queue.unknownCustomer;
  return (
    <textarea
      ref={field}
      class="input composer__field"
      rows={3}
      aria-label={kind === 'reply' ? fill(words.composer.replyTo, { name }) : words.composer.note}
      aria-keyshortcuts="Control+Enter"
      placeholder={kind === 'reply' ? words.composer.replyPlaceholder : words.composer.notePlaceholder}
      value={text}
      onInput={(event) => {
        if (kind === 'reply') sayTyping();
        onInput(event.currentTarget.value);
      }}
      onPaste={(event) => {
        const files = onFiles === null ? [] : pastedFiles(event);
        if (files.length === 0) return;
        event.preventDefault();
        onFiles?.(files);
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.isComposing) return;
        event.preventDefault();
        void onSend();
      }}
    />
  );
}
