import { afterEach, describe, expect, it } from 'vitest';
import type { Session } from '../../../src/core/domain/session.js';
import { askDraft, lookDraft, waitDraft } from '../../../src/desk/drafts.js';
import { reviewText } from '../../../src/graph/review-rules.js';
import { CULTPASS } from '../../support/company.js';
import { type Hub, openHub } from '../../support/hub.js';
import { ROSTER } from '../../support/roster.js';
import { type Scripted, scriptedModels } from '../../support/scripted-model.js';
import { TEXTS } from '../../support/texts.js';

const ANA = 'ana.souza@example.com';

let hub: Hub | null = null;
afterEach(async () => {
  await hub?.close();
  hub = null;
});

/** A ticket that waits for a person, asked about with rules; then the same data with a model. */
async function withModel(
  steps: readonly Scripted[],
  text = 'I want to talk to a human: how long before the start may I cancel a reservation?',
) {
  hub = await openHub();
  const { ticketId } = await hub.say(ANA, text);
  const models = scriptedModels({ knowledge: steps });
  return { ticketId, model: models.models.knowledge, hub: await hub.another({ models }) };
}

describe('an answer that a guardrail did not let pass', () => {
  it('[SHF-31] is noted with its turn, by whom, why and what came of it, and stays there', async () => {
    const asked = 'How long before the start may I cancel a reservation?';
    const triaged = {
      ...{ issue_type: 'reservation', priority: 'low', sentiment: 'neutral', human_reason: null },
      ...{ summary: 'Asks about cancelling.', language: 'en', confidence: 0.95 },
      requests: [{ text: asked, route: 'knowledge' }],
    };
    const models = scriptedModels({
      triage: [{ object: triaged }],
      knowledge: [
        { text: 'Your refund of R$ 999.00 is done.' },
        { text: 'Your refund of R$ 999.00 is done.' },
      ],
    });
    hub = await openHub({ models });
    const { ticketId, reply } = await hub.say(null, asked);
    expect(reply).not.toContain('999');
    const [turn] = (await hub.app.desk.show(ticketId)).turns;
    expect(turn?.guardrails[0]).toEqual({
      ...{ agent: 'knowledge', outcome: expect.stringMatching(/rewritten|quoted|rules/) },
      fault: expect.stringMatching(/figure|claimed_action/),
    });
  });
});

describe('a suggested reply', () => {
  it('[DKA-70] is written by the model in one call, from articles, findings and the conversation', async () => {
    const {
      ticketId,
      model,
      hub: second,
    } = await withModel([
      (messages) => {
        const id = /"article_id":"([^"]+)"/.exec(messages[0]?.text ?? '')?.[1] ?? 'none';
        return { text: `You may cancel up to 24 hours before the start for a full refund [${id}].` };
      },
    ]);
    const before = second.dump('udahub');
    const suggestion = await second.app.desk.suggest(ticketId);
    expect(suggestion).toMatchObject({
      text: 'You may cancel up to 24 hours before the start for a full refund.',
      provider: 'openai',
      citations: [{ articleId: expect.stringMatching(/^kb-/), title: expect.any(String) }],
    });
    const [call, ...more] = model.calls;
    expect(more).toEqual([]);
    expect(call?.tools).toEqual([]);
    expect(call?.messages[0]?.text).toContain('Ana Souza');
    expect(call?.messages.at(-1)?.text).toContain('how long before the start');
    expect(second.dump('udahub')).toEqual(before);
    model.assertExhausted();
  });

  it.each([
    ['a promise', 'I will call you tomorrow and refund everything.'],
    ['a deed that nobody did', 'I have cancelled your reservation.'],
    ['a source that was not found', 'You get 500 R$ back [kb-made-up-1].'],
    ['an address of somebody else', 'Write to bruno.lima@example.com instead.'],
    ['nothing', '  '],
  ])("[DKA-71] is not the model's where that says %s; rules write it then", async (_what, text) => {
    const { ticketId, model, hub: second } = await withModel([{ text }]);
    const suggestion = await second.app.desk.suggest(ticketId);
    expect(suggestion.provider).toBe('offline');
    expect(suggestion.text).toMatch(/^Hello Ana/);
    expect(suggestion.text).not.toContain(text.trim() === '' ? '[' : text);
    model.assertExhausted();
  });

  it('[DKA-71] is written by rules where the model cannot be reached', async () => {
    const { ticketId, hub: second } = await withModel([{ error: new Error('connection refused') }]);
    expect(await second.app.desk.suggest(ticketId)).toMatchObject({ provider: 'offline' });
    expect(second.log.entries).toContainEqual(expect.objectContaining({ action: 'draft_failed' }));
  });

  it('[DKA-72] quotes the best article in the language of the customer, or asks for what is missing', async () => {
    hub = await openHub();
    const known = await hub.say(
      ANA,
      'Quero falar com um atendente: com quanta antecedência posso cancelar uma reserva com reembolso?',
    );
    const suggestion = await hub.app.desk.suggest(known.ticketId);
    expect(suggestion.text).toMatch(/^Olá, Ana!/);
    expect(suggestion.text).toMatch(/24 horas/);
    expect(suggestion.citations).toMatchObject([{ articleId: expect.stringMatching(/-pt$/) }]);
    const unknown = await hub.say(ANA, 'I want to talk to a human about the zebra thing');
    const asking = await hub.app.desk.suggest(unknown.ticketId);
    expect(asking.citations).toEqual([]);
    expect(asking.text).toMatch(/\?$/);
  });

  it('[DKA-72] is given too where the hub had searched before the customer asked for a person', async () => {
    hub = await openHub();
    const { threadId } = await hub.say(ANA, 'How long does a refund take?');
    const { ticketId } = await hub.say(ANA, 'I want to talk to a human now, please', threadId);
    expect((await hub.app.desk.suggest(ticketId)).text).toMatch(/^Hello Ana/);
  });

  it('[SHF-160] says nothing again that the customer was told before', async () => {
    hub = await openHub();
    const operator = { operatorId: 'op_nina', name: 'Nina' };
    const { desk } = hub.app;
    const charged = 'Fui cobrado duas vezes este mês e quero falar com uma pessoa, por favor';
    const { threadId, ticketId } = await hub.say('bruno.lima@example.com', charged);
    const first = await desk.suggest(ticketId);
    expect(first.citations).toHaveLength(1);
    expect(first.text).not.toContain('Obrigado');
    await desk.reply(ticketId, operator, first.text);
    await hub.say(
      'bruno.lima@example.com',
      'Olhei no aplicativo e aparecem duas cobranças de R$ 59,90. Não é pré-autorização!',
      threadId,
    );
    const second = await desk.suggest(ticketId);
    expect(second.text).not.toContain(first.text.split('\n\n')[1]);
    expect(second).toMatchObject({ citations: [], text: expect.stringContaining('Li tudo') });
  });

  it('[SHF-160] says nothing of what an investigation found once that was told and done', async () => {
    hub = await openHub();
    const carla = 'carla.mendes@example.com';
    const { threadId } = await hub.say(carla, 'Oi! Quero reservar uma peça mas não consigo');
    await hub.say(carla, 'sim', threadId);
    const { ticketId } = await hub.say(
      carla,
      'Obrigada! Dá pra falar com um atendente sobre acessibilidade? Uso cadeira de rodas',
      threadId,
    );
    expect((await hub.app.desk.suggest(ticketId)).text).not.toContain('pausada');
  });

  it('[SHF-160 SHF-176] asks nobody what they want whose request an operator has just decided', async () => {
    hub = await openHub();
    const joao = 'joao.cardoso@example.com';
    const { threadId } = await hub.say(joao, 'cancel my reservation res_042');
    const { pending } = await hub.say(joao, 'yes', threadId);
    const operator = { operatorId: 'op_rui', name: 'Rui' };
    await hub.app.desk.reject(pending?.id ?? '', operator, 'It is today.');
    const { ticketId } = await hub.say(joao, 'I want to talk to a manager now', threadId);
    // Nor is it about nothing because a person is asked for.
    expect((await hub.app.desk.show(ticketId)).classification?.issueType).toBe('reservation');
    expect((await hub.app.desk.suggest(ticketId)).text).toMatch(/looking into it now\.$/);
  });

  it('[SHF-184] quotes no neighbouring article for what none is about, and says that none is', async () => {
    hub = await openHub();
    for (const told of [
      'I want a person: the seat I got was behind a column',
      'human please. my name is wrong on the account',
      'quero um atendente: o ar condicionado do teatro estava quebrado',
      'atendente: o segurança foi grosseiro comigo na entrada',
      'a person please: the map in the app shows the wrong address of the theatre',
    ]) {
      const { ticketId } = await hub.say('bruno.lima@example.com', told);
      expect(await hub.app.desk.suggest(ticketId), told).toMatchObject({ citations: [], unanswered: true });
    }
  });

  it.each([
    ['person please: how do I pause my plan?', 'kb-pause-subscription-en'],
    ['I want a person: the screen stays white when I open my ticket', 'kb-app-crashes-en'],
    ['quero um atendente: perdi meu guarda-chuva no teatro', 'kb-lost-property-pt'],
    ['atendente: esqueci minha senha', 'kb-reset-password-pt'],
    ['human please. how long before the start may I cancel a reservation?', 'kb-cancel-reservation-en'],
    ['Fui cobrado duas vezes este mês, quero falar com uma pessoa', 'kb-duplicate-charge-pt'],
  ])(
    '[SHF-184] quotes what answers, whatever wish for a person stands before it: %s',
    async (told, article) => {
      hub = await openHub();
      const { ticketId } = await hub.say('bruno.lima@example.com', told);
      const { citations, unanswered } = await hub.app.desk.suggest(ticketId);
      expect([citations[0]?.articleId, unanswered]).toEqual([article, false]);
    },
  );

  it('[SHF-184] quotes nothing for what went wrong on a visit, however near an article is', async () => {
    hub = await openHub();
    for (const told of [
      'I want a person: the subtitles were in English',
      'quero um atendente: as legendas estavam em inglês',
      'human please: my QR code is blurry',
      'I want a person: my seat was taken by someone else',
      'atendente: o guia chegou atrasado uma hora',
    ]) {
      const { ticketId } = await hub.say('bruno.lima@example.com', told);
      expect(await hub.app.desk.suggest(ticketId), told).toMatchObject({ citations: [], unanswered: true });
    }
  });

  it.each([
    [
      'This is the third time I write about my refund and nobody helps me!',
      '"Giselle: A Night at the Ballet"',
    ],
    [
      'É a terceira vez que escrevo sobre o meu reembolso e ninguém ajuda!',
      '"Giselle: A Night at the Ballet"',
    ],
  ])('[SHF-192] asks by name about what the request may be of, not which it is: %s', async (told, name) => {
    hub = await openHub();
    const { ticketId } = await hub.say('rafaela.martins@example.com', told);
    const { text } = await hub.app.desk.suggest(ticketId);
    expect(text).toContain(name);
    expect(text).toMatch(/\?$/);
    expect(text).not.toMatch(/Which booking or charge|A qual reserva/);
  });

  it('[SHF-192] asks nobody which booking who has none, or whose case was looked into', async () => {
    hub = await openHub();
    hub.exec(
      'cultpass',
      "DELETE FROM refunds WHERE reservation_id IN (SELECT reservation_id FROM reservations WHERE user_id = 'usr_002')",
    );
    const none = await hub.say('rafaela.martins@example.com', 'I want a person: about the refund of Giselle');
    expect((await hub.app.desk.suggest(none.ticketId)).text).toMatch(/looking into it now\.$/);
    const ana = await hub.say(
      'ana.souza@example.com',
      'my QR code for the samba night did not work at the door',
    );
    await hub.say('ana.souza@example.com', 'I want to talk to a person about that', ana.threadId);
    expect((await hub.app.desk.suggest(ana.ticketId)).text).toMatch(/looking into it now\.$/);
  });

  it('[SHF-192] says nothing of an article against what was looked into and is told all the same', async () => {
    hub = await openHub();
    const { threadId } = await hub.say('ana.souza@example.com', 'I was charged twice this month');
    const { ticketId } = await hub.say(
      'ana.souza@example.com',
      'No, I see two charges of 119.90 on my statement',
      threadId,
    );
    await hub.say('ana.souza@example.com', 'a person please', threadId);
    const { text, citations } = await hub.app.desk.suggest(ticketId);
    expect([citations, text]).toEqual([[], expect.stringMatching(/looking into it now\.$/)]);
  });

  it('[SHF-192] quotes a list whole where one point of it answers', async () => {
    hub = await openHub();
    const said =
      'quero um atendente: cancelei a reserva faltando menos de 24 horas, tenho direito ao reembolso?';
    const { ticketId } = await hub.say('bruno.lima@example.com', said);
    const { text } = await hub.app.desk.suggest(ticketId);
    if (text.includes('Cancelada depois disso')) expect(text).toContain('Cancelada com pelo menos 24 horas');
    expect(text).not.toMatch(/\n\n(?:- )?(?:Cancelada depois disso|Cancelled later than that)/);
  });

  it('[SHF-184] says of no wish for a person alone that no article answers it', async () => {
    hub = await openHub();
    const { ticketId } = await hub.say('bruno.lima@example.com', 'quero falar com um atendente');
    expect(await hub.app.desk.suggest(ticketId)).toMatchObject({ citations: [], unanswered: false });
  });

  it('[DKA-73] promises nothing and claims nothing in any of its own words', () => {
    const session = { identity: { kind: 'anonymous' } } as Session;
    for (const language of TEXTS.languages) {
      const words = { texts: TEXTS.for(language), name: 'Ana', frustrated: true };
      const drafts = [
        lookDraft(words),
        waitDraft(words),
        ...CULTPASS.issueTypes.map(({ ask }) => askDraft(words, ask)),
      ];
      for (const draft of drafts) expect(reviewText(draft, [], session, ROSTER), draft).toBeNull();
    }
  });
});
