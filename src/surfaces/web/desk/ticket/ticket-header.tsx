import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { TicketView } from '../../shared/api-types.js';
import { Badge, Button, Icon } from '../../shared/components/controls.js';
import { useIssueLabel } from '../../shared/labels.js';
import { fill } from '../../shared/message.js';
import { useCommand } from '../lib/commands.js';
import { useDesk } from '../lib/desk-context.js';
import { linkTo } from '../lib/location.js';
import { useColleagues, useCustomerTyping, useIsAway } from '../lib/presence.js';
import { term } from '../lib/values.js';
import { DeskIcon, PriorityMark, SentimentMark } from '../parts/marks.js';
import { CustomerClock, ServiceTime, Time } from '../parts/time.js';
import { useTexts } from '../texts.js';
import { ClaimDialog, ReassignDialog, ResolveDialog, ReturnDialog } from './closing-dialogs.js';
import { useCustomer } from './use-customer.js';
import { type Holding, isFree, type TicketActions } from './use-ticket-actions.js';

interface TicketHeaderProps {
  readonly ticket: TicketView;
  readonly holding: Holding;
  readonly actions: TicketActions;
  readonly readAt: number;
  /** Stands beside the name. */
  readonly children: ComponentChildren;
}

/** Who asks what, how pressing it is, who has it, and what can be done with it. */
export function TicketHeader({ ticket, holding, actions, readAt, children }: TicketHeaderProps) {
  const texts = useTexts();
  const issueLabel = useIssueLabel();
  const { classification } = ticket;
  const name = ticket.customer_name ?? texts.queue.unknownCustomer;
  const summary = classification?.summary || texts.queue.noSummary;
  return (
    <header class="head">
      <div class="head__line">
        <a
          class="button button--quiet button--icon head__back"
          href={linkTo('tickets')}
          aria-label={texts.app.back}
        >
          <Icon name="back" />
        </a>
        <div class="head__who">
          <h2 class="head__name" id="ticket-of">
            {name}
          </h2>
        </div>
        {children}
        <HeaderButtons holding={holding} actions={actions} />
      </div>
      <p class="head__summary" title={summary}>
        {summary}
      </p>
      <div class="head__facts">
        <HoldingBadge holding={holding} holder={ticket.operator?.id ?? null} />
        {classification !== null && <PriorityMark priority={classification.priority} />}
        {classification !== null && <SentimentMark sentiment={classification.sentiment} />}
        {classification !== null && <Badge>{issueLabel(classification.issue_type)}</Badge>}
        {ticket.clock !== null && <ServiceTime clock={ticket.clock} readAt={readAt} />}
        <span class="head__flags">
          {ticket.customer_flags.map(({ kind, label, tone }) => (
            <Badge key={`${kind} ${label}`} tone={tone === 'bad' ? 'bad' : 'sun'}>
              {kind === 'blocked' ? texts.customers.blocked : label}
            </Badge>
          ))}
          <AlsoOpen ticket={ticket} />
        </span>
        {ticket.merged_into !== null && (
          <a href={linkTo('tickets', ticket.merged_into)}>{texts.merge.merged}</a>
        )}
        <Watchers ticket={ticket} />
        <span class="head__small">
          {fill(texts.ticket.number, { number: ticket.number })} · {term(texts.channel, ticket.channel)} ·{' '}
          {texts.ticket.opened} <Time at={ticket.created_at} />
          <CustomerClock zone={ticket.customer_time_zone} />
        </span>
      </div>
    </header>
  );
}

/** Of more tickets only how many they are is said. */
const NAMED = 2;

/** What else of this customer people have in hand, so that two of them do not answer one matter apart from each other. */
function AlsoOpen({ ticket }: { readonly ticket: TicketView }) {
  const texts = useTexts();
  const issueLabel = useIssueLabel();
  const { me } = useDesk();
  const { alsoOpen } = texts.ticket;
  const tickets = useCustomer(ticket).data?.tickets ?? [];
  const others = tickets.filter(
    ({ ticket_id: id, owner, status, approvals }) =>
      id !== ticket.ticket_id && status !== 'resolved' && (owner === 'operator' || approvals > 0),
  );
  const more = others.slice(NAMED);
  return (
    <>
      {others.slice(0, NAMED).map(({ ticket_id: id, number, issue_type: type, summary, owner, operator }) => (
        <a key={id} class="badge badge--info" href={linkTo('tickets', id)} title={summary ?? undefined}>
          {fill(alsoOpen[stateOf(owner, operator?.id ?? null, me.id)], {
            number: type === null ? number : `${number} · ${issueLabel(type)}`,
            name: operator?.name ?? '',
          })}
        </a>
      ))}
      {more.length > 0 && (
        <a class="badge badge--info" href={linkTo('customers', ticket.customer_id ?? '')}>
          {fill(alsoOpen.more, { count: more.length })}
        </a>
      )}
    </>
  );
}

/** Who has another open ticket of the customer. */
function stateOf(owner: string, holder: string | null, me: string): 'mine' | 'held' | 'waits' | 'approval' {
  if (holder !== null) return holder === me ? 'mine' : 'held';
  return owner === 'operator' ? 'waits' : 'approval';
}

/** Colleagues whose screens show this ticket too (not its holder, whom the badge names), who is writing, the customer too. */
function Watchers({ ticket }: { readonly ticket: TicketView }) {
  const { presence, queue } = useTexts();
  const here = useColleagues().filter(
    ({ id, typing, ticket_id }) => ticket_id === ticket.ticket_id && (typing || id !== ticket.operator?.id),
  );
  const name = ticket.customer_name ?? queue.unknownCustomer;
  return (
    <span class="head__watchers" role="status">
      {useCustomerTyping(ticket.thread_id) && (
        <span class="watcher watcher--typing">{fill(presence.typing, { name })}</span>
      )}
      {here.map(({ id, name, typing }) => (
        <span key={id} class={`watcher${typing ? ' watcher--typing' : ''}`}>
          {fill(typing ? presence.typing : presence.watching, { name })}
        </span>
      ))}
    </span>
  );
}

function HoldingBadge({ holding, holder }: { readonly holding: Holding; readonly holder: string | null }) {
  const { ticket } = useTexts();
  const isAway = useIsAway(holder);
  const text =
    holding.kind === 'other'
      ? fill(isAway ? ticket.otherAway : ticket.other, { name: holding.name })
      : ticket.held[holding.kind];
  const tone = (
    { me: 'good', other: 'bad', nobody: 'sun', hub: 'info', approval: 'sun', resolved: 'plain' } as const
  )[holding.kind];
  return (
    <span class="head__holder" role="status">
      <Badge tone={tone}>{text}</Badge>
    </span>
  );
}

function HeaderButtons({ holding, actions }: { readonly holding: Holding; readonly actions: TicketActions }) {
  const texts = useTexts();
  const [open, setOpen] = useState<'return' | 'resolve' | 'take-over' | 'reassign' | null>(null);
  const claimable = isFree(holding);
  const claim = (): void => void actions.claim.run('');
  useCommand('c', claimable ? claim : null);
  const whileHeld = (command: () => void) => (holding.kind === 'me' ? command : null);
  const release = (): void => void actions.release.run({});
  useCommand(
    'e',
    whileHeld(() => setOpen('resolve')),
  );
  useCommand(
    'g',
    whileHeld(() => setOpen('reassign')),
  );
  useCommand(
    'b',
    whileHeld(() => setOpen('return')),
  );
  useCommand('u', whileHeld(release));
  const close = (): void => setOpen(null);
  return (
    <div class="head__buttons">
      {claimable && (
        <Button kind="primary" busy={actions.claim.busy} onClick={claim}>
          {texts.ticket.claim}
        </Button>
      )}
      {holding.kind === 'other' && (
        <Button kind="outline" onClick={() => setOpen('take-over')}>
          {texts.takeOver.confirm}
        </Button>
      )}
      {holding.kind === 'me' && (
        <>
          <button
            type="button"
            class="button button--quiet button--icon"
            aria-label={texts.reassign.title}
            title={texts.reassign.title}
            onClick={() => setOpen('reassign')}
          >
            <DeskIcon name="people" />
          </button>
          <Button kind="quiet" title={texts.ticket.releaseHint} busy={actions.release.busy} onClick={release}>
            {texts.ticket.release}
          </Button>
          <Button kind="outline" title={texts.returnToHub.title} onClick={() => setOpen('return')}>
            {texts.returnToHub.confirm}
          </Button>
          <Button kind="primary" icon="check" onClick={() => setOpen('resolve')}>
            {texts.ticket.resolve}
          </Button>
        </>
      )}
      {open === 'return' && <ReturnDialog action={actions.returnToHub} onClose={close} />}
      {open === 'take-over' && holding.kind === 'other' && (
        <ClaimDialog action={actions.claim} name={holding.name} onClose={close} />
      )}
      {open === 'reassign' && <ReassignDialog action={actions.reassign} onClose={close} />}
      {open === 'resolve' && <ResolveDialog action={actions.resolve} onClose={close} />}
    </div>
  );
}
