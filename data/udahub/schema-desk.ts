import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Answers that operators give often: words, tags and what becomes of the ticket. Of no customer. */
export const macros = sqliteTable('macros', {
  macroId: text('macro_id').primaryKey(),
  name: text('name').notNull().unique(),
  /** With variables such as {customer.first_name}. */
  text: text('text').notNull(),
  tags: text('tags', { mode: 'json' }).$type<readonly string[]>().notNull(),
  resolves: integer('resolves', { mode: 'boolean' }).notNull(),
  updatedBy: text('updated_by').notNull(),
  updatedAt: text('updated_at').notNull(),
});

/** Lists with their filters under a name: an operator's own. Of no customer. */
export const operatorViews = sqliteTable(
  'operator_views',
  {
    operatorId: text('operator_id').notNull(),
    name: text('name').notNull(),
    /** What the list is narrowed by, as the page has it. */
    choice: text('choice', { mode: 'json' }).$type<Readonly<Record<string, string>>>().notNull(),
    savedAt: text('saved_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.operatorId, table.name] })],
);
