import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseConfig } from '../../../src/config/config.js';
import { replayCommand } from '../../../src/surfaces/cli/company/company.js';
import type { ConfigContext } from '../../../src/surfaces/command.js';
import { makeTempDir } from '../../support/hub.js';
import { writeVelo } from '../../support/velo.js';

const room = makeTempDir();
const folder = join(room, 'velo');
const file = join(room, 'gold.jsonl');
beforeAll(() => writeVelo(folder));
afterAll(() => rmSync(room, { recursive: true, force: true }));

async function replayed(lines: readonly unknown[]) {
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const [out, err] = [new PassThrough(), new PassThrough()];
  const context = {
    config: parseConfig({ HUB_COMPANY: folder, COURIER_ROOM: room, HUB_DATA_DIR: join(room, 'data') }),
    io: { out, err },
  } as unknown as ConfigContext;
  const code = await replayCommand(context, file, {
    now: '2024-05-15T15:00:00-05:00',
    realSources: true,
  });
  return { code, out: String(out.read() ?? ''), err: String(err.read() ?? '') };
}

const ANA = 'Ana Demo, P-c_01';
const EXCHANGE = { order_id: 'ord_003', item_ids: ['i_1', 'i_2'], new_variant_ids: ['v_l', 'g_l'] };
const exchange = (method: string, rest: object) => ({
  ...{ as: ANA, action: 'exchange_items', input: { ...EXCHANGE, method_id: method } },
  ...rest,
});
const items = (variant: string) => ({
  ...{ table: 'order_items', where: { item_id: 'i_2' }, has: { variant_id: variant } },
});

describe('npm run company -- replay', () => {
  it('[BYO-49] plays published calls of others through the gate, each task on fresh data, and looks at the tables', async () => {
    const riders = [
      { name: 'Ana', insured: true },
      { name: 'Rui', insured: false },
    ];
    const { code, out, err } = await replayed([
      { task: '1', ...exchange('gift_1', { expect: { refused: 'policy_denied' } }) },
      { task: '1', ...exchange('gift_2', {}) },
      { task: '1', ...items('g_l') },
      { task: '1', table: 'payment_methods', where: { method_id: 'gift_2' }, has: { balance_cents: 4300 } },
      { task: '2', ...items('g_s') },
      { task: '2', as: 'ana@example.com', action: 'book_trip', input: { riders } },
      { task: '2', table: 'action_ledger', where: {}, has: { created_at: { contains: '2024-05-15T20:00' } } },
      { task: '2', table: 'riders', where: { customer: 'ana@example.com' }, count: 2 },
      { task: '2', as: ANA, action: 'delivery_price', input: { kilos: 3 }, expect: { data: { cents: 600 } } },
    ]);
    expect({ code, out, err }).toEqual({ code: 0, out: '9 lines of 9 as expected\n', err: '' });
  });

  it('[BYO-49] names by line what came otherwise, and who is nobody', async () => {
    const { code, out, err } = await replayed([
      { as: 'Ana Demo, P-c_02', action: 'list_order' },
      exchange('card_1', { expect: { refused: 'not_found' } }),
      items('g_s'),
      { as: ANA, action: 'weight_of', input: { order_id: 'ord_004' } },
    ]);
    expect(code).toBe(1);
    expect(out).toBe('0 lines of 4 as expected\n');
    expect(err.trim().split('\n')).toEqual([
      expect.stringMatching(/:1 list_order: "done" was expected, and it is \{"refused":"customer_unknown"\}/),
      expect.stringMatching(/:2 exchange_items: \{"refused":"not_found"\} was expected, and it is "done"/),
      expect.stringMatching(/:3 order_items: A row of order_items/),
      expect.stringMatching(/:4 weight_of: .*not_found/),
    ]);
    await expect(replayed([{ as: ANA }])).rejects.toThrow(/gold\.jsonl:1: action/);
  });
});
