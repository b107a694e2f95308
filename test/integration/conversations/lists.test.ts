import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Hub, openHub } from '../../support/hub.js';

const ANA = 'ana.souza@example.com';

let hub: Hub;
beforeAll(async () => {
  hub = await openHub();
});
afterAll(() => hub.close());

/** Says one thing after the other in one conversation. @returns the last reply */
async function talk(email: string | null, thread: string, ...lines: readonly string[]) {
  const replies = [];
  for (const line of lines) replies.push(await hub.say(email, line, thread));
  const last = replies.at(-1);
  if (!last) throw new Error('Nothing was said');
  return last;
}

/** Titles of what the programme holds and a condition means, soonest first. */
function programme(where: string): readonly string[] {
  const sql = `SELECT title FROM experiences WHERE starts_at > ? AND (${where}) ORDER BY starts_at`;
  return hub.query('cultpass', sql, hub.clock.now().toISOString()).map(({ title }) => String(title));
}

/** Titles in the order in which a reply lists them. */
function listedIn(reply: string, all: readonly string[]): readonly string[] {
  const lines = reply.split('\n').filter((line) => line.startsWith('- '));
  return lines.flatMap((line) => all.find((title) => line.includes(title)) ?? []);
}

describe('lists of what is on', () => {
  it('[RCD-03] holds all that was said at once, and says what it held', async () => {
    const { reply } = await talk(
      null,
      'thr_l1',
      'what is on in São Paulo or Rio between 12 and 31 March for up to R$ 80?',
    );
    const wanted = programme(
      "(location LIKE 'São Paulo%' OR location LIKE 'Rio%') AND starts_at >= '2026-03-12T03' AND starts_at < '2026-04-01T03' AND price_cents <= 8000",
    );
    expect(wanted.length).toBeGreaterThan(1);
    expect(new Set(listedIn(reply, wanted))).toEqual(new Set(wanted.slice(0, 5)));
    expect(reply).toMatch(
      /in São Paulo or in Rio de Janeiro, from 12 March to 31 March, for up to R\$ 80\.00/,
    );
  });

  it('[RCD-03] changes one thing with a fragment and keeps the others', async () => {
    await talk(null, 'thr_l2', 'o que tem de graça em SP em março?');
    const { reply } = await talk(null, 'thr_l2', 'e no Rio?');
    const wanted = programme("location LIKE 'Rio%' AND starts_at < '2026-04-01T03' AND price_cents = 0");
    expect(listedIn(reply, programme('1'))).toEqual(wanted);
    expect(reply).toContain('no Rio de Janeiro, em março, sem custo adicional');
    const april = await talk(null, 'thr_l2', 'e em abril?');
    expect(april.reply).toContain('no Rio de Janeiro, em abril, sem custo adicional');
  });

  it('[RCD-03] says that nothing fits, and shows what comes nearest', async () => {
    const { reply, escalated } = await talk(
      null,
      'thr_l3',
      'anything free in Porto Alegre with places left?',
    );
    expect(reply).toMatch(/^I found nothing in Porto Alegre, at no extra cost, with places left/);
    const nearest = listedIn(reply, programme('1'));
    expect(nearest.length).toBeGreaterThan(0);
    for (const title of nearest) expect(programme("location LIKE 'Porto Alegre%'")).toContain(title);
    expect(escalated).toBe(false);
  });

  it('[RCD-04] puts what the customer has behind what they can still book, and says so', async () => {
    const { reply } = await talk(ANA, 'thr_l4', 'what can I go to in Rio this month?');
    const own = hub
      .query(
        'cultpass',
        "SELECT title FROM reservations JOIN experiences USING (experience_id) WHERE user_id = 'usr_001' AND status = 'reserved' AND location LIKE 'Rio%'",
      )
      .map(({ title }) => String(title));
    const [last = ''] = reply
      .split('\n')
      .filter((line) => line.startsWith('- '))
      .slice(-1);
    expect(own.some((title) => last.includes(title))).toBe(true);
    expect(last).toContain('you have it booked');
  });
});

describe('lists of what the customer has', () => {
  it('[RCD-04] narrows them down by place and day, and goes on from there', async () => {
    const { reply } = await talk(ANA, 'thr_l5', 'which of my bookings are in Rio?');
    expect(reply).toContain('Your reservations in Rio de Janeiro');
    expect(reply).not.toContain('Porto Alegre');
    const april = await talk(ANA, 'thr_l5', 'and in april?');
    expect(april.reply).toContain('You have no reservation in Rio de Janeiro, in April');
  });

  it('[RCD-04] tells what is on from what they have', async () => {
    await talk(ANA, 'thr_l6', 'quais são minhas reservas?');
    const own = await talk(ANA, 'thr_l6', 'e no Rio?');
    expect(own.reply).toContain('Suas reservas no Rio de Janeiro');
    const all = await talk(ANA, 'thr_l6', 'o que tem em Recife?');
    expect(all.reply).toContain('Foi isto que encontrei em Recife');
  });

  it('[RCD-04] leaves a record that is asked about, or to be cancelled, what it is', async () => {
    await talk(ANA, 'thr_l7', 'what do I have booked?');
    expect((await talk(ANA, 'thr_l7', 'where is the one in Porto Alegre?')).reply).toMatch(/^"Elis/);
    const cancel = await talk(ANA, 'thr_l7', 'cancel the one in Porto Alegre');
    expect(cancel.pending?.kind).toBe('confirmation');
  });
});

describe('what a record tells by itself', () => {
  it('[RCD-05] tells of a refund that was shown when it was sent, how long it takes, and why', async () => {
    await talk(ANA, 'thr_f1', 'was my last refund sent?');
    expect((await talk(ANA, 'thr_f1', 'when was it sent?')).reply).toMatch(
      /"Chamamé.*was sent back to you on \w+ \d/,
    );
    expect((await talk(ANA, 'thr_f1', 'how long does it take?')).reply).toMatch(
      /Chamamé.*5 to 10 business days/,
    );
    const why = await talk(ANA, 'thr_f1', 'why?');
    expect(why.reply).toMatch(/because your booking for "Chamamé.*" was cancelled/);
    expect(why.escalated).toBe(false);
  });

  it('[RCD-05] leaves these words what they are where no refund is spoken of', async () => {
    await talk(ANA, 'thr_f2', 'where is Elis?');
    expect((await talk(ANA, 'thr_f2', 'why?')).reply).not.toContain('refund');
  });

  it('[RCD-05] counts the days until it begins', async () => {
    await talk(ANA, 'thr_f3', 'quando é a Elis?');
    expect((await talk(ANA, 'thr_f3', 'falta quanto tempo?')).reply).toMatch(/Elis.* começa em \d+ dias/);
    const { reply } = await talk(null, 'thr_f4', 'how much is Giselle?', 'how long until it starts?');
    expect(reply).toMatch(/Giselle.* begins in \d+ days/);
  });

  it('[RCD-05] tells what is paid next, and when, in any words for it', async () => {
    const { reply } = await talk(ANA, 'thr_f5', 'quanto vou pagar na próxima e quando?');
    expect(reply).toMatch(/próxima cobrança.*R\$\s119,90, em \d/);
  });

  it('[RCD-06] calls nobody for who says that they asked for nobody', async () => {
    for (const text of ['não pedi atendente', "I didn't ask for a human agent"]) {
      const { escalated, reply } = await talk(null, `thr_${text.length}`, text);
      expect(escalated).toBe(false);
      expect(reply).toMatch(/I stay with you|continuo com você/);
    }
    expect((await talk(null, 'thr_f6', "I don't want a bot, give me a human")).escalated).toBe(true);
  });
});
