import { expect } from 'vitest';
import { HubError } from '../../../src/core/errors.js';
import type { Hub, Row } from '../../support/hub.js';

export const ANA = 'ana.souza@example.com';
export const BRUNO = 'bruno.lima@example.com';
export const GABRIELA = 'gabriela.nunes@example.com';
export const MARIANA = 'mariana.pires@example.com';
export { OPERATOR } from './operator.js';

const EFFECTS = `SELECT idempotency_key, customer_id, tool, released_by FROM action_ledger ORDER BY seq`;
const NEW_REFUNDS = `SELECT reservation_id, amount_cents, idempotency_key FROM refunds WHERE idempotency_key NOT LIKE 'seed:%'`;

/** Everything the hub has done to customers' data, oldest first. */
export function effects(hub: Hub): readonly Row[] {
  return hub.query('cultpass', EFFECTS);
}

/** Refunds that the seed did not bring. */
export function newRefunds(hub: Hub): readonly Row[] {
  return hub.query('cultpass', NEW_REFUNDS);
}

export function reservationStatus(hub: Hub, reservationId: string): unknown {
  const [row] = hub.query(
    'cultpass',
    'SELECT status FROM reservations WHERE reservation_id = ?',
    reservationId,
  );
  return row?.status;
}

export function auditRows(hub: Hub): readonly Row[] {
  return hub.query('udahub', 'SELECT audit_key, actor, action, outcome, details FROM audit_log ORDER BY seq');
}

/** What the hub (not the customer) said on a thread, oldest first. */
export function hubMessages(hub: Hub, threadId: string): readonly string[] {
  const rows = hub.query(
    'udahub',
    `SELECT m.content FROM ticket_messages m JOIN tickets t USING (ticket_id)
     WHERE t.thread_id = ? AND m.role = 'hub' ORDER BY m.seq`,
    threadId,
  );
  return rows.map((row) => String(row.content));
}

/** How often something was said to the customer. */
export function timesTold(hub: Hub, threadId: string, words: RegExp): number {
  return hubMessages(hub, threadId).filter((message) => words.test(message)).length;
}

/** Money, ledger, questions and audit must tell the same story. */
export function expectBooksToAgree(hub: Hub): void {
  const done = effects(hub).map((row) => row.idempotency_key);
  const audited = auditRows(hub).filter((row) => row.outcome === 'done');
  expect(audited.map((row) => row.audit_key).sort()).toEqual([...done].sort());
  const asked = hub.query('udahub', 'SELECT pending_id, status, customer_id, tool FROM approvals');
  for (const effect of effects(hub)) {
    const question = asked.find((row) => row.pending_id === effect.idempotency_key);
    expect(question).toMatchObject({ customer_id: effect.customer_id, tool: effect.tool });
    expect(['approved', 'released']).toContain(question?.status);
  }
  for (const refund of newRefunds(hub)) expect(done).toContain(refund.idempotency_key);
  const twice = hub.query(
    'cultpass',
    'SELECT reservation_id FROM refunds GROUP BY reservation_id HAVING count(*) > 1',
  );
  expect(twice).toEqual([]);
  const impossible = hub.query(
    'cultpass',
    `SELECT r.reservation_id FROM refunds f JOIN reservations r USING (reservation_id)
     WHERE r.status IN ('reserved', 'attended') AND f.idempotency_key NOT LIKE 'seed:%'`,
  );
  expect(impossible).toEqual([]);
}

/** The code a promise was rejected with, or `resolved`. */
export async function outcomeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'resolved',
    (error: unknown) => (error instanceof HubError ? error.code : String(error)),
  );
}
