import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPrices } from '../../../src/adapters/models/usage.js';
import { createFixedClock } from '../../support/fixed-clock.js';
import { type OpenAiServer, type RecordedRequest, startOpenAiServer } from '../../support/openai-server.js';
import { form, type Online, openOnline, PROMPT } from '../online/support.js';
import { openModel } from '../skills/templates/support.js';

const QUESTION = 'How do I pause my plan?';
/** A dollar for every thousand prompt tokens, so that a call of 100 costs ten cents. */
const PRICES = {
  HUB_PRICE_INPUT_PER_MTOK: '1000',
  HUB_PRICE_OUTPUT_PER_MTOK: '0',
  HUB_MODEL_TIMEOUT_MS: '20000',
};
const TEN_CENTS = { prompt: 100, completion: 10 };

describe('a ceiling of what models may cost', () => {
  let server: OpenAiServer;
  const open: Online[] = [];
  beforeEach(async () => {
    server = await startOpenAiServer();
    server.otherwise(answer);
  });
  afterEach(async () => {
    for (const online of open.splice(0)) await online.close();
    await server.close();
  });

  async function start(env: Readonly<Record<string, string>>, overrides = {}): Promise<Online> {
    const online = await openOnline(server, { ...PRICES, ...env }, { measure: true, ...overrides });
    open.push(online);
    return online;
  }

  it('[OPS-05] answers a ticket by rules once it has cost as much as it may, and says so', async () => {
    const online = await start({ HUB_MAX_COST_PER_TICKET_USD: '0.35' });
    const talk = await online.talk(null);
    expect(await talk.say(QUESTION)).toMatchObject({
      provider: 'openai',
      usage: { llmCalls: 2, costUsd: 0.2 },
    });
    // The third and fourth call: 30 cents were spent before the fourth.
    expect(await talk.say(QUESTION)).toMatchObject({ usage: { llmCalls: 2, costUsd: 0.2 } });
    const calls = server.requests.length;
    const held = await talk.say(QUESTION);
    expect(held).toMatchObject({ provider: 'offline', usage: { llmCalls: 0, costUsd: 0 } });
    expect(held.reply).toContain('pause');
    await talk.say(QUESTION);
    expect(server.requests).toHaveLength(calls);

    const told = online.logLines().filter(({ action }) => action === 'spend_ceiling_reached');
    expect(told).toMatchObject([
      { level: 'warn', ticket_id: held.ticketId, details: { scope: 'ticket', ceiling_usd: 0.35 } },
    ]);
    const { text } = await online.app.metrics.render();
    expect(text).toMatch(/hub_spend_ceiling_reached_total\{scope="ticket"\} [1-9]/);
    // Another ticket has its own.
    const other = await online.talk(null);
    expect(await other.say(QUESTION)).toMatchObject({ provider: 'openai' });
  });

  it('[OPS-06] holds for the calendar month of the time zone, and begins anew with the next', async () => {
    // 23:30 on the last of March in São Paulo, where it is April already in UTC.
    const clock = createFixedClock('2026-04-01T02:30:00.000Z');
    const online = await start({ HUB_MAX_COST_PER_MONTH_USD: '0.2' }, { clock });
    await (await online.talk(null)).say(QUESTION);
    const held = await (await online.talk(null)).say(QUESTION);
    expect(held).toMatchObject({ provider: 'offline', usage: { costUsd: 0 } });
    const [told] = online.logLines().filter(({ action }) => action === 'spend_ceiling_reached');
    expect(told?.details).toMatchObject({ scope: 'month', name: '2026-03', ceiling_usd: 0.2 });
    clock.advance({ hours: 1 });
    expect(await (await online.talk(null)).say(QUESTION)).toMatchObject({ provider: 'openai' });
  });

  it('[OPS-07] is shared by all processes on the same data, and survives a restart', async () => {
    const one = await start({ HUB_MAX_COST_PER_MONTH_USD: '0.2' });
    const two = await start({ HUB_MAX_COST_PER_MONTH_USD: '0.2', HUB_DATA_DIR: one.dir });
    await (await one.talk(null)).say(QUESTION);
    expect(await (await two.talk(null)).say(QUESTION)).toMatchObject({ provider: 'offline' });
    const later = await start({ HUB_MAX_COST_PER_MONTH_USD: '0.2', HUB_DATA_DIR: one.dir });
    expect(await (await later.talk(null)).say(QUESTION)).toMatchObject({ provider: 'offline' });
    expect(server.requests).toHaveLength(2);
  });

  it('[OPS-06] counts what earlier versions have spent this month', async () => {
    const one = await start({});
    const { ticketId } = await (await one.talk(null)).say(QUESTION);
    const db = new BetterSqlite3(join(one.dir, 'udahub.db'), { timeout: 5_000 });
    db.exec('DELETE FROM model_spend');
    db.prepare('UPDATE ticket_turns SET cost_usd = 5 WHERE ticket_id = ?').run(ticketId);
    db.close();
    const two = await start({ HUB_MAX_COST_PER_MONTH_USD: '4', HUB_DATA_DIR: one.dir });
    expect(await (await two.talk(null)).say(QUESTION)).toMatchObject({ provider: 'offline' });
  });

  it('[OPS-05] never asks where nothing may be spent, and never holds back where no ceiling is set', async () => {
    const none = await start({ HUB_MAX_COST_PER_TICKET_USD: '0' });
    expect(await (await none.talk(null)).say(QUESTION)).toMatchObject({ provider: 'offline' });
    expect(server.requests).toHaveLength(0);
    const free = await start({});
    for (let turn = 0; turn < 3; turn += 1)
      expect(await (await free.talk(null)).say(QUESTION)).toMatchObject({ provider: 'openai' });
    expect(free.logLines().some(({ action }) => action === 'spend_ceiling_reached')).toBe(false);
  });

  it('[OPS-05] holds skills back as well, so that they use their rules, and counts what they cost', async () => {
    const asked: (string | null)[] = [];
    const booked: (readonly [string | null, number])[] = [];
    let full = false;
    const spend = {
      reached: async (ticketId: string | null) => {
        asked.push(ticketId);
        return full ? ('ticket' as const) : null;
      },
      add: (ticketId: string | null, costUsd: number) => void booked.push([ticketId, costUsd]),
    };
    const prices = createPrices({ inputPricePerMTok: 1000, outputPricePerMTok: 0 });
    const { model } = openModel(server.url, {}, { spend, prices });
    const call = { role: 'write', system: 'You write.', prompt: 'Write.', json: false } as const;
    const signal = AbortSignal.timeout(20_000);
    await model.complete({ ...call, signal, ticketId: 'tkt_1' });
    await model.complete({ ...call, signal });
    expect(asked).toEqual(['tkt_1', null]);
    expect(booked).toEqual([
      ['tkt_1', 0.1],
      [null, 0.1],
    ]);
    full = true;
    await expect(model.complete({ ...call, signal, ticketId: 'tkt_1' })).rejects.toMatchObject({
      code: 'model_unavailable',
      fields: { reason: 'spend_ceiling' },
    });
    expect(server.requests).toHaveLength(2);
  });
});

function answer(request: RecordedRequest) {
  if (request.system.includes(PROMPT.triage)) return { ...form([[QUESTION, 'knowledge']]), usage: TEN_CENTS };
  return { text: 'Profile > Plan > Pause [kb-pause-subscription-en].', usage: TEN_CENTS };
}
