import { describe, expect, it } from 'vitest';
import { createTeamReader } from '../../../src/nlu/team.js';

const { isForTeam, withoutPersonWish } = createTeamReader(['en', 'pt-BR', 'es']);

describe('wishes that people look at something', () => {
  it.each([
    'could you get your team to take another look at the block',
    'please forward my case to whoever handles disputes',
    "I'd like to request a review of the charge",
    'I want to file a complaint, the seats were filthy and nobody cleaned',
    'meu irmão abriu a disputa sem querer, encaminha pro time reavaliar por favor',
    'dá pra alguém da equipe olhar meu caso?',
    'gostaria de pedir uma nova análise do meu caso',
    'quero registrar uma reclamação: o banheiro estava imundo e ninguém limpou',
    'the ramp you advertised was not there and I waited outside in my chair. I want an apology.',
    'I want a review of the block, my bank disputed it by mistake',
    'ontem a intérprete não apareceu e não entendi nada. Quero reclamar.',
    'então registra a reclamação do som, que estava horrível',
    'eu quero a revisão, foi minha filha que contestou sem querer',
    'nadie nos recibió y perdimos la función. Quiero una disculpa.',
    'por favor pasa mi caso al equipo para que lo revisen',
    'quiero pedir una revisión del bloqueo',
  ])('[DLG-75] %s', (text) => {
    expect(isForTeam(text)).toBe(true);
  });

  it.each([
    'how does your team review a block?',
    'how can I ask for a review of my account?',
    "please don't send it to your team",
    'can you send the QR code to my friend?',
    'I have a friend in the team who checks tickets',
    'I want to make a complaint',
    "I'd like to leave a review of the exhibition I saw last week",
    'quero reclamar do som',
    'como faço pra pedir a revisão?',
    'não precisa mandar pra equipe',
    'passa minha reserva para uma pessoa da família',
    '¿cómo pido una revisión?',
  ])('[DLG-75] %s: none', (text) => {
    expect(isForTeam(text)).toBe(false);
  });
});

describe('the wish for a person', () => {
  it.each([
    ['I want to talk to a human now, please', ', please'],
    ['Could I speak with someone? My ticket is gone', '? My ticket is gone'],
    ['Fui cobrado duas vezes e quero falar com uma pessoa', 'Fui cobrado duas vezes e'],
    ['Dá pra falar com um atendente sobre acessibilidade?', 'sobre acessibilidade?'],
    ['Quiero hablar con una persona sobre mi reembolso', 'sobre mi reembolso'],
    ['How long does a refund take?', 'How long does a refund take?'],
  ])('[SHF-174] is left out of what is looked up: %s', (text, rest) => {
    expect(withoutPersonWish(text)).toBe(rest);
  });
});
