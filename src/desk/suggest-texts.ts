import type { IssueType, Language } from '../core/domain/taxonomy.js';

/** What a person has to know first, by what the ticket is about. */
const MISSING: Readonly<Record<Language, Readonly<Record<IssueType, string>>>> = {
  en: {
    account_access:
      'Which device and app version do you use, and what exactly does the screen say when it fails?',
    billing: 'Which charge is it about: its date, its amount, and how you paid?',
    subscription: 'What would you like to change about your plan, and from when on?',
    reservation: 'Which booking is it about: the title and the date?',
    refund: 'Which booking or charge is it about, and on which day did you pay?',
    experience: 'Which experience, city and date do you have in mind?',
    technical:
      'Which device and app version do you use, what did you do just before, and what does the screen say?',
    feedback: 'Is there anything else you would like us to know about it?',
    legal: 'What exactly do you ask for, and which data or contract is it about?',
    general: 'Could you tell us a little more: what happened, when, and which booking or charge it is about?',
  },
  'pt-BR': {
    account_access:
      'Qual aparelho e versão do aplicativo você usa, e o que exatamente aparece na tela quando falha?',
    billing: 'De qual cobrança se trata: data, valor e forma de pagamento?',
    subscription: 'O que você gostaria de mudar no plano, e a partir de quando?',
    reservation: 'De qual reserva se trata: título e data?',
    refund: 'De qual reserva ou cobrança se trata, e em que dia você pagou?',
    experience: 'Qual experiência, cidade e data você tem em mente?',
    technical: 'Qual aparelho e versão do aplicativo você usa, o que fez logo antes e o que aparece na tela?',
    feedback: 'Há mais alguma coisa que você gostaria de nos contar sobre isso?',
    legal: 'O que exatamente você solicita, e a quais dados ou contrato se refere?',
    general: 'Pode contar um pouco mais: o que aconteceu, quando, e de qual reserva ou cobrança se trata?',
  },
};

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
export function askDraft(words: DraftWords, issueType: IssueType): string {
  const { language } = words;
  return [openingOf(words), `${WORDS[language].ask} ${MISSING[language][issueType]}`].join('\n\n');
}

function openingOf({ language, name, frustrated }: DraftWords): string {
  const words = WORDS[language];
  return [words.hello(name), ...(frustrated ? [words.sorry] : [])].join(' ');
}
