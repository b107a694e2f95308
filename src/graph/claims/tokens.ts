/** A word, number or sign of a text, with where it stands. */
export interface Token {
  /** Lower case, without accents. */
  readonly text: string;
  /** Set where it is a number, in digits or in words; a number of several words is one token. */
  readonly number: number | null;
  /** True where the number was written in digits. */
  readonly digits: boolean;
  /** True where the first letter is a capital. */
  readonly capital: boolean;
  /** True where it was written with an accent: "às duas" is a time of the day, "as duas" are two. */
  readonly accent: boolean;
  readonly from: number;
  readonly to: number;
}

const PIECE = /\d+(?:[.,]\d+)*|\p{L}[\p{L}\p{M}]*|[^\s\p{L}\d]|\n/gu;

const UNITS = index(
  'zero|one um uma|two dois duas|three tres|four quatro|five cinco|six seis|seven sete|eight oito|nine nove|ten dez|eleven onze|twelve doze|thirteen treze|fourteen catorze quatorze|fifteen quinze|sixteen dezesseis|seventeen dezessete|eighteen dezoito|nineteen dezenove',
  1,
);
const TENS = index(
  '|ten|twenty vinte|thirty trinta|forty quarenta|fifty cinquenta|sixty sessenta|seventy setenta|eighty oitenta|ninety noventa',
  10,
);
const HUNDREDS = index(
  '|cem cento|duzentos duzentas|trezentos trezentas|quatrocentos|quinhentos|seiscentos|setecentos|oitocentos|novecentos',
  100,
);
const HUNDRED = 100;
const THOUSAND = 1_000;

function index(lists: string, step: number): ReadonlyMap<string, number> {
  return new Map(
    lists.split('|').flatMap((words, at) =>
      words
        .split(' ')
        .filter((word) => word !== '')
        .map((word): [string, number] => [word, at * step]),
    ),
  );
}

/** No letter has an accent here. */
const PLAIN = /^[\0-\x7f]*$/;

/** Lower case without accents; as long as the text where that is composed. */
export function fold(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase();
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

/** Reads a text into words, numbers and signs, in one pass. @param offset where the text stands in its own */
export function tokensOf(text: string, offset = 0): readonly Token[] {
  const pieces = [...text.matchAll(PIECE)].map((match): Token => {
    const [piece] = match;
    const digits = /^\d/.test(piece);
    const low = piece.toLowerCase();
    const folded = fold(low);
    return {
      text: folded,
      number: digits ? numberIn(piece) : null,
      digits,
      capital: low !== piece && /^\p{Lu}/u.test(piece),
      accent: folded !== low,
      from: offset + match.index,
      to: offset + match.index + piece.length,
    };
  });
  return withNumberWords(pieces);
}

/** "1.200,00", "1,200.00", "59,90", "1.200", "4.5": the last separator is of decimals unless three digits follow it. */
export function numberIn(piece: string): number {
  const last = Math.max(piece.lastIndexOf('.'), piece.lastIndexOf(','));
  if (last === -1) return Number(piece);
  const decimals = piece.slice(last + 1);
  const whole = piece.slice(0, last).replace(/[.,]/g, '');
  return decimals.length === 3 ? Number(`${whole}${decimals}`) : Number(`${whole}.${decimals}`);
}

/** Joins "eighty-two", "a hundred and twenty", "cento e vinte e cinco" into one number each. */
function withNumberWords(pieces: readonly Token[]): readonly Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < pieces.length; ) {
    const read = numberAt(pieces, at);
    const [first, last] = [pieces[at], pieces[(read?.end ?? at + 1) - 1]];
    if (!first || !last) break;
    tokens.push(read ? { ...first, number: read.value, to: last.to } : first);
    at = read?.end ?? at + 1;
  }
  return tokens;
}

function numberAt(pieces: readonly Token[], start: number): { value: number; end: number } | null {
  let total = 0;
  let part: number | null = null;
  /** What may still be added is smaller than this. */
  let room = Number.POSITIVE_INFINITY;
  let end = start;
  for (let at = start; at < pieces.length; at += 1) {
    const word = pieces[at]?.text ?? '';
    const joins: boolean = part !== null && (word === 'e' || word === 'and' || word === '-');
    const next: string | undefined = joins ? pieces[at + 1]?.text : word;
    if (next === undefined) break;
    if (joins) at += 1;
    if ((next === 'hundred' || next === 'thousand' || next === 'mil') && (part !== null || next === 'mil')) {
      const scale: number = next === 'hundred' ? HUNDRED : THOUSAND;
      part = (part ?? 1) * scale;
      if (scale === THOUSAND) {
        total += part;
        part = 0;
      }
      room = scale;
      end = at + 1;
      continue;
    }
    const value = wordValue(next);
    // "and" adds a smaller part only: "twenty and thirty" are two numbers.
    if (value === null || value >= room) break;
    if (part !== null && !joins && room > value && room !== HUNDRED && room !== THOUSAND && word !== '-')
      break;
    part = (part ?? 0) + value;
    room = value >= HUNDRED ? HUNDRED : value >= 20 ? 10 : 1;
    end = at + 1;
  }
  return part === null && total === 0 ? null : { value: total + (part ?? 0), end };
}

function wordValue(word: string): number | null {
  return UNITS.get(word) ?? TENS.get(word) ?? HUNDREDS.get(word) ?? null;
}
