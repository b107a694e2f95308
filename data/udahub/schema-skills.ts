import {
  check,
  customType,
  index,
  integer,
  primaryKey,
  real,
  sqliteTable,
  text,
} from 'drizzle-orm/sqlite-core';
import { CHANGE_STATUSES, type ChangeCheck, type ChangeEvaluation } from '../../src/core/company-changes.js';
import type { SkillHandoff, SkillResult, SkillUsage } from '../../src/core/domain/skill.js';
import { oneOf } from '../statements.js';
import { object, sequence, strings } from './schema-columns.js';

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

/** Every text under which an article was published, the first one being version 1. */
export const knowledgeVersions = sqliteTable(
  'knowledge_versions',
  {
    articleId: text('article_id').notNull(),
    version: integer('version').notNull(),
    title: text('title').notNull(),
    content: text('content').notNull(),
    tags: strings('tags'),
    language: text('language').notNull(),
    /** The operator's name; null where it came with an import. */
    publishedBy: text('published_by'),
    publishedAt: text('published_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.articleId, table.version] })],
);

/** Changes of the company's files: what operators proposed, and what became of it. */
export const companyChanges = sqliteTable(
  'company_changes',
  {
    seq: sequence(),
    changeId: text('change_id').notNull().unique(),
    path: text('path').notNull(),
    before: text('before_text').notNull(),
    after: text('after_text').notNull(),
    note: text('note').notNull(),
    authorId: text('author_id').notNull(),
    author: text('author').notNull(),
    createdAt: text('created_at').notNull(),
    status: text('status', { enum: CHANGE_STATUSES }).notNull(),
    decider: text('decider'),
    decidedAt: text('decided_at'),
    check: text('check_result', { mode: 'json' }).$type<ChangeCheck>(),
    evaluation: text('evaluation', { mode: 'json' }).$type<ChangeEvaluation>(),
  },
  () => [check('company_changes_status', oneOf('status', CHANGE_STATUSES))],
);

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

const RUN_STATUSES = ['running', 'waiting', 'done', 'failed'] as const;

/** Runs of skills: what was asked, what came of it, what it cost, and the question that is open. */
export const skillRuns = sqliteTable(
  'skill_runs',
  {
    seq: sequence(),
    runId: text('run_id').notNull().unique(),
    parentRunId: text('parent_run_id'),
    skillId: text('skill_id').notNull(),
    skillVersion: text('skill_version').notNull(),
    packHash: text('pack_hash').notNull(),
    caller: text('caller').notNull(),
    ticketId: text('ticket_id'),
    status: text('status', { enum: RUN_STATUSES }).notNull(),
    input: object('input'),
    result: text('result', { mode: 'json' }).$type<SkillResult>(),
    handoff: text('handoff', { mode: 'json' }).$type<SkillHandoff>(),
    error: text('error', { mode: 'json' }).$type<{ code: string; message: string }>(),
    journal: object('journal'),
    usage: text('usage', { mode: 'json' }).$type<SkillUsage>().notNull(),
    durationMs: real('duration_ms').notNull(),
    handoffs: integer('handoffs').notNull(),
    correct: integer('correct', { mode: 'boolean' }),
    holder: text('holder'),
    createdAt: text('created_at').notNull(),
    updatedAt: text('updated_at').notNull(),
  },
  (table) => [
    index('skill_runs_skill').on(table.skillId, table.skillVersion),
    index('skill_runs_ticket').on(table.ticketId),
    index('skill_runs_waiting').on(table.status, table.parentRunId),
    check('skill_runs_status', oneOf('status', RUN_STATUSES)),
  ],
);

/** Results and answers of sources that later runs of any process may use until they expire. */
export const skillCache = sqliteTable(
  'skill_cache',
  {
    key: text('key').primaryKey(),
    /** `customer:<id>` or `operator`: whose it is. */
    owner: text('owner').notNull(),
    value: text('value').notNull(),
    /** Milliseconds since 1970. */
    expiresAt: integer('expires_at').notNull(),
  },
  (table) => [index('skill_cache_expires').on(table.expiresAt)],
);

/** The files of packs that waiting runs began with. */
export const skillPacks = sqliteTable('skill_packs', {
  hash: text('hash').primaryKey(),
  files: text('files', { mode: 'json' }).$type<Readonly<Record<string, string>>>().notNull(),
  createdAt: text('created_at').notNull(),
});
