import { seededRandom } from '../core/softmax.js';

/** What people put before and after the matter itself. */
const OPENINGS: Readonly<Record<string, readonly string[]>> = {
  en: [
    'hi, ',
    'Hello, ',
    'hey ',
    'Good morning. ',
    'Hello team,\n',
    'hi there! ',
    'Dear support, ',
    'sorry to bother you, ',
    'so ',
    'Hi {{company}}, ',
    '@support ',
    'ok so ',
    'excuse me, ',
  ],
  pt: [
    'oi, ',
    'Olá, ',
    'Boa tarde. ',
    'bom dia, ',
    'Olá equipe,\n',
    'oi gente, ',
    'Prezados, ',
    'desculpa incomodar, ',
    'então, ',
    'opa, ',
    'Oi {{company}}! ',
    '@suporte ',
    'olha, ',
  ],
};
const CLOSINGS: Readonly<Record<string, readonly string[]>> = {
  en: [
    ' thanks',
    '. Thank you!',
    ' please',
    '\nRegards,\nAnna',
    ' pls',
    '. Thanks in advance',
    ' asap',
    '. My email is ana@example.com',
    ' 🙏',
    '. Let me know',
    ', can you help?',
    ' for order {{Order Number}}',
  ],
  pt: [
    ' obrigado',
    '. Obrigada!',
    ' por favor',
    '\nAtenciosamente,\nAna',
    ' pfv',
    '. Desde já agradeço',
    ' valeu',
    '. Meu email é ana@example.com',
    ' 🙏',
    '. Fico no aguardo',
    ', pode me ajudar?',
    ', como resolvo?',
  ],
};
/** Texts this short stand on their own; with an opening they would mean something else. */
const SHORTEST = 12;

/** The text with a slip in every fourth of its longer words: a letter left out, doubled, or changed places with the next. */
export function misspell(text: string, random: () => number): string {
  return text
    .split(' ')
    .map((word) => {
      if (word.length < 5 || random() > 0.25 || !/^\p{L}+$/u.test(word)) return word;
      const at = 1 + Math.floor(random() * (word.length - 3));
      const kind = random();
      const head = word.slice(0, at);
      if (kind < 0.35) return head + word.slice(at + 1);
      if (kind < 0.7) return head + (word[at + 1] ?? '') + (word[at] ?? '') + word.slice(at + 2);
      return head + (word[at] ?? '') + word.slice(at);
    })
    .join(' ');
}

/**
 * The text itself, and a copy that is misspelt and dressed as people dress their messages. Deterministic by `seed`.
 */
export function augment(text: string, language: string, seed: number, company: string): string[] {
  const random = seededRandom(seed * 2654435761 + (language === 'en' ? 1 : 2));
  if (text.length < SHORTEST) return [text];
  const pick = (list: readonly string[]) => list[Math.floor(random() * list.length)] ?? '';
  const dressed = `${pick(OPENINGS[language] ?? []).replace('{{company}}', company)}${misspell(text, random)}${random() < 0.5 ? pick(CLOSINGS[language] ?? []) : ''}`;
  return [text, dressed];
}
