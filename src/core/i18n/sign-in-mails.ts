import type { Language } from '../domain/taxonomy.js';
import { CODE_MINUTES } from '../policy/sign-in.js';
import type { Mail } from '../ports/mailer.js';

interface Words {
  readonly subject: string;
  readonly text: string;
}

/** The mail with a one-time code, in both languages: nothing is looked up about who asked. @param first language */
export function codeMail(to: string, code: string, first: Language): Mail {
  return both(to, first, {
    en: {
      subject: 'Your sign-in code',
      text: `Your code for signing in is ${code}. It is good for ${CODE_MINUTES} minutes. If you did not ask for it, ignore this message and give the code to nobody.`,
    },
    'pt-BR': {
      subject: 'Seu código de acesso',
      text: `Seu código para entrar é ${code}. Ele vale por ${CODE_MINUTES} minutos. Se você não o pediu, ignore esta mensagem e não passe o código a ninguém.`,
    },
  });
}

/**
 * The mail that tells of wrong codes.
 * @param language the customer's; null where it is not known, then in both
 * @param first which comes first then
 */
export function guessesMail(to: string, language: Language | null, first: Language): Mail {
  const words: Record<Language, Words> = {
    en: {
      subject: 'Somebody tried to sign in to your account',
      text: 'Several wrong sign-in codes were entered for your account. Nobody got in by that. If it was you, you need not do anything. If it was not, you need not do anything either: guessing is slowed down, and your own codes keep working. Give your codes to nobody, whoever asks.',
    },
    'pt-BR': {
      subject: 'Alguém tentou entrar na sua conta',
      text: 'Vários códigos de acesso errados foram digitados para a sua conta. Ninguém entrou com eles. Se foi você, não é preciso fazer nada. Se não foi, também não: as tentativas são freadas, e os seus códigos continuam valendo. Não passe seus códigos a ninguém, seja quem for que peça.',
    },
  };
  if (language === null) return both(to, first, words);
  const { subject, text } = words[language];
  return { to, subject, text: `${text}\n` };
}

function both(to: string, first: Language, words: Readonly<Record<Language, Words>>): Mail {
  const ordered = first === 'pt-BR' ? [words['pt-BR'], words.en] : [words.en, words['pt-BR']];
  return {
    to,
    subject: ordered.map(({ subject }) => subject).join(' / '),
    text: `${ordered.map(({ text }) => text).join('\n\n')}\n`,
  };
}
