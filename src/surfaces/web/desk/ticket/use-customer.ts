import type { CustomerRecord, TicketView } from '../../shared/api-types.js';
import { language } from '../../shared/i18n.js';
import { useStore } from '../../shared/store.js';
import { useDesk } from '../lib/desk-context.js';
import { type Loaded, onEverything, useData } from '../lib/use-data.js';

/** The record of a ticket's customer, read once for all that show it; of nobody where nobody is signed in. */
export function useCustomer({
  customer_id: customerId,
  audit,
}: Pick<TicketView, 'customer_id' | 'audit'>): Loaded<CustomerRecord> {
  const { api } = useDesk();
  const shown = useStore(language);
  // What is done on a ticket changes the record, and what is said does not.
  return useData(
    customerId === null ? null : `customer:${shown}:${customerId}`,
    () => api.customer(customerId ?? '', shown),
    onEverything,
    audit.length,
  );
}
