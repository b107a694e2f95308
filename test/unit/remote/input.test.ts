import { describe, expect, it } from 'vitest';
import { maskText } from '../../../src/adapters/telemetry/pino-log.js';
import type { JsonObject } from '../../../src/core/domain/json.js';
import { minimalGoal } from '../../../src/runtime/remote/choose-agent.js';
import { fillInput, isFromRequest, type RemoteGoal } from '../../../src/runtime/remote/fill-input.js';
import { remoteSkill } from '../../support/scripted-remote.js';

const goal = (text: string, over: Partial<RemoteGoal> = {}): RemoteGoal => ({
  text,
  language: null,
  customerName: null,
  ...over,
});

const skill = (properties: JsonObject, required: readonly string[] = []) =>
  remoteSkill({ id: 's' }, { type: 'object', properties, required: [...required] });

const text = { type: 'string' };

describe('the input of a skill, by rules', () => {
  it.each([
    ['the request as words', { query: text }, ['query'], 'Where to park?', { query: 'Where to park?' }],
    ['a place', { place: text }, ['place'], 'Where can I park near MASP?', { place: 'MASP' }],
    [
      'a place of several words',
      { location: text },
      ['location'],
      'Onde estacionar perto do Theatro Municipal do Rio?',
      { location: 'Theatro Municipal do Rio' },
    ],
    [
      'a date',
      { date: text, q: text },
      ['date'],
      'parking on 2026-03-20',
      { date: '2026-03-20', q: 'parking on 2026-03-20' },
    ],
    [
      'one of a list',
      { kind: { ...text, enum: ['car', 'bike'] } },
      ['kind'],
      'parking for a bike',
      { kind: 'bike' },
    ],
    ['nothing needed', {}, [], 'opening hours', {}],
  ] as const)('[ORC-05] %s', (_what, properties, required, words, input) => {
    expect(fillInput(skill(properties as unknown as JsonObject, required), goal(words))).toEqual(input);
  });

  it.each([
    ['two places', { place: text }, ['place'], 'from near MASP, in Recife'],
    ['a place that is not named', { place: text }, ['place'], 'where can I park?'],
    ['a number', { hours: { type: 'integer' } }, ['hours'], 'for 3 hours'],
    ['several of a list', { kind: { ...text, enum: ['car', 'bike'] } }, ['kind'], 'a car or a bike'],
    ['a language that may not be told', { query: text, language: text }, ['language'], 'parking'],
    ['a name that may not be told', { query: text, customer_name: text }, ['customer_name'], 'parking'],
    ['too long a request', { query: { ...text, maxLength: 5 } }, ['query'], 'where can I park?'],
    [
      'a pattern of strangers',
      { query: { ...text, pattern: '(a+)+$' } },
      ['query'],
      'aaaaaaaaaaaaaaaaaaaaaaaa!',
    ],
    ['nested input', { where: { type: 'object', properties: { query: text } } }, ['where'], 'parking'],
    ['only what is not the request', { language: text }, [], 'parking'],
    ['a required field that no schema has', { query: text }, ['query', 'token'], 'parking'],
  ] as const)('[ORC-05] is left alone for %s', (_what, properties, required, words) => {
    expect(fillInput(skill(properties as unknown as JsonObject, required), goal(words))).toBeNull();
  });

  it('[ORC-06] takes language and name where they may be told, and the name only where it is needed', () => {
    const told = goal('parking', { language: 'pt-BR', customerName: 'Ana Souza' });
    const fields = { query: text, lang: { ...text, enum: ['en', 'pt'] }, customer_name: text };
    expect(fillInput(skill(fields, ['query', 'customer_name']), told)).toEqual({
      query: 'parking',
      lang: 'pt',
      customer_name: 'Ana Souza',
    });
    expect(fillInput(skill(fields, ['query']), told)).toEqual({ query: 'parking', lang: 'pt' });
  });

  it('survives schemas that are none', () => {
    for (const schema of [
      {},
      { properties: 3 },
      { properties: [] },
      { properties: { query: null } },
      { required: 'x' },
    ]) {
      const odd = remoteSkill({ id: 's' }, schema as unknown as JsonObject);
      expect(() => fillInput(odd, goal('parking'))).not.toThrow();
    }
  });
});

describe('input that a model has read', () => {
  const spot = skill({ place: text, hours: { type: 'integer' }, kind: { ...text, enum: ['car', 'bike'] } });
  const asked = goal('Park my bike near MASP for 3 hours');
  it.each([
    [{ place: 'MASP', hours: 3, kind: 'bike' }, true],
    [{ place: 'masp' }, true],
    [{ kind: 'car' }, true],
    [{ place: 'Ibirapuera' }, false],
    [{ hours: 30 }, false],
    [{ place: 'MASP', note: 'the customer is Ana Souza' }, false],
    [{ place: { name: 'Paulista' } }, false],
    [{ flag: true }, false],
    [{}, false],
  ])('[ORC-07] %j: %s', (input, fine) => {
    expect(isFromRequest(input as JsonObject, asked, spot)).toBe(fine);
  });
});

describe('what another agent gets to know', () => {
  const customer = { kind: 'customer', customerId: 'usr_001', email: 'ana.souza@example.com' } as const;
  const session = { language: 'en', customerName: 'Ana Souza', identity: customer } as const;
  const told = (words: string, share: readonly ('language' | 'customer_name')[] = []) =>
    minimalGoal(words, { share }, session, maskText);

  it.each([
    ['write to ana.souza@example.com about parking', 'write to [email] about parking'],
    ['my CPF is 123.456.789-09, parking?', 'my CPF is [cpf], parking?'],
    ['call +55 11 98765-4321', 'call [phone]'],
    ['card 4111 1111 1111 1111', 'card [card]'],
    ['parking for res_001 and tkt_7k3m9q2x4v6t1c8e', 'parking for [id] and [id]'],
    ['I am Ana Souza, where do I park?', 'I am [name], where do I park?'],
    ["I'm Ana and I need parking", "I'm [name] and I need parking"],
    ['me chamo Ana, onde estaciono?', 'me chamo [name], onde estaciono?'],
    ['my password=hunter2secret', 'my password=[secret]'],
    ['the show of Souza Lima', 'the show of Souza Lima'],
  ])('[ORC-06] %s', (words, sent) => {
    expect(told(words).text).toBe(sent);
  });

  it('[ORC-06] adds language and name only where the configuration says so', () => {
    expect(told('parking')).toEqual({ text: 'parking', language: null, customerName: null });
    expect(told('I am Ana Souza', ['customer_name', 'language'])).toEqual({
      text: 'I am Ana Souza',
      language: 'en',
      customerName: 'Ana Souza',
    });
  });

  it.each([
    ['ana.souza@example.com', 'ana.souza'],
    ['4111 1111 1111 1111', '4111 1111'],
    ['Ana Souza', 'Ana'],
  ])('[ORC-06] does not get the half of what is taken out, where the request is cut: %s', (secret, half) => {
    const before = 'parking '.repeat(300);
    for (let at = 2_000 - secret.length; at <= 2_000; at += 1)
      expect(told(`${before.slice(0, at - 1)} ${secret} please`).text).not.toContain(half);
  });

  it('has an end', () => {
    expect(told('parking '.repeat(5_000)).text.length).toBeLessThanOrEqual(2_000);
  });
});
