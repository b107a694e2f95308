import { useState } from 'preact/hooks';
import { Button } from '../../shared/components/controls.js';
import { useIssueLabel } from '../../shared/labels.js';
import { fill } from '../../shared/message.js';
import { useDesk } from '../lib/desk-context.js';
import { linkTo } from '../lib/location.js';
import { onEverything, useData } from '../lib/use-data.js';
import { term } from '../lib/values.js';
import { useTexts } from '../texts.js';
import { Empty, Show } from './states.js';
import { Time } from './time.js';

/** Rows that are read at first, and more with every wish. */
const STEP = 100;

/** The tickets that some filters of the list leave, the newest first, and how many there are. */
export function TicketTable({
  title,
  behind,
}: {
  readonly title: string;
  readonly behind: Readonly<Record<string, string>>;
}) {
  const texts = useTexts();
  const { behind: said } = texts.dashboard;
  const { api } = useDesk();
  const issueLabel = useIssueLabel();
  const [rows, setRows] = useState(STEP);
  const loaded = useData(
    `behind:${rows}:${JSON.stringify(behind)}`,
    () => api.behind(behind, rows),
    onEverything,
  );
  return (
    <Show loaded={loaded}>
      {({ tickets, total }) =>
        tickets.length === 0 ? (
          <Empty text={said.empty} />
        ) : (
          <section class="card plot">
            <p role="status">{fill(said.count, { count: total ?? tickets.length })}</p>
            <div class="behind__scroll" tabIndex={0} role="region" aria-label={title}>
              <table class="behind">
                <thead>
                  <tr>
                    {said.columns.map((name) => (
                      <th key={name} scope="col">
                        {name}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {tickets.map((entry) => (
                    <tr key={entry.ticket_id}>
                      <td>
                        <Time at={entry.created_at} />
                      </td>
                      <td>
                        <a href={linkTo('tickets', entry.ticket_id)}>
                          {entry.customer_name ?? texts.queue.unknownCustomer}
                        </a>
                      </td>
                      <td>
                        {entry.classification === null
                          ? texts.issue.none
                          : issueLabel(entry.classification.issue_type)}
                      </td>
                      <td>{term(texts.status, entry.status)}</td>
                      <td>{entry.operator?.name ?? '–'}</td>
                      <td class="behind__words">
                        {entry.customer_message?.content ||
                          entry.classification?.summary ||
                          texts.queue.noSummary}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
            {(total ?? 0) > tickets.length && (
              <Button kind="outline" onClick={() => setRows(rows + STEP)}>
                {texts.queue.more}
              </Button>
            )}
          </section>
        )
      }
    </Show>
  );
}
