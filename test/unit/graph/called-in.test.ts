import { describe, expect, it } from 'vitest';
import { calledIn } from '../../../src/graph/called-in.js';
import { createNlu } from '../../../src/nlu/index.js';
import { CULTPASS_NLU } from '../../support/company.js';

const { slots } = await createNlu(CULTPASS_NLU);
const deps = {
  language: { isCalled: slots.isCalled },
  dialogue: { read: () => null },
} as unknown as Parameters<typeof calledIn>[0]['deps'];
const record = (id: string, entity: string) => ({ id, entity }) as Parameters<typeof calledIn>[1][number];
const RECORDS = [record('res_001', 'reservation'), record('exp_001', 'experience')];
const named = (text: string) => calledIn({ deps, text }, RECORDS).map(({ id }) => id);

describe('records of several kinds with like names', () => {
  it('[BYO-70] are those that the message says the word for, and any where it says none', () => {
    expect(named('when is my booking for the samba?')).toEqual(['res_001']);
    expect(named('quando é a minha reserva do samba?')).toEqual(['res_001']);
    expect(named('when is the samba?')).toEqual(['res_001', 'exp_001']);
  });
});
