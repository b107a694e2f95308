import { fold } from '../../core/fold.js';

/**
 * Words of scripts that put blanks between them; each sign of a script that does not is a token of its own, so that a
 * phrase in it is found inside a longer text too.
 */
const TOKEN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{N}]+/gu;
const APOSTROPHE = /(?<=\p{L})['’ʼ`´](?=\p{L})/gu;

/**
 * The words of a text as triggers compare them: without case, accents, punctuation and plural endings. `didn't` is one
 * word. A keyword and a text folded the same way match where their tokens do.
 */
export function foldWords(text: string): string[] {
  const plain = fold(text).replace(APOSTROPHE, '');
  return (plain.match(TOKEN) ?? []).map(singular);
}

/**
 * A rough common form of a word and its plural, in English and Portuguese (`charges`, `cobranças`, `reservas`,
 * `cobrações`, `viagens`). It need not be a word, it only has to be the same for both.
 */
function singular(word: string): string {
  if (word.length < 4) return word;
  let stem = word;
  if (/[aeiou]is$/.test(stem) && stem.length > 4) stem = `${stem.slice(0, -2)}l`;
  else if (stem.endsWith('ies') && stem.length > 4) stem = `${stem.slice(0, -3)}y`;
  else if (/(?:x|ch|sh|ss|z)es$/.test(stem)) stem = stem.slice(0, -2);
  else if (/[^sui]s$/.test(stem)) stem = stem.slice(0, -1);
  if (/(?:ao|oe)$/.test(stem)) return `${stem.slice(0, -2)}o`;
  return stem.endsWith('m') ? `${stem.slice(0, -1)}n` : stem;
}
