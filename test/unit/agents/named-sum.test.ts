import { expect, it } from 'vitest';
import { sumPointedAt } from '../../../agents/action/offline-numbers.js';

const record = (id: string, minorUnits: number) => ({
  ...{ id, title: id, place: null, startsAt: null, status: '', upcoming: true },
  amount: { minorUnits, currency: 'EUR' },
});
const twenty = record('twenty', 2000);
const inEuros = (minorUnits: number): string => `${(minorUnits / 100).toFixed(2).replace('.', ',')} €`;
const meant = (lastReply: string, records = [twenty]) =>
  sumPointedAt(
    { texts: { for: () => ({ money: inEuros }) } } as never,
    { session: { lastReply, language: 'en' }, task: { text: 'then refund that money' } } as never,
    records as never,
  );

it('[DLG-107] an amount is the one that was named, and no end of a larger one', () => {
  expect(meant('Your last charge was 20,00 €.')).toMatchObject({ id: 'twenty' });
  expect(meant('Your last charge was 120,00 €.')).toMatchObject({ id: null });
});

it('[DLG-107] is not guessed at where several amounts were named', () => {
  expect(meant('- 20,00 € for the boat\n- 35,00 € for the tent')).toBeNull();
});

it('[DLG-408] a sum to the cent is of nothing that cost another one, and a day or an hour is no sum', () => {
  const asked = (text: string) =>
    sumPointedAt(
      { texts: { for: () => ({ money: inEuros }) } } as never,
      { session: { lastReply: '', language: 'en' }, task: { text } } as never,
      [twenty] as never,
      true,
    );
  for (const text of ['give me my 59.90, please', 'devolve 59,90', 'I want €12.00 back', 'R$ 15,30 de volta'])
    expect(asked(text), text).toMatchObject({ id: null });
  for (const text of ['cancel the one on 14.03', 'the one at 19.30', '1.000,00 back', 'my 20,00 euros back'])
    expect(asked(text), text).toBeNull();
});
