import { MONTHS, WEEKDAYS } from './calendar.js';
import { unsupportedCommitment } from './commitments.js';
import { grants, withoutDenied } from './denials.js';
import type { Figure } from './figure.js';
import { unsupportedFigure } from './figure-check.js';
import { figuresOfSentences } from './figures.js';
import type { Span } from './mix-ups.js';
import { unsupportedPhrase } from './phrases.js';
import { hasFigure } from './record-figures.js';
import type { KnownRecord } from './records.js';
import { CONDITION, type Sentence, sentencesOf } from './sentences.js';
import { saidOfItself } from './speaker.js';
import { BACKED, type Unsupported, unsupportedStatement } from './statements.js';
import { wrongTally } from './tallies.js';
import { fold } from './tokens.js';
import type { TurnEvidence } from './turn-evidence.js';

/* Turns of phrase that claim or promise without a verb that says so. Compared with folded text, but for names. */

/** Given for nothing. */
const GIFT =
  /(?:^|[^\p{L}])(on the house|on us|courtesy|complimentary|goodwill|good will|free of charge|for free|free months?|at no (?:extra |additional )?(?:cost|charge)|bonus|voucher|coupon|cashback|gift|cortesia|brinde|de graca|por nossa conta|gratis|presente|mimo|as a (?:welcome|thank)|(?:como|de) boas-vindas|(?<!feel |still )free(?! up| to | of )|gratuit[oa]s?|como agradecimento|isencao|isento|sem custo|sem cobranca|cupom|half (?:off|price)|pays? half|pagam? (?:meia|metade)|pela metade|credits?(?! card)|(?<!(?:de|o|do) )creditos?|(?:an?|one|another) (?:extra|additional|bonus) (?:visit|month|day)|(?:visita|mes|dia) (?:extra|adicional)|(?:make|made|grant) (?:you )?an exception|abr\p{L}+ (?:um|uma) excecao|(?:make|made) (?:it )?up (?:to you|for)|compensate you|compensar voce|compensar o transtorno|skip the (?:line|queue)|fila preferencial)(?![\p{L}])/gu;
/** Owed beside what a plan or a booking costs. */
const FEE =
  /(?<!\p{L})((?:cancell?ation|joining|exit|late|service|administrative|processing|booking|handling|reactivation) (?:fee|charge)s?|penalt(?:y|ies)|surcharges?|taxas?|multas?|tarifas?|juros)(?!\p{L})/gu;
const COSTS_NOTHING = /free|grati|gratui|graca|no (?:extra |additional )?c|sem c/;
/** How fast, without a number. */
const AT_ONCE =
  /(?:^|[^\p{L}])(instant(?:ly|aneo|aneamente)?|automatically|automaticamente|immediately|imediatamente|na hora(?! d[aeo]))(?![\p{L}])/u;
/** By when, without a date. */
const DEADLINE =
  /(?:^|[^\p{L}])(by (?:tonight|tomorrow|noon|midnight|the end of (?:the|this) (?:day|week|month)|end of day|(?:mon|tues|wednes|thurs|fri|satur|sun)day)|within (?:the|an) (?:next )?(?:hour|day|week)|(?:in )?(?:a|any) (?:minute|moment)|(?:the )?(?:very )?(?:next|following) (?:business |working )?day|overnight|next (?:year|quarter|semester)|de um dia (?:para|pra) o outro|n?o? ?dia (?:util )?seguinte|no proximo (?:ano|semestre|trimestre)|later today|first thing tomorrow|this (?:afternoon|evening)|ainda (?:hoje|nesta|essa)|hoje mesmo|ate (?:o fim|o final) d[oae]|ate amanha|em instantes|daqui a pouco|logo logo|nas proximas horas|in the next (?:few )?hours)(?![\p{L}])/u;
/** Counted from a day that was named, it may have passed. */
const NEXT = /seguinte|following|next/;
/** Leaves no doubt. */
const CERTAIN =
  /(?<!\p{L})(guaranteed?|certainly|definitely|for (?:sure|certain)|without (?:a )?(?:doubt|fail)|no matter what|garantid[oa]s?|garantimos|com certeza|sem (?:falta|duvida|erro)|de qualquer (?:jeito|forma)|seguro que|sin falta|sin duda)(?!\p{L})/u;
/** Says what somebody is going to do. */
const AHEAD =
  /(?<!\p{L})(?:will|going to|vai|vao|ira|irao|\p{L}{3,}remos|(?:te|lhe) (?:cham|lig|reembols|devolv|credit|pag|liber|retorn)\p{L}+)(?!\p{L})|['’]ll(?!\p{L})/u;
/** Said of a deed with so much chance, it commits somebody. */
const COMMITS = 0.3;
/** "By Monday, March 16": the day is checked as a figure. */
const DATED = /^,? (?:the )?(?:\p{L}+ )?\d/u;
const NEGATIVE = /(?<!\p{L})(?:not|nao|no|never|nunca)(?!\p{L})/u;
/** Opens a list of what may be, not of what is. */
const CASES =
  /(?<!\p{L})(?:usually|maybe|perhaps|probably|either|or|possibly|likely|typically|suspects?|reasons?|causes?|might|could|may|when|if|talvez|provavelmente|geralmente|normalmente|ou|pode|podem|costuma|motivos?|causas?|quando|se|porque)(?!\p{L})/u;

/** Ahead of the name of a place. */
const PLACED = /^(?:at|in|em|no|na|en|including|inclusive|elas)$/;
/** May stand between the two. */
const ARTICLE = /^(?:the|o|a|os|as)$/;
/** Stands inside the name of a place. */
const JOINS = /^(?:of|the|de|da|do|das|dos|del|la)$/;
/** Fewer letters are no name. */
const SHORTEST = 4;
/** Words that begin with the same letters may be one. */
const STEM = 5;
const WRITTEN = /[\p{L}\p{N}]/u;
/** So many lines of a list are looked at. */
const LISTED = 30;

/**
 * Compares what an answer says with what the turn knows: statements with what tools did and records say, promises with
 * the rules that were read, figures with every source. Linear in the answer.
 * @returns the first thing that nothing supports, or null
 */
export function unsupportedIn(answer: string, evidence: TurnEvidence): Unsupported | null {
  const text = evidence.withoutEnding(answer.normalize('NFC'));
  const sentences = sentencesOf(text);
  const figures = figuresOfSentences(sentences, evidence.facts.currency);
  const { bindings } = evidence;
  let named: readonly KnownRecord[] = [];
  let possible = false;
  let spoken = bindings.asked;
  for (const [at, sentence] of sentences.entries()) {
    named = namedBy(sentences, at, named, evidence);
    // A line without a word says nothing.
    if (!WRITTEN.test(sentence.text)) continue;
    // "2. Your plan is paused": its number may stand as a sentence by itself.
    const isLine =
      /^\s*[-•*\d]/.test(sentence.text) || /^\s*\d{1,2}[.)]\s*$/.test(sentences[at - 1]?.text ?? '');
    if (!isLine && sentence.words.size > 1)
      possible = /:\s*$/.test(sentence.text) && CASES.test(fold(sentence.text));
    else if (possible && sentence.words.size > 1) continue;
    const fault =
      (sentence.question ? null : unsupportedStatement(sentence, named, evidence)) ??
      ofItself(sentence, evidence) ??
      unsupportedWords(sentence, evidence) ??
      unsupportedPhrase(sentence, evidence) ??
      promised(unsupportedCommitment(sentence, evidence)) ??
      figureIn(text, bindings.wrongIn(sentence, figures, spoken, titlesOf(named))) ??
      figureIn(text, bindings.groundless(sentence, figures, sentences)) ??
      figureIn(text, ofAnArticle(sentence, figures, sentences[at - 1] ?? null, evidence)) ??
      miscounted(sentence, evidence) ??
      unnamed(unknownName(sentence, sentences, evidence));
    if (fault) return fault;
    spoken = bindings.titleIn(sentence) ?? spoken;
  }
  const figure = unsupportedFigure(text, sentences, figures, evidence);
  return figure === null ? null : { kind: 'figure', what: figure };
}

function titlesOf(named: readonly KnownRecord[]): readonly string[] {
  return named.flatMap(({ title }) => title ?? []);
}

/** Where nothing was done in this turn, whoever answers did nothing and binds nobody. */
function ofItself(sentence: Sentence, { records }: TurnEvidence): Unsupported | null {
  const kind = records.done.size > 0 ? null : saidOfItself(sentence);
  return kind && { kind, what: sentence.text.trim() };
}

function promised(what: string | null): Unsupported | null {
  return what === null ? null : { kind: 'promise', what };
}

function unnamed(what: string | null): Unsupported | null {
  return what === null ? null : { kind: 'figure', what };
}

function figureIn(text: string, figure: Span | null): Unsupported | null {
  return figure && { kind: 'figure', what: text.slice(figure.from, figure.to) };
}
/** The records a sentence speaks of: those it names, those of the list it opens, else those of the one before. */
function namedBy(
  sentences: readonly Sentence[],
  at: number,
  before: readonly KnownRecord[],
  { records }: TurnEvidence,
): readonly KnownRecord[] {
  const sentence = sentences[at];
  if (!sentence) return before;
  const places = new Map([...sentence.words].map((word, place) => [word, place]));
  const placeOf = ({ names }: KnownRecord) =>
    Math.min(...[...names].map((name) => places.get(name) ?? places.size));
  // In the order in which it names them.
  const own = records.named(sentence.words).toSorted((one, other) => placeOf(one) - placeOf(other));
  if (own.length > 0) return own;
  if (/:\s*$/.test(sentence.text)) {
    const listed = sentences
      .slice(at + 1, at + 1 + LISTED)
      .filter(({ text }) => /^\s*[-•*\d]/.test(text))
      .flatMap(({ words }) => records.named(words));
    if (listed.length > 0) return listed;
  }
  return before.length > 0 ? before : records.asked;
}

/** People of a rank or by name, gifts and deadlines that no source names. */
function unsupportedWords(sentence: Sentence, evidence: TurnEvidence): Unsupported | null {
  const { facts, statements } = evidence;
  const plain = fold(sentence.text);
  for (const [, gift = ''] of withoutDenied(plain).matchAll(GIFT)) {
    const known = COSTS_NOTHING.test(gift) ? facts.free : grants(facts.text, gift);
    const isFree =
      COSTS_NOTHING.test(gift) &&
      !facts.notFree &&
      (evidence.backing(sentence.text) >= BACKED || givesAllBack(plain, evidence));
    if (!known && !isFree) return { kind: 'promise', what: gift };
  }
  if (sentence.question) return null;
  // "A small cancellation fee applies", where rules know of none.
  const told = fold([...facts.rules, ...facts.statements].join('\n'));
  for (const [, fee = ''] of plain.matchAll(FEE))
    if (grants(plain, fee) && !grants(told, fee)) return { kind: 'promise', what: fee };
  const how = AT_ONCE.exec(plain)?.[1];
  if (how && !facts.atOnce && !NEGATIVE.test(plain) && evidence.backing(sentence.text) < BACKED)
    return { kind: 'promise', what: how };
  const states = (): number => {
    const { done, claim, promise, pending } = statements.read(sentence.text).acts;
    return done + claim + promise + pending;
  };
  const sure = CERTAIN.exec(plain)?.[1];
  if (sure && !facts.text.includes(sure) && !NEGATIVE.test(plain) && states() > COMMITS)
    return { kind: 'promise', what: sure };
  const by = DEADLINE.exec(plain)?.[1];
  if (
    by &&
    !NEGATIVE.test(plain.slice(0, plain.indexOf(by))) &&
    !facts.text.includes(by.replace(/^(?:in )?(?:the|an?|any|n?o) /, '')) &&
    !/[àa]s? \d|\bat \d/u.test(sentence.text) &&
    !DATED.test(plain.slice(plain.indexOf(by) + by.length)) &&
    ((NEXT.test(by) ? statements.read(sentence.text).acts.promise : states()) > COMMITS || AHEAD.test(plain))
  )
    return { kind: 'promise', what: by };
  return null;
}

/** "You can cancel free of charge until Monday", where rules give all back. */
function givesAllBack(plain: string, { ruled, facts }: TurnEvidence): boolean {
  return /(?<!\p{L})cancel/u.test(plain + fold(facts.asked)) && ruled.has('cancel') && ruled.has('refund');
}

/** A name that no source has, of a place or of one in a list of names. What only the customer named may be denied. */
function unknownName(
  { tokens, question }: Sentence,
  sentences: readonly Sentence[],
  { facts }: TurnEvidence,
): string | null {
  if (question || facts.sourced.size === 0) return null;
  const isKnown = (word: string) =>
    facts.sourced.has(word) ||
    MONTHS.has(word) ||
    WEEKDAYS.has(word) ||
    facts.isOfCompany(word) ||
    [...facts.sourced].some((one) => one.slice(0, STEM) === word.slice(0, STEM)) ||
    (facts.words.has(word) && sentences.some((one) => one.words.has(word) && isOpen(one)));
  const textAt = (at: number) => tokens[at]?.text ?? '';
  const isPlaced = (at: number) =>
    PLACED.test(textAt(at - 1)) ||
    (ARTICLE.test(textAt(at - 1)) && PLACED.test(textAt(at - 2))) ||
    (/^(?:,|e|and)$/.test(textAt(at - 1)) &&
      (tokens[at - 2]?.capital || (tokens[at - 2]?.digits && tokens[at + 1]?.capital)));
  let placed = false;
  const found = tokens.find(({ capital, text: word }, at) => {
    if (!capital && !(placed && JOINS.test(word))) placed = false;
    else if (capital) placed ||= isPlaced(at) === true;
    return placed && capital && word.length >= SHORTEST && !isKnown(word.replace(/(?<=day|d[ao])s$/, ''));
  });
  return found ? found.text : null;
}

/** True for what denies or supposes. */
function isOpen({ text }: Sentence): boolean {
  return NEGATIVE.test(fold(text)) || CONDITION.test(text) || /n['’]t(?!\p{L})/u.test(text);
}

/** A figure that articles give of something else; what a record of the customer has is theirs. */
function ofAnArticle(
  sentence: Sentence,
  figures: readonly Figure[],
  before: Sentence | null,
  { contrast, records }: TurnEvidence,
): Span | null {
  const wrong = contrast.wrongIn(sentence, figures, before);
  const isOwn =
    wrong !== null && Number(wrong.values[0]) > 1 && records.rows.some((row) => hasFigure(row, wrong));
  return isOwn ? null : wrong;
}

function miscounted(sentence: Sentence, { facts }: TurnEvidence): Unsupported | null {
  const what = wrongTally(sentence, facts);
  return what === null ? null : { kind: 'figure', what };
}
