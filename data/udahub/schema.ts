/** All tables of udahub.db; drizzle-kit makes migrations from what is exported here. */
export * from './schema-channels.js';
export * from './schema-customers.js';
export * from './schema-desk.js';
export * from './schema-skills.js';
export * from './schema-threads.js';
export * from './schema-tickets.js';
