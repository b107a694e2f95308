import { useEffect, useState } from 'preact/hooks';
import type { Suggestion } from '../../shared/api-types.js';
import { Button } from '../../shared/components/button.js';
import { Icon } from '../../shared/components/icon.js';
import { PlainText } from '../../shared/components/plain-text.js';
import { fill } from '../../shared/message.js';
import { useDesk } from '../lib/desk-context.js';
import { useAction } from '../lib/use-action.js';
import { Failure } from '../parts/states.js';
import { useWords } from '../texts.js';
import { Sources } from './conversation.js';

export interface SuggestionBoxProps {
  readonly ticketId: string;
  readonly draft: string;
  readonly onUse: (text: string) => void;
  /** Asks by itself when this number grows, as after a claim. */
  readonly asked: number;
}

/** A reply that the hub would give, to take over or to edit; it sends nothing. */
export function SuggestionBox({ ticketId, draft, onUse, asked }: SuggestionBoxProps) {
  const words = useWords();
  const { api } = useDesk();
  const [suggestion, setSuggestion] = useState<Suggestion | null>(null);
  const ask = useAction(async () => setSuggestion(await api.suggestion(ticketId)));
  const request = (): void => void ask.run(undefined);
  useEffect(() => {
    if (asked > 0) request();
  }, [asked]);
  const use = (text: string) => (): void => {
    onUse(text);
    setSuggestion(null);
  };
  return (
    <>
      {suggestion === null && (
        <Button kind="quiet" icon="spark" busy={ask.busy} onClick={request}>
          {ask.busy ? words.suggestion.thinking : words.suggestion.ask}
        </Button>
      )}
      <Failure error={ask.error} />
      {suggestion !== null && (
        <section class="suggestion" aria-label={words.suggestion.title}>
          <p class="suggestion__head">
            <Icon name="spark" /> <strong>{words.suggestion.title}</strong>
            <span class="suggestion__by">
              <WrittenBy provider={suggestion.provider} />
            </span>
          </p>
          {suggestion.text.trim() === '' ? (
            <p>{words.suggestion.empty}</p>
          ) : (
            <div class="suggestion__text">
              <PlainText text={suggestion.text} />
            </div>
          )}
          <Sources citations={suggestion.citations} />
          <div class="suggestion__buttons">
            {suggestion.text.trim() !== '' && (
              <Button kind="primary" onClick={use(suggestion.text)}>
                {draft.trim() === '' ? words.suggestion.use : words.suggestion.replace}
              </Button>
            )}
            {suggestion.text.trim() !== '' && draft.trim() !== '' && (
              <Button kind="outline" onClick={use(`${draft.trimEnd()}\n\n${suggestion.text}`)}>
                {words.suggestion.append}
              </Button>
            )}
            <Button kind="quiet" onClick={() => setSuggestion(null)}>
              {words.suggestion.discard}
            </Button>
            <span class="suggestion__hint">{words.suggestion.hint}</span>
          </div>
        </section>
      )}
    </>
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
