const ORDER =
  /^(?:first|second|third|fourth|fifth|last|next|other|both|all|primeir[ao]|primer[ao]?|segund[ao]|terceir[ao]|tercer[ao]?|[qc]uart[ao]|quint[ao]|ultim[ao]|proxim[ao]|siguiente|ou?tr[ao]|ambos|ambas|dois|duas|dos|number|numero|\d{1,2}(?:pm|am|h)?)$/;

/** True for a word that only counts, or points at a place in a list. */
export function isOrder(word: string): boolean {
  return ORDER.test(word);
}

/** True for a word that means not the one that was spoken of. */
export function isOther(word: string): boolean {
  return OTHER.test(word);
}

const OTHER = /^(?:others?|ou?tr[ao]s?)$/;

const DAY =
  /^(?:today|tomorrow|tonight|weekend|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:jan|febr)uary|march|april|may|june|july|august|(?:sept|nov|dec)ember|october|hoje|amanha|fim|semana|feira|sabado|domingo|janeiro|fevereiro|marco|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro|lunes|martes|miercoles|jueves|viernes|manana|enero|febrero|marzo|mayo|junio|julio|septiembre|octubre|noviembre|diciembre)$/;

const NUMBER = /^(?:\d{1,2}(?:st|nd|rd|th|h|pm|am)?|dia|date|day|fecha)$/;

/** True for a word that names a day or a month. */
export function isDayName(word: string): boolean {
  return DAY.test(word);
}

/** True for a word that only says on which day. */
export function isDay(word: string): boolean {
  return DAY.test(word) || NUMBER.test(word);
}

/** A text without what any of these finds in the whole of it. */
export function withoutAny(text: string, cues: readonly RegExp[]): string {
  const letters = [...text];
  for (const { index, 0: found } of cues.flatMap((cue) => [...text.matchAll(cue)]))
    letters.fill(' ', index, index + found.length);
  return letters.join('');
}

/** What is the whole of a text. */
export function whole(sources: readonly string[]): RegExp {
  return sources.length === 0 ? /(?!)/ : new RegExp(`^(?:${sources.join('|')})$`);
}

/** The sentences of a text, without their marks. */
export function sentencesOf(text: string): readonly string[] {
  return text.split(/[.!?;\n]+/).filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
}

/**
 * Takes out of a question what belongs to asking it: what is counted ("how many lessons are left"), and what was done with what is
 * spoken of ("how long did it take", "when did I take it").
 * @param counting what stands before the noun that is counted, as patterns
 * @param handled what was done with it, as patterns
 */
export function askedWords(counting: readonly string[], handled: readonly string[]) {
  const counted = new RegExp(`\\b(?:${counting.join('|') || '(?!)'}) [a-z]{2,24}\\b`, 'g');
  const done = new RegExp(`\\b(?:${handled.join('|') || '(?!)'})(?![a-z])`, 'g');
  return (left: string, asked: readonly { readonly attribute: { readonly as: string } }[]): string => {
    const isCount = asked.some(({ attribute }) => attribute.as === 'left');
    const plain = isCount ? left.replace(counted, ' ') : left;
    return asked.length > 0 ? plain.replace(done, ' it ') : plain;
  };
}

/** A sound of thought, which hedges nothing by itself. */
export const THINKING = /^\W*(?:h+u*m+|u+m+|a+h+|o+h+)(?!\p{L})\W*/iu;

/** Fewer words before the mark only ask back. */
const QUESTION_WORDS = 3;

/** A question of some words, which is owed an answer. */
export function isQuestion(text: string): boolean {
  return (
    text
      .slice(0, Math.max(0, text.lastIndexOf('?')))
      .trim()
      .split(/\s+/).length >= QUESTION_WORDS
  );
}
