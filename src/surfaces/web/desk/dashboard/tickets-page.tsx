import type { ComponentChildren } from 'preact';
import { Icon } from '../../shared/components/icon.js';
import { language } from '../../shared/i18n.js';
import { type Label, useIssueLabel } from '../../shared/labels.js';
import { useStore } from '../../shared/store.js';
import { type Behind, linkTo } from '../lib/location.js';
import { term } from '../lib/values.js';
import { TicketTable } from '../parts/ticket-table.js';
import { useWords } from '../texts.js';
import { dayLabel } from './figures.js';

/** The tickets behind a figure, with what they have in common in words. */
export function BehindPage({ behind }: { readonly behind: Behind }) {
  const words = useWords();
  const { behind: said } = words.dashboard;
  const issueLabel = useIssueLabel();
  const shown = useStore(language);
  const day = (name: 'from' | 'to'): string => dayLabel(behind[name] ?? '', shown);
  const days = behind.from === behind.to ? day('from') : `${day('from')} – ${day('to')}`;
  return (
    <div class="page page--wide">
      <PageHead title={said.title}>
        <p class="page__lead">{[days, ...conditionsOf(behind, words, issueLabel)].join(' · ')}</p>
      </PageHead>
      <TicketTable title={said.title} behind={behind} />
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
    ...(operator === undefined ? [] : [operator === '' ? words.role.hub : operator]),
    ...(subjects === undefined ? [] : [subjects.split(',').map(subject).join(', ')]),
    ...(reason === undefined ? [] : [term(words.reason, reason)]),
    ...(rating === undefined ? [] : [rating === 'helpful' ? helpful : unhelpful]),
    ...(sentiment === undefined ? [] : [term(words.sentiment, sentiment)]),
    ...(human === undefined ? [] : [human === 'without' ? noHuman : withHuman]),
    ...(status === undefined ? [] : [term(words.status, status)]),
  ];
}

/** The head of a page behind the dashboard, with the way back to it. */
export function PageHead({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ComponentChildren;
}) {
  const words = useWords();
  return (
    <header class="page__head">
      <p>
        <a class="button button--quiet" href={linkTo('dashboard')}>
          <Icon name="back" />
          {words.dashboard.title}
        </a>
      </p>
      <h1>{title}</h1>
      {children}
    </header>
  );
}
