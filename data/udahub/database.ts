import type { CustomerScope } from '../../src/core/ports/data-source.js';
import { fold } from '../../src/core/text.js';
import type { DatabaseSpec } from '../open-database.js';
import type { PostgresSpec } from '../postgres/migrate.js';
import { registerSearchWords } from './full-text.js';

const OWN_TICKETS = 'ticket_id IN (SELECT ticket_id FROM tickets WHERE customer_id = :customer_id)';

/**
 * What a customer may see of udahub.db: the articles, and what the customer said and was told. What operators and the hub
 * keep about a ticket (escalations, approvals, the audit log, turns) is not named, so it does not exist for a customer.
 */
export const UDAHUB_SCOPE: CustomerScope = {
  knowledge: 'TRUE',
  users: 'external_user_id = :customer_id',
  customer_preferences: 'customer_id = :customer_id',
  tickets: 'customer_id = :customer_id',
  ticket_metadata: OWN_TICKETS,
  ticket_messages: `role <> 'system' AND audience = 'customer' AND ${OWN_TICKETS}`,
  ticket_resolutions: 'customer_id = :customer_id',
};

/** The hub's own database: tickets, conversations, approvals, articles. */
export const HUB_DATABASE: DatabaseSpec = {
  name: 'udahub',
  migrations: new URL('./migrations', import.meta.url),
  triggers: new URL('./triggers.sql', import.meta.url),
  register(sqlite) {
    registerSearchWords(sqlite);
    sqlite.function('folded', { deterministic: true }, (text) => fold(String(text)));
  },
};

/** The same on PostgreSQL. */
export const HUB_SCHEMA: PostgresSpec = {
  name: 'udahub',
  migrations: new URL('./postgres', import.meta.url),
  functions: new URL('./postgres-functions.sql', import.meta.url),
  triggers: new URL('./triggers.sql', import.meta.url),
};
