import type { Stores } from '../../data/index.js';
import type { CompanyBackend } from '../../src/company/company-code.js';
import { SCOPES } from '../../src/core/domain/customer.js';
import { wrapEffects } from './effects.js';
import { killMoments } from './kill-moments.js';
import { openServer } from './server.js';

/**
 * A server in a process of its own to which a customer's program says the words over A2A, each on the task of the first,
 * and which is killed as if the power had gone at `moment` of the last of them (several: see kill-moments.ts).
 *
 *     a2a-process.ts DATA_DIR MOMENT EMAIL WORDS...
 *
 * A2A_HOOK is the webhook that the first of them names.
 */
const [dataDir = '', moment = '', email = '', ...words] = process.argv.slice(2);

const moments = killMoments(dataDir, moment);
const { around } = moments;

const wrapStores = (stores: Stores): Stores => {
  const { a2aTasks, inbox, webhookOutbox } = stores;
  const save: typeof a2aTasks.save = (task, change, answered, teller) => {
    const settles = (answered?.length ?? 0) > 0;
    return (settles ? around('settling', a2aTasks.save) : a2aTasks.save)(task, change, answered, teller);
  };
  return {
    ...stores,
    inbox: { ...inbox, take: around('take', inbox.take), answer: around('answer', inbox.answer) },
    webhookOutbox: { ...webhookOutbox, delivered: around('delivered', webhookOutbox.delivered) },
    a2aTasks: { ...a2aTasks, begin: around('begin', a2aTasks.begin), say: around('say', a2aTasks.say), save },
  };
};

const wrapCompany = (backend: CompanyBackend): CompanyBackend =>
  wrapEffects(backend, (perform) => around('effect', perform));

const at = await openServer({ dataDir, checkpointer: 'sqlite', overrides: { wrapStores, wrapCompany } });
const { token } = await at.hub.app.sessions.issueFor({ email }, { scopes: SCOPES });
let taskId: string | undefined;
for (const [index, text] of words.entries()) {
  if (index === words.length - 1) moments.arm();
  const message = {
    messageId: `said-${index + 1}`,
    role: 'ROLE_USER',
    parts: [{ text }],
    ...(taskId && { taskId }),
  };
  const { A2A_HOOK: url } = process.env;
  const configuration = index === 0 && url ? { taskPushNotificationConfig: { url } } : {};
  const body = { jsonrpc: '2.0', id: index, method: 'SendMessage', params: { message, configuration } };
  const answer = await at.post('/a2a', token, body, { 'a2a-version': '1.0' });
  taskId ??= (answer.body.result as { readonly task?: { readonly id: string } } | undefined)?.task?.id;
  if (index === 0) process.stdout.write(`${JSON.stringify({ token, taskId })}\n`);
}
// The process is to be killed while its webhook is told.
if (moment.endsWith('delivered')) await new Promise(() => setInterval(() => undefined, 60_000));
await at.close();
