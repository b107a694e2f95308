import { useState } from 'preact/hooks';
import type { CustomerTicket, TicketView } from '../../shared/api-types.js';
import { Button, Field, IconButton } from '../../shared/components/controls.js';
import { Dialog } from '../../shared/components/dialog.js';
import { useIssueLabel } from '../../shared/labels.js';
import { fill } from '../../shared/message.js';
import { useCommand } from '../lib/commands.js';
import { useDesk } from '../lib/desk-context.js';
import { go } from '../lib/location.js';
import { tagsIn } from '../lib/tags.js';
import { useAction } from '../lib/use-data.js';
import { topicOf } from '../lib/values.js';
import { Failure, FormButtons } from '../parts/states.js';
import { useTexts } from '../texts.js';
import { useCustomer } from './use-customer.js';
import type { TicketActions } from './use-ticket-actions.js';

/** The tags of a ticket, to add and take away. */
export function Tags({ ticket, actions }: { readonly ticket: TicketView; readonly actions: TicketActions }) {
  const texts = useTexts();
  const [text, setText] = useState('');
  const { tags } = ticket;
  const add = async (event: Event): Promise<void> => {
    event.preventDefault();
    const added = tagsIn(text);
    if (added.length > 0 && (await actions.tag.run([...tags, ...added]))) setText('');
  };
  return (
    <>
      <ul class="tags">
        {tags.map((tag) => (
          <li key={tag} class="tags__tag">
            {tag}
            <IconButton
              icon="close"
              label={fill(texts.tags.remove, { tag })}
              onClick={() => void actions.tag.run(tags.filter((one) => one !== tag))}
            />
          </li>
        ))}
      </ul>
      <form class="filters__row" onSubmit={add}>
        <input
          class="input"
          type="text"
          maxLength={200}
          aria-label={texts.tags.add}
          placeholder={texts.tags.add}
          title={texts.knowledge.tagsHint}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <Button kind="outline" type="submit" busy={actions.tag.busy} disabled={tagsIn(text).length === 0}>
          {texts.tags.confirm}
        </Button>
      </form>
      <Failure error={actions.tag.error} />
    </>
  );
}

/** Merges a ticket into another one of its customer; shown once that one is known. */
export function MergeDialog({
  ticket,
  into,
  number,
  about,
  onClose,
}: {
  readonly ticket: TicketView;
  readonly into: string;
  readonly number: string;
  readonly about: string;
  readonly onClose: () => void;
}) {
  const texts = useTexts();
  const { api, live } = useDesk();
  const merge = useAction(
    (target: string, key) => api.merge(ticket.ticket_id, target, key),
    (error) => {
      live.publish({ kind: 'ticket', ticketId: ticket.ticket_id });
      if (error === null) go('tickets', into);
    },
  );
  const submit = (event: Event): void => {
    event.preventDefault();
    void merge.run(into);
  };
  return (
    <Dialog title={texts.merge.title} closeLabel={texts.app.close} onClose={onClose}>
      <form class="form" onSubmit={submit}>
        <p>{fill(texts.merge.lead, { number, about: topicOf(about) || texts.queue.noSummary })}</p>
        <Failure error={merge.error} />
        <FormButtons confirm={texts.merge.confirm} busy={merge.busy} onClose={onClose} />
      </form>
    </Dialog>
  );
}

/** What the keys and the list of commands open on a ticket that have no button of their own: its tags, and merging it. */
export function TicketCommands({
  ticket,
  actions,
}: {
  readonly ticket: TicketView;
  readonly actions: TicketActions;
}) {
  const texts = useTexts();
  const issueLabel = useIssueLabel();
  const [open, setOpen] = useState<'tags' | 'merge' | null>(null);
  const [into, setInto] = useState<CustomerTicket | null>(null);
  const others = (useCustomer(ticket).data?.tickets ?? []).filter(
    ({ ticket_id: id, status }) => id !== ticket.ticket_id && status !== 'resolved',
  );
  const mergeable = ticket.status !== 'resolved' && others.length > 0;
  useCommand('t', () => setOpen('tags'));
  useCommand('w', mergeable ? () => setOpen('merge') : null);
  const close = (): void => {
    setOpen(null);
    setInto(null);
  };
  const named = ({ number, issue_type: type, summary }: CustomerTicket): string =>
    [number, type === null ? null : issueLabel(type), topicOf(summary ?? '')].filter(Boolean).join(' · ');
  if (open === 'tags')
    return (
      <Dialog title={texts.tags.title} closeLabel={texts.app.close} onClose={close}>
        <Tags ticket={ticket} actions={actions} />
      </Dialog>
    );
  if (open !== 'merge') return null;
  if (into !== null)
    return (
      <MergeDialog
        ticket={ticket}
        into={into.ticket_id}
        number={into.number}
        about={into.summary ?? ''}
        onClose={close}
      />
    );
  return (
    <Dialog title={texts.merge.title} closeLabel={texts.app.close} onClose={close}>
      <Field label={texts.merge.into}>
        {(control) => (
          <select
            {...control}
            class="input"
            value=""
            onChange={({ currentTarget: { value } }) =>
              setInto(others.find(({ ticket_id: id }) => id === value) ?? null)
            }
          >
            <option value="">{texts.reassign.choose}</option>
            {others.map((other) => (
              <option key={other.ticket_id} value={other.ticket_id}>
                {named(other)}
              </option>
            ))}
          </select>
        )}
      </Field>
    </Dialog>
  );
}
