import { rmSync } from 'node:fs';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { atOnce } from '../../../data/database.js';
import { prepareLedger } from '../../../data/ledger.js';
import { openDatabase } from '../../../data/open-database.js';
import { createAsker } from '../../../src/company/declared/asking.js';
import { createEffects } from '../../../src/company/declared/effects.js';
import { readSchema } from '../../../src/company/declared/schemas.js';
import { HubError } from '../../../src/core/errors.js';
import type { DataSources, HttpAnswer, HttpRequest } from '../../../src/core/ports/data-source.js';
import { EXPRESSIONS } from '../../../src/skills/expressions/placeholders.js';
import { makeTempDir } from '../../support/hub.js';
import { createRecordingLog } from '../../support/recording-log.js';

const room = makeTempDir();
const migrations = new URL('../../../data/declared/migrations/', import.meta.url);
const scripts = [
  "CREATE TABLE orders (id text, owner text, status text); INSERT INTO orders VALUES ('o_1', 'c_1', 'new')",
];
const handle = openDatabase({ name: 'declared', migrations, scripts }, room);
afterAll(() => {
  handle.close();
  rmSync(room, { recursive: true, force: true });
});

/** What was asked of the company's system, and what it answers next. */
let asked: HttpRequest[] = [];
let answer: (request: HttpRequest) => HttpAnswer | Promise<HttpAnswer>;
beforeEach(() => {
  asked = [];
  answer = () => ({ status: 200, body: [{ id: 'o_1' }] });
});

const spec = { name: 'shop', kind: 'http', endpoint: 'http://127.0.0.1:1' } as const;
const sources = {
  open: async () => ({
    answers: 'request',
    async request(request) {
      asked.push(request);
      return answer(request);
    },
    close: async () => undefined,
  }),
} as Pick<DataSources, 'open'> as DataSources;
const asker = createAsker({
  expressions: EXPRESSIONS,
  specs: new Map([['shop', spec]]),
  sources,
  reader: handle,
});
const read = (given: object) => readSchema.parse({ source: 'shop', ...given });

describe('a read that is held to the customer', () => {
  const mine = read({ path: '/orders', params: { customer: '{customer_id}' } });

  it('[ATK-24] asks for nothing where nobody is signed in, instead of for what is everybody’s', async () => {
    await expect(asker.read(mine, {})).rejects.toMatchObject({ code: 'not_signed_in' });
    expect(asked).toEqual([]);
    await asker.read(mine, { customer_id: 'c_1' });
    expect(asked).toMatchObject([{ query: { customer: 'c_1' } }]);
  });

  it('[ATK-24] finds nothing where what it is held by was not found', async () => {
    const byOrder = read({ path: '/parcels', params: { order: '{order.id}' } });
    expect(await asker.read(byOrder, { customer_id: 'c_1', order: null })).toEqual([]);
    expect(asked).toEqual([]);
    expect(await asker.read(byOrder, { customer_id: 'c_1', order: { id: 'o_1' } })).toHaveLength(1);
  });

  it.each(['../c_2', 'o_1/../../c_2/o_9', 'o_1\\..\\o_9', '..', 'o_1/ .. /o_9'])(
    '[ATK-24] takes no id into a path that leads elsewhere on a server that reads encoded slashes as slashes: %s',
    async (id) => {
      const one = read({ path: '/customers/{customer_id}/orders/{input.id}', one: true });
      await expect(asker.read(one, { customer_id: 'c_1', input: { id } })).rejects.toMatchObject({
        code: 'input_invalid',
      });
      expect(asked).toEqual([]);
    },
  );
});

describe('an effect that another system makes', () => {
  const write = (key: string) => ({
    ...{
      customerId: 'c_1',
      idempotencyKey: key,
      argsHash: 'h',
      ticketId: 'tkt_1',
      releasedBy: 'customer:c_1',
    },
    at: new Date('2026-11-23T00:00:00Z'),
  });
  const attempt = (key: string) => ({
    ...{ tool: 'cancel', write: write(key), scope: {} },
    request: { method: 'POST', path: '/cancel' } as HttpRequest,
  });
  const ledger = prepareLedger(handle);
  const database = { reader: handle, writer: handle, ledger, waiting: <T extends object>(store: T) => store };
  const effectsWith = (findOutcome?: ReturnType<typeof read>) =>
    createEffects({
      ...{ database, asker, expressions: EXPRESSIONS },
      remote: new Map([
        [
          'cancel',
          {
            ...{ source: 'shop', findOutcome, repeatable: true, outcome: () => ({ done: true }) },
            refused: (body) => body === 'sold out',
          },
        ],
      ]),
    });
  const notHeard = (): HttpAnswer => {
    throw new HubError('source_unavailable', 'no answer');
  };

  it('[ATK-25] is not known to be refused where the service is at work on the first call', async () => {
    const answers = [notHeard, () => ({ status: 409, body: null }), () => ({ status: 200, body: {} })];
    answer = () => answers.shift()?.() ?? notHeard();
    const effects = effectsWith();
    await expect(effects.elsewhere(attempt('pnd_1'), createRecordingLog())).rejects.toMatchObject({
      code: 'outcome_unknown',
    });
    expect(await effects.settle('pnd_1')).toMatchObject({ outcome: { done: true } });
    expect(asked).toHaveLength(3);
  });

  it('[ATK-25] is not taken for made where a redirect or nothing at all is answered', async () => {
    answer = () => ({ status: 304, body: null });
    await expect(effectsWith().elsewhere(attempt('pnd_2'), createRecordingLog())).rejects.toMatchObject({
      code: 'outcome_unknown',
    });
    expect(atOnce(ledger.find('pnd_2'))).toBeNull();
  });

  it('[BYO-19] is looked up where an error was answered, and refused only where it was not made', async () => {
    const failed = (body: string): HttpAnswer => ({ status: 500, body });
    let made = false;
    answer = ({ method }) => {
      if (method === 'GET') return { status: made ? 200 : 404, body: {} };
      made = true;
      return failed('the printer is on fire');
    };
    const effects = effectsWith(read({ path: '/operations/{idempotency_key}' }));
    expect(await effects.elsewhere(attempt('pnd_e1'), createRecordingLog())).toEqual({ done: true });
    expect(asked.map(({ method }) => method)).toEqual(['POST', 'GET']);
    asked = [];
    answer = ({ method }) => (method === 'GET' ? { status: 404, body: null } : failed('no such order'));
    await expect(effects.elsewhere(attempt('pnd_e2'), createRecordingLog())).rejects.toMatchObject({
      code: 'policy_denied',
    });
    expect(asked.map(({ method }) => method)).toEqual(['POST', 'GET']);
    expect(await effects.settle('pnd_e2')).toBeNull();
  });

  it('[BYO-19] is unknown where errors are all that is answered, unless one says that nothing was done', async () => {
    answer = () => ({ status: 500, body: 'the printer is on fire' });
    const effects = effectsWith();
    await expect(effects.elsewhere(attempt('pnd_e3'), createRecordingLog())).rejects.toMatchObject({
      code: 'outcome_unknown',
    });
    answer = () => ({ status: 200, body: {} });
    expect(await effects.settle('pnd_e3')).toMatchObject({ outcome: { done: true } });
    answer = () => ({ status: 500, body: 'sold out' });
    await expect(effects.elsewhere(attempt('pnd_e4'), createRecordingLog())).rejects.toMatchObject({
      code: 'policy_denied',
    });
    expect(await effects.settle('pnd_e4')).toBeNull();
  });

  it('[ATK-25] is not looked up as unmade while its call is on its way', async () => {
    const effects = effectsWith(read({ path: '/operations/{idempotency_key}' }));
    let arrive: (answer: HttpAnswer) => void = () => undefined;
    answer = ({ method }) =>
      method === 'POST'
        ? new Promise<HttpAnswer>((resolve) => {
            arrive = resolve;
          })
        : { status: 404, body: null };
    const made = effects.elsewhere(attempt('pnd_3'), createRecordingLog());
    await expect.poll(() => asked.length).toBe(1);
    await expect(effects.settle('pnd_3')).rejects.toMatchObject({ code: 'outcome_unknown' });
    arrive({ status: 200, body: {} });
    expect(await made).toEqual({ done: true });
    expect(await effects.settle('pnd_3')).toBeNull();
  });

  it.each([
    "/* paid */ UPDATE orders SET status = 'gone' WHERE owner = {customer_id}",
    '-- paid\nDELETE FROM orders WHERE owner = {customer_id}',
    "WITH mine AS (SELECT id FROM orders WHERE owner = {customer_id}) UPDATE orders SET status = 'gone' WHERE id IN mine",
    "INSERT INTO orders SELECT 'o_2', owner, status FROM orders WHERE owner = {customer_id}",
  ])('[ATK-25] is not said of a statement that finds nothing: %s', async (sql) => {
    const inDatabase = (customerId: string, key: string) =>
      effectsWith().inDatabase('pay', write(key), { customer_id: customerId }, [sql], () => ({ paid: true }));
    await expect(inDatabase('c_2', `pnd_none_${sql.length}`)).rejects.toThrow(/not in a state/);
    expect(await inDatabase('c_1', `pnd_some_${sql.length}`)).toEqual({ paid: true });
    handle.sqlite.exec("DELETE FROM orders; INSERT INTO orders VALUES ('o_1', 'c_1', 'new')");
  });
});
