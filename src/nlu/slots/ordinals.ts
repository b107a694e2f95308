import type { RecordWords } from './record-words.js';
import { foldText, tokenize } from './text.js';

/** A place in a list, counted from 0; negative from the end (-1 is the last). */
type Place = number;

const WORDS: Readonly<Record<string, Place>> = {
  first: 0,
  second: 1,
  third: 2,
  fourth: 3,
  forth: 3,
  fifth: 4,
  sixth: 5,
  seventh: 6,
  eighth: 7,
  ninth: 8,
  tenth: 9,
  last: -1,
  penultimate: -2,
  primeira: 0,
  primeiro: 0,
  segunda: 1,
  segundo: 1,
  terceira: 2,
  terceiro: 2,
  quarta: 3,
  quarto: 3,
  quinta: 4,
  quinto: 4,
  sexta: 5,
  sexto: 5,
  setima: 6,
  setimo: 6,
  oitava: 7,
  oitavo: 7,
  nona: 8,
  nono: 8,
  decima: 9,
  decimo: 9,
  ultima: -1,
  ultimo: -1,
  penultima: -2,
  penultimo: -2,
  primera: 0,
  primero: 0,
  primer: 0,
  tercera: 2,
  tercero: 2,
  tercer: 2,
  cuarta: 3,
  cuarto: 3,
  septima: 6,
  septimo: 6,
  octava: 7,
  octavo: 7,
  novena: 8,
  noveno: 8,
};
/** Numbers up to ten in words; the articles that also count one are left to who asks for a number. */
export const CARDINALS: Readonly<Record<string, number>> = {
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  um: 1,
  dois: 2,
  duas: 2,
  tres: 3,
  quatro: 4,
  cinco: 5,
  seis: 6,
  sete: 7,
  oito: 8,
  nove: 9,
  dez: 10,
  dos: 2,
  cuatro: 4,
  siete: 7,
  ocho: 8,
  nueve: 9,
  diez: 10,
};
const ORDINAL = Object.keys(WORDS).join('|');

/** What may follow an ordinal that points at a list, besides what is in it. */
const THING =
  'one|ones|option|item|choice|on (?:the|your|that) list|in (?:the|your|that) list|(?:out )?of (?:the|those|these|them|my)|delas|deles|dessas|desses|from (?:the )?(?:top|list)|opcao|alternativa|da lista|da sua lista|d[ao]s (?:itens|opcoes)|mesmo|mesma|por favor|please|pls|pfv|thanks|obrigad[oa]|ai|ali|ne|how|what time|when|where|quanto|quando|onde|que horas|qual|begins?|starts?|ends?|costs?|comeca|termina|acaba|custa|custou|fica|a que hora|cuanto|cuando|donde|que dia|empieza|cuesta';
/** "first time", "segunda vez", "one second": counting something else. */
const NO_THING =
  /^ (?:time|times|of all|thing|name|month|year|week|day|place|try|attempt|class|vez|vezes|lugar|nome|mes|ano|semana|coisa|via|mao|parcela|tentativa|fatura|cobranca|and foremost|night|mensagem|message|charge|payment|email|feira|-feira)/;

/** Places by an ordinal, by a number after a noun, and by a number with an ending. */
interface Patterns {
  readonly ordinal: readonly RegExp[];
  readonly numbered: RegExp;
  readonly suffixed: RegExp;
}

function patternsFor({ things, nouns, namesIn }: RecordWords): Patterns {
  const thing = `(?:${THING}|(?:das |dos )?(?:${things}))`;
  return {
    ordinal: [
      new RegExp(
        `\\b(?:the|a|o|la|el|mi|my|minha|meu|that|essa|esse|esa|ese|del|na|no|da|do|pela|pelo|pra|pro|ao|only|so) (?:very )?(${ORDINAL})\\b(?= ${thing}\\b|\\s*(?:$|[.,;!?)\\n]| and | e ))`,
        'g',
      ),
      new RegExp(`\\b(${ORDINAL}) (?=${thing}\\b)`, 'g'),
      new RegExp(
        `\\b(?:the|a|o|la|el|mi|my|minha|meu) (${ORDINAL}) (?=(?:[a-z]+ ){1,3}(?:one|${namesIn('en')})\\b)`,
        'g',
      ),
      new RegExp(
        `^\\W*(?:(?:cancel|i want|i mean|quero|quiero|cancela|cancelar|anula|yes|no|sim|si|nao|and|e|y|a|o|la|el|the)\\W+){0,3}(${ORDINAL})\\W*(?:please|pls|por favor|pfv|one)?\\W*$`,
        'g',
      ),
    ],
    numbered: new RegExp(
      `(?:\\b(?:number|num|numero|no\\.|n[o.]|nr\\.?|option|opcao|item|choice|alternativa|${nouns}|line|linha)|#) ?#?(\\d{1,2}|one|two|three|four|five|six|um|uma|dois|duas|tres|quatro|cinco|seis)\\b(?![.,/:]\\d|\\d| ?(?:reais|%|days?|dias?|hours?|horas?|weeks?|semanas?|people|pessoas))`,
      'g',
    ),
    suffixed: new RegExp(
      `\\b(?:the|a|o|as|os)? ?(?<![\\d/.,])([1-9]|1\\d|20)(?:st|nd|rd|th|[ao])\\b(?= (?:one|option|item|opcao|da lista|on the list|in the list|of|${things})|\\s*(?:$|[.,;!)]| and | e | please| por favor))`,
      'g',
    ),
  };
}

/** "2 - the hamlet one", "3) samba". */
const LEADING = /^\W*(\d{1,2}) ?[-.):,] ?[a-z]/;
/** A message that is only numbers and small words: "2", "1 and 3", "a 2 por favor". */
const ONLY_FIGURES =
  /^\W*(?:(?:a|o|as|os|the|e|and|ou|or|number|numero|no|n|option|opcao|cancel|cancela|cancelar|quero|please|pls|por favor|pfv|item|both|i want|i mean|de|just|only|so|it's|its|one)\W+|\d{1,2}(?:\W+|$)){1,12}$/;

const COUNTED =
  /\b(?:the |my |as |os |minhas |meus )(?:(first|last|primeir[ao]s|ultim[ao]s) (\d|two|three|four|five|duas|dois|tres|quatro|cinco)|(\d|duas|dois|tres|quatro|cinco) (primeir[ao]s|ultim[ao]s))\b/;

/**
 * The places in a list a folded text points at ("the second one", "number 2", "a última", "1 and 3", "the first two"),
 * each once. `size` is the length of the list.
 */
export type FindPlaces = (folded: string, size: number) => Place[];

/** Makes the reader of places for lists of a company's records. */
export function createPlaces(words: RecordWords): FindPlaces {
  const patterns = patternsFor(words);
  return (folded, size) => placesIn(folded, size, patterns);
}

function placesIn(folded: string, size: number, { ordinal, numbered, suffixed }: Patterns): Place[] {
  const places = new Set<Place>();
  const some = COUNTED.exec(folded);
  if (some !== null) {
    const word = some[2] ?? some[3] ?? '';
    const count = CARDINALS[word] ?? Number(word);
    const fromEnd = /last|ultim/.test(some[0]);
    return Array.from({ length: Math.min(count, 20) }, (_, i) => (fromEnd ? size - count + i : i));
  }
  for (const pattern of ordinal) {
    for (const match of folded.matchAll(pattern)) {
      const end = match.index + match[0].trimEnd().length;
      if (NO_THING.test(folded.slice(end, end + 16))) continue;
      places.add(WORDS[match[1] ?? ''] ?? 0);
    }
  }
  for (const match of folded.matchAll(numbered))
    places.add((CARDINALS[match[1] ?? ''] ?? (match[1] === 'uma' ? 1 : Number(match[1]))) - 1);
  for (const match of folded.matchAll(suffixed)) places.add(Number(match[1]) - 1);
  const leading = folded.length <= 60 ? LEADING.exec(folded) : null;
  if (leading !== null) places.add(Number(leading[1]) - 1);
  if (folded.length <= 60 && ONLY_FIGURES.test(folded)) {
    for (const { word } of tokenize(folded)) if (/^\d{1,2}$/.test(word)) places.add(Number(word) - 1);
  }
  const words = tokenize(folded).map((token) => token.word);
  const bare = words.filter((word) => !['number', 'numero', 'please', 'por', 'favor', 'pls'].includes(word));
  // "A três" is number three, but "the one" is no number.
  const alone =
    bare.length === 2 && /^[ao]$/.test(bare[0] ?? '') && (CARDINALS[bare[1] ?? ''] ?? 0) > 1
      ? bare.slice(1)
      : bare;
  if (alone.length === 1 && CARDINALS[alone[0] ?? ''] !== undefined)
    places.add((CARDINALS[alone[0] ?? ''] ?? 1) - 1);
  return [...places];
}

const COUNT = `(\\d{1,2}|${Object.keys(CARDINALS).join('|')})`;
/** Counted are days then, and no records. */
const OF_TIME =
  '(?! (?:days?|weeks?|months?|years?|hours?|dias?|semanas?|mes|meses|anos?|horas?|digits|digitos)\\b)';
const LATEST = [
  new RegExp(`\\b(?:last|latest|most recent|ultim[ao]s) ${COUNT}\\b${OF_TIME}`),
  new RegExp(`\\b${COUNT} (?:last|latest|most recent|ultim[ao]s)\\b${OF_TIME}`),
  new RegExp(`\\b${COUNT} ${OF_TIME.replace('?! ', '?!')}\\w+ (?:mais recentes|mas recientes)\\b`),
];

/** How many of the latest a text asks for: "my last 5 payments"; null where it gives no number. */
export function latestIn(text: string): number | null {
  const folded = foldText(text);
  const [said] = LATEST.flatMap((pattern) => pattern.exec(folded)?.[1] ?? []);
  return said === undefined ? null : (CARDINALS[said] ?? Number(said));
}
