import { useEffect, useId, useState } from 'preact/hooks';
import type { Suggestion } from '../../shared/api-types.js';
import { Button, IconButton } from '../../shared/components/button.js';
import { Icon } from '../../shared/components/icon.js';
import { PlainText } from '../../shared/components/plain-text.js';
import { fill } from '../../shared/message.js';
import { useDesk } from '../lib/desk-context.js';
import { type Action, useAction } from '../lib/use-action.js';
import { Failure } from '../parts/states.js';
import { useWords } from '../texts.js';
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
  const words = useWords();
  if (suggestion !== null) return null;
  return (
    <Button kind="quiet" icon="spark" busy={ask.busy} onClick={() => void ask.run(undefined)}>
      {ask.busy ? words.suggestion.thinking : words.suggestion.ask}
    </Button>
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
  const words = useWords();
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
    <section class="suggestion" aria-label={words.suggestion.title}>
      <div class="suggestion__line">
        <button
          type="button"
          class="suggestion__toggle"
          aria-expanded={open}
          aria-controls={whole}
          onClick={() => setOpen(!open)}
        >
          <Icon name="spark" /> <strong class="suggestion__title">{words.suggestion.title}</strong>
          {!open && <span class="suggestion__start">{empty ? words.suggestion.empty : suggestion.text}</span>}
          <Icon name="down" />
        </button>
        {!empty && (
          <Button kind="primary" onClick={use(suggestion.text)}>
            {draft.trim() === '' ? words.suggestion.use : words.suggestion.replace}
          </Button>
        )}
        <IconButton icon="close" label={words.suggestion.discard} onClick={discard} />
      </div>
      <div class="suggestion__whole" id={whole} hidden={!open}>
        <p class="suggestion__by">
          <WrittenBy provider={suggestion.provider} /> · {words.suggestion.hint}
        </p>
        {empty ? (
          <p>{words.suggestion.empty}</p>
        ) : (
          <PlainText text={suggestion.text} hosts={config.link_hosts} />
        )}
        <Sources citations={suggestion.citations} />
        {!empty && draft.trim() !== '' && (
          <Button kind="outline" onClick={use(`${draft.trimEnd()}\n\n${suggestion.text}`)}>
            {words.suggestion.append}
          </Button>
        )}
      </div>
    </section>
  );
}

function WrittenBy({ provider }: { readonly provider: string }) {
  const { suggestion } = useWords();
  return (
    <>
      {fill(suggestion.by, {
        provider: provider === 'offline' ? suggestion.offline : fill(suggestion.model, { name: provider }),
      })}
    </>
  );
}
