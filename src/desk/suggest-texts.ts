import type { Language, Translated } from '../core/domain/taxonomy.js';

const WORDS = {
  en: {
    hello: (name: string | null) => `Hello${name === null ? '' : ` ${name}`}, thank you for your message.`,
    sorry: 'I am sorry about this, and I understand that it is frustrating.',
    close: 'If anything is still open, please write back here.',
    ask: 'To answer you well I need a little more from you.',
    wait: 'Your request is with our team, who have to agree to it. Nothing changes until they decide, and you will read the decision here.',
  },
  'pt-BR': {
    hello: (name: string | null) => `Olá${name === null ? '' : `, ${name}`}! Obrigado pela sua mensagem.`,
    sorry: 'Sinto muito por isso; entendo que é frustrante.',
    close: 'Se ainda restar alguma dúvida, escreva aqui.',
    ask: 'Para responder bem, preciso de mais algumas informações.',
    wait: 'Seu pedido está com a nossa equipe, que precisa concordar. Nada muda até a decisão, que você vai ler aqui.',
  },
} as const;

/** Words of a draft that rules write. */
export interface DraftWords {
  readonly language: Language;
  /** First name, or null where there is none that can be used. */
  readonly name: string | null;
  readonly frustrated: boolean;
}

/** A reply around what is known. */
export function answerDraft(words: DraftWords, answer: string): string {
  return [openingOf(words), answer, WORDS[words.language].close].join('\n\n');
}

/** A reply while an approval is open. */
export function waitDraft(words: DraftWords): string {
  return [openingOf(words), WORDS[words.language].wait].join('\n\n');
}

/** A reply that asks for what is missing. */
export function askDraft(words: DraftWords, missing: Translated): string {
  const { language } = words;
  return [openingOf(words), `${WORDS[language].ask} ${missing[language]}`].join('\n\n');
}

function openingOf({ language, name, frustrated }: DraftWords): string {
  const words = WORDS[language];
  return [words.hello(name), ...(frustrated ? [words.sorry] : [])].join(' ');
}
