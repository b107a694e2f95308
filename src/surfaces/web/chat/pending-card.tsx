import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { PublicConfig } from '../shared/api-types.js';
import { COMPANY } from '../shared/company.js';
import { Button, Field, Icon, IconButton, type IconName } from '../shared/components/controls.js';
import { toast } from '../shared/components/dialog.js';
import { PlainText } from '../shared/components/markdown.js';
import { wholeAmounts } from '../shared/format.js';
import { useToolLabel } from '../shared/labels.js';
import { fill } from '../shared/message.js';
import { asApiError } from '../shared/problem.js';
import type { Conversation } from './conversation.js';
import { useHours } from './notices.js';
import type { Answer } from './sender.js';
import { errorText, type Texts, useTexts } from './texts.js';
import { type Card, isOpen, type ThreadState } from './thread-state.js';

/** A question with its two answers, or what waits for the team; later what became of it. */
export function PendingCard({
  card,
  conversation,
  hours,
}: {
  readonly card: Card;
  readonly conversation: Conversation;
  readonly hours: PublicConfig['support_hours'];
}) {
  const texts = useTexts();
  const { pending } = card;
  const approval = pending.kind === 'approval';
  const title = approval ? texts.approvalTitle : texts.confirmTitle;
  return (
    <section
      class={`ask ask--${isOpen(card) ? (approval ? 'waiting' : 'open') : card.status}`}
      aria-label={title}
    >
      <p class="ask__title">
        <Icon name={approval ? 'shield' : 'help'} />
        {title}
      </p>
      {approval ? (
        <Waiting card={card} hours={hours} texts={texts} />
      ) : (
        <div class="ask__question">
          <PlainText text={forButtons(pending.question)} />
        </div>
      )}
      {isOpen(card) && <Answers card={card} conversation={conversation} texts={texts} />}
      <Outcome card={card} texts={texts} />
    </section>
  );
}

/** A question without how it is answered in words: its buttons say what a yes and a no do. */
function forButtons(question: string): string {
  const asked = question.trim();
  const words = COMPANY.answer_in_words.find((ending) => asked.endsWith(ending)) ?? '';
  return asked.slice(0, asked.length - words.length).trim();
}

function Waiting({
  card,
  hours,
  texts,
}: {
  readonly card: Card;
  readonly hours: PublicConfig['support_hours'];
  readonly texts: Texts;
}) {
  const when = useHours(hours);
  const toolLabel = useToolLabel();
  return (
    <div class="ask__question">
      <p>
        <strong>{toolLabel(card.pending.tool)}</strong>
      </p>
      {isOpen(card) && <p class="ask__note">{texts.approvalText}</p>}
      {isOpen(card) && when && <p class="ask__note">{when}</p>}
    </div>
  );
}

function Answers({
  card,
  conversation,
  texts,
}: {
  readonly card: Card;
  readonly conversation: Conversation;
  readonly texts: Texts;
}) {
  const busy = card.status === 'answering';
  const answer = (given: Answer): void => {
    void conversation.answer(card.pending.id, given);
    // The buttons go away: the focus must not fall to the top of the page.
    document.getElementById('composer')?.focus({ preventScroll: true });
  };
  if (card.pending.kind === 'approval') {
    return (
      <div class="ask__answers">
        <Button kind="outline" busy={busy} onClick={() => answer('withdraw')}>
          {texts.withdraw}
        </Button>
      </div>
    );
  }
  return (
    <div class="ask__answers">
      <Button kind="primary" busy={busy} onClick={() => answer('yes')}>
        {wholeAmounts(card.pending.answers?.yes ?? texts.yes)}
      </Button>
      <Button kind="outline" disabled={busy} onClick={() => answer('no')}>
        {wholeAmounts(card.pending.answers?.no ?? texts.no)}
      </Button>
    </div>
  );
}

const ICONS: Readonly<Record<string, IconName>> = {
  confirmed: 'check',
  declined: 'close',
  withdrawn: 'close',
  expired: 'clock',
  replaced: 'refresh',
  closed: 'check',
};

function Outcome({ card: { status, pending }, texts }: { readonly card: Card; readonly texts: Texts }) {
  if (status === 'open' || status === 'answering') return null;
  const words =
    pending.kind === 'approval' && status === 'confirmed'
      ? texts.cardStatus.approved
      : pending.kind === 'approval' && status === 'declined'
        ? texts.cardStatus.refused
        : texts.cardStatus[status];
  return (
    <p class={`ask__outcome ask__outcome--${status}`} role="status">
      <Icon name={ICONS[status] ?? 'check'} />
      {words}
    </p>
  );
}

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
      toast(errorText(all, { code, detail: message }));
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
