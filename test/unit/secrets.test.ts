import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maskText } from '../../src/adapters/telemetry/pino-log.js';
import { PlaceholderStream, SecretMask } from '../../src/core/secret-mask.js';
import { findSecrets } from '../../src/core/secrets.js';

const masked = (text: string): string => new SecretMask().mask(text);

describe('secrets in a text', () => {
  it.each([
    ['my card is 4111 1111 1111 1111, exp 12/28', 'my card is [card 1], exp 12/28'],
    ['4111-1111 11111111', '[card 1]'],
    ['order 55 5555.5555.5555.4444', 'order 55 [card 1]'],
    ['amex 3782 822463 10005', 'amex [card 1]'],
    ['cartão 6062 8256 1025 4001', 'cartão [card 1]'],
    ['CPF 529.982.247-25', 'CPF [CPF 1]'],
    ['meu cpf é 529 982 247 25', 'meu cpf é [CPF 1]'],
    ['529.982.24725 e 5 2 9 9 8 2 2 4 7 2 5', '[CPF 1] e [CPF 1]'],
    ['cpf: 123.456.789-00 (mistyped)', 'cpf: [CPF 1] (mistyped)'],
    ['12.345.678/0001-95 and 11222333000181', '[CNPJ 1] and [CNPJ 2]'],
    ['my password is hunter2', 'my password is [password 1]'],
    ['my CultPass password is sunflower, please', 'my CultPass password is [password 1], please'],
    ['minha senha é girassol', 'minha senha é [password 1]'],
    ['a senha do meu app é Lua#2024', 'a senha do meu app é [password 1]'],
    ['senha: abc', 'senha: [password 1]'],
    ['hunter22 is my password', '[password 1] is my password'],
    ['password "correct horse battery"', 'password "[password 1]"'],
    ['the code you sent me is 482913', 'the code you sent me is [code 1]'],
    ['código de verificação 482-913', 'código de verificação [code 1]'],
    ['o CVV é 123', 'o CVV é [code 1]'],
    ['Bearer abcdefghijkl1234', 'Bearer [key 1]'],
  ])('[ATK-08] %j leaves as %j', (text, safe) => expect(masked(text)).toBe(safe));

  it.each([
    'res_014 on 2026-06-10T18:00:00.000Z',
    'R$ 1.200,00 on 12/03/2026 14:30 and R$ 60.00 on 15/03/2026',
    '{"refund_cents":6000,"starts_at":"2026-03-14T23:00:00.000Z"}',
    'call me at +55 11 98765-4321 or (11) 98765-4321',
    'ana.souza@example.com',
    '1780000000000',
    '550e8400-e29b-41d4-a716-446655440000',
    'my password is wrong',
    'my password is not accepted, I forgot my password',
    'minha senha é inválida',
    'a senha está errada, minha senha e meu e-mail mudaram',
    'error code 50012, promo code 20262026, booking code 482913',
    'o código da reserva é 482913',
    'what is my password?',
  ])('[ATK-08] %j stays', (text) => expect(masked(text)).toBe(text));

  it('[ATK-08] come back as they were, also where the placeholder was cut in pieces', () => {
    const mask = new SecretMask();
    const safe = mask.mask('pay with 4111 1111 1111 1111, my password is "a\\"b2"');
    expect(mask.restore(safe)).toBe('pay with 4111 1111 1111 1111, my password is "a\\"b2"');
    expect(mask.show('your card [card 1] and [card 7]')).toBe('your card •••• 1111 and [card 7]');
    const text = 'Use [card 1], not [this], or [card 1';
    const cuts = fc.array(fc.nat(text.length), { maxLength: 6 });
    fc.assert(
      fc.property(cuts, (places) => {
        const stream = new PlaceholderStream((piece) => mask.restore(piece));
        const edges = [0, ...places.sort((a, b) => a - b), text.length];
        const out = edges.slice(1).map((end, index) => stream.push(text.slice(edges[index], end)));
        expect(out.join('') + stream.end()).toBe(mask.restore(text));
      }),
    );
  });

  it('are hidden wherever else they stand', () => {
    const mask = new SecretMask();
    mask.learn('my password is hunter2');
    expect(mask.mask('I typed hunter2 twice')).toBe('I typed [password 1] twice');
  });

  it.each(['1 ', '4111 ', 'password is ', 'code ', '9', 'senha: ', 'a', 'eyJ', '"', '[card ', 'cpf 1'])(
    '100 kB of %j are read',
    (unit) => {
      const text = `${unit.repeat(100_000 / unit.length)} is my password`;
      expect(() => findSecrets(text)).not.toThrow();
    },
  );
});

describe('a log', () => {
  it.each([
    ['key sk-proj-abc123def456', 'key [key]'],
    ['CPF 123.456.789-09', 'CPF [cpf]'],
    ['cpf 12345678909', 'cpf [cpf]'],
    ['12.345.678/0001-95', '[cnpj]'],
    ['card 4111 1111 1111 1111', 'card [card]'],
    ['+55 (11) 98765-4321', '[phone]'],
    ['senha: hunter2', 'senha: [secret]'],
    ['my password is hunter2', 'my password is [secret]'],
    ['mail ana@example.com', 'mail [email]'],
  ])('"%s" becomes "%s"', (text, safe) => expect(maskText(text)).toBe(safe));
});
