import type { Figure } from './figure.js';

/* How the words beside a figure say what it is: about so much, at least, left over, supposed. */

/** So far beside it they may stand. */
export const AHEAD = 48;
const OR_MORE = /^(?:\s\p{L}+){0,2}\s(?:or more|ou mais|and up|em diante)(?!\p{L})/iu;
/** What is said after them need not be exact. */
const ABOUT_FIGURE =
  /(?<!\p{L})(?:about|around|roughly|approximately|almost|nearly|just (?:over|under)|a little (?:over|under)|cerca de|por volta de|aproximadamente|uns|umas|quase|pouco (?:mais|menos) de)\s*(?:R?\$|[€£])?\s*$/iu;
/** Supposes a number of what was named before. */
const SUPPOSED = /(?<!\p{L})(?:if|se|si)(?!\p{L})[^.!?,;\n]*$/iu;
const ONE_OF = /^ (?:of|d[aeo]s?|de las?|de los) /iu;
const EXCLUDED = /(?<!\p{L})(?:not|never|except|n[aã]o|nem|nunca|exceto|menos|salvo)(?: \p{L}+){0,4}\s*$/iu;
const AT_LEAST =
  /(?<!\p{L})(?:at least|minimum(?: of)?|from|pelo menos|no m[ií]nimo|a partir de|a contar de|al menos|desde)\s*$/iu;
const THOUGHTS =
  /^\s(?:\p{L}+\s)?(?:reasons?|ways?|options?|possibilities|cases?|paths?|causes?|things?|coisas?|motivos?|raz(?:ão|ões)|formas?|jeitos?|op(?:ção|ções)|possibilidades?|casos?|caminhos?|maneiras?|causas?|razones|opciones|formas)(?!\p{L})/iu;
const UPWARD =
  /^(?:\s\p{L}+){0,2}\s(?:or|and|ou|e|para|pra) (?:later|newer|above|over|up|older|younger|mais|recente|superior|cima|adiante)(?!\p{L})/iu;
const RANGE = /(?<!\p{L})(?:from|between|de|entre) \d+ (?:to|and|a|e) $/iu;
/** More would be counted. */
const FEW = 5;

/** "If you've used 2 already". */
export function isSupposed(text: string, { from }: Figure): boolean {
  return SUPPOSED.test(text.slice(Math.max(0, from - AHEAD), from));
}

export function isAbout(text: string, { from }: Figure): boolean {
  return ABOUT_FIGURE.test(text.slice(Math.max(0, from - AHEAD), from));
}

/** "above € 200", "até € 200,00". */
export function isLimit(text: string, { from }: Figure): boolean {
  return /(?:above|over|more than|exceed\w*|beyond|up to|below|under|acima de|mais de|passa\w* de|supera\w*|ate|até|abaixo de|excede\w*)\s*$/iu.test(
    text.slice(Math.max(0, from - 24), from),
  );
}

/** "Android 7 or later", "from 14 up", "up to 120 days": where something begins or ends for everybody. */
export function isBound(text: string, figure: Figure): boolean {
  return (
    isLimit(text, figure) ||
    isAtLeast(text, figure) ||
    isOrMore(text, figure) ||
    // "From 1 to 120 days".
    RANGE.test(text.slice(Math.max(0, figure.from - AHEAD), figure.from)) ||
    UPWARD.test(text.slice(figure.to, figure.to + AHEAD))
  );
}

/** "Monday to Saturday". */
export function isRangeEnd(text: string, { from, to }: Figure): boolean {
  return (
    /\p{L}(?:-feira)? (?:to|through|till|until|a|at[eé]) (?:\p{L}{1,3} )?$/iu.test(
      text.slice(Math.max(0, from - AHEAD), from),
    ) || /^(?:-feira)? (?:to|through|till|until|a|at[eé]) \p{L}/iu.test(text.slice(to, to + AHEAD))
  );
}

/** "Not on Saturdays": no source has to name what is not. */
export function isExcluded(text: string, { from }: Figure): boolean {
  return EXCLUDED.test(text.slice(Math.max(0, from - AHEAD), from));
}

/** "Two main reasons", "há três caminhos": numbers the answer's own parts. */
export function isOfThoughts(text: string, { to }: Figure, value: number): boolean {
  return value <= FEW && THOUGHTS.test(text.slice(to, to + AHEAD));
}

/** "Two left", "restam duas". */
export function isLeft(text: string, { from, to }: Figure): boolean {
  const before = text.slice(Math.max(0, from - AHEAD), from);
  // "One of two left": the whole is not what is left of it.
  if (/(?<!\p{L})(?:of|de|das|dos)(?:\s(?:your|the|suas|seus))?\s$/iu.test(before)) return false;
  return (
    /^(?:\s\p{L}+)?\s(?:left|remain\w*|restante\w*)(?!\p{L})/iu.test(text.slice(to, to + AHEAD)) ||
    /(?<!\p{L})(?:rest\w+|sobr\w+)\s$/iu.test(before)
  );
}

/** "Three times or more". */
export function isOrMore(text: string, { to }: Figure): boolean {
  return OR_MORE.test(text.slice(to, to + AHEAD));
}

/** "One of the ten". */
export function isOneOf(text: string, { to }: Figure): boolean {
  return ONE_OF.test(text.slice(to, to + AHEAD));
}

/** "At least five days". */
export function isAtLeast(text: string, { from }: Figure): boolean {
  return AT_LEAST.test(text.slice(Math.max(0, from - AHEAD), from));
}
