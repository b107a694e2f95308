import { describe, expect, it } from 'vitest';
import { readYesNo, slotsLike } from './cultpass.js';

const CASES: readonly (readonly [string, 'yes' | 'no' | 'unclear' | 'other'])[] = [
  ['yes', 'yes'],
  ['Yep!', 'yes'],
  ['sure', 'yes'],
  ['go ahead', 'yes'],
  ['please do', 'yes'],
  ['ok', 'yes'],
  ['confirm', 'yes'],
  ['do it', 'yes'],
  ['sim', 'yes'],
  ['isso', 'yes'],
  ['pode', 'yes'],
  ['pode cancelar', 'yes'],
  ['confirmo', 'yes'],
  ['claro', 'yes'],
  ['uhum', 'yes'],
  ['s', 'yes'],
  ['y', 'yes'],
  ['👍', 'yes'],
  ['👍🏽', 'yes'],
  ['no', 'no'],
  ['nope', 'no'],
  ["don't", 'no'],
  ['not yet', 'no'],
  ['wait', 'no'],
  ['stop', 'no'],
  ['never mind', 'no'],
  ['não', 'no'],
  ['nao', 'no'],
  ['n', 'no'],
  ['deixa', 'no'],
  ['deixa pra lá', 'no'],
  ['cancela', 'unclear'],
  ['yes?', 'other'],
  ['why?', 'other'],
  ['how much will I get back?', 'other'],
  ['not sure', 'unclear'],
  ['maybe', 'unclear'],
  ['talvez', 'unclear'],
  ["yes but don't do it", 'unclear'],
  ["I don't say yes", 'unclear'],
  ['sim, mas não cancele', 'unclear'],
  ['yes if I get the money back', 'unclear'],
  ['no, the Friday one', 'no'],
  ['yes please, cancel it', 'yes'],
  ['sim, a de sexta', 'yes'],
  ['Yes, cancel my samba booking', 'yes'],
  ['cancel it, yes', 'yes'],
  ['no problem', 'unclear'],
  ['não consigo entrar no app', 'other'],
  ['No sound in the app', 'other'],
  ['pode me explicar melhor', 'other'],
  ['isso é um absurdo', 'other'],
  ['ok so I tried everything you said yesterday and the app still crashes when I open', 'other'],
  ['claro que não', 'no'],
  ['ok, never mind', 'no'],
  ['yesss', 'yes'],
  ['nãooo', 'no'],
  ['yeah right', 'unclear'],
  ['sim card', 'unclear'],
  ['yes how much will i get back', 'unclear'],
  ['quero sim, por favor', 'yes'],
  ['pode cancelar a de sexta', 'yes'],
  ['yes, do it tomorrow', 'unclear'],
  ['sim, pode cancelar', 'yes'],
  ['não, pode cancelar', 'unclear'],
  ['não quero mais', 'unclear'],
  ['', 'unclear'],
  ['> yes', 'unclear'],
  ['I said "yes" to the other agent', 'unclear'],
  ['no, keep it', 'no'],
  ['não quero cancelar', 'no'],
  ['👎', 'no'],
  ['👍👎', 'unclear'],
  ['yes 👎', 'unclear'],
  ['what is the refund policy', 'other'],
  ['no sábado', 'other'],
  ['No, I want to keep it', 'no'],
  ['ok thanks', 'yes'],
  ['the second one', 'other'],
  ['2', 'other'],
];

describe('readYesNo', () => {
  it.each(CASES)('[OFF-05] "%s" is %s', (text, kind) => expect(readYesNo(text).kind).toBe(kind));

  it.each([
    ['no, the Friday one', 'no', 'the Friday one'],
    ['Não, a de sexta', 'no', 'a de sexta'],
    ['yes, the Friday one', 'yes', 'the Friday one'],
    ['sim, a de sexta', 'yes', 'a de sexta'],
    ['Yes, cancel it', 'yes', 'cancel it'],
    ['pode cancelar', 'yes', 'cancelar'],
    ['yes', 'yes', ''],
    ['sim, obrigada', 'yes', ''],
    ['No, how long do I have?', 'no', 'how long do I have?'],
    ['why?', 'other', 'why?'],
  ] as const)('"%s": %s, leaving "%s"', (text, kind, rest) => {
    expect(readYesNo(text)).toMatchObject({ kind, rest });
  });

  it.each([
    "yes but don't do it",
    'yes if I get the money back',
    'sim, se eu receber tudo',
    'sim, mas não cancele',
    'yes, just not the Friday one',
    'ok, but keep the samba night',
    'sure... not',
    'yes, after I talk to my wife',
    'sim, depois eu confirmo',
    'yes to what?',
    'I would say yes',
    '> yes\n',
    '"sim"',
    'the agent said yes, do it',
    'yes cancel my other booking instead',
    'do it tomorrow',
    'sim, amanhã',
    'yes yes no',
    'no yes',
    'yes 👎',
    '👍?',
    'please cancel my booking',
    'por favor cancela',
    'cancel',
    'cancela',
    'cancelar',
    'sem problema',
    'no problem',
    'no worries, go ahead',
    'pode não',
    'yeah right',
  ])('takes no consent from "%s"', (text) => {
    expect(readYesNo(text).kind).not.toBe('yes');
    expect(readYesNo(text, 'en').kind).not.toBe('yes');
    expect(readYesNo(text, 'pt-BR').kind).not.toBe('yes');
  });

  it('takes no consent from a long message with an unrelated ok', () => {
    const text =
      'ok so yesterday I opened the app and it showed me two charges, which I never made, and then it logged me out';
    expect(readYesNo(text).kind).toBe('other');
    expect(readYesNo(`yes ${'and another thing '.repeat(20)}`).kind).toBe('unclear');
  });

  it('reads "no" as Portuguese where it means "in the"', () => {
    expect(readYesNo('sim, a do show no Rio', 'pt-BR').kind).toBe('yes');
    expect(readYesNo('no sábado', 'pt-BR').kind).toBe('other');
    expect(readYesNo('no', 'pt-BR').kind).toBe('no');
  });

  it('is surer of a plain yes than of a mild one', () => {
    expect(readYesNo('yes').confidence).toBeGreaterThan(readYesNo('ok').confidence);
    expect(readYesNo('ok').confidence).toBeGreaterThan(readYesNo('please').confidence);
  });

  const CANCEL =
    'Shall I cancel "Samba Night" on Friday 13 March at 20:00? You get R$ 60.00 back. Please answer yes or no.';
  const ASK = 'The refund of R$ 380.00 needs our team. Shall I ask them? Please answer yes or no.';
  const RESUME =
    'Posso reativar sua assinatura agora? A cobrança volta no próximo dia de pagamento. Responda sim ou não.';
  const CANCELA = 'Posso cancelar "Giselle", sexta-feira, 27 de março às 20:00? Responda sim ou não.';

  it.each([
    ['yes ask them', ASK],
    ['Yes please. It is in two hours.', ASK],
    ['Yes. I can’t make it any more.', CANCEL],
    ['can you cancel it for me, please?', CANCEL],
    ['that would be lovely, thank you', CANCEL],
    ['Então reativa logo isso', RESUME],
    ['pode reativar então', RESUME],
    ['Pode cancelar pra mim, por favor?', CANCELA],
    ['Sim. Obrigada pelo carinho.', CANCELA],
    ['Sim. Não vou conseguir ir.', CANCELA],
  ])('[DLG-04] "%s" is a yes to what was asked', (text, question) => {
    expect(readYesNo(text, undefined, question).kind).toBe('yes');
  });

  it.each([
    ['cancel it', CANCEL],
    ['Yes. I do not want the refund.', CANCEL],
    ['Yes. It is the Saturday one.', CANCEL],
    ['Yes. My other booking.', CANCEL],
    ['can you cancel the other one?', CANCEL],
    ['can you cancel it without a refund?', CANCEL],
    ['can you cancel it tomorrow?', CANCEL],
    ['Yes please. Does that mean I am not charged?', CANCEL],
    ['reativa depois', RESUME],
    ['não reativa', RESUME],
    ['pode cancelar sem devolver o dinheiro?', CANCELA],
    ['pode cancelar a outra?', CANCELA],
    ['Sim. Mas só se devolverem tudo.', CANCELA],
  ])('[DLG-04] "%s" is none', (text, question) => {
    expect(readYesNo(text, undefined, question).kind).not.toBe('yes');
  });

  it.each(['wait, how much did I pay for it?', 'espera, quanto eu paguei?', 'hold on, when is it?'])(
    '[DLG-04] "%s" asks, and turns nothing down',
    (text) => expect(readYesNo(text, undefined, CANCEL).kind).toBe('other'),
  );
});

describe('an answer in a language that is added by files', () => {
  const { readYesNo: read } = slotsLike({ languages: ['es', 'en'] });

  it.each([
    [
      'yes',
      [
        'sí',
        'Sí, por favor',
        'si claro',
        'claro que sí',
        'vale',
        'adelante',
        'confirmo',
        'sí, hazlo',
        'por favor',
      ],
    ],
    ['no', ['no', 'no, gracias', 'mejor no', 'déjalo', 'ni hablar', 'no lo canceles']],
    [
      'unclear',
      [
        'sí, pero solo si me devuelven todo',
        'sí, cancela la otra',
        'sí cuando me paguen',
        'no sé',
        'quizás',
        'sí, aunque no quiero perder dinero',
        'sí, todos',
        'sí, salvo el casco',
        'cancélalo',
      ],
    ],
  ] as const)('[SPK-02] is %s', (kind, texts) => {
    for (const text of texts) expect([text, read(text, 'es').kind]).toEqual([text, kind]);
  });
});
