import { describe, expect, it } from 'vitest';
import { createPassingOnReader } from '../../../src/nlu/passing-on.js';

const reader = createPassingOnReader(['en', 'pt-BR', 'es']);

const PASSED: readonly (readonly [said: string, own: string | null])[] = [
  ['Would you ask your colleagues whether the hall has a lift?', 'whether the hall has a lift?'],
  ['please check with your team if I can get in with a passport', 'if I can get in with a passport'],
  ['Could you report this to your developers?', null],
  ['Please forward them to your sales team.', null],
  ['well, then pass it on', null],
  ['Could someone look into it for me?', null],
  ['Please raise it with the people responsible', null],
  ['pergunte, por favor, à sua equipa se aceitam passaporte', 'se aceitam passaporte'],
  [
    'dá pra vc perguntar pro pessoal aí se pode entrar com cadeira de rodas?',
    'se pode entrar com cadeira de rodas?',
  ],
  ['pode encaminhar pro time de vocês?', null],
  ['então pergunta lá pra equipe', null],
  ['alguém pode verificar isso pra mim?', null],
  ['pregunta a tu equipo si aceptan tarjetas de fuera', 'si aceptan tarjetas de fuera'],
];

const NOT_PASSED = [
  'How do I ask the team?',
  'I already asked your team and they said no',
  'Can you send my ticket to somebody else?',
  'Can I pass my booking on to a friend?',
  'Can you tell me if someone else can use my visit?',
  'No need to ask your team',
  'Will someone check my ID at the door?',
  'Can anyone see my reviews?',
  'I want to talk to a person',
  'My friend asked me to pass it on to her',
  'posso passar meu ingresso pra alguém?',
  'a equipe da sala vai perguntar meu nome?',
  'não precisa perguntar pra equipe',
  'quero mandar um presente pra uma pessoa',
  'quero falar com uma pessoa',
  'manda o código pro meu e-mail',
  'alguém pode ir no meu lugar?',
];

describe('what people of the company are asked through the hub', () => {
  it.each(PASSED)('[DLG-370] is heard with what is to be asked: %s', (said, own) => {
    expect(reader.readPassedOn(said, false)).toMatchObject({ own });
  });

  it.each(NOT_PASSED)('[DLG-371] is not heard where something else is said: %s', (said) => {
    expect(reader.readPassedOn(said, false)).toBeNull();
  });

  it('[DLG-370] is taken up by a yes where it was offered, with what is asked beside it', () => {
    expect(reader.readPassedOn('yes please. do you have shows in Rio?', true)?.after).toEqual([
      'do you have shows in Rio?',
    ]);
    for (const yes of ['please do', 'sim, por favor', 'quero sim', 'pode perguntar'])
      expect(reader.readPassedOn(yes, true), yes).not.toBeNull();
    for (const no of ['ok thanks', 'tá bom, obrigada', 'no', 'how much is it?'])
      expect(reader.readPassedOn(no, true), no).toBeNull();
    expect(reader.readPassedOn('yes please', false)).toBeNull();
  });

  it('[DLG-372] is called off, asked after and added to in many words, and not by what only sounds like it', () => {
    for (const off of [
      'You do not need to send it to anybody.',
      'please don’t bother your team with it'.replace('’', "'"),
      'you can close the ticket',
      'pode cancelar lá com a equipe',
      'já não precisa mais, obrigada',
    ])
      expect(reader.callsOffTeam(off), off).toBe(true);
    for (const other of [
      'cancel my booking for Friday',
      'I do not need a ticket',
      'não preciso mais da reserva',
    ])
      expect(reader.callsOffTeam(other), other).toBe(false);
    expect(reader.asksAfterTeam('Did anybody send this to your people yet?')).toBe('whether');
    expect(reader.asksAfterTeam('By when will I hear from your colleagues?')).toBe('when');
    expect(reader.asksAfterTeam('que horas a equipe responde?')).toBe('when');
    for (const other of [
      'when does the show start?',
      'did you send my ticket?',
      'quando meu dinheiro volta?',
    ])
      expect(reader.asksAfterTeam(other), other).toBeNull();
    expect(reader.addsForTeam('the man had a grey beard, can you add that?')).toBe(true);
    expect(reader.addsForTeam('can you add my friend to the booking?')).toBe(false);
    expect(reader.saysSolved('number 4 did the trick, thanks')).toBe(true);
    expect(reader.saysSolved('it never worked')).toBe(false);
  });
});
