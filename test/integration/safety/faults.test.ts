import { afterEach, describe, expect, it } from 'vitest';
import type { Stores } from '../../../data/index.js';
import type { CompanyBackend } from '../../../src/company/company-code.js';
import { type ErrorCode, HubError } from '../../../src/core/errors.js';
import { wrapEffects } from '../../support/effects.js';
import { type Hub, openHub } from '../../support/hub.js';
import { attackerModels, ObedientModel } from './attacker.js';
import {
  ANA,
  auditRows,
  effects,
  expectBooksToAgree,
  newRefunds,
  OPERATOR,
  outcomeOf,
  reservationStatus,
  timesTold,
} from './books.js';

const SAMBA = 'cancel my samba night booking';
const LATE = 'cancel my booking res_001';

let hub: Hub | null = null;
afterEach(async () => {
  await hub?.close();
  hub = null;
});

/** Which method of which store fails, from now on until it is cleared. */
class Fault {
  #where: string | null = null;
  #code: ErrorCode = 'disk_full';
  #after = false;

  /** @param options.after true where the work is done first and only then reported as failed */
  set(where: string, options: { readonly code?: ErrorCode; readonly after?: boolean } = {}): void {
    this.#where = where;
    this.#code = options.code ?? 'disk_full';
    this.#after = options.after ?? false;
  }

  clear(): void {
    this.#where = null;
  }

  readonly wrap = (stores: Stores): Stores => ({
    ...stores,
    pending: this.#guard('pending', stores.pending),
    audit: this.#guard('audit', stores.audit),
    tickets: this.#guard('tickets', stores.tickets),
  });

  readonly wrapCompany = (backend: CompanyBackend): CompanyBackend =>
    wrapEffects(backend, (perform, tool) => this.#guard('effect', { [tool]: perform })[tool] ?? perform);

  #guard<T extends object>(name: string, store: T): T {
    const entries = Object.entries(store).map(
      ([method, work]: [string, (...args: unknown[]) => Promise<unknown>]) => [
        method,
        async (...args: unknown[]) => {
          const hit = this.#where === `${name}.${method}`;
          if (hit && !this.#after) throw this.#error();
          const result = await work(...args);
          if (hit) throw this.#error();
          return result;
        },
      ],
    );
    return Object.fromEntries(entries) as T;
  }

  #error(): HubError {
    return new HubError(this.#code, 'The disk is full: nothing was changed.');
  }
}

async function faultyHub(checkpointer: 'memory' | 'sqlite'): Promise<{ hub: Hub; fault: Fault }> {
  const fault = new Fault();
  hub = await openHub({
    checkpointer,
    overrides: { wrapStores: fault.wrap, wrapCompany: fault.wrapCompany },
  });
  return { hub, fault };
}

describe.each(['memory', 'sqlite'] as const)(
  'a disk that is full for one turn, %s checkpointer',
  (checkpointer) => {
    it.each(['pending.decide', 'tickets.addMessage', 'effect.cancel_reservation', 'pending.get'])(
      'at %s of a yes: an error, no money moved, and the next yes works',
      async (where) => {
        const { hub: full, fault } = await faultyHub(checkpointer);
        const asked = await full.say(ANA, SAMBA);
        fault.set(where);
        expect(await outcomeOf(full.say(ANA, 'yes', asked.threadId))).toBe('disk_full');
        expect(effects(full)).toEqual([]);
        expect(reservationStatus(full, 'res_002')).toBe('reserved');
        fault.clear();
        const done = await full.say(ANA, 'yes', asked.threadId);
        expect(done.reply).toContain('Done');
        expect(newRefunds(full)).toHaveLength(1);
        expectBooksToAgree(full);
      },
    );

    it('lets the customer say no after the error', async () => {
      const { hub: full, fault } = await faultyHub(checkpointer);
      const asked = await full.say(ANA, SAMBA);
      fault.set('effect.cancel_reservation');
      await outcomeOf(full.say(ANA, 'yes', asked.threadId));
      fault.clear();
      expect((await full.say(ANA, 'no, leave it', asked.threadId)).reply).toContain('not changed');
      await full.another({ overrides: {} });
      expect(effects(full)).toEqual([]);
      expect(auditRows(full)).toMatchObject([{ outcome: 'refused' }]);
    });

    it('asks an operator after a second yes, and waits for the answer', async () => {
      const { hub: full, fault } = await faultyHub(checkpointer);
      const asked = await full.say(ANA, LATE);
      fault.set('pending.open');
      expect(await outcomeOf(full.say(ANA, 'yes', asked.threadId))).toBe('disk_full');
      fault.clear();
      const waiting = await full.say(ANA, 'yes', asked.threadId);
      expect(waiting.pending?.kind).toBe('approval');
      expect(effects(full)).toEqual([]);
      await full.app.desk.approve(waiting.pending?.id ?? '', OPERATOR);
      expect(newRefunds(full)).toHaveLength(1);
      expect(timesTold(full, asked.threadId, /Done/)).toBe(1);
      expectBooksToAgree(full);
    });

    it('does not deny an effect whose record could not be written; the next start completes it', async () => {
      const { hub: full, fault } = await faultyHub(checkpointer);
      const asked = await full.say(ANA, SAMBA);
      fault.set('audit.append');
      expect((await full.say(ANA, 'yes', asked.threadId)).reply).toContain('Done');
      expect(auditRows(full)).toEqual([]);
      await full.another({ overrides: {} });
      expectBooksToAgree(full);
    });

    it('tells of an effect at the next message where the answer could not be stored', async () => {
      const { hub: full, fault } = await faultyHub(checkpointer);
      const asked = await full.say(ANA, SAMBA);
      fault.set('effect.cancel_reservation', { after: true });
      expect(await outcomeOf(full.say(ANA, 'yes', asked.threadId))).toBe('disk_full');
      expect(effects(full)).toHaveLength(1);
      fault.clear();
      const next = await full.say(ANA, 'how many visits do I have left?', asked.threadId);
      expect(next.reply).toContain('Done');
      expect(next.reply).toMatch(/visits? left/);
      expect(effects(full)).toHaveLength(1);
      expectBooksToAgree(full);
    });

    it('fails an operator likewise, and the next start does what was decided', async () => {
      const { hub: full, fault } = await faultyHub(checkpointer);
      const asked = await full.say(ANA, LATE);
      const { pending } = await full.say(ANA, 'yes', asked.threadId);
      fault.set('effect.cancel_reservation');
      expect(await outcomeOf(full.app.desk.approve(pending?.id ?? '', OPERATOR))).toBe('disk_full');
      expect(effects(full)).toEqual([]);
      fault.clear();
      await full.another({ overrides: {} });
      expect(newRefunds(full)).toHaveLength(1);
      expect(timesTold(full, asked.threadId, /Done/)).toBe(1);
      expectBooksToAgree(full);
    });
  },
);

describe('a model that fails after the effect', () => {
  it('does not keep the customer from hearing of it', async () => {
    const model = new ObedientModel([{ name: 'cancel_reservation', args: { reservation_id: 'res_002' } }]);
    hub = await openHub({ models: attackerModels({ action: model }) });
    const asked = await hub.say(ANA, SAMBA);
    model.fail = true;
    const done = await hub.say(ANA, 'yes', asked.threadId);
    expect(done.reply).toMatch(/^Done: "Samba Night/);
    model.fail = false;
    await hub.say(ANA, 'yes', asked.threadId);
    await hub.another();
    expect(newRefunds(hub)).toHaveLength(1);
    expect(timesTold(hub, asked.threadId, /Done/)).toBe(1);
    expectBooksToAgree(hub);
  });
});
