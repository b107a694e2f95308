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
