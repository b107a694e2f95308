import type { Unit } from './parts.js';
import type { KindName } from './question.js';

/** A unit with the chance that it answers, of all units of its article. */
interface ChosenUnit extends Unit {
  readonly chance: number;
  /** True where the customer has read it just now: it is said again only where it answers best. */
  readonly isSaid?: boolean;
}

/** Words that answer a question for a fact; one that asks for nothing definite gets more. */
const BRIEF = 80;
const BROAD = 110;
/** From this chance of the best unit on, the question asks for something definite. */
const DEFINITE = 0.45;
/** From this chance on the best unit answers by itself. */
const CERTAIN = 0.6;
/**
 * Enough of the chance is in what is sent, and a unit less probable than the next adds nothing: 43 words for 46 at 0.97 and with
 * CERTAIN at 0.8, 61 instead of 58 % of them in sentences that answer, and as often one of those (1,519 held-out questions).
 */
const ENOUGH = 0.93;
const LEAST = 0.02;
/** What limits the sentence before it may be less probable. */
const LEAST_LIMIT = 0.02;
/** So many times likelier than any other paragraph one is said first. */
const AHEAD = 1.5;
/** Share of the chance that a list must have to be sent whole: where its kind is asked for, and where it is not. */
const LIST_ASKED = 0.2;
/** The same for steps, where one asks how or where. */
const STEPS_ASKED = 0.1;
const LIST_UNASKED = 0.4;
/** Above this share of its list one item answers alone. */
const ONE_ITEM = 0.6;
/** From this chance on a step that points at none before it answers alone. */
const SURE_STEP = 0.85;
const POINTS = /(?<!\p{L})(?:it|them|ele|ela|eles|elas|isso)(?!\p{L})|-[lno][oa]s?(?!\p{L})/iu;
/** Says where in an application something is. */
const PATH = /\s[>›»]\s/u;
/** An item of fewer words says nothing without its list. */
const TERSE = 5;
/** About a screen of a list. */
const LONG_LIST = 1500;

/** Words that lean on the sentence before them. */
const GOES_ON =
  /^(?:it|its|he|she|this|that|these|those|they|their|both|each|such|then|after that|afterwards|after the approval|still|until then|before (?:that|then|this)|by then|because of (?:that|this)|for (?:that|this) reason|so|otherwise|also|meanwhile|(?:in|during|for) (?:this|that|these|those|both|either)|when this|(?:the )?(?:same|other|newest|others)|ele|ela|eles|elas|isso|isto|esse|essa|esses|essas|este|esta|ness[ea]s?|nest[ea]s?|dess[ea]s?|ambos|nos dois|nas duas|depois|antes disso|até lá|até então|por isso|assim|aí|aliás|também|nada ainda|enquanto isso|caso contrário|se continuar|se não for)(?![\p{L}-])/iu;
/** A sentence of what "we" do that says of what only by "it". */
const SAYS_IT = /^(?:we|you)(?: (?!it\b|them\b)[\p{L}']+){1,4} (?:it|them)\b/iu;
/** Words by which a paragraph draws a conclusion from the one before it. */
const CONCLUDES =
  /^(?:(?:this|that) (?:also )?means|because of (?:this|that)|for (?:this|that) reason|por isso|isso (?:também )?(?:significa|quer dizer)|por eso|esto (?:también )?significa)(?![\p{L}-])/iu;
/** An item that ends the sentence which introduces the list. */
const GOES_ON_FROM_INTRO = /^[-*•–]\s+\p{Ll}/u;
/** Speaks of the list that is in the article. */
const LISTED = /\b(?:on|in|na|da|desta|nessa) (?:(?:the|this|that) )?(?:list|lista)\b/iu;
/** Points at what stands below it. */
const BELOW =
  /(?<!\p{L})(?:these|the following|below|estes|estas|os seguintes|as seguintes|a seguir|abaixo|los siguientes|las siguientes|a continuación|abajo)(?!\p{L})/iu;
/** Words that limit what was said before them. */
const LIMITS =
  /^(?:if|but|however|unless|only|except|there is one exception|the exception|in that case|after that|later|se|mas|porém|só|somente|exceto|a exceção|há uma exceção|depois disso|nesse caso)(?![\p{L}-])|\b(?:not (?:available|valid|included)|only|except|não vale|não está|exceto)\b/iu;

/**
 * What is said of an article to a question: the unit that answers first, then what else may, in the order of the article;
 * steps and lists whole where they are asked for. No sentence stands without the one it leans on.
 */
export function answerOf(
  content: string,
  units: readonly ChosenUnit[],
  asked: ReadonlySet<KindName>,
): string {
  const length = units.reduce((sum, { text }) => sum + wordsOf(text), 0);
  if (content !== '' && length <= BRIEF) return content.trim();
  const best = bestOf(units);
  if (best === undefined) return '';
  const list = listFor(units, asked);
  const isDefinite = best.chance >= DEFINITE;
  const budget = isDefinite ? BRIEF : BROAD;
  const picked = new Map<number, ChosenUnit>();
  const isListed = (unit: ChosenUnit): boolean => list?.some(({ at }) => at === unit.at) ?? false;
  const take = (unit: ChosenUnit): void => {
    // What the list says is not said beside it too, whatever leans on it.
    for (const one of withContext(unit, units)) if (!isListed(one)) picked.set(one.at, one);
  };
  const spent = (): number => [...picked.values()].reduce((sum, { text }) => sum + wordsOf(text), 0);
  const got = (): number =>
    [...picked.values(), ...(list ?? [])].reduce((sum, { chance }) => sum + chance, 0);
  if (!isListed(best)) take(best);
  const limit = units[best.at + 1];
  if (limit && limit.block === best.block && limit.chance >= LEAST_LIMIT && LIMITS.test(limit.text))
    if (!isListed(limit) && spent() + wordsOf(limit.text) <= budget) take(limit);
  // Steps are long enough: beside them stands only what is nearly as probable.
  const least = list ? Math.max(LEAST, best.chance / 3) : LEAST;
  for (const unit of [...units].sort((a, b) => b.chance - a.chance)) {
    if (unit.chance < least || got() >= ENOUGH) break;
    if (isListed(unit) || picked.has(unit.at) || unit.isSaid || isIntro(unit) || isQuestion(unit)) continue;
    // One item of a list may add something; several would be a list with gaps.
    const isSecond = [...picked.values()].some(({ block }) => block === unit.block);
    // A step is told with the others, or where something is; alone it leaves out what comes before it.
    const isLoose = unit.kind === 'step' && !(asked.has('place') && PATH.test(unit.text));
    if (unit.kind !== 'sentence' && (isPart(unit) || isSecond || isLoose)) continue;
    const more = withContext(unit, units).filter(({ at }) => !picked.has(at));
    if (spent() + more.reduce((sum, { text }) => sum + wordsOf(text), 0) <= budget) take(unit);
  }
  // A paragraph reads better whole than in pieces, and says under which condition something holds.
  const isCertain = best.chance >= CERTAIN;
  for (const unit of isCertain ? [] : paragraphsOf([...picked.values()], best, units))
    if (!isListed(unit) && spent() + wordsOf(unit.text) <= budget) take(unit);
  // What the article says after its steps may be about another case; what it says before them leads to them.
  const isHow =
    asked.has('steps') && (list?.some(({ kind, at }) => kind === 'step' && at < best.at) ?? false);
  return written(inOrder([...picked.values()], isDefinite ? best : null), list, isListed(best) || isHow);
}

/** The sentence that answers best, with what it leans on, and the chance that it does; steps and lists are no such point. */
export function pointOf(units: readonly ChosenUnit[]): { readonly text: string; readonly chance: number } {
  const best = bestOf(units);
  const isAlone = best !== undefined && best.kind !== 'step' && !isIntro(best);
  // One word of a list says nothing alone: "Brasília" to who asks for another city.
  if (!isAlone || (best.kind === 'item' && isPart(best))) return { text: '', chance: 0 };
  return { text: withContext(best, units).map(alone).join(' '), chance: best.chance };
}

/** The other sentences of the paragraphs that something was picked of, the best unit's first. */
function paragraphsOf(
  picked: readonly ChosenUnit[],
  best: ChosenUnit,
  units: readonly ChosenUnit[],
): readonly ChosenUnit[] {
  const blocks = new Set([best, ...picked].map(({ block }) => block));
  return [...blocks].flatMap((block) =>
    units.filter(
      (unit) =>
        unit.block === block &&
        unit.kind === 'sentence' &&
        !unit.isSaid &&
        !isIntro(unit) &&
        !isQuestion(unit),
    ),
  );
}

/** The unit that answers best: what only introduces others answers by them. */
function bestOf(units: readonly ChosenUnit[]): ChosenUnit | undefined {
  const [first] = [...units].sort((a, b) => b.chance - a.chance);
  if (first === undefined || !(isIntro(first) || isQuestion(first))) return first;
  const behind = units.filter(({ at, block }) => at > first.at && (isIntro(first) || block === first.block));
  const next = isIntro(first) ? behind.filter(({ block }) => block === behind[0]?.block) : behind.slice(0, 1);
  return [...next].sort((a, b) => b.chance - a.chance)[0] ?? first;
}

/** The list that is asked for, whole, with what introduces it; null where none is. */
function listFor(units: readonly ChosenUnit[], asked: ReadonlySet<KindName>): readonly ChosenUnit[] | null {
  const blocks = [...new Set(units.filter(({ kind }) => kind !== 'sentence').map(({ block }) => block))];
  const lists = blocks.map((block) => {
    const items = units.filter((unit) => unit.block === block);
    const before = units[(items[0]?.at ?? 0) - 1];
    const lead = before && isIntro(before) ? introOf(before, units) : [];
    const all = [...lead, ...items];
    return { items, all, chance: all.reduce((sum, one) => sum + one.chance, 0) };
  });
  const [likely] = lists.sort((a, b) => b.chance - a.chance);
  if (!likely) return null;
  const { items, all, chance } = likely;
  const first = [...units].sort((a, b) => b.chance - a.chance)[0];
  if (first && isIntro(first) && all.includes(first)) return all;
  // "If your city is not on the list" says nothing to who has not seen it.
  if (
    first &&
    items.every(({ kind }) => kind === 'item') &&
    first.kind === 'sentence' &&
    LISTED.test(first.text)
  )
    return all;
  const top = [...items].sort((a, b) => b.chance - a.chance)[0];
  if (!top) return null;
  const isStep = top.kind === 'step';
  const isAsked = isStep ? asked.has('steps') || asked.has('place') : asked.has('list');
  const least = isStep ? STEPS_ASKED : LIST_ASKED;
  if (top === first && top.kind === 'item' && isPart(top)) return all;
  // A step leaves out what comes before it, unless it says where something is: "Mark it as the main method".
  const isWhole = top.chance >= SURE_STEP && !POINTS.test(top.text);
  if (isStep && top === first && !isWhole && !PATH.test(top.text)) return all;
  if (chance < (isAsked ? least : LIST_UNASKED)) return null;
  return isAsked || isPart(top) || top.chance < ONE_ITEM * chance ? all : null;
}

/** What introduces a list, with the sentence before where it says nothing by itself: "To use it:". */
function introOf(intro: ChosenUnit, units: readonly ChosenUnit[]): readonly ChosenUnit[] {
  const before = units[intro.at - 1];
  const isTerse = wordsOf(intro.text) <= TERSE && before?.block === intro.block && before.kind === 'sentence';
  return isTerse ? [...withContext(before, units), intro] : [intro];
}

/** A unit with the sentences that it leans on, before it. */
function withContext(unit: ChosenUnit, units: readonly ChosenUnit[]): readonly ChosenUnit[] {
  const before = units[unit.at - 1];
  if (!before || unit.kind !== 'sentence') return [unit];
  if (before.block !== unit.block) {
    const isDrawn = before.kind === 'sentence' && CONCLUDES.test(unit.text);
    return isDrawn ? [...withContext(before, units), unit] : [unit];
  }
  const leans = GOES_ON.test(unit.text) || SAYS_IT.test(unit.text) || isQuestion(before);
  return leans ? [...withContext(before, units), unit] : [unit];
}

/** What was picked, in runs that stand together in the article: the one with the unit that answers by itself first. */
function inOrder(picked: readonly ChosenUnit[], best: ChosenUnit | null): readonly (readonly ChosenUnit[])[] {
  const runs: ChosenUnit[][] = [];
  for (const unit of [...picked].sort((a, b) => a.at - b.at)) {
    const run = runs.at(-1);
    // A paragraph keeps its order: what stands before the answer leads to it.
    if (run && run.at(-1)?.block === unit.block) run.push(unit);
    else runs.push([unit]);
  }
  // What leans on the paragraph before it cannot open an answer that has this paragraph.
  const leans = (run: readonly ChosenUnit[]): boolean => GOES_ON.test(run[0]?.text ?? '');
  // So does one that the best is hardly likelier than: what an article says first is said first.
  const likeliest = (run: readonly ChosenUnit[]): number => Math.max(...run.map(({ chance }) => chance));
  const isAhead = (run: readonly ChosenUnit[]): boolean =>
    runs.every((one) => one === run || likeliest(one) * AHEAD <= likeliest(run));
  const holds = (run: readonly ChosenUnit[]): number =>
    run.some(({ at }) => at === best?.at) && !leans(run) && isAhead(run) ? 0 : 1;
  return runs.sort((a, b) => holds(a) - holds(b));
}

function written(
  runs: readonly (readonly ChosenUnit[])[],
  list: readonly ChosenUnit[] | null,
  listFirst: boolean,
): string {
  const text = (some: typeof runs): readonly string[] => some.map((run) => run.map(alone).join(' '));
  if (list === null) return text(runs).join('\n\n');
  // What leads to a list stands before it.
  const leads = (run: (typeof runs)[number]): boolean => run.at(-1)?.at === (list[0]?.at ?? 0) - 1;
  const first = listFirst ? runs.filter(leads) : runs.slice(0, 1);
  const rest = runs.filter((run) => !first.includes(run));
  return [...text(first), cut(list), ...text(rest)].join('\n\n');
}

/** An item that stands alone is a sentence. */
function alone({ kind, text }: ChosenUnit): string {
  if (kind !== 'step' && kind !== 'item') return text;
  return text.replace(/^(?:[-*•–]|\d{1,2}[.)])\s+/u, '').replace(/;$/u, '.');
}

function cut(list: readonly ChosenUnit[]): string {
  const intro = list.filter(({ kind }) => kind === 'sentence').map(({ text }) => text);
  const items = list.filter(({ kind }) => kind !== 'sentence').map(({ text }) => text);
  const lines = [...(intro.length > 0 ? [intro.join(' '), ''] : []), ...items].join('\n');
  return lines.length <= LONG_LIST ? lines : `${lines.slice(0, LONG_LIST).replace(/\n[^\n]*$/u, '')}\n…`;
}

/** Says nothing without the list below it. */
function isIntro({ leads, text }: ChosenUnit): boolean {
  return leads && (text.endsWith(':') || BELOW.test(text));
}

/** An item that says nothing without its list. */
function isPart({ kind, text }: ChosenUnit): boolean {
  return kind === 'row' || wordsOf(text) <= TERSE || GOES_ON_FROM_INTRO.test(text);
}

function isQuestion({ kind, text }: ChosenUnit): boolean {
  return kind === 'sentence' && text.endsWith('?');
}

/** On one line, without the signs of lists. */
export function plain(text: string): string {
  return text
    .replace(/^\s*(?:[-*•–]|\d{1,2}[.)])\s+/gmu, '')
    .replace(/;$/u, '')
    .replace(/\s+/gu, ' ')
    .trim();
}

function wordsOf(text: string): number {
  return text.split(/\s+/u).length;
}
