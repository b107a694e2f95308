/** What a customer may write that nobody else has to read. */
export type SecretKind = 'card' | 'CPF' | 'CNPJ' | 'password' | 'code' | 'key';

/** Where in a text a secret stands. */
interface FoundSecret {
  readonly kind: SecretKind;
  readonly start: number;
  readonly end: number;
}

/** Between the digits of one number; people type it in many ways. */
const GAP = String.raw`[ \t\u00a0\u2007\u2009\u202f.\-\u2010-\u2015/\u00b7_]{1,3}`;
/** Bounded, because one that ends in a letter is tried again from each of its groups. */
const RUN = new RegExp(String.raw`(?<![\p{L}\p{N}_])\d+(?:${GAP}\d+){0,400}(?![\p{L}_])`, 'gu');
const GROUP = /\d+/g;
const CARD_LENGTHS = [19, 18, 17, 16, 15, 14, 13];
const FORMATTED_CPF = /^\d{3}\.\d{3}\.\d{3}[-/.]\d{2}$/;
const FORMATTED_CNPJ = /^\d{2}\.\d{3}\.\d{3}\/\d{4}-?\d{2}$/;
const FOUR_FOURS = /^\d{4}([ -])\d{4}\1\d{4}\1\d{4}$/;

const PASSWORD = 'pass ?word|passcode|passphrase|passwd|pwd|senha|palavra[- ]passe|contrase[nñ]a';
const QUOTED = String.raw`"[^"\n]{1,100}"|“[^”\n]{1,100}”|'[^'\n]{1,100}'`;
const WORD = String.raw`[^\s"'“”,;<>]{1,100}`;
/** Each pattern ends with the secret, or has it in the group `value`. */
const SPOKEN: readonly (readonly [kind: SecretKind, pattern: RegExp, sure: boolean])[] = [
  ['key', /(?<![\w-])eyJ[\w-]+\.[\w-]+\.[\w-]*/g, true],
  ['key', /\b(?:sk|pk|rk)-[\w-]{8,}|\b(?:lsv2|ghp|gho|xox[abp])[_-][\w-]{12,}/g, true],
  ['key', /\b(?:bearer|basic)\s{1,3}(?<value>[\w.~+/=-]{12,})/gi, true],
  [
    'password',
    new RegExp(
      String.raw`(?<![\p{L}\p{N}_])(?:${PASSWORD})["']?(?: (?:nov[ao]|atual|new|old|antig[ao]))?\s{0,3}(?:[=:]|->|=>)\s{0,3}(?<value>${QUOTED}|${WORD})`,
      'giu',
    ),
    true,
  ],
  [
    'password',
    new RegExp(
      String.raw`(?<![\p{L}\p{N}_])(?:${PASSWORD})(?: [\p{L}\p{N}'-]{1,20}){0,5}? (?:is|was|é|eh|era|=)(?: (?:now|still|agora|ainda|just|apenas|só|the word|a palavra))?:? {1,3}(?<value>${QUOTED}|${WORD})`,
      'giu',
    ),
    false,
  ],
  [
    'password',
    new RegExp(
      String.raw`(?<![\p{L}\p{N}_])(?:${PASSWORD})(?: e)? {1,3}(?<value>${QUOTED}|(?=[^\s]{0,40}\d)${WORD}(?<=[^\s]{4}))`,
      'giu',
    ),
    true,
  ],
  [
    'password',
    new RegExp(
      String.raw`(?<![^\s"'“(])(?<value>${QUOTED}|(?=[^\s]{0,40}[\d!@#$%&*])${WORD}(?<=[^\s]{4})) (?:is|was|é|eh|era) (?:my|the|a|minha|a minha) (?:[\p{L}]{1,20} ){0,2}?(?:${PASSWORD})(?![\p{L}\p{N}_])`,
      'giu',
    ),
    true,
  ],
  [
    'code',
    /(?<![\p{L}\p{N}_])(?:cvv2?|cvc2?|c[oó]digo de seguran[cç]a|security code)[^\d\n]{0,20}(?<value>\d{3,4})(?!\d)/giu,
    true,
  ],
  [
    'code',
    /(?<before>(?<!\p{L})\p{L}{1,30}[ -])?(?<![\p{L}\p{N}_])(?:codes?|c[oó]digos?|otp|2fa|token|pin)(?: (?:de|d[oae]|for|from|of|para|que)(?: (?:a|o|the|my|you))?(?<about> [\p{L}-]+))?(?: [\p{L}'-]{1,15}){0,4}?[ :=#"'(-]{1,4}(?<value>\d{3}[ -]\d{3}|\d{4,8})(?![\p{L}\p{N}]|[-./]\d)/giu,
    true,
  ],
];
/** Codes that mean a thing and open nothing. */
const NO_SECRET_CODE =
  /err|promo|cupom|coupon|discount|desconto|vouch|gift|booking|reserv|zip|post|cep|area|country|pa[ií]s|ddd|bar|produ|status|http|order|pedido|ticket|ingresso|experi|venue|event|refer|invite|convite|tracking|rastre/iu;
/** What follows "my password is" where none is told. */
const NO_PASSWORD =
  /^(?:\p{L}{1,2}|not|the|too|very|also|never|always|still|now|again|just|only|what|wrong|right|correct|incorrect|invalid|valid|weak|strong|old|new|same|different|good|bad|safe|secure|short|long|lost|gone|fine|there|here|this|that|because|since|from|for|with|somewhere|unknown|empty|broken|useless|unsafe|public|private|known|given|sent|reset|set|kept|asked|simple|hard|easy|impossible|case|não|nao|muito|mais|sempre|nunca|ainda|errad[ao]|incorret[ao]|corret[ao]|cert[ao]|inv[aá]lid[ao]|v[aá]lid[ao]|frac[ao]|fortes?|antig[ao]|nov[ao]|mesm[ao]|diferente|igual|bo[am]|seguras?|curt[ao]|long[ao]|difícil|fácil|dificil|facil|essa|esta|isso|aquela|qual|que|para|pra|por|com|sem|uma|minha|só|apenas|insegur[ao]|\p{L}+(?:ing|ed|ly|mente|ad[oa]s?|id[oa]s?|ível|ivel))$/iu;

/**
 * Card numbers (with their check digit, however they are spaced), CPF and CNPJ, passwords and one-time codes that are
 * said to be such, tokens and keys. In order, apart from each other. Linear in the length of the text. Phone numbers,
 * e-mail addresses, ids, amounts and dates are none of these.
 */
export function findSecrets(text: string): readonly FoundSecret[] {
  const found = [...numbersIn(text), ...spokenIn(text)].sort((a, b) => a.start - b.start || b.end - a.end);
  let end = 0;
  return found.filter((secret) => {
    if (secret.start < end) return false;
    end = secret.end;
    return true;
  });
}

function spokenIn(text: string): readonly FoundSecret[] {
  if (!MAY_SPEAK.test(text)) return [];
  return SPOKEN.flatMap(([kind, pattern, sure]) =>
    [...text.matchAll(pattern)].flatMap((match) => {
      const said = match.groups?.value ?? match[0];
      const value = said.replace(/[.!?)]+$/u, '');
      const plain = value.replace(/^["'“]|["'”]$/gu, '');
      if (plain === '' || /^\[[^\]]*\]?$/u.test(plain)) return [];
      if (!sure && plain === value && NO_PASSWORD.test(plain)) return [];
      const about = `${match.groups?.before ?? ''} ${match.groups?.about ?? ''}`;
      if (kind === 'code' && NO_SECRET_CODE.test(about)) return [];
      const start = match.index + match[0].lastIndexOf(said);
      const lead = plain === value ? 0 : 1;
      return [{ kind, start: start + lead, end: start + lead + plain.length }];
    }),
  );
}

const MAY_SPEAK = new RegExp(
  `${PASSWORD}|code|c[oó]digo|otp|2fa|token|pin|cvv|cvc|bearer|basic|eyJ|[srp]k-|lsv2|gh[po]_|xox`,
  'iu',
);

function numbersIn(text: string): readonly FoundSecret[] {
  if (!/\d/.test(text)) return [];
  return [...text.matchAll(RUN)].flatMap((run) => {
    const labelled = /(cpf|cnpj)[^\d\n]{0,25}$/iu.exec(
      text.slice(Math.max(0, run.index - 30), run.index),
    )?.[1];
    const abroad = text[run.index - 1] === '+';
    return numbersInRun(run[0], labelled?.toUpperCase(), abroad).map(({ kind, start, end }) => ({
      kind,
      start: run.index + start,
      end: run.index + end,
    }));
  });
}

function numbersInRun(run: string, labelled: string | undefined, abroad: boolean): FoundSecret[] {
  const digits = run.replace(/\D/g, '');
  if (labelled !== undefined && digits.length >= 9 && digits.length <= 15)
    return [{ kind: labelled === 'CNPJ' ? 'CNPJ' : 'CPF', start: 0, end: run.length }];
  if (digits.length < 11 || abroad) return [];
  const groups = [...run.matchAll(GROUP)].map((group) => ({ start: group.index, text: group[0] }));
  const found: FoundSecret[] = [];
  for (let first = 0; first < groups.length; first += 1) {
    const number = longestNumber(run, groups, first);
    if (number === null) continue;
    found.push(number.secret);
    first = number.last;
  }
  return found;
}

interface Group {
  readonly start: number;
  readonly text: string;
}

/** The longest number of a kind that begins with a group of digits and ends with one. */
function longestNumber(run: string, groups: readonly Group[], first: number) {
  const start = groups[first]?.start ?? 0;
  let digits = '';
  let best: { readonly secret: FoundSecret; readonly last: number } | null = null;
  for (let last = first; last < groups.length && digits.length < 19; last += 1) {
    const group = groups[last];
    if (group === undefined) break;
    digits += group.text;
    const end = group.start + group.text.length;
    const kind = kindOf(digits, run.slice(start, end));
    if (kind !== null) best = { secret: { kind, start, end }, last };
  }
  return best;
}

function kindOf(digits: string, written: string): SecretKind | null {
  if (digits.length === 11 && (FORMATTED_CPF.test(written) || isCpf(digits))) return 'CPF';
  if (digits.length === 14 && (FORMATTED_CNPJ.test(written) || isCnpj(digits))) return 'CNPJ';
  if (FOUR_FOURS.test(written)) return 'card';
  return CARD_LENGTHS.includes(digits.length) && mayBeCard(digits) && passesLuhn(digits) ? 'card' : null;
}

/** The first digits and lengths that the card networks use; others are times in milliseconds, phones and ids. */
function mayBeCard(digits: string): boolean {
  const { length } = digits;
  if (digits.startsWith('4')) return length === 13 || length === 16 || length === 19;
  if (/^3[47]/.test(digits)) return length === 15;
  if (/^3(?:0[0-5]|[689])/.test(digits)) return length >= 14 && length <= 19;
  if (/^(?:5[1-5]|2(?:2[2-9]|[3-6]\d|7[01]|720))/.test(digits)) return length === 16;
  return /^(?:35|5[06-9]|6)/.test(digits) && length >= 16;
}

/** True where the last digit is the check digit of the others (ISO/IEC 7812). */
function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index]);
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

function isCpf(digits: string): boolean {
  if (/^(\d)\1*$/.test(digits)) return false;
  return [9, 10].every((length) => checkDigit(digits, length, length + 1) === Number(digits[length]));
}

function isCnpj(digits: string): boolean {
  if (/^(\d)\1*$/.test(digits)) return false;
  return [12, 13].every((length) => checkDigit(digits, length, 9) === Number(digits[length]));
}

/** Modulo 11 with weights that rise from 2 at the right end, and begin anew after the highest. */
function checkDigit(digits: string, length: number, highest: number): number {
  let sum = 0;
  for (let index = 0; index < length; index += 1) {
    sum += Number(digits[length - 1 - index]) * (2 + (index % (highest - 1)));
  }
  const rest = (sum * 10) % 11;
  return rest === 10 ? 0 : rest;
}
