import type { TicketEntry } from '../../shared/api-types.js';
import { Avatar } from '../../shared/components/card.js';
import { fill } from '../../shared/message.js';
import { useDesk } from '../lib/desk-context.js';
import { linkTo } from '../lib/location.js';
import { term } from '../lib/term.js';
import { PriorityMark, SentimentMark } from '../parts/marks.js';
import { Age, ServiceTime } from '../parts/time.js';
import { useWords } from '../texts.js';

export interface TicketRowProps {
  readonly entry: TicketEntry;
  readonly selected: boolean;
  readonly readAt: number;
}

/** A ticket of the queue: who, what about, how pressing, and since when. */
export function TicketRow({ entry, selected, readAt }: TicketRowProps) {
  const words = useWords();
  const { classification, escalation, last_message: last } = entry;
  const name = entry.customer_name ?? words.queue.unknownCustomer;
  return (
    <li class={`row${selected ? ' row--selected' : ''}`}>
      <a
        class="row__link"
        href={linkTo('tickets', entry.ticket_id)}
        aria-current={selected ? 'true' : undefined}
        data-ticket={entry.ticket_id}
      >
        <span class="row__head">
          <Avatar name={name} />
          <span class="row__name">{name}</span>
          <span class="row__age">
            {term(words.channel, entry.channel)} · <Age at={last?.created_at ?? entry.updated_at} />
          </span>
        </span>
        <span class="row__summary">
          {classification?.summary || escalation?.summary || words.queue.noSummary}
        </span>
        {last !== null && (
          <span class="row__last">
            <span class="row__who">{term(words.role, last.role)}:</span> {last.content}
          </span>
        )}
        <span class="row__tags">
          {classification !== null && <PriorityMark priority={classification.priority} />}
          {classification !== null && <SentimentMark sentiment={classification.sentiment} />}
          {entry.approvals > 0 && (
            <span class="tag tag--approval">{fill(words.queue.approvals, { count: entry.approvals })}</span>
          )}
          {entry.withdrawn_at !== null && (
            <span class="tag tag--approval">
              {words.queue.withdrawn} <Age at={entry.withdrawn_at} />
            </span>
          )}
        </span>
        <RowFoot entry={entry} readAt={readAt} />
      </a>
    </li>
  );
}

function RowFoot({ entry, readAt }: { readonly entry: TicketEntry; readonly readAt: number }) {
  const words = useWords();
  const { me } = useDesk();
  const holder = entry.operator;
  return (
    <span class="row__foot">
      {entry.clock !== null && <ServiceTime clock={entry.clock} readAt={readAt} />}
      {entry.escalation !== null && <span>{term(words.reason, entry.escalation.reason)}</span>}
      {holder !== null && (
        <span>
          {holder.id === me.id ? words.queue.withYou : fill(words.queue.with, { name: holder.name })}
        </span>
      )}
    </span>
  );
}
