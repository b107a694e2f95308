import { Button } from '../../shared/components/button.js';
import { download, toCsv } from '../../shared/download.js';
import { language } from '../../shared/i18n.js';
import { useIssueLabel } from '../../shared/labels.js';
import { useStore } from '../../shared/store.js';
import { useDesk } from '../lib/desk-context.js';
import { useAction } from '../lib/use-action.js';
import { term } from '../lib/values.js';
import { Failure } from '../parts/states.js';
import { dateTime } from '../parts/time.js';
import { useWords } from '../texts.js';
import { queueChoice, wishOf } from './queue-state.js';

/** As many as a sheet is still looked through by hand. */
const MOST = 5_000;

/** Saves the list as it is narrowed now, all of it, as a file for a spreadsheet. */
export function ExportList() {
  const words = useWords();
  const { api } = useDesk();
  const issueLabel = useIssueLabel();
  const shown = useStore(language);
  const choice = useStore(queueChoice);
  const save = useAction(async () => {
    const { tickets } = await api.queue({ ...wishOf(choice), facets: '' }, MOST);
    const rows = tickets.map((entry) => [
      dateTime(entry.created_at, shown),
      entry.customer_name ?? words.queue.unknownCustomer,
      entry.classification === null ? '' : issueLabel(entry.classification.issue_type),
      entry.classification === null ? '' : term(words.priority, entry.classification.priority),
      term(words.status, entry.status),
      entry.operator?.name ?? '',
      entry.tags.join(', '),
      entry.customer_message?.content ?? entry.classification?.summary ?? '',
    ]);
    const sheet = new Blob([toCsv([words.queue.columns, ...rows])], { type: 'text/csv;charset=utf-8' });
    download(`${words.queue.tabs[choice.view]}.csv`, sheet);
  });
  return (
    <>
      <Button kind="quiet" icon="down" busy={save.busy} onClick={() => void save.run(undefined)}>
        {words.queue.export}
      </Button>
      <Failure error={save.error} />
    </>
  );
}
