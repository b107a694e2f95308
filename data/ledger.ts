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
import type { Database, Work } from './database.js';
import { insertInto } from './statements.js';

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
  find(idempotencyKey: string): Work<LedgerEntry | null>;
  since(iso: string): Work<readonly LedgerEntry[]>;
  /**
   * Runs `effect` and its ledger row in one transaction, or returns the outcome the key had before.
   * @throws HubError `pending_mismatch` where the key belongs to another customer, tool or arguments
   */
  once<T extends object>(tool: string, context: WriteContext, effect: () => Work<T>): Work<T>;
}

/** Prepares the ledger's statements once for a database. */
export function prepareLedger(database: Database): Ledger {
  const { seq: _order, ...columns } = getTableColumns(actionLedger);
  const byKey = database.query((orm) =>
    orm
      .select(columns)
      .from(actionLedger)
      .where(eq(actionLedger.idempotencyKey, sql.placeholder('key'))),
  );
  const newer = database.query((orm) =>
    orm
      .select(columns)
      .from(actionLedger)
      .where(gte(actionLedger.createdAt, sql.placeholder('since')))
      .orderBy(asc(actionLedger.seq)),
  );
  const insert = insertInto(database, actionLedger, { omit: ['seq'] });
  const find = function* (key: string): Work<LedgerEntry | null> {
    return (yield* byKey.get({ key })) ?? null;
  };
  return {
    find,
    since: (since) => newer.all({ since }),
    once: <T extends object>(tool: string, context: WriteContext, effect: () => Work<T>) =>
      database.transaction(function* (): Work<T> {
        const known = yield* find(context.idempotencyKey);
        if (known !== null) return repeated(known, tool, context) as T;
        const outcome = yield* effect();
        yield* insert({
          idempotencyKey: context.idempotencyKey,
          customerId: context.customerId,
          ticketId: context.ticketId,
          tool,
          argsHash: context.argsHash,
          releasedBy: context.releasedBy,
          outcome: { ...outcome } as Readonly<Record<string, unknown>>,
          createdAt: context.at.toISOString(),
        });
        return outcome;
      }),
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
