import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Hub, openHub } from '../../support/hub.js';

const ANA = 'ana.souza@example.com';
const BRUNO = 'bruno.lima@example.com';

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

  it('[RCD-03] keeps kind and month where another city is asked about after a word on this one', async () => {
    await talk(null, 'thr_l20', 'any theatre in Salvador in April?');
    const { reply, toolCalls } = await talk(null, 'thr_l20', 'none in Salvador? and in Brasília?');
    expect(toolCalls.find(({ tool }) => tool === 'find_experiences')?.args).toMatchObject({
      text: 'theatre',
    });
    expect(reply).toContain('in Salvador or in Brasília, in April');
    expect(reply).toContain('Dom Casmurro');
  });

  it('[RCD-03] keeps the city where something is said before the next question', async () => {
    await talk(null, 'thr_l21', 'o que tem de teatro em Recife em abril?');
    const { reply } = await talk(
      null,
      'thr_l21',
      'hum, esse mês não dá. quais peças de teatro tem em março?',
    );
    expect(reply).toContain('em Recife, em março');
    expect(reply).not.toContain('Porto Alegre');
  });

  it('[RCD-03] leaves the kind out where other things are asked for', async () => {
    await talk(null, 'thr_l22', 'what concerts are on in Rio this month?');
    const other = await talk(null, 'thr_l22', 'show me other things in Rio this month');
    const [first] = other.toolCalls.filter(({ tool }) => tool === 'find_experiences');
    expect(first?.args).toMatchObject({ location: 'Rio de Janeiro' });
    expect(first?.args).not.toHaveProperty('text');
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

describe('lists asked for in a few words', () => {
  const northeast = ['Recife', 'Salvador', 'Fortaleza']
    .map((city) => `location LIKE '${city}%'`)
    .join(' OR ');

  it('[RCD-08] goes on after a word of thanks, and knows the place that was spoken of', async () => {
    await talk(null, 'thr_l8', "what's on in São Paulo?");
    const rio = await talk(null, 'thr_l8', 'cool. what about rio?');
    expect(rio.reply).toContain('This is what I found in Rio de Janeiro:');
    const there = await talk(null, 'thr_l8', 'nice, and theatre there?');
    expect(there.reply).toMatch(/in Rio de Janeiro/);
    const la = await talk(null, 'thr_l9', 'o que tem em Curitiba?', 'lá tem algo em abril?');
    expect(la.reply).toMatch(/em Curitiba, em abril/);
  });

  it('[RCD-08] takes a region for all of its cities, and what and where for a question, also of who has bookings', async () => {
    const wanted = programme(northeast);
    const all = programme('1');
    for (const [who, text] of [
      [ANA, 'nordeste'],
      [null, 'north east?'],
    ] as const) {
      const shown = listedIn((await talk(who, `thr_r${text.length}`, text)).reply, all);
      expect(shown.length).toBeGreaterThan(1);
      for (const title of shown) expect(wanted).toContain(title);
    }
    const own = await talk(ANA, 'thr_r3', 'what do I have booked in the northeast?');
    expect(own.reply).toContain('You have no reservation in Salvador, in Recife or in Fortaleza');
  });

  it('[RCD-08] says that nothing of a kind is on that day, and begins anew where what and where are said', async () => {
    const slam = await talk(ANA, 'thr_r4', 'slam dia 12 de março');
    expect(slam.reply).toMatch(/^Não encontrei nada desse tipo em 12 de março/);
    const theatre = await talk(ANA, 'thr_r4', 'teatro em Brasília');
    expect(theatre.reply).not.toContain('12 de março');
    expect(theatre.reply).toContain('em Brasília');
  });
});

describe('lists of what the customer has', () => {
  it('[RCD-09] lists all of them, whatever common word of a title the question holds', async () => {
    for (const text of ['And what is my reservations now?', 'quais são as minhas reservas now?']) {
      const { reply } = await talk('felipe.araujo@example.com', `thr_now${text.length}`, text);
      expect(listedIn(reply, programme('1')).length).toBeGreaterThan(2);
    }
  });

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

describe('whether one can be at several things', () => {
  it('[RCD-10] compares all that is booked, what is named, and what was just spoken of', async () => {
    const all = await talk(ANA, 'thr_c1', 'do any of my bookings clash?');
    expect(all.reply).toMatch(/^No two of them are on the same day, so nothing clashes\. The closest are "/);
    expect((await talk(ANA, 'thr_c2', 'minhas reservas batem uma com a outra?')).reply).toMatch(
      /^Nenhuma cai no mesmo dia/,
    );
    const spoken = await talk(ANA, 'thr_c3', 'where is Giselle?', 'does that clash with my bookings?');
    expect(spoken.reply).toMatch(/^They are on different days, so they do not clash: .*"Giselle/);
    expect(all.escalated || spoken.escalated).toBe(false);
  });

  it.each([
    [BRUNO, 'do the City of God club and the Manguebeat tribute collide?', ['Film Club', 'Manguebeat']],
    [BRUNO, 'o clube de cinema e o tributo caem no mesmo dia?', ['Film Club', 'Manguebeat']],
    [ANA, 'dá tempo de ver o samba e a leitura da Clarice?', ['Samba Night', 'Clarice']],
    [ANA, 'would I make it to the strings and then to the samba?', ['Candlelight', 'Samba Night']],
  ])(
    '[RCD-10] compares what is named, also where that is all there is: %s "%s"',
    async (who, text, titles) => {
      const reply = await talk(who, `thr_c_${text.length}`, text);
      expect(reply.reply).toMatch(/on different days, so they|em dias diferentes, então/);
      for (const title of titles) expect(reply.reply).toContain(title);
    },
  );

  it.each(['can I get to both tomorrow?', 'amanhã eu consigo ir nos dois?'])(
    '[RCD-10] compares nothing on a day that the customer has nothing on: "%s"',
    async (text) => {
      const reply = await talk(ANA, `thr_d_${text.length}`, text);
      expect(reply.reply).not.toMatch(/Tasting Table|Improvised Theatre/);
    },
  );

  it('[RCD-10] counts how long a thing takes where that is known, and says where it is not', async () => {
    const [candle] = hub.query(
      'cultpass',
      "SELECT starts_at FROM experiences WHERE title LIKE 'Candlelight%'",
    );
    const at = new Date(String(candle?.starts_at)).getTime();
    const move = (title: string, minutes: number) =>
      hub.exec(
        'cultpass',
        `UPDATE experiences SET starts_at = '${new Date(at + minutes * 60_000).toISOString()}' WHERE title LIKE '${title}%'`,
      );
    const ask = async (thread: string) =>
      (await talk(ANA, thread, 'does Candlelight clash with the Museum of Tomorrow tour?')).reply;
    const before = hub.query(
      'cultpass',
      "SELECT starts_at FROM experiences WHERE title LIKE 'Museum of Tom%'",
    );
    move('Museum of Tomorrow', 30);
    expect(await ask('thr_c4')).toMatch(/^They overlap: "Museum of Tomorrow.* begins .*65 minutes/);
    move('Museum of Tomorrow', 120);
    expect(await ask('thr_c5')).toMatch(/the times do not clash/);
    move('Museum of Tomorrow', 0);
    expect(await ask('thr_c6')).toMatch(/^They are at the same time, .* both begin on/);
    move('Museum of Tomorrow', -60);
    expect(await ask('thr_c7')).toMatch(/How long the first one takes I do not know/);
    hub.exec(
      'cultpass',
      `UPDATE experiences SET starts_at = '${before[0]?.starts_at}' WHERE title LIKE 'Museum of Tom%'`,
    );
  });
});

describe('what a record tells by itself', () => {
  it('[RCD-05] tells of a refund that was shown when it was sent, how long it takes, and why', async () => {
    await talk(ANA, 'thr_f1', 'was my last refund sent?');
    expect((await talk(ANA, 'thr_f1', 'when was it sent?')).reply).toMatch(
      /"Chamamé.*was sent (?:back )?to you on (?:\w+ )?\d/,
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

describe('a part of the day', () => {
  it.each(['Good evening, what do I have booked?', 'Good morning, what do I have booked?'])(
    '[RCD-03] is none in a greeting: %s',
    async (text) => {
      const { reply } = await talk(ANA, `thr_${text.length}_greet`, text);
      expect(reply).toContain('Your upcoming reservations:');
    },
  );

  it('[RCD-03] is named with its hour, also where it begins the day', async () => {
    expect((await talk(null, 'thr_mornings', 'any morning concerts?')).reply).toContain('before 12:00');
  });
});

describe('something cheaper', () => {
  it.each([
    [
      ["what's on in Porto Alegre", 'does the Elis one cost extra?', 'anything cheaper?'],
      /^This is what I found[\s\S]*Rock Gaúcho/,
      'Elis: The Musical',
    ],
    [
      ["what's on in Salvador?", 'something cheaper?'],
      /^There is nothing cheaper in Salvador[\s\S]*Tasting Table/,
      '260',
    ],
    [
      ['shows em recife', 'mais barato tem?'],
      /^Não há nada mais barato em Recife[\s\S]*Auto da Compadecida/,
      'Manguebeat',
    ],
    [
      ['o que tem em Salvador?', 'tem algo mais em conta?'],
      /^Não há nada mais barato em Salvador[\s\S]*140,00/,
      'em Conta',
    ],
    [
      ["what's on in Porto Alegre", 'the cheaper one, when is it?'],
      /Rock Gaúcho Anniversary" is on Tuesday 14 April/,
      'Elis',
    ],
  ])('[DLG-183] is less than what was shown, or said not to be there: %j', async (lines, says, unsaid) => {
    const { reply } = await talk(null, `cheap_${lines.join('_')}`, ...lines);
    expect(reply).toMatch(says);
    expect(reply).not.toContain(unsaid);
  });
});

describe('another city', () => {
  it.each([
    [
      'carla.mendes@example.com',
      ["what's my next booking?", "no not my bookings, what's on in Curitiba"],
      'Improvised Theatre',
    ],
    [
      'carla.mendes@example.com',
      ['minhas reservas', 'não as minhas reservas, o que tem em cartaz em Curitiba'],
      'Improvised Theatre',
    ],
    [ANA, ["what's on this week?", "I'm in Recife, Salvador is too far for me"], 'Recife - '],
    [ANA, ['tem museu amanhã?', 'eu moro em Porto Alegre, Curitiba é longe demais'], 'Porto Alegre - '],
  ])('[DLG-185] is looked in where it is said to be meant: %s %j', async (who, lines, says) => {
    const { reply } = await talk(who, `city_${lines.join('_')}`, ...lines);
    expect(reply).toContain(says);
    expect(reply).not.toMatch(/Your reservations|Suas reservas|Salvador - |Brasília - /);
  });
});
