import { useState } from 'preact/hooks';
import type { TicketEntry } from '../../shared/api-types.js';
import { now } from '../../shared/clock.js';
import { Button, Field } from '../../shared/components/controls.js';
import { Dialog, toast } from '../../shared/components/dialog.js';
import { useIssueLabel } from '../../shared/labels.js';
import { fill } from '../../shared/message.js';
import { createStore, useStore } from '../../shared/store.js';
import { useCommand } from '../lib/commands.js';
import type { BulkAction } from '../lib/desk-api.js';
import { useDesk } from '../lib/desk-context.js';
import { currentPlace, linkTo } from '../lib/location.js';
import { useColleagues } from '../lib/presence.js';
import { comesBack } from '../lib/snooze.js';
import { tagsIn } from '../lib/tags.js';
import { useAction } from '../lib/use-data.js';
import { initials, topicOf } from '../lib/values.js';
import { PriorityMark } from '../parts/marks.js';
import { Failure, FormButtons } from '../parts/states.js';
import { Age, ServiceTime } from '../parts/time.js';
import { useTexts } from '../texts.js';

const MOST = 100;

/** The tickets that are marked for something that is done to all of them. */
const marked = createStore<ReadonlySet<string>>(new Set());

/** Marks a ticket, or takes the mark away. */
function toggleMark(ticketId: string): void {
  marked.update((before) => {
    const next = new Set(before);
    if (!next.delete(ticketId) && next.size < MOST) next.add(ticketId);
    return next;
  });
}

/** What can be done to all marked tickets; nothing where none is. */
export function BulkBar({ entries }: { readonly entries: readonly TicketEntry[] }) {
  const texts = useTexts();
  const { api, live, me, config } = useDesk();
  const chosen = useStore(marked);
  const colleagues = useColleagues();
  const [asking, setAsking] = useState<'tag' | 'resolve' | null>(null);
  const [text, setText] = useState('');
  const ids = entries.flatMap(({ ticket_id }) => (chosen.has(ticket_id) ? ticket_id : []));
  useCommand('x', () => {
    const { id } = currentPlace();
    if (id !== null) toggleMark(id);
  });
  const change = useAction(async (action: BulkAction, key) => {
    const { results } = await api.bulk(ids, action, key);
    const failed = results.filter(({ problem }) => problem !== null);
    // What could not be done stays marked, so that one sees which it was.
    marked.set(new Set(failed.map(({ ticket_id }) => ticket_id)));
    live.publish({ kind: 'everything', ticketId: null });
    const told = { done: results.length - failed.length, failed: failed.length };
    toast(fill(failed.length === 0 ? texts.bulk.done : texts.bulk.partly, told));
  });
  if (ids.length === 0) return null;
  const close = (): void => {
    setAsking(null);
    setText('');
  };
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (await change.run(asking === 'tag' ? { kind: 'tag', tags: tagsIn(text) } : { kind: 'resolve', text }))
      close();
  };
  const until = (): string => comesBack('day', now(), config.support_hours).toISOString();
  return (
    <div class="bulk" role="toolbar" aria-label={texts.bulk.title}>
      <strong role="status">{fill(texts.bulk.chosen, { count: ids.length })}</strong>
      <select
        class="input bulk__assign"
        aria-label={texts.bulk.assign}
        value=""
        disabled={change.busy}
        onChange={({ currentTarget: { value } }) => void change.run({ kind: 'assign', operator_id: value })}
      >
        <option value="">{texts.bulk.assign}</option>
        <option value={me.id}>{texts.bulk.toMe}</option>
        {colleagues.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      <Button kind="outline" disabled={change.busy} onClick={() => setAsking('tag')}>
        {texts.bulk.tag}
      </Button>
      <Button
        kind="outline"
        disabled={change.busy}
        onClick={() => void change.run({ kind: 'snooze', until: until() })}
      >
        {texts.bulk.snooze}
      </Button>
      <Button kind="outline" disabled={change.busy} onClick={() => setAsking('resolve')}>
        {texts.bulk.resolve}
      </Button>
      <Button kind="quiet" onClick={() => marked.set(new Set())}>
        {texts.bulk.clear}
      </Button>
      <Failure error={change.error} />
      {asking !== null && (
        <Dialog title={texts.bulk[asking]} closeLabel={texts.app.close} onClose={close}>
          <form class="form" onSubmit={submit}>
            <Field
              label={asking === 'tag' ? texts.tags.title : texts.resolve.text}
              {...(asking === 'tag' ? { hint: texts.knowledge.tagsHint } : {})}
            >
              {(control) => (
                <textarea
                  {...control}
                  class="input"
                  rows={asking === 'tag' ? 1 : 3}
                  value={text}
                  onInput={(event) => setText(event.currentTarget.value)}
                />
              )}
            </Field>
            <Failure error={change.error} />
            <FormButtons confirm={texts.bulk.confirm} busy={change.busy} onClose={close} />
          </form>
        </Dialog>
      )}
    </div>
  );
}

interface TicketRowProps {
  readonly entry: TicketEntry;
  /** Which one of how many it is: not all are drawn. */
  readonly place: { readonly at: number; readonly of: number };
  readonly selected: boolean;
  readonly readAt: number;
  /** Says where it is, as in a list of all. */
  readonly placed: boolean;
}

/**
 * A ticket of the queue in two lines: who, what about and until when; how pressing it is, what the
 * customer wrote last, and when.
 */
export function TicketRow({ entry, place, selected, readAt, placed }: TicketRowProps) {
  const texts = useTexts();
  const issueLabel = useIssueLabel();
  const { classification, escalation, customer_message: said } = entry;
  const name = entry.customer_name ?? texts.queue.unknownCustomer;
  const unread = entry.unread > 0 && !selected;
  const isMarked = useStore(marked).has(entry.ticket_id);
  return (
    <li
      class={`row${selected ? ' row--selected' : ''}${unread ? ' row--unread' : ''}`}
      aria-posinset={place.at}
      aria-setsize={place.of}
    >
      <label class="row__mark">
        <input type="checkbox" checked={isMarked} onChange={() => toggleMark(entry.ticket_id)} />
        <span class="visually-hidden">{fill(texts.bulk.mark, { name })}</span>
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
              <span class="visually-hidden">{fill(texts.queue.unread, { count: entry.unread })}</span>
            </span>
          )}
          <span class="row__who">
            <span class="row__name">{name}</span>
            <span class="row__subject">
              {classification === null ? '' : issueLabel(classification.issue_type)}
            </span>
          </span>
          {entry.clock !== null && <ServiceTime clock={entry.clock} readAt={readAt} brief />}
        </span>
        <span class="row__line">
          {classification !== null && <PriorityMark priority={classification.priority} />}
          <span class="row__words">
            {said?.content || classification?.summary || escalation?.summary || texts.queue.noSummary}
            <Topic entry={entry} />
          </span>
          <RowTags tags={entry.tags} />
          <RowState entry={entry} placed={placed} />
          {placed && <RowPlace entry={entry} />}
          <span class="row__age">
            <Age at={said?.created_at ?? entry.updated_at} />
          </span>
        </span>
      </a>
    </li>
  );
}

/** The first tag, and how many more there are; all on a touch of the mouse. */
function RowTags({ tags }: { readonly tags: readonly string[] }) {
  const texts = useTexts();
  const [first, ...more] = tags;
  if (first === undefined) return null;
  return (
    <span class="row__tags" title={tags.join(', ')}>
      <span class="visually-hidden">{texts.tags.title}: </span>
      <span class="row__tag">#{first}</span>
      {more.length > 0 && ` +${more.length}`}
    </span>
  );
}

/** What it was about at first, where the last words alone would not say: "human please". */
function Topic({ entry: { classification, customer_message: said } }: Pick<TicketRowProps, 'entry'>) {
  const topic = topicOf(classification?.summary ?? '');
  if (!said?.content || topic === '' || said.content.startsWith(topic.replace(/…$/, ''))) return null;
  return <span class="row__topic"> · {topic}</span>;
}

/** Which list a ticket is in, or which colleague has it. */
function RowPlace({ entry }: { readonly entry: TicketEntry }) {
  const { queue, status } = useTexts();
  const { me } = useDesk();
  const { owner, operator } = entry;
  const ofPeople = (): string => {
    if (operator === null) return queue.place.unassigned;
    return operator.id === me.id ? queue.place.mine : fill(queue.with, { name: operator.name });
  };
  const place = (): string => {
    if (entry.status === 'resolved') return status.resolved;
    if (entry.snoozed_until !== null) return queue.place.snoozed;
    return owner === 'hub' ? queue.place.hub : ofPeople();
  };
  return <span class="tag row__place">{place()}</span>;
}

/** What is open on a ticket: an approval, or one that was taken back; and which colleague has it. */
function RowState({ entry, placed }: Pick<TicketRowProps, 'entry' | 'placed'>) {
  const texts = useTexts();
  const { me } = useDesk();
  const holder = entry.operator;
  return (
    <span class="row__state">
      {entry.approvals > 0 && (
        <span class="tag tag--approval">{fill(texts.queue.approvals, { count: entry.approvals })}</span>
      )}
      {entry.withdrawn_at !== null && entry.approvals === 0 && (
        <span class="tag tag--approval">
          {texts.queue.withdrawn} <Age at={entry.withdrawn_at} />
        </span>
      )}
      {holder !== null && holder.id !== me.id && !placed && (
        <span class="row__holder" title={fill(texts.queue.with, { name: holder.name })}>
          <span aria-hidden="true">{initials(holder.name)}</span>
          <span class="visually-hidden">{fill(texts.queue.with, { name: holder.name })}</span>
        </span>
      )}
    </span>
  );
}
