import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { fold as plain } from '../core/text.js';

/** Light stemmers: they join the forms of a word that support questions mix, and err on the side of leaving it alone. */

const MIN_STEM = 3;

/** English: plurals, -ing, -ed and the common nouns made from verbs. Input is folded (lower case, no accents). */
export function stemEnglish(word: string): string {
  if (word.length <= MIN_STEM || /\d/u.test(word)) return word;
  let stem = word.replace(/'s$/u, '');
  if (/(?:ss|us|is)$/u.test(stem)) return stem;
  stem = stem
    .replace(/ies$/u, 'y')
    .replace(/(sh|ch|x|z|ss)es$/u, '$1')
    .replace(/s$/u, '');
  // "pay" stays whole in "paying", but "speed" and "indeed" must not lose their "ed".
  const short = strip(stem, [/ments?$/u, /ings?$/u], 3);
  const base = short === stem ? strip(stem, ENGLISH_ENDINGS, 4) : short;
  return base.length === MIN_STEM ? base : undouble(base).replace(/(?:e|y|i)$/u, '') || word;
}

const ENGLISH_ENDINGS: readonly RegExp[] = [
  /ations?$/u,
  /ed$/u,
  /ions?$/u,
  /ers?$/u,
  /ly$/u,
  /ance$/u,
  /ence$/u,
];

/** Portuguese: plurals, gender, verb endings and common nouns made from verbs. Input is folded. */
export function stemPortuguese(word: string): string {
  if (word.length <= MIN_STEM || /\d/u.test(word)) return word;
  let stem = word
    .replace(/(?:oes|aes|aos)$/u, 'ao')
    .replace(/ais$/u, 'al')
    .replace(/eis$/u, 'el')
    .replace(/ois$/u, 'ol')
    .replace(/([rz])es$/u, '$1')
    .replace(/ns$/u, 'm')
    .replace(/s$/u, '');
  stem = strip(stem, PORTUGUESE_ENDINGS, 3);
  return stem.replace(/[aeo]$/u, '') || word;
}

const PORTUGUESE_ENDINGS: readonly RegExp[] = [
  /(?:amento|imento)$/u,
  /(?:acao|icao|ucao|cao|sao)$/u,
  /mente$/u,
  /(?:encia|ancia)$/u,
  /(?:ariam|eriam|iriam|aremos|eremos|iremos|assem|essem|issem|avamos|iamos)$/u,
  /(?:aria|eria|iria|arao|erao|irao|arei|erei|irei|asse|esse|isse|aram|eram|iram|avam|amos|emos|imos)$/u,
  /(?:ando|endo|indo|ados|adas|idos|idas|ado|ada|ido|ida|ava|iam|ara|era|ira)$/u,
  /(?:inho|inha|zinho|zinha)$/u,
  /(?:ar|er|ir|ei|ou|eu|iu|am|em|ia|i)$/u,
];

function strip(word: string, endings: readonly RegExp[], keep: number): string {
  for (const ending of endings) {
    const cut = word.replace(ending, '');
    if (cut !== word && cut.length >= keep) return cut;
  }
  return word;
}

/** cancell → cancel, stopp → stop; but address, call and off keep their double letter after s, l and f in short words. */
function undouble(word: string): string {
  return word.length > 4 && /([bcdgklmnprtv])\1$/u.test(word) ? word.slice(0, -1) : word;
}

/** Lower case, no accents, so that "Não" and "nao" are one word. */
export function fold(text: string): string {
  return plain(text).replaceAll('’', "'");
}

const WORD = /[\p{L}\p{N}]+(?:'[\p{L}]+)?/gu;

/** The text with some of its words, folded, in place of others; all else stays as it is. */
export function replaceWords(text: string, replace: (folded: string) => string): string {
  return text.replace(WORD, (word) => {
    const folded = fold(word);
    const other = replace(folded);
    return other === folded ? word : other;
  });
}

/** The folded words of a text in order. */
export function wordsOf(text: string): readonly string[] {
  return [...fold(text).matchAll(WORD)].map(([word]) => word.replace(/'(?:s|re|ve|ll|d|m)$/u, ''));
}

/** Which concepts a word stands for; several where it is ambiguous. */
interface Lexicon {
  /** Number of concepts; ids are 0 to size - 1. */
  readonly size: number;
  /** Concepts of a stem: of its own language, else of the other. */
  conceptsOf(stem: string, portuguese: boolean): readonly number[];
  /** Concepts of words in a row, joined by `_`. */
  conceptsOfPhrase(phrase: string): readonly number[];
  /** The English words of a concept, the most typical first. */
  englishOf(concept: number): readonly string[];
  /** Its single words in both languages, folded. */
  wordsOf(concept: number): readonly string[];
}

const SHIPPED = fileURLToPath(new URL('../../data/rag/lexicon.txt', import.meta.url));
const NONE: readonly number[] = [];

/** The lexicon that ships with the hub (data/rag/lexicon.txt). Takes a few milliseconds. */
function loadLexicon(): Lexicon {
  return parseLexicon(readFileSync(SHIPPED, 'utf8'));
}

/** @param text one concept a line: `english words | portuguese words`; `#` begins a comment line */
export function parseLexicon(text: string): Lexicon {
  const english = new Map<string, number[]>();
  const portuguese = new Map<string, number[]>();
  const phrases = new Map<string, number[]>();
  const englishWords: string[][] = [];
  const allWords: string[][] = [];
  for (const line of text.split(/\r?\n/u)) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const concept = englishWords.length;
    const [left = '', right = ''] = line.split('|').map((side) => fold(side).trim());
    const single = (side: string): string[] =>
      side.split(/\s+/u).filter((word) => word !== '' && !word.includes('_'));
    englishWords.push(single(left));
    allWords.push(interleave(single(left), single(right)));
    for (const word of left.split(/\s+/u))
      enter(word.includes('_') ? phrases : english, word.includes('_') ? word : stemEnglish(word), concept);
    for (const word of right.split(/\s+/u))
      enter(
        word.includes('_') ? phrases : portuguese,
        word.includes('_') ? word : stemPortuguese(word),
        concept,
      );
  }
  return {
    size: englishWords.length,
    conceptsOf: (stem, inPortuguese) => {
      const [own, other] = inPortuguese ? [portuguese, english] : [english, portuguese];
      return own.get(stem) ?? other.get(stem) ?? NONE;
    },
    conceptsOfPhrase: (phrase) => phrases.get(phrase) ?? NONE,
    englishOf: (concept) => englishWords[concept] ?? [],
    wordsOf: (concept) => allWords[concept] ?? [],
  };
}

/** The most typical of both first. */
function interleave(left: readonly string[], right: readonly string[]): string[] {
  return Array.from({ length: Math.max(left.length, right.length) }, (_, i) => [left[i], right[i]])
    .flat()
    .filter((word) => word !== undefined);
}

function enter(map: Map<string, number[]>, key: string, concept: number): void {
  if (key === '') return;
  const known = map.get(key);
  if (known === undefined) map.set(key, [concept]);
  else if (!known.includes(concept)) known.push(concept);
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/u).filter((word) => word !== ''));
}

/** English words without a topic, folded, with the small talk of support messages. */
const ENGLISH_STOPWORDS = words(`
a an the this that these those there here it its itself i me my mine myself we us our ours you your yours u ur he him his she her hers they them their theirs
am is are was were be been being isn't aren't wasn't weren't do does did doing done don't doesn't didn't dont doesnt didnt have has had having haven't hasn't hadn't
will would won't wouldn't shall should shouldn't can could can't cannot cant couldn't may might must need to of in on at by for from with without into onto about
as if or and but nor so than then too very just also only even still already yet ever never always sometimes again once
what which who whom whose when where why how whats hows wheres whos no not none nothing any anything anyone some something someone every everything everyone each all both
up down out off over under between through during before after above below until while because since
please pls plz thanks thank thx hi hello hey dear sir madam ok okay yes yeah well like get got gets getting go goes going gone went want wants wanted wanna gonna
know tell let say says said see seen look looking think thing things way make makes made makin take takes took taken put come comes came
much many more most less few lot lots other another same such own
i'm im ive i've id i'd ill i'll it's he's she's that's there's what's you're youre we're they're who's let's
help question ask asking happen happens happened happening possible able one two kind sort really actually right now today
`);

/** Brazilian Portuguese words without a topic, folded, chat spelling included. */
const PORTUGUESE_STOPWORDS = words(`
o a os as um uma uns umas de do da dos das d em no na nos nas num numa por pelo pela pelos pelas para pra pro pras pros com sem sob sobre entre ate apos desde
e ou mas nem que q se como quando onde porque porq pq pois por qual quais quem quanto quanta quantos quantas cade
eu tu voce vc vcs voces ele ela eles elas nos a gente me mim te ti lhe lhes meu minha meus minhas seu sua seus suas nosso nossa nossos nossas dele dela deles delas
este esta estes estas esse essa esses essas aquele aquela aqueles aquelas isto isso aquilo ai ali aqui la
ser sou es e somos sao era eram foi foram fui sera seria seja sejam sendo sido estar estou esta estamos estao estava tava to ta tao tamos
ter tenho tem temos tinha teve tive terei teria tendo tido haver ha houve havia
fazer faz faco fez fiz feito fazendo ir vou vai vamos vao indo poder posso pode podem podemos podia poderia consigo consegue conseguir conseguem
querer quero quer queria gostaria preciso precisa precisar devo deve deveria saber sei sabe dizer diz disse
nao n sim ja mais menos muito muita muitos muitas pouco tudo todo toda todos todas algum alguma alguns algumas nada nenhum nenhuma ninguem alguem algo cada outro outra outros outras mesmo mesma tambem tb tbm so ainda agora hoje sempre nunca depois antes entao assim bem mal
oi ola bom boa dia tarde noite obrigado obrigada obg valeu por favor pfv tchau ok
ajuda ajudar duvida pergunta acontece aconteceu da dar deu dei dao coisa jeito tipo vez vezes aconteceu ficar fica ficou fico acho acha
`);

/** One word of a text as the search compares it. */
interface Term {
  /** Lower case, without accents. */
  readonly word: string;
  readonly stem: string;
  /** Carries no topic ("how", "meu"). */
  readonly isStopword: boolean;
  /** What it may stand for, language apart. */
  readonly concepts: readonly number[];
}

/** A text as the search compares it. */
interface TextAnalysis {
  readonly terms: readonly Term[];
  /** Concepts of words in a row ("log in", "caixa de entrada"), without repetition. */
  readonly phraseConcepts: readonly number[];
  /** Portuguese rather than English; decides the stemmer only. */
  readonly isPortuguese: boolean;
}

/** Words, stems and concepts of a text. */
export interface Analyzer {
  analyze(text: string): TextAnalysis;
  /** English words for a concept, the most typical first. */
  englishOf(concept: number): readonly string[];
  /** Its words in both languages. */
  wordsOf(concept: number): readonly string[];
  readonly conceptCount: number;
  /** True for a word without a topic. */
  isStopword(word: string): boolean;
}

const LONGEST_PHRASE = 3;

/** Reads the shipped lexicon unless another is given. */
export function createAnalyzer(lexicon: Lexicon = loadLexicon()): Analyzer {
  return {
    conceptCount: lexicon.size,
    isStopword: (word) => ENGLISH_STOPWORDS.has(word) || PORTUGUESE_STOPWORDS.has(word),
    englishOf: (concept) => lexicon.englishOf(concept),
    wordsOf: (concept) => lexicon.wordsOf(concept),
    analyze: (text) => {
      const words = wordsOf(text);
      const isPortuguese = looksPortuguese(words);
      const [stem, stopwords] = isPortuguese
        ? [stemPortuguese, PORTUGUESE_STOPWORDS]
        : [stemEnglish, ENGLISH_STOPWORDS];
      const terms = words.map((word) => {
        const stemmed = stem(word);
        return {
          word,
          stem: stemmed,
          isStopword: stopwords.has(word),
          concepts: lexicon.conceptsOf(stemmed, isPortuguese),
        };
      });
      return { terms, phraseConcepts: phraseConcepts(lexicon, terms), isPortuguese };
    },
  };
}

/** Phrases are looked for with and without the stopwords: "log in" needs them, "caixa de entrada" does not. */
function phraseConcepts(lexicon: Lexicon, terms: readonly Term[]): readonly number[] {
  const found = new Set<number>();
  for (const words of [
    terms.map((term) => term.word),
    terms.filter((term) => !term.isStopword).map((term) => term.word),
  ]) {
    for (let start = 0; start < words.length; start += 1) {
      for (let end = start + 2; end <= Math.min(words.length, start + LONGEST_PHRASE); end += 1) {
        for (const concept of lexicon.conceptsOfPhrase(words.slice(start, end).join('_'))) found.add(concept);
      }
    }
  }
  return [...found];
}

/** By stopwords and endings alone: enough to pick a stemmer, and a wrong pick costs little. */
function looksPortuguese(words: readonly string[]): boolean {
  let balance = 0;
  for (const word of words) {
    if (PORTUGUESE_STOPWORDS.has(word)) balance += 1;
    if (ENGLISH_STOPWORDS.has(word)) balance -= 1;
    if (/(?:cao|coes|nh[ao]s?|lh[ao]s?|mento|dade)$/u.test(word)) balance += 1;
  }
  return balance > 0;
}
