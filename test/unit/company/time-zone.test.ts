import { expect, it } from 'vitest';
import { loadCompany } from '../../../src/company/company.js';

const CULTPASS = new URL('../../../companies/cultpass', import.meta.url).pathname;

it('[SHF-170] a time zone that a setting names is called by its own name, not by that of the company', () => {
  const own = loadCompany(CULTPASS).profile.timeZoneName;
  expect(own).toEqual({ en: 'Brasília time', 'pt-BR': 'horário de Brasília' });
  expect(loadCompany(CULTPASS, { timeZone: 'America/Sao_Paulo' }).profile.timeZoneName).toEqual(own);
  const { timeZone, timeZoneName } = loadCompany(CULTPASS, { timeZone: 'America/Noronha' }).profile;
  expect(timeZone).toBe('America/Noronha');
  expect(timeZoneName).toEqual({
    en: expect.stringContaining('Noronha'),
    'pt-BR': expect.stringContaining('Noronha'),
  });
});
