import type { Deed } from '../../core/domain/claim-act.js';
import type { Statement, StatementAct } from '../../core/ports/language-layer.js';
import { MONTHS, WEEKDAYS } from './calendar.js';
import { startsAnew } from './figure-days.js';
import { figuresIn } from './figures.js';
import type { KnownRecord } from './records.js';
import { CONDITION, partsOf, type Sentence } from './sentences.js';
import { fold, tokensOf } from './tokens.js';
import type { TurnEvidence } from './turn-evidence.js';

/** What an answer says without anything to say it from. */
export interface Unsupported {
  readonly kind: 'claimed_action' | 'promise' | 'figure';
  /** The words in question. */
  readonly what: string;
}

/** From this chance on that a statement is made for which there is no evidence, it is not sent. */
const SURE = 0.55;
/** A reader that is less sure than this of what was done has found no deed that a condition or a figure would not excuse. */
const VAGUE = 0.5;
/** So many words begin a part. */
const OPENING = 7;
/** Fewer words state nothing. */
const FEWEST = 2;
/** Fewer words promise nothing: "back to you". */
const SHORTEST = 4;
/** Stands for the title of a record. */
const NAME = '<x>';
const ACTS: readonly StatementAct[] = ['done', 'claim', 'denied', 'pending', 'promise'];
/** Says that something is over or under way, and not what a rule gives to everybody: "você recebe R$ 45,00 de volta". */
const PERFECT =
  /(?<!\p{L})(?:\p{L}+(?:ed|[ai]d[oa]s?|ei)|done|sent|made|put|given|gone|taken|(?:on (?:its|the|their)|under) ?way|all set|feit[oa]s?|pag[oa]s?|foi|foram|ja|a caminho|em andamento)(?!\p{L})/u;
/** Says that it came about, and not what is so for everybody. */
const NOW =
  /(?<!\p{L})(?:now|as of|all set|just (?:been|went|\p{L}+ed)|a moment ago|yesterday|today|(?:has|have) (?:just )?been|agora|acab(?:ou|a) de|hoje|ontem|pronto|prontinho|feito|\p{L}{3,}ou)(?!\p{L})/u;
/** By when, without a number. */
const WHEN =
  /(?<!\p{L})(tonight|tomorrow|today|this (?:morning|afternoon|evening|week)|(?:mon|tues|wednes|thurs|fri|satur|sun)day|weekend|noon|amanha|hoje|(?:segunda|terca|quarta|quinta|sexta)-feira|sabado|domingo|fim de semana|meio-dia|before (?:[\p{L}]+ ){1,3}(?:starts?|begins?)|antes d[aeo] (?:\p{L}+ ){0,2}comecar|antes do inicio)(?!\p{L})/u;
/** Says what would be. */
const MOOD =
  /(?<!\p{L})(?:would|(?:you|it|that|they)['’]d|seria|teria|ficaria|receberia|voltaria|haveria|poderia)(?!\p{L})/iu;
/** Asks what would be. */
const MAY =
  /(?<!\p{L})(?:if|can|could|may|would|se|posso|pode|podemos|consigo|dá (?:para|pra)|si|puedo)(?!\p{L})/iu;
/** "You did, Carla.": repeats what was asked. */
const ELLIPSIS =
  /^\P{L}*(?:(?:yes|no|sim|s[ií]|n[aã]o)[,.]? )?(?:(?:you|it|they|i|we) (?:did|do|does|is|was|were|are|have|has|will|can)(?: not|n['’]t)?|j[aá] foi|foi|ya)(?:, \p{Lu}\p{Ll}+)?\P{L}*$/iu;
/** Says that the time of something has passed, and not what came of it. */
const OVER =
  /(?<!\p{L})(?:took place|is over|has passed|already happened|j[aá] passou|aconteceu|terminou|ya pas[oó])(?!\p{L})/iu;
/** Counts what there is. */
const THERE_IS = /(?<!\p{L})(?:there (?:is|are)|there['’]s|h[aá]|existem?|hay) (?:\p{L}+ )?\p{L}+/iu;
/** Speaks to the customer, or of who answers. */
const PERSON =
  /(?<!\p{L})(?:you|yours?|i|we|our|my|me|us|voc[eê]s?|te|lhe|seus?|suas?|teus?|tuas?|eu|n[oó]s|nosso|nossa|tu|usted|su|sus)(?!\p{L})|['’](?:re|ve|ll|m)(?!\p{L})/iu;
/** "The second", of those that were named. */
const ORDINALS: readonly RegExp[] = [
  /(?<!\p{L})(?:the (?:first|former)|d?[ao] primeir[ao])(?!\p{L})/u,
  /(?<!\p{L})(?:the (?:second|latter)|d?[ao] segund[ao])(?! ?-feira|\p{L})/u,
  /(?<!\p{L})(?:the third|d?[ao] terceir[ao])(?!\p{L})/u,
];
/** "Not with the plan cancelled": says that it is. */
const WITHOUT = /^\P{L}*(?:not|n[aã]o|no) (?:with|while|com|enquanto|con|mientras)(?!\p{L})/iu;
/** Says what somebody has to do or need not, and what time there is for it. */
const OBLIGED =
  /(?<!\p{L})(?:(?:have|has|had|having|need|needs)(?: [\p{L}\d]+ (?:seconds?|minutes?|hours?|days?|weeks?|months?))? to|must|should|(?:tem|t[eê]m)(?: [\p{L}\d]+ (?:segundos?|minutos?|horas?|dias?|semanas?|m[eê]s(?:es)?))? (?:de|que|para)|precisa(?:m|r)?|devem?|é preciso|tiene que|debe|hay que)(?!\p{L})/iu;
/** What a record says of itself. Where none was read nothing is known of these, and saying them does no harm. */
const STATES: ReadonlySet<Deed> = new Set([
  'book',
  'attend',
  'miss',
  'pay',
  'fail',
  'resume',
  'block',
  'plan',
]);
/** What records show beside their state. */
const SHOWN: ReadonlySet<Deed> = new Set(['cancel', 'refund', 'pause']);
/** What concerns the customer and no single record. */
const OF_ACCOUNT: ReadonlySet<Deed> = new Set(['pause', 'resume', 'block', 'plan']);
/** What no day of an allowance bears out. */
const OF_MONEY: ReadonlySet<Deed> = new Set([
  'refund',
  'cancel',
  'pay',
  'waive',
  'unblock',
  'send',
  'contact',
]);
/** What follows from a deed that was done. */
const IMPLIED: Readonly<Partial<Record<Deed, readonly Deed[]>>> = {
  settle: ['cancel', 'refund', 'pause', 'resume', 'note', 'change'],
  send: ['refund'],
  change: ['pause', 'resume', 'cancel'],
  note: ['change'],
};
/** What rules announce to everybody; all else a rule promises under a condition only. */
const ANNOUNCED: ReadonlySet<Deed> = new Set(['contact', 'send']);
/** The first part of a sentence that states something for which there is no evidence; null where there is none. */
export function unsupportedStatement(
  sentence: Sentence,
  named: readonly KnownRecord[],
  evidence: TurnEvidence,
): Unsupported | null {
  const { text, titles } = evidence.records.masked(sentence.text.trim());
  let title = 0;
  const parts = partsOf(text);
  for (const part of parts) {
    const count = part.split(NAME).length - 1;
    const names = titles.slice(title, title + count).join(' ');
    const own = evidence.records.named(parts.length === 1 ? sentence.words : wordsOf(`${part} ${names}`));
    title += count;
    if ((part.replaceAll(NAME, '').match(/\p{L}{2,}|\d+(?= \p{L})/gu) ?? []).length < FEWEST) continue;
    if (ELLIPSIS.test(part)) continue;
    const statement = evidence.statements.read(part);
    const nth = own.length === 0 && named.length > 1 ? ORDINALS.findIndex((one) => one.test(fold(part))) : -1;
    const meant = named[nth];
    const about = own.length > 0 ? own : meant ? [meant] : named;
    const { chance, promised } = chanceUnsupported(statement, ACTS, part, about, evidence);
    const kind = promised > chance / 2 ? 'promise' : 'claimed_action';
    if (chance > SURE || opensWithDeed(part, about, evidence)) return { kind, what: sentence.text.trim() };
  }
  return null;
}

/** How likely it is that a part states what nothing supports, and promises it. */
function chanceUnsupported(
  { acts, deeds }: Statement,
  wanted: readonly StatementAct[],
  part: string,
  about: readonly KnownRecord[],
  evidence: TurnEvidence,
): { readonly chance: number; readonly promised: number } {
  let [chance, promised] = [0, 0];
  const isFragment = part.split(' ').length < SHORTEST;
  const isVague = Math.max(...Object.values(deeds)) < VAGUE;
  for (const act of wanted) {
    const said = acts[act];
    if (said < 0.05) continue;
    for (const [deed, share] of Object.entries(deeds) as [Deed, number][]) {
      if (
        act === 'claim' &&
        isVague &&
        (said < VAGUE || CONDITION.test(part) || isDatedByRecord(part, evidence))
      )
        continue;
      if (act === 'promise' && (isFragment || (isVague && isTold(part, evidence)))) continue;
      if (share < 0.02 || isSupported(act, deed, part, about, evidence)) continue;
      chance += said * share;
      if (act === 'promise') promised += said * share;
    }
  }
  return { chance, promised };
}

/** "Your return is set for 12 December": a record has that day. */
function isDatedByRecord(part: string, { records, facts }: TurnEvidence): boolean {
  const figures = figuresIn(part, facts.currency).filter(({ kind }) => kind === 'date');
  return figures.length > 0 && figures.every((figure) => records.all.some((record) => fits(figure, record)));
}

/** "Actors will read letters": every word of it stands in a source. */
function isTold(part: string, { facts }: TurnEvidence): boolean {
  const words = tokensOf(part).filter(({ text }) => text.length >= SHORTEST && text !== 'will');
  return words.length >= SHORTEST - 1 && words.every(({ text }) => facts.sourced.has(text));
}

/** "I have opened a case about the fee that you paid": what a long part ends with hides what it begins with. */
function opensWithDeed(part: string, about: readonly KnownRecord[], evidence: TurnEvidence): boolean {
  const words = part.split(' ');
  if (words.length <= OPENING || OBLIGED.test(part)) return false;
  const opening = words.slice(0, OPENING).join(' ');
  return (
    chanceUnsupported(evidence.statements.read(opening), ['done'], opening, about, evidence).chance > SURE
  );
}

function isSupported(
  act: StatementAct,
  deed: Deed,
  part: string,
  about: readonly KnownRecord[],
  evidence: TurnEvidence,
): boolean {
  const { records, told, found, ruled, facts } = evidence;
  const read = records.all.some(({ done }) => !done);
  if (MOOD.test(part)) return act !== 'done';
  if (OBLIGED.test(part) && !PERFECT.test(fold(part.replace(OBLIGED, '')))) return act !== 'promise';
  switch (act) {
    case 'courtesy':
      return true;
    case 'done':
      return wasDone(deed, about, evidence);
    case 'claim':
      return (
        (told.has(deed) && !NOW.test(fold(part))) ||
        (OVER.test(part) && isPast(about, evidence)) ||
        (!OF_MONEY.has(deed) && startsAnew(part, evidence)) ||
        (deed === 'book' && THERE_IS.test(part)) ||
        (!OF_MONEY.has(deed) && about.some(({ title }) => title !== null) && describes(part)) ||
        found.has(deed) ||
        ((CONDITION.test(part) ||
          (MAY.test(evidence.facts.asked) && !PERFECT.test(fold(part)) && !NOW.test(fold(part)))) &&
          ruled.has(deed)) ||
        wasDone(deed, about, evidence) ||
        holds(deed, part, about, evidence)
      );
    case 'pending':
      return (
        about.some(({ pending }) => pending.has(deed)) ||
        (about.length === 0 && records.all.some(({ pending }) => pending.has(deed)))
      );
    case 'denied':
      if (OF_ACCOUNT.has(deed)) return !read || !records.all.some(({ deeds }) => deeds.has(deed));
      if (WITHOUT.test(part) && holds(deed, part, about, evidence)) return true;
      return about.length === 0 || !about.every(({ deeds }) => deeds.has(deed));
    case 'promise':
      if (!OF_MONEY.has(deed) && startsAnew(part, evidence)) return true;
      if (
        WHEN.test(fold(part)) &&
        !facts.rules.some((rule) => fold(rule).includes(WHEN.exec(fold(part))?.[1] ?? ''))
      )
        return false;
      return (ruled.has(deed) && (ANNOUNCED.has(deed) || CONDITION.test(part))) || records.done.has(deed);
  }
}

/** "The walk is full": says what a thing is like, and nothing of anybody. */
function describes(part: string): boolean {
  return !PERSON.test(part) && !PERFECT.test(fold(part)) && !NOW.test(fold(part));
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(tokensOf(text).map((token) => token.text));
}

/** True where a tool has done it in this turn, to what is spoken of. */
function wasDone(deed: Deed, about: readonly KnownRecord[], { records }: TurnEvidence): boolean {
  const wanted = [deed, ...(IMPLIED[deed] ?? [])];
  const changed = records.all.filter(({ done, deeds }) => done && wanted.some((one) => deeds.has(one)));
  return changed.length > 0 && (about.length === 0 || about.some((record) => sharesName(record, changed)));
}

/** True where the record that is spoken of says so, or any where none is named; unknown states do no harm. */
function holds(deed: Deed, part: string, about: readonly KnownRecord[], evidence: TurnEvidence): boolean {
  const { records, facts } = evidence;
  const kept = records.all.filter(({ done }) => !done);
  if (kept.length === 0) return STATES.has(deed) && !NOW.test(fold(part));
  if (!STATES.has(deed) && !SHOWN.has(deed)) return false;
  // What was paid back was given up before.
  const has = ({ deeds }: KnownRecord) => deeds.has(deed) || (deed === 'cancel' && deeds.has('refund'));
  if ((deed === 'plan' || deed === 'resume') && !isOwnPlan(part, kept, evidence)) return false;
  if (deed === 'plan') return !records.lacks;
  if (deed === 'attend' && OVER.test(part)) return isPast(about.length > 0 ? about : kept, evidence);
  // What is used of an allowance was used, whether its day has come or not.
  if (deed === 'attend' && about.length === 0 && facts.tallies.some(({ used }) => used > 0)) return true;
  // "€ 30.00 were charged on 9 November": amount and day tell which record is meant.
  const figures = figuresIn(part, facts.currency).filter(({ kind }) => kind === 'money' || kind === 'date');
  const fitting = kept.filter((record) => figures.every((figure) => fits(figure, record)));
  if (deed === 'pay' || deed === 'fail')
    return figures.length < 2 || fitting.length === 0 ? deed === 'pay' || kept.some(has) : fitting.some(has);
  const meant = OF_ACCOUNT.has(deed) ? [] : about.filter(({ done }) => !done);
  const titled = meant.filter(({ title }) => title !== null);
  if (titled.length > 0) return titled.every(has);
  // Of what is one of a kind only its end is said like that of the others.
  return (deed === 'cancel' && meant.length > 0 ? meant : kept).some(has);
}

/** True where a day of one of these has passed, or none of them has a day. */
function isPast(about: readonly KnownRecord[], { facts }: TurnEvidence): boolean {
  const days = about.flatMap((record) => [...record.days]);
  return about.length > 0 && (days.length === 0 || days.some((day) => day < facts.today.slice(5)));
}

/** "You are on Basic": a name in it that no source knows is another than the record's. */
function isOwnPlan(part: string, records: readonly KnownRecord[], { facts }: TurnEvidence): boolean {
  const names = [...part.matchAll(/(?<=[\p{L},] )\p{Lu}\p{L}+/gu)].map(([name]) => fold(name));
  const values = records.flatMap((record) => (record.title === null ? [...record.values] : []));
  const unknown = names.filter(
    (name) => !facts.sourced.has(name) && !MONTHS.has(name) && !WEEKDAYS.has(name),
  );
  return unknown.length === 0 || values.length === 0;
}

function fits({ kind, values }: ReturnType<typeof figuresIn>[number], { money, days }: KnownRecord): boolean {
  if (kind === 'money') return values.some((value) => typeof value === 'number' && money.has(value));
  if (kind === 'date') return values.some((value) => typeof value === 'string' && days.has(value));
  return true;
}

function sharesName({ names }: KnownRecord, others: readonly KnownRecord[]): boolean {
  return others.some(
    (other) =>
      other.names === names || other.names.size === 0 || [...names].some((name) => other.names.has(name)),
  );
}
