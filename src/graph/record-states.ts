import type { EntityAttribute, EntityRecord } from '../core/domain/entity.js';
import { statusName } from '../core/i18n/index.js';
import { fold } from '../core/text.js';
import { afterShowing } from '../dialogue/index.js';
import { dashed } from '../runtime/offline-step.js';
import { lineOf, namedOwn, ownRecords } from './dialogue-records.js';
import type { DialogueTurn, RecordAnswer } from './dialogue-types.js';
import { asksGenerally } from './message-reading.js';
import { factOf } from './record-facts.js';

/** Of more words a message tells more than it asks. */
const MOST_WORDS = 14;
/**
 * Shorter words say little of what has become of something; so many letters forms of one have in common; and where one of them is
 * shorter than that, so many more the other has at most.
 */
const [SHORTEST, STEM, ENDING] = [3, 5, 4];
/** Records that are listed at most. */
const MAX_LISTED = 8;
/** A noun in the plural, in the languages that the hub knows. */
const PLURAL = /[a-z]{3}[^s\W]s$/;
const STATUS: EntityAttribute = {
  ...{ id: 'status', of: 'status', as: 'text', asked: {}, told: [], goesOn: {} },
  ...{ toldOnly: false, facet: false, only: null },
};

/**
 * What has become of the customer's own records, where that is asked in the words for it: those that are so ("which of my rides did
 * not end?"), or how the one stands that is named, spoken of, or the newest ("did my ride end?").
 * @returns null where something else is asked, or how things are for everybody
 */
export async function statesAnswer(turn: DialogueTurn): Promise<RecordAnswer | null> {
  const { deps, graph, session, state, text, texts } = turn;
  const { dialogue, language } = deps;
  const isLong = text.trim().split(/\s+/).length > MOST_WORDS;
  // "So is it cancelled now or not?" asks how what is spoken of stands, and for no change of it.
  const asksHowItIs =
    state.focus !== null && dialogue.read(text)?.points === true && dialogue.asksWhether(text);
  const isOpen = graph.focus !== null && !asksHowItIs;
  if (isLong || isOpen || !dialogue.isQuestion(text) || asksGenerally(deps, text)) return null;
  const isChange = dialogue.changesNamed(text).length > 0 || language.readRequestAct(text).actions.length > 0;
  if (isChange && !asksHowItIs) return null;
  // What the company reads by rules of its own is answered by those.
  if (dialogue.readOwnAsked(text).questions.length > 0) return null;
  const read = dialogue.read(text);
  const own = await ownRecords({ deps, session });
  const focus = own.find(({ id }) => id === state.focus);
  const kinds = [...new Set(own.map(({ entity }) => entity))].filter((kind) => language.isCalled(text, kind));
  const points = kinds.length === 0 && read?.points === true;
  const [entity, ...others] = points && focus ? [focus.entity] : kinds;
  if (entity === undefined || others.length > 0 || read === null) return null;
  const named = (await namedOwn(turn)).filter((one) => one.entity === entity);
  const isShown = state.shown.some((one) => one.entity === entity);
  const isSpokenOf = points || isShown || named.length > 0 || dialogue.ofSelf(text);
  // "Do those I have stay valid meanwhile?" is asked of the article before it.
  if (state.article !== null && !points && !isShown && named.length === 0) return null;
  const isOther = read.asked.some((one) => one.entity === entity && one.attribute.of !== 'status');
  if (isOther || !(isSpokenOf || dialogue.asksWhetherDone(text))) return null;
  const mine = own.filter((one) => one.entity === entity);
  const label = (status: string) => statusName(texts, entity, status);
  // What the company's words for a state find is so, where that state has a name.
  const isKnown = (status: string) => label(status) !== status || mine.some((one) => one.status === status);
  const said = [...language.statesIn(text, entity)].filter(isKnown);
  const list = (records: readonly EntityRecord[]): RecordAnswer => {
    const lines = dashed(records.slice(0, MAX_LISTED).map((one) => lineOf(turn, one)));
    const told = texts.say('records', { entity, list: lines, by: null, exact: true });
    return { text: told, state: afterShowing(state, records.slice(0, MAX_LISTED)), isExact: true };
  };
  if (said.length > 0 && !points) return list(mine.filter(({ status }) => said.includes(status)));
  const words = (part: string) => fold(part).match(/[a-z]+/g) ?? [];
  const labels = new Set(mine.flatMap(({ status }) => words(label(status))));
  const isAsked = (word: string) =>
    word.length >= SHORTEST &&
    !language.isCalled(word, entity) &&
    [...labels].some((one) => isFormOf(one, word));
  // "I booked the wrong one, can it be moved?" tells what was done, and asks for something else.
  const isStatus = text
    .split(/[,.!;]\s+/)
    .some((part) => dialogue.asksWhether(part) && words(part).some(isAsked));
  if (!isStatus && said.length === 0) return null;
  // Of several that are named alike the one to come is meant.
  const ahead = named.length > 1 ? named.filter(({ upcoming }) => upcoming) : named;
  if (named.length > 1 && ahead.length !== 1) return null;
  if (words(text).some((word) => PLURAL.test(word) && language.isCalled(word, entity))) return list(mine);
  const [newest] = [...mine].sort((a, b) => (b.startsAt ?? '').localeCompare(a.startsAt ?? ''));
  const record = ahead[0] ?? (points ? focus : undefined) ?? newest;
  const fact = record && factOf(turn, record, STATUS, deps.tools.company.currency);
  return fact ? { text: fact, state: afterShowing(state, [record]), isExact: true } : null;
}

/** How the customer's own record that is spoken of stands; null where none is. */
export async function stateOfSpoken(turn: DialogueTurn): Promise<string | null> {
  const { deps, session, state } = turn;
  const own = state.focus === null ? [] : await ownRecords({ deps, session });
  const spoken = own.find(({ id }) => id === state.focus);
  return spoken ? factOf(turn, spoken, STATUS, deps.tools.company.currency) : null;
}

/** "End" and "ended", "encerrou" and "encerrada"; but "can" is no form of "cancelled". */
function isFormOf(label: string, word: string): boolean {
  const length = Math.min(label.length, word.length, STEM);
  if (length < STEM && Math.abs(label.length - word.length) > ENDING) return false;
  return length >= SHORTEST && label.slice(0, length) === word.slice(0, length);
}
