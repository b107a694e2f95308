import { customType, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { strings } from './schema-columns.js';

const float32 = customType<{ data: Float32Array; driverData: Buffer }>({
  dataType: () => 'blob',
  toDriver: (vector) => Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength),
  // A copy: the driver's buffer need not start at a multiple of four bytes.
  fromDriver: (bytes) => new Float32Array(new Uint8Array(bytes).buffer),
});

/** The articles; `knowledge_fts` (a migration by hand, drizzle has no virtual tables) follows by triggers. */
export const knowledge = sqliteTable('knowledge', {
  rowNo: integer('row_no').primaryKey(),
  articleId: text('article_id').notNull().unique(),
  title: text('title').notNull(),
  content: text('content').notNull(),
  tags: strings('tags'),
  language: text('language').notNull(),
  updatedAt: text('updated_at').notNull(),
});

/** Articles that are being written; no customer and no agent sees them before they are published. */
export const knowledgeDrafts = sqliteTable('knowledge_drafts', {
  articleId: text('article_id').primaryKey(),
  title: text('title').notNull(),
  content: text('content').notNull(),
  tags: strings('tags'),
  language: text('language').notNull(),
  updatedBy: text('updated_by').notNull(),
  updatedAt: text('updated_at').notNull(),
});

/** Embeddings already paid for, by model and content. */
export const embeddings = sqliteTable(
  'embeddings',
  {
    model: text('model').notNull(),
    contentHash: text('content_hash').notNull(),
    vector: float32('vector').notNull(),
  },
  (table) => [primaryKey({ columns: [table.model, table.contentHash] })],
);

/** Named documents (calibration, index fingerprint) and facts about the file (seed markers). */
export const settings = sqliteTable('settings', {
  key: text('key').primaryKey(),
  value: text('value').notNull(),
  updatedAt: text('updated_at').notNull(),
});
