import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { afterAll, describe, expect, it } from 'vitest';
import { createCompany } from '../../../src/app/company.js';
import { parseConfig } from '../../../src/config/config.js';
import { callCommand } from '../../../src/surfaces/cli/company/call-tool.js';
import type { ConfigContext } from '../../../src/surfaces/command.js';
import { makeTempDir, openHub } from '../../support/hub.js';

const room = makeTempDir();
afterAll(() => rmSync(room, { recursive: true, force: true }));
const folder = join(room, 'forge');
const env = { HUB_COMPANY: folder, HUB_DATA_DIR: join(room, 'data') };
const config = parseConfig(env);
createCompany(config, { name: 'Forge', languages: ['en', 'pt-BR'] });

async function rehearse(orderId: string) {
  const [out, err] = [new PassThrough(), new PassThrough()];
  const context = {
    config,
    io: { in: Readable.from([]), out, err },
    stop: new AbortController().signal,
  } as unknown as ConfigContext;
  const given = { as: 'ana@example.com', input: JSON.stringify({ order_id: orderId }), dryRun: true };
  const code = await callCommand(context, 'cancel_order', given);
  return { code, printed: JSON.parse(String(out.read())), said: String(err.read()) };
}

describe('a dry run of a change', () => {
  it('[BYO-92] prints the question in each language, the terms and what would be performed, and stores nothing', async () => {
    const { code, printed, said } = await rehearse('ord_001');
    expect(code).toBe(0);
    expect(printed).toMatchObject({
      kind: 'dry_run',
      refused: null,
      terms: { refund_cents: 4900 },
      approval: null,
      effects: [expect.stringContaining('Blue backpack'), expect.stringContaining('€49.00')],
      performs: [[expect.stringMatching(/^UPDATE orders SET status = 'cancelled'/), 'ord_001', 'c_01']],
    });
    expect(said).toMatch(
      /en: Shall I cancel "Blue backpack"\?[\s\S]*pt-BR: Posso cancelar "Blue backpack"\?/,
    );
    const hub = await openHub({ dataDir: env.HUB_DATA_DIR, env });
    for (const table of ['tickets', 'threads', 'approvals'])
      expect(hub.query('udahub', `SELECT count(*) AS n FROM ${table}`)).toEqual([{ n: 0 }]);
    expect(hub.query('forge', `SELECT status FROM orders WHERE order_id = 'ord_001'`)).toEqual([
      { status: 'placed' },
    ]);
    await hub.close();
  });

  it('[BYO-92] says which rule refuses it, and which cannot be worked out', async () => {
    expect((await rehearse('ord_003')).printed).toMatchObject({
      refused: {
        code: 'wrong_status',
        rule: 'too_late',
        said: { 'pt-BR': expect.stringContaining('já foi entregue') },
      },
      performs: null,
    });
    const file = join(folder, 'actions', 'cancel_order.yaml');
    const rule = 'deny:\n  - { when: timestamp(order.title) < now, code: wrong_status, say: too_late }\n';
    writeFileSync(file, readFileSync(file, 'utf8').replace('deny:\n', rule));
    const { code, said } = await rehearse('ord_001');
    expect(code).toBe(1);
    expect(said).toContain('deny.0, timestamp(order.title) < now cannot be worked out over what was read');
  });
});
