/** All tables of udahub.db; drizzle-kit makes migrations from what is exported here. */
export * from './schema-a2a.js';
export * from './schema-actions.js';
export * from './schema-customers.js';
export * from './schema-knowledge.js';
export * from './schema-mail.js';
export * from './schema-skills.js';
export * from './schema-threads.js';
export * from './schema-tickets.js';
