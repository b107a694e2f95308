import type { TicketEntry } from '../../shared/api-types.js';
import { useIssueLabel } from '../../shared/labels.js';
import { fill } from '../../shared/message.js';
import { useStore } from '../../shared/store.js';
import { useDesk } from '../lib/desk-context.js';
import { linkTo } from '../lib/location.js';
import { initials } from '../lib/values.js';
import { PriorityMark } from '../parts/marks.js';
import { Age, ServiceTime } from '../parts/time.js';
import { useWords } from '../texts.js';
import { marked, toggleMark } from './bulk.js';

export interface TicketRowProps {
  readonly entry: TicketEntry;
  readonly selected: boolean;
  readonly readAt: number;
}

/**
 * A ticket of the queue in two lines: who, what about and until when; how pressing it is, what the
 * customer wrote last, and when.
 */
export function TicketRow({ entry, selected, readAt }: TicketRowProps) {
  const words = useWords();
  const issueLabel = useIssueLabel();
  const { classification, escalation, customer_message: said } = entry;
  const name = entry.customer_name ?? words.queue.unknownCustomer;
  const unread = entry.unread > 0 && !selected;
  const isMarked = useStore(marked).has(entry.ticket_id);
  return (
    <li class={`row${selected ? ' row--selected' : ''}${unread ? ' row--unread' : ''}`}>
      <label class="row__mark">
        <input type="checkbox" checked={isMarked} onChange={() => toggleMark(entry.ticket_id)} />
        <span class="visually-hidden">{fill(words.bulk.mark, { name })}</span>
      </label>
      <a
        class="row__link"
        href={linkTo('tickets', entry.ticket_id)}
        aria-current={selected ? 'true' : undefined}
        data-ticket={entry.ticket_id}
      >
        <span class="row__line">
          {unread && (
            <span class="row__unread">
              <span class="visually-hidden">{fill(words.queue.unread, { count: entry.unread })}</span>
            </span>
          )}
          <span class="row__name">{name}</span>
          <span class="row__subject">
            {classification === null ? '' : issueLabel(classification.issue_type)}
          </span>
          {entry.clock !== null && <ServiceTime clock={entry.clock} readAt={readAt} brief />}
        </span>
        <span class="row__line">
          {classification !== null && <PriorityMark priority={classification.priority} />}
          <span class="row__words">
            {said?.content || classification?.summary || escalation?.summary || words.queue.noSummary}
          </span>
          <RowState entry={entry} />
          <span class="row__age">
            <Age at={said?.created_at ?? entry.updated_at} />
          </span>
        </span>
      </a>
    </li>
  );
}

/** What is open on a ticket: an approval, or one that was taken back; and which colleague has it. */
function RowState({ entry }: { readonly entry: TicketEntry }) {
  const words = useWords();
  const { me } = useDesk();
  const holder = entry.operator;
  return (
    <span class="row__state">
      {entry.approvals > 0 && (
        <span class="tag tag--approval">{fill(words.queue.approvals, { count: entry.approvals })}</span>
      )}
      {entry.withdrawn_at !== null && entry.approvals === 0 && (
        <span class="tag tag--approval">
          {words.queue.withdrawn} <Age at={entry.withdrawn_at} />
        </span>
      )}
      {holder !== null && holder.id !== me.id && (
        <span class="row__holder" title={fill(words.queue.with, { name: holder.name })}>
          <span aria-hidden="true">{initials(holder.name)}</span>
          <span class="visually-hidden">{fill(words.queue.with, { name: holder.name })}</span>
        </span>
      )}
    </span>
  );
}
