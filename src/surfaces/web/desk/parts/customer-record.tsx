import type { CustomerRecord, RecordFact, RecordRow, RecordSection } from '../../shared/api-types.js';
import { Badge } from '../../shared/components/card.js';
import { language } from '../../shared/i18n.js';
import { useStore } from '../../shared/store.js';
import { plainName } from '../lib/data-words.js';
import { money, term } from '../lib/values.js';
import { useWords } from '../texts.js';
import { Time } from './time.js';

const TONES = { plain: 'plain', good: 'good', warn: 'sun', bad: 'bad' } as const;

/** What the company has on record of one kind: labels and values are the company's own. */
export function Records({ section: { kind, rows, empty } }: { readonly section: RecordSection }) {
  if (rows.length === 0) return <p class="soft">{empty}</p>;
  if (kind === 'facts') return rows.map((row) => <Facts key={row.id} row={row} />);
  return (
    <ul class="ledger">
      {rows.map((row) => (
        <Entry key={row.id} row={row} />
      ))}
    </ul>
  );
}

/** A record of which there is one: each fact on a line of its own. */
function Facts({ row: { title, status, facts } }: { readonly row: RecordRow }) {
  return (
    <>
      <p class="record__title">
        {title} <Status status={status} />
      </p>
      <dl class="facts">
        {facts.map((fact, at) => (
          <div key={at}>
            <dt>{fact.label}</dt>
            <dd>
              <Value fact={fact} />
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

/** One record of many: what it is to the left, where it stands and what it cost to the right. */
function Entry({ row: { title, status, facts } }: { readonly row: RecordRow }) {
  const amounts = facts.filter(({ type }) => type === 'money' || type === 'number');
  const others = facts.filter((fact) => !amounts.includes(fact));
  return (
    <li>
      <span class="ledger__what">
        {title}
        {others.map((fact, at) => (
          <Labelled key={at} fact={fact} />
        ))}
      </span>
      <span class="ledger__state">
        <Status status={status} />
        {amounts.map((fact, at) => (
          <Labelled key={at} fact={fact} />
        ))}
      </span>
    </li>
  );
}

function Labelled({ fact }: { readonly fact: RecordFact }) {
  return (
    <small>
      {fact.label !== null && `${fact.label}: `}
      <Value fact={fact} />
    </small>
  );
}

function Status({ status }: Pick<RecordRow, 'status'>) {
  return status === null ? null : <Badge tone={TONES[status.tone]}>{status.label}</Badge>;
}

function Value({ fact }: { readonly fact: RecordFact }) {
  const shown = useStore(language);
  if (fact.type === 'time') return <Time at={String(fact.value)} dated />;
  if (fact.type === 'money') return <>{money(Number(fact.value), shown, fact.currency)}</>;
  if (fact.type === 'number') return <>{new Intl.NumberFormat(shown).format(Number(fact.value))}</>;
  return <>{fact.value}</>;
}

/** What is remembered of a customer: preferences, and how earlier tickets ended. */
export function Memory({ memory }: { readonly memory: CustomerRecord['memory'] }) {
  const words = useWords();
  const languages = new Intl.DisplayNames(useStore(language), { type: 'language' });
  const said = (key: string, value: string): string => {
    if (key === 'language') return languages.of(value) ?? value;
    return key === 'contact_method' ? term(words.contactMethod, value) : value;
  };
  return (
    <>
      <h4>{words.customers.preferences}</h4>
      {memory.preferences.length === 0 ? (
        <p class="soft">{words.customers.noPreferences}</p>
      ) : (
        <dl class="facts">
          {memory.preferences.map(({ key, value }) => (
            <div key={key}>
              <dt>{plainName(term(words.preference, key))}</dt>
              <dd>{said(key, value)}</dd>
            </div>
          ))}
        </dl>
      )}
      <h4>{words.customers.resolutions}</h4>
      {memory.resolutions.length === 0 ? (
        <p class="soft">{words.customers.noResolutions}</p>
      ) : (
        <ul class="ledger">
          {memory.resolutions.map((resolution) => (
            <li key={resolution.resolution_id}>
              <span class="ledger__what">
                {resolution.summary}
                <small>
                  {term(words.resolution, resolution.resolution_type)} · <Time at={resolution.created_at} />
                </small>
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
