import { useState } from 'preact/hooks';
import type { TicketView } from '../../shared/api-types.js';
import { COMPANY } from '../../shared/company.js';
import { Button } from '../../shared/components/controls.js';
import { useTeamLabel, useToolLabel } from '../../shared/labels.js';
import { fill } from '../../shared/message.js';
import { useDesk } from '../lib/desk-context.js';
import { linkTo } from '../lib/location.js';
import { onTicket, useData } from '../lib/use-data.js';
import { term } from '../lib/values.js';
import { ArgumentLine } from '../parts/arguments.js';
import { Fold } from '../parts/marks.js';
import { Failure, Show } from '../parts/states.js';
import { Time } from '../parts/time.js';
import { useTexts } from '../texts.js';
import { MergeDialog } from './tags-and-merge.js';
import type { TicketActions } from './use-ticket-actions.js';

/** What happened with the customer across tickets, and the other open tickets that this one can be merged into. */
export function Timeline({ ticket }: { readonly ticket: TicketView }) {
  const texts = useTexts();
  const toolLabel = useToolLabel();
  const { api } = useDesk();
  const id = ticket.customer_id ?? '';
  const loaded = useData(
    id === '' ? null : `timeline:${id}`,
    () => api.timeline(id),
    onTicket(ticket.ticket_id),
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
            {events.map(({ kind, ticket_id, number, at, about, by, args }, index) => {
              const other = ticket_id !== null && ticket_id !== ticket.ticket_id;
              const mergeable =
                kind === 'opened' && other && !closed.has(ticket_id) && ticket.status !== 'resolved';
              return (
                <li key={`${at} ${index}`} class="timeline__event">
                  <span class="timeline__when">
                    <Time at={at} />
                  </span>
                  <span>
                    <strong>{texts.timeline.kinds[kind]}</strong>{' '}
                    {kind === 'done' || kind === 'refused'
                      ? toolLabel(about)
                      : kind === 'escalated'
                        ? term(texts.reason, about)
                        : kind === 'rated'
                          ? term(texts.timeline.ratings, about)
                          : kind !== 'merged' && about}
                    {kind === 'merged' && about !== '' && about !== ticket.ticket_id && (
                      <a href={linkTo('tickets', about)}>{texts.merge.openTarget}</a>
                    )}
                    {args !== null && (
                      <>
                        {' '}
                        <ArgumentLine args={args} />
                      </>
                    )}
                    {kind === 'answered' && by !== null && ` ${fill(texts.timeline.by, { name: by })}`}
                    {other && (
                      <>
                        {' '}
                        <a href={linkTo('tickets', ticket_id)}>
                          {fill(texts.timeline.open, { number: number ?? '' })}
                        </a>
                      </>
                    )}
                  </span>
                  {mergeable && (
                    <MergeButton ticket={ticket} into={ticket_id} number={number ?? ''} about={about} />
                  )}
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
  number,
  about,
}: {
  readonly ticket: TicketView;
  readonly into: string;
  readonly number: string;
  readonly about: string;
}) {
  const texts = useTexts();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button kind="quiet" onClick={() => setOpen(true)}>
        {fill(texts.merge.open, { number })}
      </Button>
      {open && (
        <MergeDialog
          ticket={ticket}
          into={into}
          number={number}
          about={about}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

/** Whose ticket it is, where the company has teams. */
export function TeamFold({
  ticket,
  actions,
}: {
  readonly ticket: TicketView;
  readonly actions: TicketActions;
}) {
  const texts = useTexts();
  const label = useTeamLabel();
  const teams = Object.keys(COMPANY.teams);
  if (teams.length === 0) return null;
  return (
    <Fold title={texts.team.label}>
      <select
        class="input"
        aria-label={texts.team.label}
        value={ticket.team ?? ''}
        disabled={actions.team.busy}
        onChange={(event) => void actions.team.run(event.currentTarget.value || null)}
      >
        <option value="">{texts.team.byRules}</option>
        {teams.map((id) => (
          <option key={id} value={id}>
            {label(id)}
          </option>
        ))}
      </select>
      <Failure error={actions.team.error} />
    </Fold>
  );
}
