import type { Language } from '../core/domain/taxonomy.js';
import type { Sentences, Texts } from '../core/i18n/index.js';
import { CODE_MINUTES } from '../core/policy/sign-in.js';
import type { Mail } from '../core/ports/index.js';

interface Wording {
  readonly texts: Texts;
  /** Which language of a mail in several comes first. */
  readonly locale: Language;
}

/** The mail with a one-time code, in every language: nothing is looked up about who asked. */
export function codeMail(wording: Wording, to: string, code: string): Mail {
  return inAll(wording, to, 'sign_in_code.subject', (texts) =>
    texts.say('sign_in_code.text', { code, minutes: CODE_MINUTES }),
  );
}

/**
 * The mail about wrong codes.
 * @param language the customer's; null where it is not known, then in every language
 */
export function attemptsMail(wording: Wording, to: string, language: Language | null): Mail {
  const known =
    language === null ? wording : { texts: { ...wording.texts, languages: [language] }, locale: language };
  return inAll(known, to, 'sign_in_attempts.subject', (texts) => texts.say('sign_in_attempts.text'));
}

function inAll(
  { texts, locale }: Wording,
  to: string,
  subject: 'sign_in_code.subject' | 'sign_in_attempts.subject',
  write: (texts: Sentences) => string,
): Mail {
  const others = texts.languages.filter((language) => language !== locale);
  const all = [locale, ...others].map((language) => texts.for(language));
  return {
    to,
    subject: all.map((one) => one.say(subject)).join(' / '),
    text: `${all.map(write).join('\n\n')}\n`,
  };
}
