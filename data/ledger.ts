import { asc, eq, getTableColumns, gte, sql } from 'drizzle-orm';
import {
  type AnySQLiteColumn,
  index,
  integer,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core';
import { HubError } from '../src/core/errors.js';
import type { LedgerEntry, WriteContext } from '../src/core/ports/effect-ledger.js';
import type { DatabaseHandle } from './open-database.js';
import { prepareInsert } from './statements.js';

/**
 * The table of every effect that was committed, with the outcome a repeated key gets again. The schema of a company's
 * database has it beside the company's own tables.
 * @param customers the key of the company's customers, where rows are to refer to it
 */
export const actionLedgerTable = (customers?: () => AnySQLiteColumn) =>
  sqliteTable(
    'action_ledger',
    {
      seq: integer('seq').primaryKey({ autoIncrement: true }),
      idempotencyKey: text('idempotency_key').notNull(),
      customerId: customers
        ? text('customer_id').notNull().references(customers)
        : text('customer_id').notNull(),
      ticketId: text('ticket_id').notNull(),
      tool: text('tool').notNull(),
      argsHash: text('args_hash').notNull(),
      releasedBy: text('released_by').notNull(),
      outcome: text('outcome', { mode: 'json' }).$type<Readonly<Record<string, unknown>>>().notNull(),
      createdAt: text('created_at').notNull(),
    },
    (table) => [
      uniqueIndex('action_ledger_key').on(table.idempotencyKey),
      index('action_ledger_created_at').on(table.createdAt),
    ],
  );

const actionLedger = actionLedgerTable();

/** The record of committed effects, kept in the same transactions as the effects. */
export interface Ledger {
  find(idempotencyKey: string): LedgerEntry | null;
  since(iso: string): readonly LedgerEntry[];
  /**
   * Runs `effect` and its ledger row in one immediate transaction, or returns the outcome the key had before.
   * @throws HubError `pending_mismatch` where the key belongs to another customer, tool or arguments
   */
  once<T extends object>(tool: string, context: WriteContext, effect: () => T): T;
}

/** Prepares the ledger's statements once for a handle. */
export function prepareLedger({ orm, sqlite }: DatabaseHandle): Ledger {
  const { seq: _order, ...columns } = getTableColumns(actionLedger);
  const byKey = orm
    .select(columns)
    .from(actionLedger)
    .where(eq(actionLedger.idempotencyKey, sql.placeholder('key')))
    .prepare();
  const newer = orm
    .select(columns)
    .from(actionLedger)
    .where(gte(actionLedger.createdAt, sql.placeholder('since')))
    .orderBy(asc(actionLedger.seq))
    .prepare();
  const insert = prepareInsert(orm, actionLedger, { omit: ['seq'] });
  const find = (key: string): LedgerEntry | null => byKey.get({ key }) ?? null;

  const inTransaction = sqlite.transaction(
    (tool: string, context: WriteContext, effect: () => object): object => {
      const known = find(context.idempotencyKey);
      if (known !== null) return repeated(known, tool, context);
      const outcome = effect();
      insert({
        idempotencyKey: context.idempotencyKey,
        customerId: context.customerId,
        ticketId: context.ticketId,
        tool,
        argsHash: context.argsHash,
        releasedBy: context.releasedBy,
        outcome: { ...outcome },
        createdAt: context.at.toISOString(),
      });
      return outcome;
    },
  );

  return {
    find,
    since: (since) => newer.all({ since }),
    // Immediate: a deferred transaction that reads first can lose the race for the write lock half-way.
    once: <T extends object>(tool: string, context: WriteContext, effect: () => T): T =>
      inTransaction.immediate(tool, context, effect) as T,
  };
}

function repeated(known: LedgerEntry, tool: string, context: WriteContext): object {
  const same =
    known.customerId === context.customerId && known.argsHash === context.argsHash && known.tool === tool;
  if (same) return known.outcome;
  throw new HubError('pending_mismatch', 'This approval belongs to another action.', {
    tool,
    idempotencyKey: context.idempotencyKey,
  });
}
