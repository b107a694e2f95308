import type { DatabaseSpec } from '../open-database.js';
import { registerSearchWords } from './full-text.js';

/** The hub's own database: tickets, conversations, approvals, articles. */
export const HUB_DATABASE: DatabaseSpec = {
  name: 'udahub',
  migrations: new URL('./migrations', import.meta.url),
  triggers: new URL('./triggers.sql', import.meta.url),
  register: registerSearchWords,
};
