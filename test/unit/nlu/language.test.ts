import { describe, expect, it } from 'vitest';
import { createNlu } from '../../../src/nlu/index.js';
import { CULTPASS_NLU } from '../../support/company.js';

const nlu = await createNlu(CULTPASS_NLU);

const CASES: readonly (readonly [detected: string, texts: readonly string[]])[] = [
  [
    'pt',
    [
      'oi',
      'sim',
      'não',
      'nao',
      'valeu',
      'vlw',
      'obrigado',
      'tchau',
      'bom dia',
      'cancelar',
      'cancela',
      'reembolso',
      'cadê meu pedido',
      'erro login',
      'app travando',
      'tudo bem?',
      'quero cancelar',
      'vc pode me ajudar',
      'preciso falar com um atendente',
      'quanto custa',
      'blz',
      'meu plano',
      'onde fica o museu',
      'quantas visitas tenho',
      'fui cobrado 2x',
      'gostaria de uma informação',
      'QUERO MEU DINHEIRO DE VOLTA',
      'me ajuda pfv',
      'n consigo entrar',
      'cancela o círio e o minas electronic',
      'quanto tempo dura a pinacoteca?',
      'meia entrada pra professor',
    ],
  ],
  [
    'en',
    [
      'hi',
      'yes',
      'no',
      'thanks',
      'bye',
      'refund',
      'Where is my order',
      'login error',
      'u there',
      'I need an agent',
      'how much',
      'cancel my booking',
      'what is on tonight',
      'my card was declined',
      'pls help',
      "can't log in",
      'how many visits do I have',
      'I WANT MY MONEY BACK',
      'the app keeps crashing',
      'good morning',
      'is the museum open',
      'charged twice',
      'pause my plan',
      'my senha is not working',
    ],
  ],
  [
    'es',
    [
      'hola',
      'gracias',
      'hola, necesito ayuda',
      'quiero cancelar mi reserva',
      'buenas tardes, no puedo entrar a mi cuenta',
      '¿dónde está mi pedido?',
      'me devuelven el dinero',
      'no me deja pagar',
      'hola tengo un problema con mi suscripcion',
      'buenos días',
      'cuánto cuesta',
      '¿Dónde está mi reembolso? Llevo dos semanas esperando',
    ],
  ],
  ['fr', ['bonjour je voudrais annuler ma commande', "je n'arrive pas à me connecter à mon compte"]],
  ['de', ['guten tag, ich möchte mein abo kündigen']],
  ['it', ['ciao, vorrei cancellare la prenotazione']],
  ['ru', ['привет, хочу отменить бронь']],
  ['ja', ['こんにちは予約をキャンセルしたい']],
  ['ar', ['مرحبا أريد إلغاء الحجز']],
];

describe('language', () => {
  for (const [detected, texts] of CASES) {
    it.each(texts)(`${detected}: %s`, (text) => {
      const guess = nlu.detectLanguage(text);
      expect(guess.detected).toBe(detected);
      expect(guess.language).toBe(detected === 'pt' ? 'pt-BR' : 'en');
      expect(guess.supported).toBe(detected === 'pt' || detected === 'en');
    });
  }

  it.each(['', '12345', '👍', '...', '??', 'PIX', 'ok'])(
    '%j keeps the language of the conversation',
    (text) => {
      expect(nlu.detectLanguage(text, 'pt-BR').language).toBe('pt-BR');
      expect(nlu.detectLanguage(text, 'en').language).toBe('en');
      expect(nlu.detectLanguage(text).supported).toBe(true);
    },
  );

  it('a customer may change the language', () => {
    expect(nlu.detectLanguage('quero cancelar minha reserva de sexta', 'en').language).toBe('pt-BR');
    expect(nlu.detectLanguage('please cancel my booking for friday', 'pt-BR').language).toBe('en');
  });

  it('"no" is Portuguese where the conversation is', () => {
    expect(nlu.detectLanguage('no', 'pt-BR').language).toBe('pt-BR');
  });
});
