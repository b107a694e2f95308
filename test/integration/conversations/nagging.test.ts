import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Hub, openHub } from '../../support/hub.js';

let hub: Hub;
beforeAll(async () => {
  hub = await openHub();
});
afterAll(() => hub.close());

describe('a customer who waits for the team and asks again', () => {
  it.each([
    ['elisa.rocha@example.com', 'Is anybody there? I have a concert on Thursday!'],
    ['bruno.lima@example.com', 'Tem alguém aí? Tenho um show na quinta!'],
  ])('[SHF-162] is told who has the request, whatever is said beside it (%s)', async (who, text) => {
    const { ticketId, threadId } = await hub.say(who, 'Quero falar com uma pessoa sobre a minha conta');
    const nagged = await hub.say(who, text, threadId);
    expect(nagged.reply).toMatch(/with our team|com a nossa equipe/);
    expect(nagged.reply).not.toContain('- ');
    expect(ticketId).toBeTruthy();
  });

  it.each([
    [
      'ana.souza@example.com',
      'I would like to cancel Elis: The Musical',
      'Did you decide already? I need to know today',
    ],
    ['joao.cardoso@example.com', 'quero cancelar a reserva res_042', 'Já decidiram? Preciso saber hoje'],
  ])('[SHF-162] is told that nothing is decided yet (%s)', async (who, wish, text) => {
    const { threadId } = await hub.say(who, wish);
    const asked = await hub.say(who, 'yes', threadId);
    expect(asked.pending?.kind).toBe('approval');
    const nagged = await hub.say(who, text, threadId);
    expect(nagged.reply).toMatch(/Elis: The Musical|Museum of Tomorrow/);
    expect(nagged.reply).toMatch(/team|equipe/);
  });

  it('[SHF-162] is heard where something else is ordered beside it', async () => {
    const who = 'gabriela.nunes@example.com';
    const { threadId } = await hub.say(who, 'I want to talk to a person about my invoice');
    const ordered = await hub.say(who, 'Is anybody there? Please pause my subscription', threadId);
    expect(ordered.pending?.tool).toContain('subscription');
  });
});
