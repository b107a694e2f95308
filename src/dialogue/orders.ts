import { z } from 'zod';
import type { Language } from '../core/domain/taxonomy.js';
import type { Slots } from '../nlu/slots/index.js';
import { fold, foldText, tokenize } from '../nlu/slots/text.js';
import { readWords } from '../nlu/words.js';
import type { ActReader } from './acts.js';
import { createPlainOrders, type PlainOrderReader } from './plain-orders.js';
import { isOrder } from './references.js';
import { createPointReader } from './to-the-point.js';

/** What an order may lean on. */
export interface OrderContext {
  /** What was said or told last that may name a change, the likeliest first. */
  readonly spoken: readonly string[];
  /** What the change that waits for a yes is given; null where nothing waits for an answer. */
  readonly open: Readonly<Record<string, unknown>> | null;
  /** What was answered last; empty where nothing was. */
  readonly reply: string;
  /** Whether a change of a record is asked about, or records are what the conversation is about. */
  readonly records: 'asked' | 'spoken' | null;
  readonly now: Date;
  readonly language: Language;
}

/** What comes next in time, or came before. */
export type Neighbour = 'after' | 'before';

/** Reads orders that lean on what was just said. */
export interface OrderReader extends PlainOrderReader {
  /**
   * The same in full: "yes that one. cancel it" without its yes, "if so cancel it" without its condition, "60 days then" and "do it
   * then" with the change that is spoken of, "take it off" as what ends that, "I mean the subscription" and "ok, cancel it then" with
   * what a customer has one of. Null where it leans on nothing.
   */
  wholeOrder(text: string, context: OrderContext): string | null;
  /** True where a few words name what a customer has one of, as what was meant, and no change: "no, I mean the subscription". */
  meansSingle(text: string, language: Language): boolean;
  /**
   * The question beside a plain yes that the question which is answered has told already, with nothing denied: "yes please. Will I get
   * the 35 back?". Null where the yes may hang on what is asked.
   */
  toldBeside(text: string, language: Language, question: string): string | null;
  /** Which neighbour of what was just proposed a few words point at: "not that one, the one after"; null where none. */
  neighbourIn(text: string): Neighbour | null;
  /** What a few words mean that turn down what was just proposed for the other one: "no, the other one"; null where they do not. */
  theOtherIn(text: string): string | null;
  /** True where a few words put what they name in the place of what was just proposed: "make it the Friday one instead". */
  switches(text: string): boolean;
  /** Which neighbour of what is spoken of a message asks for and nothing else: "and after that?", "no, the one after it"; null where none. */
  asksNeighbour(text: string): Neighbour | null;
}

const phrases = z.array(z.string());
const schema = z.object({
  granted: phrases,
  correcting: phrases,
  correcting_after: phrases,
  neighbours: z.object({ after: phrases, before: phrases }),
  asked_neighbours: z.object({ after: phrases, before: phrases }),
  the_other: phrases.default([]),
  switching: phrases.default([]),
});

/** Of more words an order says itself what it wants; and a sentence more than yes: "quero fazer uma reclamação". */
const [MOST_WORDS, MOST_ANSWER] = [8, 4];
/** And of so many that nothing else explains, a length of time says something else too. */
const MOST_REST = 4;
/** Makes a question a condition, or a choice. */
const CONDITION = /\b(?:if|unless|or|instead|only|se|caso|ou|so|em vez|si|o sea|pero|mas|but|though)\b/;
/** Of more words a question asks for more than what was told; and a message names by itself what it means. */
const [MOST_ASKED, MOST_POINTING] = [9, 14];
const isBrief = (text: string): boolean =>
  !text.includes('?') && text.trim().split(/\s+/).length <= MOST_POINTING;
/** Turns down what was told, and names nothing. */
const NOTHING_ELSE = /^(?:no|not|nao|n)$/;
/** Agrees, and orders nothing. */
const PLAIN_YES = 0.9;
const AGREES =
  /^(?:y|ye[sap]\w*|yup|ok\w*|sure|fine|right|great|good|cool|sim+|ta|certo|claro|beleza|blz|si|vale|isso)$/;
/** What a wish to have something done may stand in. */
const POLITE =
  /^(?:can|could|would|will|pode\w*|you|yes|y|sim|me|pra|mim|just|please|i|want|like|to|quero|queria)$/;

/** So many other words may stand beside a change and what it is made to. */
const MOST_TOLD = 2;
/** Before what is not meant. */
const DENIED = /(?:\bnot|\bn[ao]o e|\bno es)(?: (?:the|my|our|a|o|minha|meu|mi|la|el))? $/;
const DENIES = /^(?:not|nao|no)$/;

/** Of fewer words nothing more is said beside a yes or no. */
const FEWEST_WORDS = 2;

/**
 * @param asks whether a text is more than talk
 * @throws HubError `config_invalid` where the engine does not know one of the languages
 */
export function createOrderReader(
  slots: Slots,
  acts: Pick<ActReader, 'read'>,
  asks: (text: string) => boolean,
  languages: readonly Language[],
): OrderReader {
  const granted = new RegExp(
    `^\\W*(?:(?:and|so|but|e|ent[aã]o|mas|y|pero)\\W+)?(?:${languages.flatMap((language) => readWords(language, 'dialogue', schema).granted).join('|')})(?![\\w'])[\\s,:]*(?:(?:then|so|entao|please|por favor)\\W+)?`,
  );
  const corrected = new RegExp(
    `^\\W*(?:(?:no+|n[aã]o)\\W+)*(?:${languages.flatMap((language) => readWords(language, 'dialogue', schema).correcting).join('|')})(?![\\w'])`,
  );
  const correctedAfter = new RegExp(
    `(?:${languages.flatMap((language) => readWords(language, 'dialogue', schema).correcting_after).join('|')})\\W*$`,
  );
  const { changes } = slots.answers;
  const said = languages.map((language) => readWords(language, 'dialogue', schema));
  const within = (patterns: readonly string[]) =>
    new RegExp(
      `(?<![\\w'])(?:${(patterns.length === 0 ? ['(?!)'] : patterns).join('|').replaceAll('{things}', () => slots.things)})(?![\\w'])`,
    );
  const besideIn = (key: 'neighbours' | 'asked_neighbours', side: Neighbour) =>
    within(said.flatMap((words) => words[key][side]));
  const [after, before] = [besideIn('neighbours', 'after'), besideIn('neighbours', 'before')];
  const asksAfter = besideIn('asked_neighbours', 'after');
  const asksBefore = besideIn('asked_neighbours', 'before');
  const theOther = said
    .flatMap((words) => words.the_other)
    .map((pattern) => new RegExp(`^\\W*${pattern.replaceAll('{things}', () => slots.things)}\\W*$`));
  const switching = within(said.flatMap((words) => words.switching));

  /** Without the condition that what is asked before it is so: asked for it is all the same. */
  const withoutCondition = (sentences: readonly string[]): readonly string[] =>
    sentences.map((sentence, at) => {
      const { folded, at: places } = fold(sentence);
      const found = sentences.slice(0, at).some((one) => one.includes('?')) ? granted.exec(folded) : null;
      return found && found[0].length < folded.length ? sentence.slice(places[found[0].length]) : sentence;
    });

  /** Without the yes in front of an order, and the no in front of anything that is asked or told, where nothing was asked. */
  const withoutAnswer = (sentences: readonly string[], language: Language): readonly string[] => {
    const [first = '', ...rest] = sentences;
    const { kind } = slots.readYesNo(first, language);
    const more = rest.join(' ');
    const saysMore = kind === 'yes' && tokenize(first).length > MOST_ANSWER;
    if (saysMore || changes.kindsIn(first).length > 0 || tokenize(more).length < FEWEST_WORDS)
      return sentences;
    if (kind === 'yes' && changes.orderedIn(more).length > 0) return rest;
    return asks(more) && (kind === 'yes' || kind === 'no') ? rest : sentences;
  };

  /** A length of time or "do it", with the change that it is said of. */
  const withChange = (text: string, { spoken, open, now, language }: OrderContext): string | null => {
    const about = spoken.find((one) => changes.kindsIn(one).length > 0) ?? '';
    const kinds = changes.kindsIn(about);
    const renamed = changes.inOneWord(text, kinds);
    const fillers = slots.answers.fillersOf(language);
    const words = tokenize(foldText(renamed)).map(({ word }) => word);
    if (renamed !== text) {
      const order = changes.firstIn(renamed);
      const isAlone = words.every(
        (word) => word === order || fillers.has(word) || POLITE.test(word) || AGREES.test(word),
      );
      return isAlone ? order : text.includes('?') ? null : renamed;
    }
    if (text.includes('?') || words.length > MOST_WORDS) return null;
    if (corrected.test(foldText(text)) && changes.orderedIn(text).length === 1) return changes.firstIn(text);
    if (kinds.length !== 1 || changes.kindsIn(text).length > 0) return null;
    // "Do it tomorrow" orders it for that day.
    const days = open === null ? slots.findDates(text, { now, language }).map((date) => date.text) : [];
    const plain = days.reduce((left, day) => left.replace(day, ' '), text);
    const { kind, confidence } = slots.readYesNo(plain, language);
    const isOrdered = words.some((word) => !AGREES.test(word) && !fillers.has(word));
    const agrees = open === null && kind === 'yes' && confidence >= PLAIN_YES && isOrdered;
    const single = slots.singleIn(about);
    if (agrees) return [changes.firstIn(about), single ?? [], days].flat().join(' ');
    // What is asked about may be given a length itself.
    if (
      open !== null &&
      (kinds.some((one) => Object.values(open).includes(one)) || Object.keys(open).length > 1)
    )
      return null;
    const rest = changes.exchanges(text) ? null : acts.read(text)?.rest; // "Move it to the 20th" says no length.
    const period = rest ? slots.findPeriod(text, { now, language }).days : null;
    const isLength = period !== null && (rest?.length ?? 0) <= MOST_REST;
    return isLength ? `${changes.firstIn(about)} ${text}` : null;
  };

  /** Words that say neither what is to be changed nor how. */
  const restOf = (text: string, language: Language): readonly string[] => {
    const fillers = slots.answers.fillersOf(language);
    const told = (word: string) => AGREES.test(word) || POLITE.test(word) || fillers.has(word);
    return (acts.read(text)?.rest ?? []).filter(
      (word) => !told(word) && changes.kindsIn(word).length === 0 && !slots.isThing(word),
    );
  };

  const meansSingle: OrderReader['meansSingle'] = (text, language) => {
    const single = slots.singleIn(text);
    const folded = foldText(text);
    if (single === null || text.includes('?') || folded.split(/\s+/).length > MOST_WORDS) return false;
    if (changes.kindsIn(text).length > 0 || slots.readRequestAct(text).kind === 'withdraw') return false;
    const at = folded.indexOf(single);
    const after = tokenize(folded.slice(at + single.length)).map(({ word }) => word);
    const isThingAfter = after.some(slots.isThing) && !after.some((word) => DENIES.test(word));
    const bare = folded.replace(corrected, ' ').replace(correctedAfter, ' ');
    const rest = restOf(bare, language).filter((word) => !DENIES.test(word));
    return !(DENIED.test(folded.slice(0, at)) || isThingAfter) && rest.length === 0;
  };

  /** The change that was asked for, of what a customer has one of: "no, I mean the subscription", to which booking is meant. */
  const ofSingle = (
    text: string,
    { spoken: [before = ''], language, records }: OrderContext,
  ): string | null => {
    const order = changes.orderedIn(before).length === 1 ? changes.firstIn(before) : null;
    const isMeant = records === 'asked' && order !== null && meansSingle(text, language);
    return isMeant ? `${order} ${slots.singleIn(text)}` : null;
  };

  /** "Ok, cancel it then", of what a customer has one of and the last answer spoke of. */
  const pointsAtSingle = (text: string, context: OrderContext): string | null => {
    const {
      spoken: [before = '', title = ''],
      reply,
      records,
      open,
      language,
    } = context;
    const [kind, ...others] = changes.orderedIn(text);
    const words = tokenize(foldText(text)).map(({ word }) => word);
    if (records !== null || open !== null || kind === undefined || others.length > 0) return null;
    if (text.includes('?') || words.length > MOST_WORDS || words.some(slots.isThing)) return null;
    const spokenOf = [before, title].join(' ');
    if (tokenize(foldText(spokenOf)).some(({ word }) => slots.isThing(word) && slots.singleIn(word) === null))
      return null;
    const single = slots.singleIn(before) ?? slots.singleIn(reply);
    const rest = restOf(text, language);
    // "The last two" is said of a list.
    const isLess = rest.length <= MOST_TOLD && !rest.some(isOrder);
    return single !== null && isLess ? `${changes.firstIn(text)} ${single}` : null;
  };

  const { toThePoint } = createPointReader(languages);
  const toldBeside: OrderReader['toldBeside'] = (text, language, question) => {
    const [, head = '', asked = ''] = /^([^?]+?)[.!,;]+\s*([^.!;?]+\?)\W*$/u.exec(text.trim()) ?? [];
    const folded = foldText(asked);
    const fillers = slots.answers.fillersOf(language);
    const words = tokenize(foldText(head)).map(({ word }) => word);
    const isPlain = words.every((word) => AGREES.test(word) || POLITE.test(word) || fillers.has(word));
    const yes = slots.readYesNo(head, language, question);
    if (!isPlain || yes.kind !== 'yes' || yes.confidence < PLAIN_YES) return null;
    const { negation, doubt } = slots.answers.guards(language);
    const isDoubted = CONDITION.test(folded) || negation.test(folded) || doubt.test(folded);
    const isOther = changes.kindsIn(asked).length > 0 || folded.split(/\s+/).length > MOST_ASKED;
    const figures = asked.match(/\d+/g) ?? [];
    if (isDoubted || isOther || figures.some((figure) => !question.includes(figure))) return null;
    // "The 4 bookings" are asked of the sentence that counts them.
    const counting = question
      .split(/(?<=[.!?])\s+/)
      .filter((sentence) => figures.every((figure) => sentence.includes(figure)));
    const told = figures.length > 0 ? counting.join(' ') : toThePoint(question, asked);
    const isTold = told.split(/(?<=[.!?])\s+/).some((one) => one !== '' && !negation.test(foldText(one)));
    return told === question || !isTold ? null : asked;
  };

  return {
    ...createPlainOrders(slots, languages),
    meansSingle,
    toldBeside,
    neighbourIn(text) {
      const folded = foldText(text);
      if (!isBrief(text)) return null;
      return after.test(folded) ? 'after' : before.test(folded) ? 'before' : null;
    },
    theOtherIn(text) {
      if (!isBrief(text)) return null;
      const folded = foldText(text);
      return (
        theOther.map((pattern) => pattern.exec(folded)?.[1]).find((found) => found !== undefined) ?? null
      );
    },
    switches: (text) => isBrief(text) && switching.test(foldText(text)),
    asksNeighbour(text) {
      const last = (slots.sentencesOf(text).at(-1) ?? '').replace(/[\s?!.]+$/u, '');
      if (last.split(/\s+/).length > MOST_POINTING) return null;
      const folded = foldText(last);
      const sides = [['after', asksAfter] as const, ['before', asksBefore] as const];
      const found = sides.find(([, pattern]) => pattern.test(folded));
      if (!found) return null;
      const rest = acts.read(folded.replace(found[1], ' '))?.rest ?? [folded];
      return rest.every((word) => NOTHING_ELSE.test(word) || slots.isThing(word)) ? found[0] : null;
    },
    wholeOrder(text, context) {
      const single = ofSingle(text, context) ?? pointsAtSingle(text, context);
      if (single !== null) return single;
      const sentences = slots.sentencesOf(text);
      const plain = withoutCondition(sentences);
      const left = (context.open ? plain : withoutAnswer(plain, context.language)).join(' ');
      const said = left === sentences.join(' ') ? text : left;
      return withChange(said, context) ?? (said === text ? null : said);
    },
  };
}
