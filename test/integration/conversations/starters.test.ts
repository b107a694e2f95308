import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CULTPASS } from '../../support/company.js';
import { type Hub, openHub } from '../../support/hub.js';

const ANA = 'ana.souza@example.com';
const STARTERS = Object.entries(CULTPASS.welcome?.starters ?? {}).flatMap(([language, all]) =>
  (all ?? []).map((text): [string, string] => [language, text]),
);
/** What answers a question in the order in which the company suggests them. */
const ANSWERED = [
  { says: /Samba Night at Pedra do Sal/, article: null, escalated: false },
  { says: /Cancel reservation|Cancelar reserva/, article: /^kb-cancel-reservation-/, escalated: false },
  { says: /Pix/, article: /^kb-refund-times-/, escalated: false },
  { says: /team|equipe/, article: null, escalated: true },
];

let hub: Hub;
beforeAll(async () => {
  hub = await openHub();
});
afterAll(() => hub.close());

describe('the questions that the chat suggests first', () => {
  it('[SHF-194] are there in every language', () => {
    expect(STARTERS).toHaveLength(ANSWERED.length * 2);
  });

  it.each(STARTERS)('[SHF-194] are answered well, in %s: %s', async (language, text) => {
    const expected = ANSWERED[(CULTPASS.welcome?.starters[language] ?? []).indexOf(text)];
    const reply = await hub.say(ANA, text);
    expect(reply).toMatchObject({ language, escalated: expected?.escalated });
    expect(reply.reply).toMatch(expected?.says ?? /^$/);
    const article = expected?.article;
    if (article) expect(reply.citations[0]?.articleId).toMatch(article);
  });
});
