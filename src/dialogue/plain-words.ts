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
