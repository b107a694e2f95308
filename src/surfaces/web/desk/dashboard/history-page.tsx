import { useState } from 'preact/hooks';
import type { Deed } from '../../shared/api-types.js';
import { now } from '../../shared/clock.js';
import { Button } from '../../shared/components/button.js';
import { Field } from '../../shared/components/field.js';
import { download, toCsv } from '../../shared/download.js';
import { language } from '../../shared/i18n.js';
import { useToolLabel } from '../../shared/labels.js';
import { fill } from '../../shared/message.js';
import { useStore } from '../../shared/store.js';
import { useDesk } from '../lib/desk-context.js';
import { linkTo } from '../lib/location.js';
import { useAction } from '../lib/use-action.js';
import { onEverything, useData } from '../lib/use-data.js';
import { term } from '../lib/values.js';
import { Empty, Failure, Show } from '../parts/states.js';
import { dateTime, dayOf, Time } from '../parts/time.js';
import { useWords } from '../texts.js';
import { PageHead } from './tickets-page.js';

const SHOWN = 500;
/** As many as a file for a spreadsheet gets. */
const MOST = 5_000;

/** Who did what and when, across all tickets, in sentences. */
export function HistoryPage() {
  const words = useWords();
  const { history } = words;
  const { api } = useDesk();
  const sentence = useSentence();
  const shown = useStore(language);
  const today = dayOf(now());
  const [filter, setFilter] = useState({ from: today, to: today, operator: '' });
  const loaded = useData(
    filter.from === '' || filter.to === '' ? null : `history:${JSON.stringify(filter)}`,
    () => api.history({ ...filter, operator: filter.operator.trim() }, SHOWN),
    onEverything,
  );
  const save = useAction(async () => {
    const { deeds } = await api.history({ ...filter, operator: filter.operator.trim() }, MOST);
    const rows = deeds.map((deed) => [
      dateTime(deed.at, shown),
      whoOf(deed, words),
      deed.customer_name ?? '',
      sentence(deed),
    ]);
    const sheet = new Blob([toCsv([history.columns, ...rows])], { type: 'text/csv;charset=utf-8' });
    download(`${history.title}.csv`, sheet);
  });
  const day = (name: 'from' | 'to') => (
    <Field label={history[name]}>
      {(control) => (
        <input
          {...control}
          class="input"
          type="date"
          value={filter[name]}
          onChange={({ currentTarget: { value } }) => setFilter((old) => ({ ...old, [name]: value }))}
        />
      )}
    </Field>
  );
  return (
    <div class="page">
      <PageHead title={history.title}>
        <div class="versions__choice">
          {day('from')}
          {day('to')}
          <Field label={history.person}>
            {(control) => (
              <input
                {...control}
                class="input"
                type="search"
                value={filter.operator}
                onInput={({ currentTarget: { value } }) => setFilter((old) => ({ ...old, operator: value }))}
              />
            )}
          </Field>
        </div>
        <p>
          <Button kind="outline" icon="down" busy={save.busy} onClick={() => void save.run(undefined)}>
            {history.export}
          </Button>
        </p>
        <Failure error={save.error} />
      </PageHead>
      <Show loaded={loaded}>
        {({ deeds }) =>
          deeds.length === 0 ? (
            <Empty text={history.empty} />
          ) : (
            <>
              <ol class="card history">
                {deeds.map((deed, at) => (
                  <li key={`${deed.at} ${at}`} class="history__deed">
                    <span class="soft">
                      <Time at={deed.at} />
                    </span>
                    <span>
                      {sentence(deed)}{' '}
                      {deed.ticket_id !== null && (
                        <a href={linkTo('tickets', deed.ticket_id)}>{words.timeline.open}</a>
                      )}
                    </span>
                  </li>
                ))}
              </ol>
              {deeds.length === SHOWN && <p class="soft">{fill(history.more, { count: SHOWN })}</p>}
            </>
          )
        }
      </Show>
    </div>
  );
}

function whoOf(
  { by, person, customer_name: customer }: Deed,
  { history, queue }: ReturnType<typeof useWords>,
) {
  if (by === 'hub') return history.hub;
  return by === 'customer' ? (customer ?? queue.unknownCustomer) : (person ?? history.someone);
}

/** Says what was done in a sentence. */
function useSentence(): (deed: Deed) => string {
  const words = useWords();
  const toolLabel = useToolLabel();
  return (deed) => {
    const { kind, about, article, customer_name: customer } = deed;
    const { history, reason } = words;
    const action = about === null ? '' : (history.actions as Readonly<Record<string, string>>)[about];
    const what = action ?? toolLabel(about ?? '');
    return fill(history.sentences[kind], {
      who: whoOf(deed, words),
      customer: customer ?? '',
      known: customer === null ? 'no' : 'yes',
      what:
        kind === 'escalated' ? term(reason, about ?? '') : article === null ? what : `${what}: ${article}`,
    });
  };
}
