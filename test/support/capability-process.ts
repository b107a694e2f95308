import type { Stores } from '../../data/index.js';
import type { CompanyBackend } from '../../src/company/company-code.js';
import { SCOPES } from '../../src/core/domain/customer.js';
import { wrapEffects } from './effects.js';
import { openHub } from './hub.js';

/**
 * A hub in a process of its own in which a customer's program asks for a cancellation and confirms it, and which is killed
 * as if the power had gone at `moment`. The pending question is printed as JSON before it is confirmed.
 *
 *     capability-process.ts DATA_DIR MOMENT EMAIL RESERVATION
 */
const [dataDir = '', moment = '', email = '', reservation = ''] = process.argv.slice(2);

type Method = (...args: never[]) => Promise<unknown>;

/** Two moments of a method: `before <what>` and `after <what>`. */
function around<T extends Method>(what: string, method: T): T {
  return (async (...args: Parameters<T>) => {
    if (moment === `before ${what}`) process.kill(process.pid, 'SIGKILL');
    const result = await method(...args);
    if (moment === `after ${what}`) process.kill(process.pid, 'SIGKILL');
    return result;
  }) as T;
}

const wrapStores = (stores: Stores): Stores => {
  const { pending, audit, threads } = stores;
  return {
    ...stores,
    threads: { ...threads, put: around('conversation', threads.put) },
    pending: {
      ...pending,
      open: around('question', pending.open),
      decide: around('decision', pending.decide),
      release: around('release', pending.release),
    },
    audit: { ...audit, append: around('audit', audit.append) },
  };
};

const wrapCompany = (backend: CompanyBackend): CompanyBackend =>
  wrapEffects(backend, (perform) => around('effect', perform));

const hub = await openHub({ dataDir, overrides: { wrapStores, wrapCompany } });
const caller = { identity: await hub.app.signIn(email), scopes: SCOPES, channel: 'mcp' } as const;
const plan = await hub.app.capabilities.call({
  caller,
  name: 'cancel_reservation',
  input: { reservation_id: reservation },
  idempotencyKey: 'kill',
});
if (plan.kind !== 'confirmation') throw new Error(JSON.stringify(plan));
process.stdout.write(`${JSON.stringify(plan)}\n`);
await hub.app.capabilities.confirm({ caller, token: plan.token, approved: true });
await hub.close();
