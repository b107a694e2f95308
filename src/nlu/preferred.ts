/** What leads to what is wanted only where the first cannot be had, after the first. */
const OTHERWISE =
  /^(?<first>.{4,}?)[\s,.;:]+(?:(?:and|but|or|e|mas|ou)\s+)?(?:if\s+(?:that|it|this|you)(?:\s+(?:is\s+not|isn['’]?t|can(?:no|['’]?)t|won['’]?t)|['’]s\s+not)(?:\s+(?:possible|doable|work|be\s+done|do\s+(?:that|it)|an\s+option))?|if\s+(?:not(?:\s+possible)?|impossible)|failing\s+that|se\s+n[aã]o\s+(?:der|for\s+poss[ií]vel|rolar|puder(?:em)?|tiver\s+como)|caso\s+n[aã]o\s+(?:d[eê]|seja\s+poss[ií]vel))[\s,:]+(?:then\s+|a[ií]\s+|ent[aã]o\s+)?(?<second>.{4,})$/isu;

/** Longer messages tell a story. */
const LONGEST = 240;

/**
 * The change that is preferred, of two in one message: "cancel it, and if that is not possible pause my plan".
 * @param isChange true where a text surely asks for a change
 * @returns the whole text where it names no two changes so
 */
export function preferredIn(text: string, isChange: (part: string) => boolean): string {
  const { first, second } = (text.length <= LONGEST ? OTHERWISE.exec(text)?.groups : undefined) ?? {};
  // "If not, I call a lawyer" is no second choice.
  return first && second && isChange(second) && isChange(first) ? first : text;
}
