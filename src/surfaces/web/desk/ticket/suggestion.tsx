import { useEffect, useId, useState } from 'preact/hooks';
import type { Suggestion, TicketView } from '../../shared/api-types.js';
import { pastedFiles } from '../../shared/attachments.js';
import { Button, Icon, IconButton } from '../../shared/components/controls.js';
import { PlainText } from '../../shared/components/markdown.js';
import { fill } from '../../shared/message.js';
import { useCommand } from '../lib/commands.js';
import { useDesk } from '../lib/desk-context.js';
import { sayTyping, useColleagues } from '../lib/presence.js';
import { type Action, useAction } from '../lib/use-data.js';
import { Failure } from '../parts/states.js';
import { ToolButton } from '../parts/tool-button.js';
import { useTexts } from '../texts.js';
import { Sources } from './conversation.js';

/** A reply that the hub would give, as far as it was asked for. */
interface SuggestionState {
  readonly suggestion: Suggestion | null;
  readonly ask: Action<undefined>;
  discard(): void;
}

/**
 * The suggestion for one ticket.
 * @param asked asks by itself when this number grows, as after a claim
 */
export function useSuggestion(ticketId: string, asked: number): SuggestionState {
  const { api } = useDesk();
  const [suggestion, setSuggestion] = useState<Suggestion | null>(null);
  const ask = useAction<undefined>(async () => setSuggestion(await api.suggestion(ticketId)));
  useEffect(() => {
    if (asked > 0) void ask.run(undefined);
  }, [asked]);
  return { suggestion, ask, discard: () => setSuggestion(null) };
}

/** Asks for a suggestion, while there is none. */
export function SuggestButton({ state: { suggestion, ask } }: { readonly state: SuggestionState }) {
  const texts = useTexts();
  useCommand('i', suggestion === null && !ask.busy ? () => void ask.run(undefined) : null);
  if (suggestion !== null) return null;
  return (
    <ToolButton
      icon="spark"
      label={ask.busy ? texts.suggestion.thinking : texts.suggestion.ask}
      busy={ask.busy}
      onClick={() => void ask.run(undefined)}
    />
  );
}

/**
 * A reply that the hub would give, to take over or to edit; it sends nothing. It is one line until it is opened, so that
 * the field and its button stay on the screen.
 */
export function SuggestionBox({
  state: { suggestion, ask, discard },
  draft,
  onUse,
}: {
  readonly state: SuggestionState;
  readonly draft: string;
  readonly onUse: (text: string) => void;
}) {
  const texts = useTexts();
  const { config } = useDesk();
  const [open, setOpen] = useState(false);
  const whole = useId();
  if (suggestion === null) return <Failure error={ask.error} />;
  const use = (text: string) => (): void => {
    onUse(text);
    setOpen(false);
    discard();
  };
  const empty = suggestion.text.trim() === '';
  return (
    <section class="suggestion" aria-label={texts.suggestion.title}>
      <div class="suggestion__line">
        <button
          type="button"
          class="suggestion__toggle"
          aria-expanded={open}
          aria-controls={whole}
          onClick={() => setOpen(!open)}
        >
          <Icon name="spark" /> <strong class="suggestion__title">{texts.suggestion.title}</strong>
          {!open && <span class="suggestion__start">{empty ? texts.suggestion.empty : suggestion.text}</span>}
          <Icon name="down" />
        </button>
        {!empty && (
          <Button kind={draft.trim() === '' ? 'primary' : 'quiet'} onClick={use(suggestion.text)}>
            {draft.trim() === '' ? texts.suggestion.use : texts.suggestion.replace}
          </Button>
        )}
        <IconButton icon="close" label={texts.suggestion.discard} onClick={discard} />
      </div>
      <div
        class="suggestion__whole"
        id={whole}
        role="group"
        aria-label={texts.suggestion.title}
        tabIndex={0}
        hidden={!open}
      >
        {empty ? (
          <p>{texts.suggestion.empty}</p>
        ) : (
          <PlainText text={suggestion.text} hosts={config.link_hosts} />
        )}
        <p class="suggestion__by">
          <WrittenBy provider={suggestion.provider} /> · {texts.suggestion.hint}
          {suggestion.unanswered && ` ${texts.suggestion.unanswered}`}
        </p>
        <Sources citations={suggestion.citations} />
        {!empty && draft.trim() !== '' && (
          <Button kind="outline" onClick={use(`${draft.trimEnd()}\n\n${suggestion.text}`)}>
            {texts.suggestion.append}
          </Button>
        )}
      </div>
    </section>
  );
}

function WrittenBy({ provider }: { readonly provider: string }) {
  const { suggestion } = useTexts();
  return (
    <>
      {fill(suggestion.by, {
        provider: provider === 'offline' ? suggestion.offline : fill(suggestion.model, { name: provider }),
      })}
    </>
  );
}

/** What an operator is writing: to the customer, or for colleagues. */
export type DraftKind = 'reply' | 'note';

/** The beginning of a name at the end of a note. */
const BEGUN = /(?:^|\s)@(\S*)$/u;

/** The colleagues at the desk, each named in the note with a press; those whose names begin as written, where one is begun. */
export function Mentions({
  draft,
  onMention,
}: {
  readonly draft: string;
  readonly onMention: (draft: string) => void;
}) {
  const { presence } = useTexts();
  const colleagues = useColleagues();
  const begun = (BEGUN.exec(draft)?.[1] ?? '').toLocaleLowerCase();
  const meant = colleagues.filter(({ name }) => name.toLocaleLowerCase().startsWith(begun));
  const before = draft.replace(BEGUN, '').trimEnd();
  if (meant.length === 0) return null;
  return (
    <div class="composer__mentions">
      {meant.map(({ id, name }) => (
        <Button
          key={id}
          kind="quiet"
          aria-label={fill(presence.mention, { name })}
          onClick={() => onMention(`${before} @${name} `.trimStart())}
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
  const texts = useTexts();
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
          {texts.composer[name]}
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
  const texts = useTexts();
  const name = ticket.customer_name ?? texts.queue.unknownCustomer;
  return (
    <textarea
      ref={field}
      class="input composer__field"
      rows={3}
      aria-label={kind === 'reply' ? fill(texts.composer.replyTo, { name }) : texts.composer.note}
      aria-keyshortcuts="Control+Enter"
      placeholder={kind === 'reply' ? texts.composer.replyPlaceholder : texts.composer.notePlaceholder}
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
