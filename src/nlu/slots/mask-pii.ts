/**
 * Each pattern is bounded in length, or starts only at the edge of a word, so that the time stays linear in the text.
 * They run in this order: what a later one must not see is gone by then.
 */
const MASKS: readonly (readonly [RegExp, string | ((match: string, ...groups: string[]) => string)])[] = [
  [/\beyJ[\w-]{5,2000}(?:\.[\w-]{1,4000}){1,2}/g, 'eyJ***'],
  [/\b(bearer|basic)\s{1,3}[\w.~+/=-]{6,4000}/gi, (_match, scheme) => `${scheme} ***`],
  [
    /\b(sk|pk|rk|ghp|gho|ghs|github_pat|xox[abpr]|lsv2|AKIA)[-_]?[A-Za-z0-9][\w-]{9,400}/g,
    (_match, prefix) => `${prefix}-***`,
  ],
  [
    /\b(password|passwd|senha|token|api[_-]?key|apikey|secret|segredo|cvv)(["']?\s{0,2}[:=]\s{0,2}["']?)[^\s"',;]{1,400}/gi,
    (_match, name, sign) => `${name}${sign}***`,
  ],
  [
    /(?<![^\s<>"'()[\],;:=@/])([^\s<>"'()[\],;:=@/])[^\s<>"'()[\],;:=@/]*@([\p{L}\p{N}])[\p{L}\p{N}.*-]{0,252}/gu,
    (_match, local, domain) => `${local}***@${domain}***`,
  ],
  // CNPJ and CPF, dotted or bare; a bare eleven digits may also be a mobile number, which is as private.
  [/(?<![\w.])\d{2}\.?\d{3}\.?\d{3}\/\d{4}-?\d{2}(?!\w)/g, '**.***.***/****-**'],
  [/(?<![\w.])\d{3}[. ]?\d{3}[. ]?\d{3}[- ]?\d{2}(?!\w)/g, '***.***.***-**'],
  // 14 digits at least: 13 would hit every time stamp in milliseconds, and no card has had 13 for decades.
  [/(?<![\w.])(?:\d[ .-]?){13,18}\d(?!\w)/g, '**** **** **** ****'],
  [/(?<![\w.])(?:\+?55[ -]?)?\(?\d{2}\)?[ -]?9?\d{4}[- ]\d{4}(?!\w)/g, '(**) *****-****'],
];

/**
 * Hides what must not reach a log: e-mail addresses (`a***@d***`), bearer and API tokens, passwords after a
 * colon, CPF and CNPJ, card and phone numbers. Time is linear in the text, which is not cut: what were cut
 * off unmasked would be a leak, and a log wants the rest.
 */
export function maskPii(text: string): string {
  let masked = text;
  for (const [pattern, replacement] of MASKS) {
    masked =
      typeof replacement === 'string'
        ? masked.replace(pattern, replacement)
        : masked.replace(pattern, replacement);
  }
  return masked;
}
