import type { RecordWords } from './record-words.js';
import { fold, foldText, slack, type Token, tokenize, within } from './text.js';

/** Words of a title that everybody uses: they may point at an item only when nothing else could be meant. */
export const GENERIC = new Set(
  `night day evening afternoon morning live special edition new old great grand big small first last best open free guided city national modern contemporary classic family weekend
   today tomorrow tonight yesterday monday tuesday wednesday thursday friday saturday sunday
   noite dia tarde manha ao vivo especial edicao novo nova grande melhor livre guiada cidade nacional moderna moderno contemporanea familia
   hoje amanha ontem segunda terca quarta quinta sexta sabado domingo`.split(/\s+/),
);

/** Words that carry no meaning of their own in a title: they ask, point or join, and name nothing. */
export const SMALL = new Set(
  `what which who whom whose when where why how i you he she it we they me him us them my your his her its our their this that these those
   is are was were be do does did have has had so if then there here que qual quais quem quando onde como porque eu voce ele ela nos eles elas
   meu minha seu sua isso isto esse essa este esta foi sao tem tenho
   the a an of at in on to for and or with by from de da do das dos e em no na nos nas o os as ao aos a com por para pelo pela pelos pelas um uma com del la el vs`.split(
    /\s+/,
  ),
);

/** Ordinary words of support messages, never a slip of a title word. */
export const ORDINARY = new Set(
  `cancel cancelled canceled please thanks about which would could should there their where refund money still month wants wanted check email phone account change changed other another first second third fourth fifth night right paid charged
   today tomorrow cannot doesn really because before after again never maybe help need want have going attend price prices pricey priced worth amount
   cancela cancelar cancele cancelei favor quero queria gostaria preciso minha minhas essa esse aquela aquele ainda reembolso dinheiro conta outra outro primeira segunda terceira quarta quinta sexta sabado domingo obrigado obrigada porque depois antes agora nunca pagar paguei comprei estava posso pode nao preco precos valor valores caro cara
   sunday monday tuesday wednesday thursday friday saturday sundays mondays fridays weekend tonight yesterday january february march april june july august september october november december weeks months
   domingo amanha ontem semana janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro favor ultima ultimo proxima proximo terceira`.split(
    /\s+/,
  ),
);

/** A candidate's words as they are compared. */
interface Indexed {
  readonly id: string;
  readonly words: readonly string[];
}

/** How well a text names one candidate. */
interface NameMatch {
  readonly id: string;
  /** Weight of the words found. */
  readonly weight: number;
  /** That weight as a share of all the candidate's words. */
  readonly share: number;
  /** At least one word that is not everybody's was found. */
  readonly telling: boolean;
  /** At least one word that may point at something was found. */
  readonly pointing: boolean;
}

const wordsOf = (text: string, { stem }: RecordWords): string[] => [
  ...new Set(
    tokenize(foldText(text))
      .map((token) => token.word)
      .filter((word) => !SMALL.has(word) && (word.length > 1 || /\d/.test(word)))
      .map(stem),
  ),
];

const expand = (tokens: readonly Token[], { stem, placeOf }: RecordWords): string[] => {
  const out = new Set<string>();
  for (const { word } of tokens) {
    if (SMALL.has(word)) continue;
    out.add(stem(word));
    for (const part of placeOf(word)) out.add(part);
  }
  return [...out];
};

/** How surely a word of the text is this word of a name: 1 the same, less for a slip or a beginning, 0 not. */
const likeness = (said: string, named: string, { isFiller, isOrdinary }: RecordWords): number => {
  if (said === named) return 1;
  if (/\d/.test(said) || /\d/.test(named)) return 0;
  // A word of the language itself is no slip of a name: "cuánto" of "canto", "tengo" of "Tango".
  if (ORDINARY.has(said) || isOrdinary(said) || isFiller(said)) return 0;
  if (
    Math.min(said.length, named.length) >= 5 &&
    (named.startsWith(said) || said.startsWith(named)) &&
    Math.abs(said.length - named.length) <= 5
  )
    return 0.85;
  const limit = slack(Math.min(said.length, named.length));
  // A slip in the first letter is rare, and a different first letter is often a different word.
  return limit > 0 && said[0] === named[0] && within(said, named, limit) ? 0.8 : 0;
};

/** Compares a text with the names of all candidates; words that fewer of them share weigh more. */
function matchNames(
  tokens: readonly Token[],
  names: readonly { id: string; name: string }[],
  words: RecordWords,
): NameMatch[] {
  const isGeneric = (word: string) =>
    GENERIC.has(word) || words.isCommon(word) || words.isFiller(word) || words.isNoun(word);
  const indexed: Indexed[] = names.map(({ id, name }) => ({ id, words: wordsOf(name, words) }));
  const frequency = new Map<string, number>();
  for (const indexedName of indexed)
    for (const word of indexedName.words) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  const weightOf = (word: string): number =>
    Math.log(1 + indexed.length / (frequency.get(word) ?? 1)) * (isGeneric(word) ? 0.35 : 1) + 0.05;

  // Each word said goes to the names' word it is most like; a word that is one exactly is no slip of another.
  const found = new Map<string, number>();
  for (const said of expand(tokens, words)) {
    if (frequency.has(said)) {
      found.set(said, 1);
      continue;
    }
    for (const named of frequency.keys()) {
      const like = likeness(said, named, words);
      if (like > (found.get(named) ?? 0)) found.set(named, like);
    }
  }
  return indexed.map(({ id, words: own }) => {
    let all = 0;
    let weight = 0;
    let telling = false;
    let pointing = false;
    for (const word of own) {
      all += weightOf(word);
      const like = found.get(word) ?? 0;
      weight += like * weightOf(word);
      if (like > 0 && !isGeneric(word)) telling = true;
      if (like > 0 && !words.isFiller(word)) pointing = true;
    }
    return { id, weight, share: all === 0 ? 0 : weight / all, telling, pointing };
  });
}

/**
 * The candidates a text names, best first and only those that cannot be told apart from the best; empty when none is
 * named. A generic word ("the night one") counts only with `allowGeneric`.
 */
export function namedBy(
  tokens: readonly Token[],
  names: readonly { id: string; name: string }[],
  allowGeneric: boolean,
  words: RecordWords,
): NameMatch[] {
  const matches = matchNames(tokens, names, words)
    .filter(
      (match) => match.weight > 0 && (match.telling || (allowGeneric && match.pointing) || match.share > 0.9),
    )
    .sort((a, b) => b.weight - a.weight || b.share - a.share);
  const [best] = matches;
  if (best === undefined) return [];
  const close = matches.filter((match) => match.weight >= best.weight * 0.85);
  // The same words found, but they are the whole name of only one.
  const whole = close.filter((match) => match.share > 0.95);
  return whole.length === 1 && close.length > 1 ? whole : close;
}

/** So many small words may stand between the words of a name. */
const MOST_BETWEEN = 2;
/** A word shorter than this names nothing by itself. */
const NAMING = 5;

/**
 * The text with another word where it names one of these: two words of the same name side by side, or one that is written like a
 * name. What a concert is called says nothing of what is asked about it.
 */
export function withoutNames(
  text: string,
  names: readonly string[],
  noun: string,
  words: RecordWords,
): string {
  const source = fold(text);
  const tokens = tokenize(source.folded);
  const places = new RegExp(`\\b(?:${words.placeNames})\\b`, 'g');
  const inPlace = [...source.folded.matchAll(places)].map(({ index, 0: found }) => ({
    start: index,
    end: index + found.length,
  }));
  const isPlace = ({ start, end }: Token) =>
    inPlace.some((place) => place.start <= start && end <= place.end);
  const isTelling = (token: Token) => {
    const { word } = token;
    return !(GENERIC.has(word) || words.isCommon(word) || words.isThing(word) || isPlace(token));
  };
  const spans = names.flatMap((name) => {
    const own = new Set(wordsOf(name, words));
    return runsOf(tokens, ({ word }) => !SMALL.has(word) && own.has(words.stem(word))).filter((run) => {
      const [first] = run;
      const isNamed = (at: number) => /\p{Lu}/u.test(text.charAt(source.at[at] ?? 0));
      if (run.length > 1) return run.some(isTelling);
      return first !== undefined && first.word.length >= NAMING && isTelling(first) && isNamed(first.start);
    });
  });
  // The longest first, so that what stands inside one is gone with it.
  let rest = text;
  const ends = spans.map((run) => ({ start: run[0]?.start ?? 0, end: run.at(-1)?.end ?? 0 }));
  let left = Number.POSITIVE_INFINITY;
  for (const { start, end } of ends.sort((a, b) => b.end - a.end || a.start - b.start)) {
    if (end > left) continue;
    rest = rest.slice(0, source.at[start]) + noun + rest.slice(source.at[end]);
    left = start;
  }
  return rest;
}

/** Words of a name that stand side by side, small words between them apart. */
function runsOf(tokens: readonly Token[], isOwn: (token: Token) => boolean): readonly (readonly Token[])[] {
  const runs: Token[][] = [];
  let between = 0;
  let run: Token[] | null = null;
  for (const token of tokens) {
    if (isOwn(token)) {
      if (run) run.push(token);
      else {
        run = [token];
        runs.push(run);
      }
      between = 0;
    } else if (run && SMALL.has(token.word) && between < MOST_BETWEEN) between += 1;
    else run = null;
  }
  return runs;
}
