import { useEffect, useState } from 'preact/hooks';
import type { TicketView } from '../../shared/api-types.js';
import { language } from '../../shared/i18n.js';
import { useStore } from '../../shared/store.js';
import { useDesk } from '../lib/desk-context.js';
import { type Loaded, onTicket, useData } from '../lib/use-data.js';
import { RecordNames } from '../parts/arguments.js';
import { Empty, Failure, Show } from '../parts/states.js';
import { useTexts } from '../texts.js';
import { Composer } from './composer.js';
import { Conversation } from './conversation.js';
import { SidePanel } from './side-panel.js';
import { TicketCommands } from './tags-and-merge.js';
import { TicketHeader } from './ticket-header.js';
import { holdingOf, type TicketActions, useTicketActions } from './use-ticket-actions.js';

/** Nothing is open. */
export function NoTicket() {
  const texts = useTexts();
  return (
    <div class="ticket ticket--none">
      <Empty text={[texts.ticket.none, texts.ticket.noneHint]} />
    </div>
  );
}

/** Messages that are read at first, and more with every wish. */
const STEP = 100;
/** More are not shown at once. */
const MOST = 5_000;

/** One ticket with everything an operator needs. */
export function TicketPage({ ticketId }: { readonly ticketId: string }) {
  const { api } = useDesk();
  const shown = useStore(language);
  const [messages, setMessages] = useState(STEP);
  const loaded = useData(
    `ticket:${shown}:${ticketId}`,
    () => api.ticket(ticketId, shown, messages),
    onTicket(ticketId),
    messages,
  );
  const onEarlier = (): void => setMessages((count) => Math.min(MOST, count + STEP));
  return (
    <Show loaded={loaded}>
      {(ticket) => (
        <OpenTicket
          key={ticketId}
          ticket={ticket}
          loaded={loaded}
          onEarlier={ticket.has_earlier && messages < MOST ? onEarlier : null}
        />
      )}
    </Show>
  );
}

type Side = 'conversation' | 'details';

function OpenTicket({
  ticket,
  loaded,
  onEarlier,
}: {
  readonly ticket: TicketView;
  readonly loaded: Loaded<TicketView>;
  /** Shows older messages; null where there are none. */
  readonly onEarlier: (() => void) | null;
}) {
  const { me } = useDesk();
  const actions = useTicketActions(ticket);
  const [side, setSide] = useState<Side>('conversation');
  const holding = holdingOf(ticket, me);
  useEffect(() => {
    // Once the ticket is free or ours, that somebody was faster is no news any more.
    if (holding.kind === 'other') return;
    actions.claim.clear();
    actions.release.clear();
  }, [holding.kind]);
  return (
    <RecordNames value={ticket.record_names}>
      <div class={`ticket ticket--${side}`}>
        <section class="ticket__main" aria-labelledby="ticket-of">
          <TicketHeader ticket={ticket} holding={holding} actions={actions} readAt={loaded.readAt}>
            <SideSwitch side={side} onChoose={setSide} />
          </TicketHeader>
          <div class="ticket__talk">
            <Failure error={loaded.error ?? firstError(actions)} />
            <Conversation ticket={ticket} onEarlier={onEarlier} />
            <Composer ticket={ticket} holding={holding} actions={actions} />
          </div>
        </section>
        <SidePanel ticket={ticket} actions={actions} />
        <TicketCommands ticket={ticket} actions={actions} />
      </div>
    </RecordNames>
  );
}

function firstError({ claim, release }: TicketActions) {
  return claim.error ?? release.error;
}

/** Where there is room for one of them only: the conversation or everything about it. */
function SideSwitch({ side, onChoose }: { readonly side: Side; readonly onChoose: (side: Side) => void }) {
  const texts = useTexts();
  return (
    <div class="ticket__switch">
      {(['conversation', 'details'] as const).map((name) => (
        <button
          key={name}
          type="button"
          class="tabs__tab"
          aria-pressed={side === name}
          onClick={() => onChoose(name)}
        >
          {texts.ticket[name]}
        </button>
      ))}
    </div>
  );
}
