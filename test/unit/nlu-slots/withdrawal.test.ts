import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { namedAmong, readRequestAct, speaksOf } from './cultpass.js';

/** What takes back a request that is open, direct and indirect; the forms were not all known when the rules were written. */
const TAKES_BACK = `actually, don't cancel it
I changed my mind, keep my booking
stop, please don't
please disregard my request
never mind, leave it as it is
I no longer want to cancel
withdraw my request
cancel the cancellation
I've decided to go after all
turns out I can attend
on second thought let's keep the tickets
I want the ticket after all
no need to cancel any more
I take it back
esquece
deixa pra lá
não quero mais cancelar
mudei de ideia, quero manter a reserva
pensando bem, vou sim
resolvi ir mesmo assim
pode desconsiderar o pedido
cancela o cancelamento
nao cancelem por favor
desisti de cancelar
volta atrás, por favor
na verdade eu vou conseguir ir
não é mais necessário cancelar
foi engano, não era pra cancelar`.split('\n');

/** What only looks like it. */
const LEAVES_IT = `I changed my mind about the other one, cancel that too
why don't you cancel it already?
you haven't cancelled it yet
I can't cancel in the app
don't forget to cancel it
I don't want to keep it
keep me posted
what happens if I change my mind?
stop charging me
don't worry
I can't go
não consigo cancelar pelo app
não quero ficar com ela
não posso ir
não demora, por favor
quero ir em outro show
o botão de reservar não faz nada`.split('\n');

describe('readRequestAct', () => {
  it.each(TAKES_BACK)('[ATK-01] "%s" takes it back', (text) => {
    expect(readRequestAct(text).kind).toBe('withdraw');
  });

  it.each(LEAVES_IT)('[ATK-01] "%s" does not', (text) => {
    expect(readRequestAct(text).kind).not.toBe('withdraw');
  });

  it.each([
    'no',
    'não',
    'wait',
    'hold on',
    'espera',
    'não quero mais',
    'is it possible to stop the cancellation?',
  ])('[ATK-01] "%s" has to be asked about', (text) => expect(readRequestAct(text).kind).toBe('unclear'));

  it.each([
    'any news about my cancellation?',
    'já foi cancelado?',
    'alguma novidade?',
    'quanto vou receber de volta?',
    'was it requested?',
    'foi pedido mesmo?',
  ])('[ATK-01] "%s" asks what became of it', (text) => expect(readRequestAct(text).kind).toBe('status'));

  it('[ATK-01] takes hardly anything back that customers say about other things', () => {
    const all = ['en', 'pt'].flatMap((language) =>
      readFileSync(
        new URL(`../../../companies/cultpass/intents/utterances.${language}.jsonl`, import.meta.url),
        'utf8',
      )
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { readonly text: string; readonly intent: string }),
    );
    const others = all.filter(({ intent }) => intent !== 'deny' && intent !== 'withdraw_subscription');
    const wrong = others.filter(({ text }) => readRequestAct(text).kind === 'withdraw');
    expect(others.length).toBeGreaterThan(5_000);
    expect(wrong.length / others.length).toBeLessThan(0.0085);
  });

  it('[ATK-01] names what is not wanted, and which of the bookings is meant', () => {
    expect(readRequestAct("please don't refund it").actions).toEqual(['refund']);
    expect(readRequestAct('não pausa a assinatura').actions).toEqual(['pause']);
    const choices = [
      { id: 'a', title: 'Candlelight Strings', startsAt: '2026-03-11T22:00:00Z' },
      { id: 'b', title: 'Samba Night at Pedra do Sal', startsAt: '2026-03-14T20:00:00Z' },
    ];
    const now = new Date('2026-03-11T12:00:00Z');
    expect(namedAmong("don't cancel the samba night", choices, now)).toEqual(['b']);
    expect(namedAmong('mantém a reserva do candlelight', choices, now)).toEqual(['a']);
    expect(namedAmong('the second one', choices, now)).toEqual(['b']);
    expect(namedAmong("don't cancel it", choices, now)).toBeNull();
    expect(namedAmong('no, keep both', choices, now)).toEqual(['a', 'b']);
    expect(namedAmong('can you please cancel all the bookings that I have', choices, now)).toEqual([
      'a',
      'b',
    ]);
    expect(speaksOf('when does the money come?', 'cancel')).toBe(true);
    expect(speaksOf('how do I change my e-mail?', 'cancel')).toBe(false);
  });

  it.each([
    "I'd like to know what happens to all my info if I delete the account",
    'preciso trocar o cartão porque venceu, e quero receber tudo por whats',
    'how do I change my e-mail on every device that I own?',
  ])('[DLG-419] "%s" names none of the bookings', (text) => {
    const choices = [
      { id: 'a', title: 'Candlelight Strings', startsAt: '2026-03-11T22:00:00Z' },
      { id: 'b', title: 'Samba Night at Pedra do Sal', startsAt: '2026-03-14T20:00:00Z' },
    ];
    expect(namedAmong(text, choices, new Date('2026-03-11T12:00:00Z'))).toBeNull();
  });
});
