import { cleanText } from '../../core/clean-text.js';

/** Longest answer of another agent that is passed on, in characters. */
const ANSWER_CHARS = 3_000;

const LINK = /!?\[([^[\]\n]{0,300})\]\(([^()\s]{1,2000})(?:\s[^()\n]{0,300})?\)/g;
const ADDRESS = /\b(?:https?:\/\/|www\.)[^\s<>"'`]{1,2000}/gi;
const OTHER_SCHEME = /\b(?:javascript|data|vbscript|file|blob):[^\s<>"']{1,2000}/gi;
const EMAIL = /[\p{L}\p{N}._%+-]{1,64}@([\p{L}\p{N}.-]{1,253}\.[\p{L}]{2,24})/gu;
const TAG = /<\/?[a-z!][^<>\n]{0,500}>/gi;
/** Would be taken for the marks with which the hub's own agents cite articles. */
const CITATION_LIKE = /\[([^\]\n]{1,120})\](?!\()/g;

/**
 * The words of another agent as they may be shown: without control characters, HTML, images, and without addresses that
 * lead anywhere but to the hosts which the operator of the hub allows.
 * @param linkHosts host names; their subdomains are others
 */
export function cleanAnswer(text: string, linkHosts: readonly string[]): string {
  const allowed = new Set(linkHosts.map((host) => host.toLowerCase()));
  const words = cleanText(text)
    .slice(0, 4 * ANSWER_CHARS)
    .replace(TAG, ' ')
    .replace(LINK, (_link, label: string, address: string) =>
      isAllowed(address, allowed) ? `${label} (${address})` : label,
    )
    .replace(OTHER_SCHEME, '[…]')
    .replace(ADDRESS, (address) => (isAllowed(address, allowed) ? address : '[…]'))
    .replace(EMAIL, (address, host: string) => (allowed.has(host.toLowerCase()) ? address : '[…]'))
    .replace(CITATION_LIKE, (_mark, inside: string) => (inside === '…' ? '[…]' : `(${inside})`))
    .replace(/[ \t]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  return cut(words, ANSWER_CHARS);
}

/** At most so many characters, ended after a sentence where there is one. */
export function cut(text: string, characters: number): string {
  if (text.length <= characters) return text;
  const part = text.slice(0, characters);
  const end = Math.max(
    part.lastIndexOf('. '),
    part.lastIndexOf('.\n'),
    part.lastIndexOf('! '),
    part.lastIndexOf('? '),
  );
  return end > characters / 2 ? part.slice(0, end + 1) : `${part.trimEnd()}…`;
}

function isAllowed(address: string, allowed: ReadonlySet<string>): boolean {
  const full = /^www\./i.test(address) ? `https://${address}` : address;
  if (!/^https:\/\//i.test(full) || !URL.canParse(full)) return false;
  const { hostname, username, password } = new URL(full);
  return username === '' && password === '' && allowed.has(hostname.toLowerCase());
}

/** A password, a code, a card or an identity number: no partner may ask customers for these through the hub. */
const SECRET =
  /\b(?:pass(?:word|code|phrase)s?|senhas?|pin|cvv|cvc|cpf|ssn|social security|(?:one[- ]time|security|verification|access) codes?|c[oó]digos? (?:de )?(?:seguran[cç]a|verifica[cç][aã]o|acesso)|(?:credit |debit )?card (?:number|details?|data)|n[uú]mero d[oe] (?:seu |teu )?cart[aã]o|dados d[oe] (?:seu )?cart[aã]o|cart[aã]o de cr[eé]dito|bank account|conta banc[aá]ria|api[- ]?keys?|access tokens?)\b/iu;

/** True where a question asks for something that nobody should give away. */
export function asksForSecret(question: string): boolean {
  return SECRET.test(question);
}
