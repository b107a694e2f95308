import { describe, expect, it } from 'vitest';
import { slotsLike } from './cultpass.js';

const { readCorrection } = slotsLike({ languages: ['en', 'pt-BR', 'es'] });

describe('what a message takes back itself', () => {
  it.each([
    ['Drop the jazz, hold on, no, the ballet', 'the ballet'],
    ['the jazz evening, nope, the ballet one', 'the ballet one'],
    ['yes. wait no, not this one, the ballet one', 'the ballet one'],
    ['remove the jazz... hmm no, sorry, the ballet', 'the ballet'],
    ['a primeira, opa, não, a terceira', 'a terceira'],
    ['Tira o jazz... não, pera, o balé', 'o balé'],
    ['sim. ih, essa não, a do balé', 'a do balé'],
    ['el jazz, no, espera, el ballet', 'el ballet'],
    ['the jazz, wait, the ballet', 'the ballet'],
  ])('[DLG-85] %s: %s', (text, after) => {
    expect(readCorrection(text)?.after).toBe(after);
  });

  it.each([
    'Hi, no problem at all, how many visits are left?',
    'quero encerrar para não pagar mais',
    'a lista de espera não abre no celular',
    'I asked twice, no answer came',
    'drop the jazz, wait, how much would I get back for that?',
    'drop the jazz. no, wait',
    'Perdi a sessão, não quero reembolso',
    'errei a senha cinco vezes',
    'sí, me equivoqué de talla',
  ])('[DLG-85] nothing in "%s"', (text) => {
    expect(readCorrection(text)).toBeNull();
  });
});
