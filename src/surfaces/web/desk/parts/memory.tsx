import type { CustomerRecord } from '../../shared/api-types.js';
import { language } from '../../shared/i18n.js';
import { useStore } from '../../shared/store.js';
import { plainName } from '../lib/format.js';
import { term } from '../lib/values.js';
import { useTexts } from '../texts.js';
import { Time } from './time.js';

/** How an earlier ticket ended. */
interface Ended {
  readonly ticket_id: string;
  readonly summary: string;
  /** How it ended, as the memory has it; null of a ticket of which that only has its status. */
  readonly how: string | null;
  readonly at: string;
}

/** What the memory has of earlier tickets; of those that ended without a word in it, what they were about. The newest first. */
function endedOf({ memory, tickets }: Pick<CustomerRecord, 'memory' | 'tickets'>): readonly Ended[] {
  const told = memory.resolutions.map(
    ({ ticket_id, summary, resolution_type: how, created_at: at }): Ended => ({
      ticket_id,
      summary,
      how,
      at,
    }),
  );
  const known = new Set(told.map(({ ticket_id }) => ticket_id));
  const others = tickets
    .filter(({ ticket_id, status, summary }) => status === 'resolved' && summary && !known.has(ticket_id))
    .map(({ ticket_id, summary, resolved_at: at, updated_at }): Ended => {
      return { ticket_id, summary: summary ?? '', how: null, at: at ?? updated_at };
    });
  return [...told, ...others].sort((a, b) => (a.at < b.at ? 1 : -1));
}

/** What is remembered of a customer: preferences, and how earlier tickets ended. @param beside the ticket that it is shown beside */
export function Memory({
  record,
  beside,
}: {
  readonly record: Pick<CustomerRecord, 'memory' | 'tickets'>;
  readonly beside?: string;
}) {
  const texts = useTexts();
  const { memory } = record;
  const earlier = endedOf(record).filter(({ ticket_id: ticketId }) => ticketId !== beside);
  const languages = new Intl.DisplayNames(useStore(language), { type: 'language' });
  const said = (key: string, value: string): string => {
    if (key === 'language') return languages.of(value) ?? value;
    return key === 'contact_method' ? term(texts.contactMethod, value) : value;
  };
  return (
    <>
      <h4>{texts.customers.preferences}</h4>
      {memory.preferences.length === 0 ? (
        <p class="soft">{texts.customers.noPreferences}</p>
      ) : (
        <dl class="facts">
          {memory.preferences.map(({ key, value }) => (
            <div key={key}>
              <dt>{plainName(term(texts.preference, key))}</dt>
              <dd>{said(key, value)}</dd>
            </div>
          ))}
        </dl>
      )}
      <h4>{texts.customers.resolutions}</h4>
      {earlier.length === 0 ? (
        <p class="soft">{texts.customers.noResolutions}</p>
      ) : (
        <ul class="ledger">
          {earlier.map(({ ticket_id: ticketId, summary, how, at }) => (
            <li key={`${ticketId} ${at}`}>
              <span class="ledger__what">
                {summary}
                <small>
                  {how === null ? texts.status.resolved : term(texts.resolution, how)} · <Time at={at} />
                </small>
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
