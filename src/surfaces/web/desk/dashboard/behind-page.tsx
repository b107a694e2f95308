import { useState } from 'preact/hooks';
import { Button } from '../../shared/components/button.js';
import { Icon } from '../../shared/components/icon.js';
import { language } from '../../shared/i18n.js';
import { type Label, useIssueLabel } from '../../shared/labels.js';
import { fill } from '../../shared/message.js';
import { useStore } from '../../shared/store.js';
import { useDesk } from '../lib/desk-context.js';
import { linkTo } from '../lib/location.js';
import { onEverything, useData } from '../lib/use-data.js';
import { term } from '../lib/values.js';
import { Empty, Show } from '../parts/states.js';
import { Time } from '../parts/time.js';
import { useWords } from '../texts.js';
import type { Behind } from './behind.js';
import { dayLabel } from './figures.js';

/** Rows that are read at first, and more with every wish. */
const STEP = 100;

/** The tickets behind a figure, with what they have in common in words. */
export function BehindPage({ behind }: { readonly behind: Behind }) {
  const words = useWords();
  const { behind: said } = words.dashboard;
  const { api } = useDesk();
  const issueLabel = useIssueLabel();
  const shown = useStore(language);
  const [rows, setRows] = useState(STEP);
  const loaded = useData(`behind:${rows}`, () => api.behind(behind, rows), onEverything);
  const day = (name: 'from' | 'to'): string => dayLabel(behind[name] ?? '', shown);
  const days = behind.from === behind.to ? day('from') : `${day('from')} – ${day('to')}`;
  return (
    <div class="page page--wide">
      <header class="page__head">
        <p>
          <a class="button button--quiet" href={linkTo('dashboard')}>
            <Icon name="back" />
            {words.dashboard.title}
          </a>
        </p>
        <h1>{said.title}</h1>
        <p class="page__lead">{[days, ...conditionsOf(behind, words, issueLabel)].join(' · ')}</p>
      </header>
      <Show loaded={loaded}>
        {({ tickets, total }) =>
          tickets.length === 0 ? (
            <Empty text={said.empty} />
          ) : (
            <section class="card plot">
              <p role="status">{fill(said.count, { count: total ?? tickets.length })}</p>
              <div class="behind__scroll" tabIndex={0} role="region" aria-label={said.title}>
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
                            {entry.customer_name ?? words.queue.unknownCustomer}
                          </a>
                        </td>
                        <td>
                          {entry.classification === null
                            ? words.issue.none
                            : issueLabel(entry.classification.issue_type)}
                        </td>
                        <td>{term(words.status, entry.status)}</td>
                        <td>{entry.operator?.name ?? '–'}</td>
                        <td class="behind__words">
                          {entry.customer_message?.content ||
                            entry.classification?.summary ||
                            words.queue.noSummary}
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
              {(total ?? 0) > tickets.length && (
                <Button kind="outline" onClick={() => setRows(rows + STEP)}>
                  {words.queue.more}
                </Button>
              )}
            </section>
          )
        }
      </Show>
    </div>
  );
}

/** What the tickets have in common besides their days. */
function conditionsOf(
  behind: Behind,
  words: ReturnType<typeof useWords>,
  issueLabel: Label,
): readonly string[] {
  const { behind: said, helpful, unhelpful, noHuman, withHuman } = words.dashboard;
  const { happened, operator, reason, rating, sentiment, issue_types: subjects, human, status } = behind;
  const subject = (key: string): string => (key === 'none' ? words.issue.none : issueLabel(key));
  return [
    term(said.happened, happened ?? 'opened'),
    ...(operator === undefined ? [] : [operator]),
    ...(subjects === undefined ? [] : [subjects.split(',').map(subject).join(', ')]),
    ...(reason === undefined ? [] : [term(words.reason, reason)]),
    ...(rating === undefined ? [] : [rating === 'helpful' ? helpful : unhelpful]),
    ...(sentiment === undefined ? [] : [term(words.sentiment, sentiment)]),
    ...(human === undefined ? [] : [human === 'without' ? noHuman : withHuman]),
    ...(status === undefined ? [] : [term(words.status, status)]),
  ];
}
