import type { Stores } from '../../../../data/index.js';
import type { CompanyBackend } from '../../../../src/company/company-code.js';
import { wrapEffects } from '../../../support/effects.js';
import { openHub } from '../../../support/hub.js';
import { killMoments } from '../../../support/kill-moments.js';
import { OPERATOR } from '../operator.js';

/**
 * Plays `words` as one customer on one thread, and is killed as if the power had gone at `moment` of the last of them
 * (several: see kill-moments.ts).
 * `approve` and `reject` are what an operator does. Prints the thread first.
 */
const [dataDir = '', moment = '', email = '', ...words] = process.argv.slice(2);

const moments = killMoments(dataDir, moment);
const { around } = moments;

function wrapStores(stores: Stores): Stores {
  const { pending, audit } = stores;
  return {
    ...stores,
    pending: {
      ...pending,
      decide: around('decision', pending.decide),
      release: around('release', pending.release),
    },
    audit: { ...audit, append: around('audit', audit.append) },
  };
}

const wrapCompany = (backend: CompanyBackend): CompanyBackend =>
  wrapEffects(backend, (perform) => around('effect', perform));

const hub = await openHub({ dataDir, checkpointer: 'sqlite', overrides: { wrapStores, wrapCompany } });
const { threadId } = await hub.say(email, 'hello');
process.stdout.write(`${threadId}\n`);
for (const [index, text] of words.entries()) {
  if (index === words.length - 1) moments.arm();
  const [approval] = text === 'approve' || text === 'reject' ? await hub.app.desk.approvals() : [];
  if (approval && text === 'approve') await hub.app.desk.approve(approval.pendingId, OPERATOR);
  else if (approval) await hub.app.desk.reject(approval.pendingId, OPERATOR, 'not this time');
  else await hub.say(email, text, threadId);
}
moments.at('the end');
await hub.close();
