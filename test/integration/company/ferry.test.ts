import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkCompany } from '../../../src/app/company-check.js';
import { parseConfig } from '../../../src/config/config.js';
import { writeFerry } from '../../support/ferry.js';
import { type Hub, makeTempDir, openHub } from '../../support/hub.js';

const ANA = 'ana@example.com';
const room = makeTempDir();
const folder = join(room, 'ferry');
let hub: Hub;
beforeAll(async () => {
  writeFerry(folder);
  hub = await openHub({ dataDir: join(room, 'data'), env: { HUB_COMPANY: folder } });
});
afterAll(async () => {
  await hub.close();
  rmSync(room, { recursive: true, force: true });
});

/** Says one after the other in a conversation of its own. */
async function talk(who: string | null, ...said: readonly string[]) {
  let last: Awaited<ReturnType<Hub['say']>> | undefined;
  for (const text of said) last = await hub.say(who, text, last?.threadId);
  if (!last) throw new Error('Nothing was said');
  return last;
}

describe('a company whose changes take more than a record of the customer', () => {
  it('[BYO-58] has no fault', async () => {
    expect(await checkCompany(parseConfig({ HUB_COMPANY: folder }))).toEqual([]);
  });

  it('[BYO-58] lists what a change takes beside its record, and knows the one that is chosen by name, place or price', async () => {
    const asked = await talk(ANA, 'move the Skagen ticket to another crossing');
    expect(asked.reply).toMatch(/^Which crossing shall it be\?\n\n1\. Holm – Vard, morning.*\n2\./);
    const args = async (reply: string) => (await hub.say(ANA, reply, asked.threadId)).pending?.args;
    expect(await args('to the evening one')).toEqual({ ticket_id: 'tkt_002', crossing_id: 'crs_102' });
    for (const [reply, tier] of [
      ['the second one', 'tier_02'],
      ['Max', 'tier_03'],
      ['the cheapest one', 'tier_01'],
    ] as const) {
      const { pending } = await talk(ANA, 'put my work pass on another tier', reply);
      expect(pending?.args).toEqual({ pass_id: 'pas_001', tier_id: tier });
    }
  });

  it('[BYO-58] takes it from the first sentence, and another in its place at the confirmation', async () => {
    const { pending, threadId } = await talk(ANA, 'put my private pass on Plus');
    expect(pending?.args).toEqual({ pass_id: 'pas_002', tier_id: 'tier_02' });
    const other = await hub.say(ANA, 'no, the Max one', threadId);
    expect(other.pending?.args).toEqual({ pass_id: 'pas_002', tier_id: 'tier_03' });
    expect((await hub.say(ANA, 'yes', threadId)).reply).toBe('Done: "Private" is on Max.');
  });

  it('[BYO-71] takes what else a change needs as it was, where it is wanted for another record too', async () => {
    const { threadId } = await talk(ANA, 'change my Vard weekend to the evening crossing', 'yes');
    const { pending } = await hub.say(ANA, 'and the Skagen holiday too', threadId);
    expect(pending?.args).toEqual({ ticket_id: 'tkt_002', crossing_id: 'crs_102' });
    await hub.say(ANA, 'no', threadId);
  });

  it.each([
    ['change my Vard weekend to CRS-103', { ticket_id: 'tkt_001', crossing_id: 'crs_103' }],
    ['change my Vard weekend to the night crossing please', { ticket_id: 'tkt_001', crossing_id: 'crs_103' }],
  ])('[BYO-60] takes neither an id nor a name of the one for the other: %s', async (text, args) => {
    expect((await talk(ANA, text)).pending?.args).toEqual(args);
  });

  it('[BYO-60] takes a wish that leads from the one to the other for a change, and no list', async () => {
    expect((await talk(ANA, 'change my Skagen trip to an earlier crossing')).reply).toMatch(
      /^Which crossing/,
    );
  });

  it('[BYO-59] has a list told one by one, each whole, until that is all', async () => {
    const first = await talk(ANA, 'book a crossing', 'the cheapest one', 'Ana Demo');
    expect(first.reply).toBe('Who travels? Please give name and date of birth.');
    const say = async (text: string) => (await hub.say(ANA, text, first.threadId)).reply;
    expect(await say('12 April 1988')).toBe('Does anybody else travel?');
    expect(await say('yes')).toBe('Who travels? Please give name and date of birth.');
    expect(await say('rui demo born 3 May 1990')).toBe('Does anybody else travel?');
    expect(await say('nobody else')).toBe('Which meals: breakfast, dinner or both?');
    expect(await say('breakfast and dinner')).toContain(
      'for Ana Demo and rui demo, with breakfast and dinner, for €78.00?',
    );
    await say('yes');
    expect(hub.query('ferry', 'SELECT name, born FROM travellers')).toEqual([
      { name: 'Ana Demo', born: '1988-04-12' },
      { name: 'rui demo', born: '1990-05-03' },
    ]);
  });

  it('[BYO-59] reads several in one message', async () => {
    const asked = await talk(
      ANA,
      'book the night crossing to Skagen',
      'Ana Demo 12.04.1988 and Rui Demo 03.05.1990',
      "that's all",
      'dinner',
    );
    expect(asked.pending?.args).toMatchObject({
      travellers: [
        { name: 'Ana Demo', born: '1988-04-12' },
        { name: 'Rui Demo', born: '1990-05-03' },
      ],
    });
  });

  it('[BYO-61] keeps what is the same for everybody apart from what is the customer’s own', async () => {
    expect((await talk(ANA, 'when is my next trip?')).reply).toMatch(/^"Vard weekend"/);
    expect((await talk(ANA, 'which crossings go to Skagen?')).reply).toMatch(
      /^This is what there is:\n- Holm – Skagen/,
    );
    expect((await talk(ANA, 'show me my tickets')).reply).toMatch(/^This is what I find on your account:/);
  });

  it('[BYO-62] tells visitors what is the same for everybody, by list, name and id', async () => {
    const asked = await talk(null, 'which crossings do you have?');
    expect(asked.reply).toMatch(/^This is what there is:\n- Holm – Vard, morning/);
    const say = async (text: string) => (await hub.say(null, text, asked.threadId)).reply;
    expect(await say('how much is CRS-103?')).toBe('"Holm – Skagen, night" costs €79.00.');
    expect((await talk(null, 'how many seats does the night crossing to Skagen have?')).reply).toContain('3');
    expect((await talk(null, 'show me the tiers')).reply).toContain('- Basic, €19.00\n- Plus, €29.00');
    expect((await talk(null, 'show me my tickets')).reply).toContain('signed in');
  });

  it.each([
    ['no, the suite please', 'suite'],
    ['not the sea view, suite', 'suite'],
    ['no wait, inside please', 'inside'],
  ])(
    '[BYO-63] asks anew about another choice that corrects the one that was asked about: %s',
    async (text, cabin) => {
      const asked = await talk(ANA, 'put my Vard weekend in a sea view cabin');
      expect(asked.pending?.args).toEqual({ ticket_id: 'tkt_001', cabin: 'sea_view' });
      const { pending } = await hub.say(ANA, text, asked.threadId);
      expect(pending?.args).toEqual({ ticket_id: 'tkt_001', cabin });
      expect((await talk(ANA, 'put my private pass on Max', 'no, Basic please')).pending?.args).toEqual({
        pass_id: 'pas_002',
        tier_id: 'tier_01',
      });
    },
  );

  it('[BYO-64] hears a change in an order that puts a record into a choice of that change alone', async () => {
    expect((await talk(ANA, 'put my Skagen trip in the suite')).pending?.args).toEqual({
      ticket_id: 'tkt_002',
      cabin: 'suite',
    });
    expect((await talk(ANA, 'when is the Vard weekend?', 'put it in the suite')).pending?.args).toEqual({
      ticket_id: 'tkt_001',
      cabin: 'suite',
    });
  });

  it('[BYO-65] tells what a thing is by its record, and not who answers', async () => {
    expect((await talk(null, 'what is CRS-102?')).reply).toMatch(/^Holm – Vard, evening/);
    expect((await talk(ANA, 'what is the Skagen holiday?')).reply).toMatch(/^Skagen holiday, /);
  });

  it('[BYO-66] says of a blocked account that it is, and why nothing can be done then', async () => {
    hub.exec('ferry', "UPDATE customers SET is_blocked = 1 WHERE customer_id = 'c_02'");
    const refused = /^Your account is blocked at the moment/;
    expect((await talk('ben@example.com', 'why am I blocked?')).reply).toMatch(refused);
    expect((await talk('ben@example.com', 'is my account locked')).reply).toMatch(refused);
    expect((await talk(ANA, 'why am I blocked?')).reply).not.toMatch(refused);
  });

  it.each([
    ['ok thanks', /^You are welcome/],
    ['cancel it now', /.+/],
  ])('[BYO-67] tells nothing of what was spoken of where nothing is asked of it: %s', async (text, reply) => {
    const said = await talk(ANA, 'when is the Vard weekend?', text);
    expect(said.reply).toMatch(reply);
    expect(said.reply).not.toMatch(/^Vard weekend,/);
  });
});
