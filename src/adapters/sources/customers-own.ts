import type { CustomerScope, DataSources } from '../../core/ports/data-source.js';

/**
 * Tells which sources can be held to one customer's rows: the databases that say which ones those are.
 * @param scopes by database
 */
export function customersOwn(scopes: Readonly<Record<string, CustomerScope>>): DataSources['isCustomersOwn'] {
  return ({ kind, database }) => kind === 'sqlite' && Object.hasOwn(scopes, database ?? '');
}
