import { rmSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { loadCompany } from '../../../src/company/company.js';
import { companyLike } from '../../support/company.js';
import { slotsLike } from '../../unit/nlu-slots/cultpass.js';

const FILE = 'entities/reservation.yaml';

let folder: string | null = null;
afterEach(() => {
  if (folder) rmSync(folder, { recursive: true, force: true });
  folder = null;
});

describe('entities', () => {
  it('[COMP-04] of a company give the ids that are found in a message, and no other company’s', () => {
    folder = companyLike({
      [FILE]: (text) =>
        text
          .replace('[res, rsv, resv, rsvn, rez, reso]', '[ord, pedido]')
          .replace('letter: r\n  digits: 3', 'digits: 5')
          .replace('[reservation, booking]', '[order]'),
    });
    const ids = slotsLike({ entities: loadCompany(folder).nlu.entities }).ids;
    expect(ids.find('cancel ORD-42 and order no. 00077, please')).toEqual(['ord_00042', 'ord_00077']);
    expect(ids.find('cancel res_014 and booking 123, R014')).toEqual([]);
    expect(slotsLike({ entities: [] }).ids.find('cancel res_014, #014')).toEqual([]);
  });

  it.each([
    [
      'another id than the file',
      (text: string) => text.replace('id: reservation', 'id: order'),
      /the name of the file/,
    ],
    ['a pattern for a prefix', (text: string) => text.replace('[res,', '["r.*",'), /ids\.prefixes\.0/],
    [
      'no noun in a language',
      (text: string) => text.replace('pt-BR: [reserva]', 'pt-BR: []'),
      /nouns\.pt-BR/,
    ],
    [
      'a pattern that repeats without end',
      (text: string) => text.replace("'what time',", "'what .*time',"),
      /asked\.en\.\d+: must be a regular expression without `\*`.*such as `\.\{0,20\}`/,
    ],
    [
      'a pattern with accents, which no message would ever match',
      (text: string) => text.replace("'horario', 'a data'", "'horário', 'a data'"),
      /asked\.pt-BR\.\d+: must be .* lower case without accents/,
    ],
  ])('[COMP-04] are refused with %s, in one line', (_what, edit, message) => {
    folder = companyLike({ [FILE]: edit });
    const company = folder;
    expect(() => loadCompany(company)).toThrow(message);
  });
});
