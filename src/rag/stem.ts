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
