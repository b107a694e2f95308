import { useState } from 'preact/hooks';
import { Button, IconButton } from '../shared/components/button.js';
import { Field } from '../shared/components/field.js';
import { toast } from '../shared/components/toast.js';
import { asApiError } from '../shared/problem.js';
import type { Conversation } from './conversation.js';
import { errorWords, useTexts } from './texts.js';

const LONGEST = 500;

/** Asks below an answer whether it helped; after a no, what was missing. */
export function Rating({
  conversation,
  messageId,
  rated,
}: {
  readonly conversation: Conversation;
  readonly messageId: string;
  readonly rated: boolean;
}) {
  const texts = useTexts();
  const [asks, setAsks] = useState(false);
  const [comment, setComment] = useState('');
  const [busy, setBusy] = useState(false);
  const rate = async (helpful: boolean, words?: string): Promise<void> => {
    setBusy(true);
    try {
      await conversation.rate(messageId, helpful, words?.trim());
    } catch (error) {
      const { code, message } = asApiError(error);
      toast(errorWords(texts, { code, detail: message }));
    }
    setBusy(false);
  };
  if (rated) {
    return (
      <p class="rating rating--done" role="status">
        {texts.thanks}
      </p>
    );
  }
  if (asks) {
    return (
      <form
        class="rating rating--form"
        onSubmit={(event) => {
          event.preventDefault();
          void rate(false, comment);
        }}
      >
        <Field label={texts.whatMissed}>
          {(control) => (
            <input
              {...control}
              class="input"
              maxLength={LONGEST}
              // biome-ignore lint/a11y/noAutofocus: the press before asked for this field.
              autoFocus
              value={comment}
              onInput={({ currentTarget }) => setComment(currentTarget.value)}
            />
          )}
        </Field>
        <div class="rating__row">
          <Button kind="primary" type="submit" busy={busy}>
            {texts.sendComment}
          </Button>
          <Button kind="quiet" disabled={busy} onClick={() => void rate(false)}>
            {texts.skipComment}
          </Button>
        </div>
      </form>
    );
  }
  return (
    <div class="rating" role="group" aria-label={texts.helpful}>
      <span>{texts.helpful}</span>
      <IconButton icon="thumb-up" label={texts.helpfulYes} disabled={busy} onClick={() => void rate(true)} />
      <IconButton icon="thumb-down" label={texts.helpfulNo} disabled={busy} onClick={() => setAsks(true)} />
    </div>
  );
}
