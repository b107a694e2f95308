import type { TicketView } from '../../shared/api-types.js';
import { Button } from '../../shared/components/button.js';
import { language } from '../../shared/i18n.js';
import { useStore } from '../../shared/store.js';
import { useDesk } from '../lib/desk-context.js';
import { download } from '../lib/download.js';
import { useAction } from '../lib/use-action.js';
import { Failure } from '../parts/states.js';
import { useWords } from '../texts.js';

/** What the hub puts before the name that the sender gave: which mail it came with, and its place there. */
const KEPT_AS = /^\w+-\d+-/;
const KILOBYTE = 1_000;

/** What came with mails of the conversation, to be saved; nothing of it is shown on the page. */
export function Files({ ticket }: { readonly ticket: TicketView }) {
  const { files } = useWords();
  const { api } = useDesk();
  const shown = useStore(language);
  const save = useAction(async (name: string) =>
    download(name.replace(KEPT_AS, ''), await api.file(ticket.ticket_id, name)),
  );
  const size = new Intl.NumberFormat(shown, { style: 'unit', unit: 'kilobyte', maximumFractionDigits: 0 });
  return (
    <>
      <p>{files.hint}</p>
      <ul class="files">
        {ticket.files.map(({ name, size: bytes }) => (
          <li key={name}>
            <Button kind="quiet" icon="down" disabled={save.busy} onClick={() => void save.run(name)}>
              {name.replace(KEPT_AS, '')} ({size.format(Math.max(1, Math.round(bytes / KILOBYTE)))})
            </Button>
          </li>
        ))}
      </ul>
      <Failure error={save.error} />
    </>
  );
}
