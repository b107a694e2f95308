import type { PublicConfig } from '../shared/api-types.js';
import { Button } from '../shared/components/button.js';
import { Icon, type IconName } from '../shared/components/icon.js';
import { PlainText } from '../shared/components/plain-text.js';
import { useToolLabel } from '../shared/labels.js';
import type { Conversation } from './conversation.js';
import { useHours } from './notices.js';
import type { Answer } from './sender.js';
import type { Texts } from './texts.js';
import { useTexts } from './texts.js';
import { type Card, isOpen } from './thread-state.js';

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
          <PlainText text={pending.question} />
        </div>
      )}
      {isOpen(card) && <Answers card={card} conversation={conversation} texts={texts} />}
      <Outcome card={card} texts={texts} />
    </section>
  );
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
        {card.pending.answers?.yes ?? texts.yes}
      </Button>
      <Button kind="outline" disabled={busy} onClick={() => answer('no')}>
        {card.pending.answers?.no ?? texts.no}
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
