import { fold } from '../../core/text.js';

/* Compares the words of a request with those of an agent card, across endings and accents. */

/** Words that say nothing about what is asked, in both languages, folded. */
const COMMON = new Set(
  `a an and any are as at be by can could do does for from get has have how i if in into is it its me my near need no of
  on or our please some something tell that the their them there these this to us want was we what when where which who why
  will with would you your about agent ask question request help find
  ao aos as com como da das de do dos e ela ele em eu isso me meu minha na nas no nos o os ou para pela pelo perto por
  posso pra preciso qual quais quando quanto que quem quero se sem ser sobre sua seu tem ter um uma voce voces onde esta
  este essa esse ha favor ajuda pergunta pedido gostaria`
    .split(/\s+/)
    .filter(Boolean),
);

const MARK = /\[[a-z]+\]/g;

/** The words of a text that say what it is about, folded, each once, in their order. */
export function contentWords(text: string): readonly string[] {
  // What stands for something that was taken out is no word of the request.
  const all = fold(text.replace(MARK, ' ')).match(/[a-z0-9]+/g) ?? [];
  return [...new Set(all.filter((word) => word.length > 1 && !COMMON.has(word)))];
}

const PREFIX = 4;
const ENDING = 3;

/** True for the same word, also where one has another ending: "park" and "parking", "museu" and "museus". */
export function sameWord(a: string, b: string): boolean {
  if (a === b) return true;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  if (short.length < PREFIX) return false;
  if (long.startsWith(short)) return long.length - short.length <= Math.max(ENDING, short.length - ENDING);
  // "estacionar" and "estacionamento", "exposicao" and "exposicoes": the stem is what they begin with alike.
  const alike = commonPrefix(short, long);
  return alike >= 6 && alike >= short.length - ENDING;
}

function commonPrefix(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
}

/**
 * The longest of the keywords that the text contains as whole words, accents and case aside; null where there is none.
 * A keyword may be several words.
 */
export function keywordIn(text: string, keywords: readonly string[]): string | null {
  const padded = ` ${squeeze(text)} `;
  const found = keywords.filter((keyword) => {
    const words = squeeze(keyword);
    return words !== '' && padded.includes(` ${words} `);
  });
  return found.sort((a, b) => b.length - a.length)[0] ?? null;
}

function squeeze(text: string): string {
  return fold(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
