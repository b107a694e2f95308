import type { Stores } from '../../../../data/index.js';
import type { CompanyBackend } from '../../../../src/company/company-code.js';
import { wrapEffects } from '../../../support/effects.js';
import { openHub } from '../../../support/hub.js';
import { OPERATOR } from '../operator.js';

/**
 * Plays `words` as one customer on one thread, and is killed as if the power had gone at `moment` of the last of them.
 * `approve` and `reject` are what an operator does. Prints the thread first.
 */
const [dataDir = '', moment = '', email = '', ...words] = process.argv.slice(2);

let armed = false;
const die = (): void => {
  if (armed) process.kill(process.pid, 'SIGKILL');
};

type Method = (...args: never[]) => Promise<unknown>;

/** Calls `before` ahead of a method and `after` once it is done. */
function around<T extends Method>(method: T, before: () => void, after: () => void): T {
  return (async (...args: Parameters<T>) => {
    before();
    const result = await method(...args);
    after();
    return result;
  }) as T;
}

const at = (name: string) => (moment === name ? die : () => undefined);

function wrapStores(stores: Stores): Stores {
  const { pending, audit, tickets } = stores;
  return {
    ...stores,
    pending: {
      ...pending,
      decide: around(pending.decide, () => undefined, at('after decision')),
      release: around(pending.release, at('before release'), at('after release')),
    },
    audit: { ...audit, append: around(audit.append, at('before audit'), at('after audit')) },
    tickets: { ...tickets, addMessage: around(tickets.addMessage, () => undefined, at('after message')) },
  };
}

const wrapCompany = (backend: CompanyBackend): CompanyBackend =>
  wrapEffects(backend, (perform) => around(perform, at('before effect'), at('after effect')));

const hub = await openHub({ dataDir, checkpointer: 'sqlite', overrides: { wrapStores, wrapCompany } });
const { threadId } = await hub.say(email, 'hello');
process.stdout.write(`${threadId}\n`);
for (const [index, text] of words.entries()) {
  armed = index === words.length - 1;
  const [approval] = text === 'approve' || text === 'reject' ? await hub.app.desk.approvals() : [];
  if (approval && text === 'approve') await hub.app.desk.approve(approval.pendingId, OPERATOR);
  else if (approval) await hub.app.desk.reject(approval.pendingId, OPERATOR, 'not this time');
  else await hub.say(email, text, threadId);
}
armed = true;
die();
