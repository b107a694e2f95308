import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Button, IconButton } from '../shared/components/button.js';
import { toast } from '../shared/components/dialog.js';
import { Field } from '../shared/components/field.js';
import { fill } from '../shared/message.js';
import { asApiError } from '../shared/problem.js';
import type { Conversation } from './conversation.js';
import { errorWords, useTexts } from './texts.js';
import type { ThreadState } from './thread-state.js';

const LONGEST = 500;

/**
 * Asks below an answer whether it helped, and below a ticket that an operator has resolved how that was. What is pressed counts at
 * once; a comment may follow.
 */
export function Rating({
  conversation,
  subject,
  resolution,
  rated,
}: {
  readonly conversation: Conversation;
  /** The id of the message, or of the ticket. */
  readonly subject: string;
  /** Null where an answer is rated. */
  readonly resolution: ThreadState['asksRating'];
  /** True once everything was said. */
  readonly rated: boolean;
}) {
  const all = useTexts();
  const texts = resolution === null ? all.rateAnswer : all.rateResolution;
  const [pressed, setPressed] = useState<boolean | null>(null);
  const [comment, setComment] = useState('');
  const [busy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  // It is taller than the question that it takes the place of.
  useLayoutEffect(() => form.current?.scrollIntoView({ block: 'nearest' }), [pressed]);
  const rate = async (helpful: boolean, words: string, isLast: boolean): Promise<void> => {
    setBusy(true);
    try {
      const said = words.trim() === '' ? {} : { comment: words.trim() };
      const of = resolution === null ? {} : { ticket_id: resolution.ticket_id };
      await conversation.rate({ helpful, ...said, ...of }, isLast ? subject : null);
      setPressed(helpful);
    } catch (error) {
      const { code, message } = asApiError(error);
      toast(errorWords(all, { code, detail: message }));
    }
    setBusy(false);
  };
  if (rated) {
    return (
      <p class="rating rating--done" role="status">
        {all.thanks}
      </p>
    );
  }
  if (pressed !== null) {
    return (
      <form
        ref={form}
        class="rating rating--form"
        onSubmit={(event) => {
          event.preventDefault();
          void rate(pressed, comment, true);
        }}
      >
        <Field label={texts.comment}>
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
            {all.sendComment}
          </Button>
          <Button kind="quiet" disabled={busy} onClick={() => conversation.rated(subject)}>
            {all.skipComment}
          </Button>
        </div>
      </form>
    );
  }
  // A good answer needs no comment; what a person has done may get one.
  const onGood = () => void rate(true, '', resolution === null);
  const question = fill(texts.question, { name: resolution?.operator ?? '' });
  return (
    <div class="rating" role="group" aria-label={question}>
      <span>{question}</span>
      <IconButton icon="thumb-up" label={texts.good} disabled={busy} onClick={onGood} />
      <IconButton
        icon="thumb-down"
        label={texts.bad}
        disabled={busy}
        onClick={() => void rate(false, '', false)}
      />
    </div>
  );
}
