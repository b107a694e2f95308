import { describe, expect, it } from 'vitest';
import { loadCompany } from '../../../src/company/company.js';
import { createDialogue } from '../../../src/dialogue/index.js';
import { createActModel, createNlu } from '../../../src/nlu/index.js';

const { nlu, profile } = loadCompany(new URL('../../../companies/cultpass', import.meta.url).pathname);
const { languages, name: companyName } = profile;
const dialogue = createDialogue(await createNlu(nlu), await createActModel(), {
  entities: nlu.entities,
  companyName,
  languages,
});

const CANCEL =
  'Shall I cancel "Rock Gaúcho Anniversary" on Saturday, 2 January 2027 at 20:00? You get R$ 110.00 back, and the visit returns to your plan. Please answer yes or no.';
const CANCELA =
  'Posso cancelar "Samba Night at Pedra do Sal", quarta-feira, 2 de dezembro às 20:00? Você recebe R$ 60,00 de volta, e a visita volta para o seu plano. Responda sim ou não.';
const others = ['Elis: The Musical', 'Clarice Lispector: A Reading', 'Inhotim: Art in the Gardens'];
const readEn = (text: string, isLight = false) =>
  dialogue.readAnswer(text, 'en', CANCEL, { others, isLight });
const readPt = (text: string, isLight = false) =>
  dialogue.readAnswer(text, 'pt-BR', CANCELA, { others, isLight });

describe('a yes in so many words', () => {
  it.each([
    'yes please. thank you. and will I still be able to use the Inhotim one?',
    'Yes please, but how long will it take for the money to come? My card was replaced last week',
    "Yes please cancel it. And is there anything else I've booked this week?",
    'Yes, go ahead. Is the Elis one still fine?',
    'yes please! and could you tell me where Elis is again?',
    'Please do, yes. Then what is left for me this month?',
  ])('[DLG-380] stands in "%s"', (text) => {
    expect(readEn(text)).toMatchObject({ kind: 'yes', rest: '', more: expect.stringMatching(/./) });
  });
  it.each([
    'Pode sim, obrigada! E vou poder usar a da Clarice?',
    'pode cancelar sim, e o dinheiro cai no mesmo cartão?',
    'sim por favor, mas demora quanto pra cair?',
    'Isso, pode cancelar. Tem mais alguma coisa no Rio esse mês?',
    'sim, cancela essa. e a Inhotim, ainda vale?',
  ])('[DLG-380] stands in "%s"', (text) => {
    expect(readPt(text)).toMatchObject({ kind: 'yes', rest: '', more: expect.stringMatching(/./) });
  });
  it('[DLG-380] stands where the team decides, whoever writes and whatever is to be sent', () => {
    const asked = [
      'yes. i have paper from doctor, where i send?',
      "Yes please. And will someone write to me once they've decided?",
    ];
    for (const text of asked) expect(readEn(text, true)).toMatchObject({ kind: 'yes', rest: '' });
    expect(readPt('sim por favor, pede pra eles. e alguém me avisa quando decidirem?', true).kind).toBe(
      'yes',
    );
  });
  it.each([
    'yes please, but only if I get the whole 110',
    'Yes please, but do I lose the visit?',
    'Yes please. Or could I move it to another day?',
    'Yes please. Is there any way to keep the seat?',
    'Yes please, if I can still go to Elis',
    'yes please. can I go to the Elis one with the same ticket instead?',
    'yes please. are there any strings attached?',
    'Yes please. Wait, is that the one in Porto Alegre?',
    "Yes please. There isn't a fee, is there?",
  ])('[DLG-380] hangs on what is asked in "%s"', (text) => {
    expect(readEn(text).kind).not.toBe('yes');
  });
  it.each([
    'sim, mas volta tudo?',
    'pode cancelar sim, mas a visita eu perco?',
    'sim por favor, e se eu mudar de ideia?',
    'pode cancelar, por favor. tem alguma multa?',
    'sim por favor. é essa a do Rio?',
  ])('[DLG-380] hangs on what is asked in "%s"', (text) => {
    expect(readPt(text).kind).not.toBe('yes');
  });
});

describe('what leaves a question open', () => {
  it.each([
    ['Not yet please. What time does it start?', 'What time does it start?'],
    ["don't do it yet. how much do I get back?", 'how much do I get back?'],
  ])('[DLG-381] %s', (text, question) => {
    expect(readEn(text)).toEqual({ kind: 'unclear', rest: question, more: null, first: question });
  });
  it('[DLG-381] is also who says that something else was asked', () => {
    expect(readEn("No no, it's not about the monthly charge. I asked how long it takes").kind).toBe('other');
    expect(readPt('não é sobre a mensalidade! perguntei quanto tempo demora').kind).toBe('other');
    expect(readPt('não é essa, é a da Clarice').kind).toBe('no');
  });
});
