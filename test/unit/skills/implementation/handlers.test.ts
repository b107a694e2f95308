import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/core/domain/json.js';
import { handlerOf } from '../../../../src/skills/handlers/index.js';
import { createFixedClock } from '../../../support/fixed-clock.js';
import { createRecordingLog } from '../../../support/recording-log.js';

const run = (name: string, input: JsonObject) => {
  const handler = handlerOf(name);
  if (handler === undefined) throw new Error(`there is no ${name}`);
  const { signal } = new AbortController();
  return handler(input, { signal, clock: createFixedClock(), log: createRecordingLog(), currency: 'BRL' });
};

describe('[SKI-01] the functions that skills may name', () => {
  it.each([
    [{ amount_cents: 123456 }, 'R$ 1,234.56'],
    [{ amount_cents: 123456, language: 'pt-BR' }, 'R$ 1.234,56'],
    [{ amount_cents: -50, currency: 'usd' }, '-$0.50'],
  ])('[SKI-01] write an amount of money: %o', async (input, text) => {
    expect(await run('format_money', input)).toEqual({ text });
  });

  it.each([
    ['format_money', { amount_cents: 1, currency: 'money' }],
    ['format_money', { amount_cents: '1' }],
    ['business_hours_between', { from: 'yesterday' }],
    ['business_hours_between', { from: '2020-01-01', to: '2026-01-01' }],
    ['business_hours_between', { from: '2026-03-11', time_zone: 'Nowhere' }],
    ['closest_match', { text: 'a', candidates: [1] }],
    ['email_tone', {}],
  ])('[SKB-03] say what they cannot use: %s %o', async (name, input) => {
    await expect(run(name, input)).rejects.toMatchObject({ code: 'input_invalid' });
  });

  it('[SKI-01] find the name that was meant', async () => {
    const candidates = ['Museu do Amanhã', 'Pinacoteca', 'MASP'];
    expect(await run('closest_match', { text: 'museu do amanha', candidates })).toMatchObject({
      match: 'Museu do Amanhã',
      similarity: 1,
    });
    expect(await run('closest_match', { text: 'pinacoteka', candidates })).toMatchObject({
      match: 'Pinacoteca',
    });
    expect(await run('closest_match', { text: 'zoo', candidates })).toMatchObject({ match: null });
    expect(await run('closest_match', { text: 'zoo', candidates: [] })).toEqual({
      match: null,
      similarity: 0,
      ranked: [],
    });
  });

  it('[SKI-01] count working time where it is worked', async () => {
    const between = (from: string, to: string, more: JsonObject = {}) =>
      run('business_hours_between', { from, to, ...more });
    // From Friday 17:00 to Monday 10:00 in São Paulo.
    expect(await between('2026-03-13T20:00:00Z', '2026-03-16T13:00:00Z')).toEqual({ minutes: 120, hours: 2 });
    expect(await between('2026-03-11T15:07:00Z', '2026-03-11T15:20:00Z')).toEqual({
      minutes: 13,
      hours: 0.22,
    });
    expect(await between('2026-03-11T15:00:00Z', '2026-03-10T15:00:00Z')).toEqual({ minutes: 0, hours: 0 });
    expect(
      await between('2026-03-11T00:00:00Z', '2026-03-12T00:00:00Z', {
        time_zone: 'UTC',
        opens: 8,
        closes: 16.5,
      }),
    ).toEqual({
      minutes: 510,
      hours: 8.5,
    });
    expect(await run('business_hours_between', { from: '2026-03-11T14:00:00Z' })).toEqual({
      minutes: 60,
      hours: 1,
    });
  });

  it.each([
    ['This is unacceptable, I want to talk to a lawyer!!', 'angry'],
    ['THIS IS NOT WORKING and nobody cares', 'angry'],
    ['Ainda não recebi resposta, estou decepcionada', 'frustrated'],
    ['Thank you so much, it was wonderful', 'warm'],
    ['The event begins at eight.', 'neutral'],
  ])('[SKI-01] hear the tone of a letter: %s', async (text, tone) => {
    expect(await run('email_tone', { text })).toMatchObject({ tone });
  });

  it('[SKI-01] hear how formal and how urgent a letter is', async () => {
    expect(
      await run('email_tone', { text: 'Prezados senhores, preciso disto hoje, é urgente. Atenciosamente' }),
    ).toMatchObject({
      formality: 'formal',
      urgency: 0.8,
    });
    expect(await run('email_tone', { text: 'oi, blz?' })).toMatchObject({ formality: 'casual', urgency: 0 });
  });

  it.each([
    [{ subject: 'Charged twice', body: 'There is a problem, I want a refund.' }, 'complaint', true],
    [{ body: 'Gostaria de alterar meu e-mail, poderiam me ajudar' }, 'request', true],
    [{ body: 'How much is the premium plan?' }, 'question', true],
    [{ body: 'Special offer! How about it? Unsubscribe here: view in browser' }, 'newsletter', false],
    [{ body: 'Muito obrigada' }, 'thanks', false],
    [{ body: 'xyz' }, 'other', true],
  ])('[SKI-01] tell what a letter is: %o', async (input, category, needs_reply) => {
    expect(await run('email_category', input)).toMatchObject({ category, needs_reply });
  });
});
