import { describe, expect, it } from 'vitest';
import { withLabels, withNames } from '../../../src/surfaces/web/desk/lib/macro-places.js';
import en from '../../../src/surfaces/web/desk/texts/en.json' with { type: 'json' };
import es from '../../../src/surfaces/web/desk/texts/es.json' with { type: 'json' };
import pt from '../../../src/surfaces/web/desk/texts/pt-BR.json' with { type: 'json' };

describe('places of a macro', () => {
  it('[SHF-181] read as people call them and are stored by their names, in every language', () => {
    const stored = 'Hi {customer.first_name}, {operator.name} of {company.name} here. {nope}';
    for (const { macros } of [en, pt, es]) {
      const shown = withLabels(stored, macros.places);
      expect(shown).not.toMatch(/customer\.|operator\.|company\./);
      expect(withNames(shown, macros.places)).toBe(stored);
      expect(withNames(shown.toUpperCase(), macros.places)).toContain('{customer.first_name}');
      // Two places of one name could not be told apart.
      expect(new Set(Object.values(macros.places)).size).toBe(5);
    }
  });

  it('[SHF-181] may be written by their names and with two braces as well', () => {
    const { places } = pt.macros;
    expect(withLabels('{{ customer.name }}', places)).toBe('{nome do cliente}');
    expect(withNames('{{customer.name}} {{ Nome do cliente }} { seu nome }', places)).toBe(
      '{{customer.name}} {customer.name} {operator.name}',
    );
  });
});
