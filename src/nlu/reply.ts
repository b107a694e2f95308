import type { AskedInput } from '../core/domain/entity.js';
import type { Language } from '../core/domain/taxonomy.js';
import type { OpenQuestion } from '../core/ports/language-layer.js';
import { countingHead } from './counting-head.js';
import type { Nlu } from './nlu.js';
import { foldText, leadsOf } from './slots/text.js';
import { titledLike } from './titles.js';
import { shareOf } from './tool-chances.js';

/** From here on a text is a request and not a reply. */
const SURE_REQUEST = 0.6;
const FEW_WORDS = 5;
/** From here on a text asks for something else, whatever it says of days. */
const SURE_OF_OTHER = 0.85;
/** Up to so many words say from when to when. */
const PERIOD_WORDS = 20;
/** "Could it be 45 days instead of 60?": one number for another. */
const REPLACES =
  /\b(?:make it|instead of|rather than|em vez de|ao inv[eé]s de|no lugar de|en vez de|en lugar de)\b/iu;
/** Up to so many words a text may be a reply. */
export const REPLY_WORDS = 8;

/** Shorter words tell no title from another. */
const TELLING = 4;

/** A value and no more: "express?". */
const BARE_WORDS = 3;

/**
 * True where a text says what was asked for, in whatever words, and asks for nothing else: it is the answer also where such
 * words are most often a complaint, thanks or a request.
 */
export function answersInput(
  nlu: Nlu,
  text: string,
  language: Language,
  { inputs = [], asked = null, choices, now, intent: tool }: OpenQuestion,
): boolean {
  const isChange = nlu.intents.names.some((name) => nlu.intents.of(name).tool === tool);
  if (isChange && picksSeveral(nlu, text, language, { choices, now })) return true;
  if (inputs.length === 0 || nlu.slots.readRequestAct(text).kind === 'withdraw') return false;
  const said = nlu.slots.readInputs(text, inputs, { now, language, asked });
  const isChoice = inputs.some(({ name, reading }) => reading.kind === 'choice' && Object.hasOwn(said, name));
  if (!isChoice && (asked === null || !Object.hasOwn(said, asked))) return false;
  const count = text.trim().split(/\s+/).length;
  if (isChoice && count <= BARE_WORDS) return true;
  if (nlu.slots.isQuestion(text)) return false;
  const { intent, confidence } = nlu.classifyIntent(text);
  const info = nlu.intents.of(intent);
  if (info.tool === tool) return true;
  const isFree = ['text', 'items'].includes(inputs.find(({ name }) => name === asked)?.reading.kind ?? '');
  const wantsElse = info.route === 'escalation' || info.group === 'action';
  // Anything may be the text that was asked for: a yes, a no and thanks are not.
  if (isFree && (intent === 'affirm' || intent === 'deny')) return false;
  return !(wantsElse && confidence >= (isFree ? SURE_REQUEST : SURE_OF_OTHER));
}

/** See LanguageLayer. */
export function isReply(nlu: Nlu, text: string, language: Language, question: OpenQuestion): boolean {
  const { choices, args = {}, now, intent: asked } = question;
  if (answersInput(nlu, text, language, question)) return true;
  const count = text.trim().split(/\s+/).filter(Boolean).length;
  if (isId(nlu, text)) return true;
  // "That would be lovely, thank you ever so much" is a long yes.
  const agrees = nlu.slots.readYesNo(text, language).kind === 'yes';
  if (count > 0 && agrees) return true;
  // "The cheapest one", "the evening one" of what was listed.
  const points = nlu.slots.comparedIn(text) !== null || titledLike(nlu, text, choices) !== null;
  if (choices.length > 1 && count <= FEW_WORDS && !text.includes('?') && points) return true;
  const isPeriod = choices.length === 0 && saysPeriod(nlu, text, language, { intent: asked, now });
  if (pickedFirst(nlu, text, language, question) !== null) return true;
  if (numberFirst(nlu, text, args) !== null) return true;
  if (count === 0 || (count > REPLY_WORDS && !isPeriod)) return false;
  const { intent, confidence } = nlu.classifyIntent(text, language);
  if (isPeriod && count <= REPLY_WORDS && !text.includes('?')) return true;
  if (isPeriod) return confidence < SURE_OF_OTHER || nlu.intents.of(intent).tool === asked;
  if (intent === 'affirm' || intent === 'deny') return true;
  const { group, route } = nlu.intents.of(intent);
  // "The one for the museum" says which, whatever else such words may ask for.
  const isOne = confidence < SURE_OF_OTHER && nlu.slots.pointsAtOne(foldText(text));
  const vague = confidence < SURE_REQUEST || group === 'out_of_scope' || isOne;
  // "Make it 45 instead" corrects a number, whatever a change is most often about.
  const replaces = REPLACES.test(text);
  const corrects =
    /\d/.test(text) && (replaces || count <= FEW_WORDS) && Object.values(args).some(Number.isFinite);
  // A question is asked of something else, with a mark or without, unless it says which: "what is the number of your office".
  const asks = text.includes('?') || nlu.slots.isQuestion(text);
  if (choices.length === 0) return (vague || corrects) && (!asks || (corrects && replaces));
  const listed = choices.map((choice) => choice.id);
  const selection = nlu.slots.selectCandidate(text, choices, { now, language, listed });
  if (choices.some(({ title }) => isOnly(text, title))) return true;
  // A title by itself may sound like praise; to be insulted or robbed there does not.
  const says = group === 'people' && route !== 'escalation' && !text.includes('?');
  if (selection.kind !== 'none') return vague || says || group === 'action';
  return vague && selection.mentioned !== null && (!asks || isOne);
}

/** True for the id of a record by itself, which says which one is meant. */
export function isId({ slots }: Nlu, text: string): boolean {
  return !/\s/.test(text.trim()) && slots.ids.find(text).length === 1;
}

/** Of no more words a text only counts in a list. */
const COUNTING_WORDS = 3;

/** True where a text says by its place which of a list is meant, whatever else "a 2" is like. */
export function picksByPlace(
  { slots }: Nlu,
  text: string,
  language: Language,
  { choices, now }: OpenQuestion,
): boolean {
  if (choices.length < 2 || text.trim().split(/\s+/).length > COUNTING_WORDS) return false;
  const picked = slots.selectCandidate(text, choices, { now, language, listed: choices.map(({ id }) => id) });
  return picked.kind === 'one' && picked.by === 'ordinal';
}

/** Below this a text does not ask for what was asked about. */
const HARDLY = 0.02;
/** Up to so many words say which of a list is meant. */
const PICK_WORDS = 5;

/**
 * The words with which a text says first which of a list is meant, whatever it asks about that after it: "the first. Do I get
 * the money back?". Null where it says no such thing: a wish for another change is a request of its own.
 */
export function pickedFirst(
  nlu: Nlu,
  text: string,
  language: Language,
  { choices, now, intent: asked }: OpenQuestion,
): string | null {
  const parts = text.split(/[.,;!?\n]+|\s[-\u2013\u2014]\s/u).filter((part) => /[\p{L}\p{N}]/u.test(part));
  const [head = '', ...others] = parts;
  if (choices.length < 2 || others.length === 0 || head.trim().split(/\s+/).length > PICK_WORDS) return null;
  const listed = choices.map(({ id }) => id);
  const picked = nlu.slots.selectCandidate(head, choices, { now, language, listed });
  if (picked.kind !== 'one' || picked.by === 'only') return null;
  const rest = text.slice(text.indexOf(head) + head.length);
  const { intent, confidence } = nlu.classifyIntent(rest, language);
  const { entity, group } = nlu.intents.of(intent);
  const ofList = nlu.intents.names.map((name) => nlu.intents.of(name)).find(({ tool }) => tool === asked);
  const isOther =
    group === 'action' &&
    confidence >= SURE_OF_OTHER &&
    entity !== ofList?.entity &&
    shareOf(nlu, rest, language, asked ?? '') < HARDLY;
  return isOther && !rest.includes('?') ? null : head.trim();
}

/** True where a text is the names of several of a list, or says first which are meant: see `countingHead`. */
function picksSeveral(
  nlu: Nlu,
  text: string,
  language: Language,
  { choices, now }: Pick<OpenQuestion, 'choices' | 'now'>,
): boolean {
  const named = choices.filter(({ title }) => text.includes(title));
  const beside = named.reduce((left, { title }) => left.replace(title, ''), text);
  if (named.length > 1 && !/\p{L}/u.test(beside)) return true;
  const head = choices.length < 2 ? null : countingHead(text);
  if (head === null) return false;
  const listed = choices.map(({ id }) => id);
  const picked = nlu.slots.selectCandidate(head, choices, { now, language, listed });
  return picked.kind === 'all' || picked.kind === 'many';
}

/** A number by itself, and not that of a day or an hour. */
const BARE_NUMBER = /(?<![\w.,/:-])\d{1,3}(?![\w.,/:-]|\s*%)/gu;
const DAYS = /^(?:days?|dias?)$/;

/** The one number of a text that counts nothing else: "60 then", not "I have 2 children". Null where there is none, or several. */
export function bareNumber({ slots }: Nlu, text: string): number | null {
  const [found, ...others] = text.matchAll(BARE_NUMBER);
  if (!found || others.length > 0) return null;
  const [next] = foldText(text.slice(found.index + found[0].length)).match(/^\s+\p{L}+/u) ?? [];
  const word = next?.trim() ?? '';
  const isBare = word === '' || DAYS.test(word) || slots.answers.fillersOf(undefined).has(word);
  return isBare || REPLACES.test(text) ? Number(found[0]) : null;
}

/**
 * The words that put another number in place of the one that was asked about, in front of a reason: "make it 60 actually, the
 * doctor says I need longer". Null where a text says no such thing, or asks something.
 * @param args what was asked about with
 */
export function numberFirst(nlu: Nlu, text: string, args: OpenQuestion['args'] = {}): string | null {
  const numbers = Object.values(args).filter((value) => typeof value === 'number');
  const parts = text.split(/[,.;!\n]+|\s[-\u2013\u2014]\s/u).filter((part) => /[\p{L}\p{N}]/u.test(part));
  const [head = '', ...others] = parts;
  if (numbers.length === 0 || others.length === 0 || text.includes('?')) return null;
  // "Ah, 90 days, then pause it until the 10th" says first what it does not order.
  const isOrdered = (part: string): boolean =>
    LEADS_TO_PERIOD.test(part) && nlu.slots.answers.changes.orderedIn(part).length > 0;
  if (others.some(isOrdered)) return null;
  const number = bareNumber(nlu, head);
  if (number === null || numbers.includes(number)) return null;
  return REPLACES.test(head) || head.trim().split(/\s+/).length <= FEW_WORDS ? head.trim() : null;
}

/** "The walking boots", or "boots", of what was listed: whatever such words are most often about, nothing else is said. */
function isOnly(text: string, title: string): boolean {
  const wordsOf = (given: string): readonly string[] => foldText(given).match(/[\p{L}\p{N}]+/gu) ?? [];
  const [said, named] = [wordsOf(text), wordsOf(title)];
  if (said.some((word) => word.length >= TELLING) && said.every((word) => named.includes(word))) return true;
  const rest = said.slice(0, Math.max(0, said.length - named.length));
  return named.length > 0 && rest.length <= 1 && said.slice(rest.length).join(' ') === named.join(' ');
}

/** What leads to a period, where a no stands beside it: "No, from the 10th on", not "no, I am back on the 10th". */
const LEADS_TO_PERIOD =
  /(?<!\p{L})(?:from|start\w*|begin\w*|until|till|for|instead|a partir|come[cç]\p{L}*|at[eé]|por|em vez)(?!\p{L})/iu;

/** True where a text says from when or for how long, after a change that can be given that. */
export function saysPeriod(
  { intents, slots }: Nlu,
  text: string,
  language: Language,
  { intent: asked, now }: Pick<OpenQuestion, 'intent' | 'now'>,
): boolean {
  if (text.trim().split(/\s+/).length > PERIOD_WORDS) return false;
  const takes = intents.names
    .map((name) => intents.of(name))
    .some(({ tool, slots: inputs }) => tool === asked && Object.keys(inputs).length > 0);
  if (!takes) return false;
  const { start, days } = slots.findPeriod(text, { now, language });
  if (start === null && days === null) return false;
  return slots.readYesNo(text, language).kind !== 'no' || LEADS_TO_PERIOD.test(text);
}

/** True where a text orders something to one of the choices of these inputs, by its name: "put it in economy". */
export function ordersInto(
  { slots }: Nlu,
  text: string,
  inputs: readonly AskedInput[],
  options: { readonly now: Date; readonly language: Language },
): boolean {
  const choices = inputs.filter(({ reading }) => reading.kind === 'choice');
  if (choices.length === 0 || text.includes('?') || !slots.isWish(text)) return false;
  return leadsOf(text).some(
    ({ tail }) =>
      tail.trim().split(/\s+/).length <= FEW_WORDS &&
      Object.keys(slots.readInputs(tail, choices, { ...options, asked: null })).length > 0,
  );
}
