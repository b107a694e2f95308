import type { Stores } from '../../../data/index.js';
import type { AppOverrides } from '../../../src/app/app.js';
import type { CompanyBackend } from '../../../src/company/company-code.js';
import type { Operator } from '../../../src/core/domain/customer.js';
import { wrapEffects } from '../../support/effects.js';
import type { Hub, Row } from '../../support/hub.js';

export const OLGA: Operator = { operatorId: 'op_1', name: 'Olga' };
export const OTTO: Operator = { operatorId: 'op_2', name: 'Otto' };

/** A door that a turn stops at, until the test opens it. */
export interface Door {
  /** Resolves when somebody stands before it. */
  readonly reached: Promise<void>;
  open(): void;
  /** True once closed again by `shut`; open doors are walked through. */
  shut(): void;
  pass(): Promise<void>;
}

/** An open door; shut it before the turn that is to stop there. */
export function createDoor(): Door {
  let [arrive, open] = [(): void => undefined, (): void => undefined];
  let waiting: Promise<void> | null = null;
  const reached = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  return {
    reached,
    open: () => open(),
    shut: () => {
      waiting = new Promise<void>((resolve) => {
        open = () => {
          waiting = null;
          resolve();
        };
      });
    },
    pass: async () => {
      if (!waiting) return;
      arrive();
      await waiting;
    },
  };
}

/** Overrides with a door before triage is stored, before an effect, and after it. */
export function doors(): {
  readonly triage: Door;
  readonly before: Door;
  readonly after: Door;
  readonly overrides: AppOverrides;
} {
  const [triage, before, after] = [createDoor(), createDoor(), createDoor()];
  const wrapStores = (stores: Stores): Stores => ({
    ...stores,
    tickets: {
      ...stores.tickets,
      async saveClassification(...given) {
        await triage.pass();
        return stores.tickets.saveClassification(...given);
      },
    },
  });
  const wrapCompany = (backend: CompanyBackend): CompanyBackend =>
    wrapEffects(backend, (perform) => async (...given) => {
      await before.pass();
      const result = await perform(...given);
      await after.pass();
      return result;
    });
  return { triage, before, after, overrides: { wrapStores, wrapCompany } };
}

/** What stands on a conversation, oldest first: `role: content`, notes for the desk in brackets. */
export function said(hub: Hub, threadId: string): readonly string[] {
  const rows = hub.query(
    'udahub',
    `SELECT m.role, m.content, m.audience FROM ticket_messages m JOIN tickets t USING (ticket_id)
     WHERE t.thread_id = ? ORDER BY m.seq`,
    threadId,
  );
  return rows.map(({ role, content, audience }) =>
    audience === 'desk' ? `[${role}: ${content}]` : `${role}: ${content}`,
  );
}

/** Tickets of a conversation, oldest first. */
export function ticketsOf(hub: Hub, threadId: string): readonly Row[] {
  return hub.query(
    'udahub',
    'SELECT ticket_id, status, owner, operator_id FROM tickets WHERE thread_id = ? ORDER BY seq',
    threadId,
  );
}

/** Open escalations of a conversation. */
export function escalationsOf(hub: Hub, threadId: string): readonly Row[] {
  return hub.query(
    'udahub',
    `SELECT e.reason, e.status, e.ticket_id FROM escalations e JOIN tickets t USING (ticket_id)
     WHERE t.thread_id = ? ORDER BY e.seq`,
    threadId,
  );
}
