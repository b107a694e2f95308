import { isObject, type JsonObject, type JsonValue } from '../../core/domain/json.js';
import { cleanText } from '../../core/text.js';

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
function cut(text: string, characters: number): string {
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

/** True where a question asks for a secret. */
export function asksForSecret(question: string): boolean {
  return SECRET.test(question);
}

const MAX_LINES = 12;
const MAX_FIELDS = 6;
const LINE_CHARS = 700;

const TITLE = /^(?:title|name|label|subject|headline|titulo|nome)$/i;
const BODY =
  /^(?:answer|text|content|body|summary|description|message|reply|snippet|details?|resposta|texto|conteudo)$/i;
/** For programs: ids, addresses, scores and modes say nothing to a customer. */
const INTERNAL =
  /(?:^|_)(?:id|ids|uuid|key|url|uri|href|link|score|confidence|raw_confidence|distance|rank|threshold|mode|cursor|token|version|etag)$/i;
/** Below this probability in all, a list of guesses is no answer; used where the other side names no threshold. */
const USUAL_THRESHOLD = 0.5;

type Row = JsonObject;

/** Structured output of another agent as lines that can be read; none where it says nothing. */
export function dataLines(data: JsonObject | null): readonly string[] {
  if (data === null) return [];
  const threshold = typeof data.threshold === 'number' ? data.threshold : USUAL_THRESHOLD;
  const own: Record<string, JsonValue> = {};
  const lists: string[] = [];
  for (const [name, value] of Object.entries(data)) {
    if (Array.isArray(value)) lists.push(...listLines(name, value, threshold));
    else own[name] = value as JsonValue;
  }
  const line = rowLine(own as Row);
  return [...(line === '' ? [] : [line]), ...lists]
    .slice(0, MAX_LINES)
    .map((words) => cut(words, LINE_CHARS));
}

function listLines(name: string, items: readonly JsonValue[], threshold: number): readonly string[] {
  const rows = items.filter(isObject);
  if (rows.length === 0) {
    const words = items.filter((item) => typeof item === 'string' || typeof item === 'number');
    return words.length === 0 ? [] : [`${label(name)}: ${words.join(', ')}`];
  }
  return trusted(rows, threshold)
    .map(rowLine)
    .filter((line) => line !== '');
}

/**
 * Of items that say how probable they are, those that can be relied on: none where all together are improbable, else the
 * best and what comes near it.
 */
function trusted(rows: readonly Row[], threshold: number): readonly Row[] {
  const sure = rows.map(({ confidence }) => confidence);
  if (!sure.every((value) => typeof value === 'number' && value >= 0 && value <= 1)) return rows;
  const values = sure as readonly number[];
  if (values.reduce((sum, value) => sum + value, 0) < threshold) return [];
  const best = Math.max(...values);
  return rows.filter(
    (_row, index) => (values[index] ?? 0) >= Math.max(best / 2, best >= threshold ? threshold : 0),
  );
}

function rowLine(row: Row): string {
  const entries = Object.entries(row).filter(([name]) => !INTERNAL.test(name));
  const title = entries.find(([name, value]) => TITLE.test(name) && typeof value === 'string');
  const bodies = entries.filter(
    ([name, value]) => BODY.test(name) && typeof value === 'string' && value.trim() !== '',
  );
  const body = bodies.sort(([, a], [, b]) => String(b).length - String(a).length)[0];
  const rest = entries
    .filter((entry) => entry !== title && !bodies.includes(entry))
    .flatMap(([name, value]) => (isPlain(value) && value !== '' ? [`${label(name)}: ${String(value)}`] : []))
    .slice(0, MAX_FIELDS);
  const said = [body ? String(body[1]).trim() : '', rest.join(', ')].filter(Boolean).join(' ');
  return [title ? String(title[1]).trim() : '', said].filter(Boolean).join(': ');
}

function isPlain(value: JsonValue | undefined): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

function label(name: string): string {
  return name.replaceAll('_', ' ');
}
