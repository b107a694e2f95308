import { expect, it } from 'vitest';
import { loadCompany } from '../../../src/company/company.js';

const SHOP = new URL('../../../companies/shop', import.meta.url).pathname;

it('[BYO-04] learns how a company’s things are asked for by their kinds, in each form of the verb, and what its articles say', () => {
  const { sentences } = loadCompany(SHOP).nlu;
  const intentOf = (text: string) => sentences.find((one) => one.text === text)?.intent;
  expect(intentOf('where is my rug')).toBe('get_orders');
  expect(intentOf('cancela minha poltrona por favor')).toBe('cancel_order');
  expect(intentOf('cancelen el sillon')).toBe('cancel_order');
  expect(intentOf('A gift card is worth what is printed on it and never expires.')).toBe('ask_company');
});
