import { useState } from 'preact/hooks';
import type { TicketView } from '../../shared/api-types.js';
import { Button } from '../../shared/components/button.js';
import { Dialog } from '../../shared/components/dialog.js';
import { useToolLabel } from '../../shared/labels.js';
import { fill } from '../../shared/message.js';
import { useDesk } from '../lib/desk-context.js';
import { go, linkTo } from '../lib/location.js';
import { useAction } from '../lib/use-action.js';
import { onNothing, useData } from '../lib/use-data.js';
import { term } from '../lib/values.js';
import { Failure, FormButtons, Show } from '../parts/states.js';
import { Time } from '../parts/time.js';
import { useWords } from '../texts.js';

/** What happened with the customer across tickets, and the other open tickets that this one can be merged into. */
export function Timeline({ ticket }: { readonly ticket: TicketView }) {
  const words = useWords();
  const toolLabel = useToolLabel();
  const { api } = useDesk();
  const id = ticket.customer_id ?? '';
  const loaded = useData(
    id === '' ? null : `timeline:${id}:${ticket.updated_at}:${ticket.audit.length}`,
    () => api.timeline(id),
    onNothing,
  );
  return (
    <Show loaded={loaded}>
      {({ events }) => {
        const closed = new Set(
          events.flatMap(({ kind, ticket_id }) =>
            kind === 'resolved' || kind === 'merged' ? ticket_id : [],
          ),
        );
        return (
          <ol class="timeline">
            {events.map(({ kind, ticket_id, at, about, by }, index) => {
              const other = ticket_id !== null && ticket_id !== ticket.ticket_id;
              const mergeable =
                kind === 'opened' && other && !closed.has(ticket_id) && ticket.status !== 'resolved';
              return (
                <li key={`${at} ${index}`} class="timeline__event">
                  <span class="timeline__when">
                    <Time at={at} />
                  </span>
                  <span>
                    <strong>{words.timeline.kinds[kind]}</strong>{' '}
                    {kind === 'done' || kind === 'refused'
                      ? toolLabel(about)
                      : kind === 'escalated'
                        ? term(words.reason, about)
                        : kind === 'rated'
                          ? term(words.timeline.ratings, about)
                          : about}
                    {kind === 'answered' && by !== null && ` ${fill(words.timeline.by, { name: by })}`}
                    {other && (
                      <>
                        {' '}
                        <a href={linkTo('tickets', ticket_id)}>{words.timeline.open}</a>
                      </>
                    )}
                  </span>
                  {mergeable && <MergeButton ticket={ticket} into={ticket_id} about={about} />}
                </li>
              );
            })}
          </ol>
        );
      }}
    </Show>
  );
}

function MergeButton({
  ticket,
  into,
  about,
}: {
  readonly ticket: TicketView;
  readonly into: string;
  readonly about: string;
}) {
  const words = useWords();
  const { api, live } = useDesk();
  const [open, setOpen] = useState(false);
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
    <>
      <Button kind="quiet" onClick={() => setOpen(true)}>
        {words.merge.open}
      </Button>
      {open && (
        <Dialog title={words.merge.title} closeLabel={words.app.close} onClose={() => setOpen(false)}>
          <form class="form" onSubmit={submit}>
            <p>{fill(words.merge.lead, { about: about || words.queue.noSummary })}</p>
            <Failure error={merge.error} />
            <FormButtons confirm={words.merge.confirm} busy={merge.busy} onClose={() => setOpen(false)} />
          </form>
        </Dialog>
      )}
    </>
  );
}
