import type { EntityAttribute, EntityRecord } from '../core/domain/entity.js';
import { ESCALATION_ROUTE } from '../core/domain/taxonomy.js';
import { statusName } from '../core/i18n/index.js';
import { fold } from '../core/text.js';
import { afterShowing } from '../dialogue/index.js';
import type { DialogueTurn, RecordAnswer } from './dialogue-types.js';

/** Of so many words at most a question leans on what is spoken of. */
const LEANING_WORDS = 12;
/** And of so many where it says what it does not ask first. */
const TELLING_WORDS = 30;

/**
 * What is asked about what is named or was just shown, where its record alone tells it: when it was cancelled, when the refund was
 * sent, how long it takes, why.
 * @param namedOwn what the customer has that the message names by its title
 * @returns null where no such record tells such a thing
 */
export async function factOfRecord(
  turn: DialogueTurn,
  namedOwn: () => Promise<readonly EntityRecord[]>,
): Promise<RecordAnswer | null> {
  const { deps, graph, state } = turn;
  const text = askingPart(turn);
  // Who wants something done for them besides asks of no record what follows from that.
  const isBeside = graph.classification?.requests.some(({ route }) => route === ESCALATION_ROUTE);
  if (graph.focus !== null || text === null || isBeside) return null;
  const focus = state.shown.find(({ id }) => id === state.focus);
  const named = await namedOwn();
  const spoken = focus ? [focus] : state.shown;
  // "When I paid for the ballet, how much was it?" asks what it cost besides.
  const known = (named.length > 0 ? named : spoken).flatMap((record) => {
    const attribute = deps.dialogue.factOnly(text, record);
    if (!attribute) return [];
    const besides = deps.dialogue.read(withoutCue(text, attribute))?.asked ?? [];
    const cost = besides.find(({ entity, attribute: { as } }) => entity === record.entity && as === 'money');
    return [attribute, ...(cost ? [cost.attribute] : [])].map((one) => ({ record, attribute: one }));
  });
  const { currency } = deps.tools.company;
  const facts = known.flatMap(({ record, attribute }) => factOf(turn, record, attribute, currency) ?? []);
  if (facts.length === 0) return null;
  const [only, ...others] = [...new Set(known.map(({ record }) => record))];
  return {
    text: facts.join('\n'),
    state: only && others.length === 0 ? afterShowing(state, [only]) : state,
  };
}

/**
 * The last sentence that asks, else what stands before it too: "I do not want to cancel it, I have done that. When was it?".
 * @returns null where neither asks what only a record tells
 */
function askingPart({ deps, text }: DialogueTurn): string | null {
  const sentences = text.trim().split(/(?<=[.!?;])\s+/);
  const last = sentences.findLast((sentence) => sentence.includes('?')) ?? text.trim();
  const asks = (part: string, words: number): boolean =>
    part.split(/\s+/).length <= words && deps.dialogue.asksFactOnly(part);
  if (asks(last, LEANING_WORDS)) return last;
  const both = sentences.slice(-2).join(' ');
  return asks(both, TELLING_WORDS) ? both : null;
}

/** A text, folded, without the words that ask for this. */
function withoutCue(text: string, { asked }: EntityAttribute): string {
  const cues = Object.values(asked).flat().join('|') || '(?!)';
  return fold(text).replace(new RegExp(`\\b(?:${cues})\\b`), ' ');
}

/** Null where the help centre may know what a record does not tell. */
export function factsOf(
  turn: DialogueTurn,
  records: readonly EntityRecord[],
  attributes: readonly EntityAttribute[],
  currency: string,
): string | null {
  const facts: string[] = [];
  for (const record of records) {
    for (const attribute of attributes) {
      const before = facts.some((fact) => fact.includes(record.title));
      const fact = factOf(turn, record, attribute, currency, before);
      if (fact === null) return null;
      if (!facts.includes(fact)) facts.push(fact);
    }
  }
  return facts.join(' ');
}

/**
 * What a record says of itself.
 * @param again whether another fact of the record stands before this one
 * @returns null where it does not tell what the help centre has a rule for
 */
export function factOf(
  { deps, session, texts, text }: DialogueTurn,
  record: EntityRecord,
  { id, of, as, told, toldOnly, says }: EntityAttribute,
  currency: string,
  again = false,
): string | null {
  const whole = fieldOf(record, of);
  const raw = told.length > 0 ? telling(String(whole ?? ''), told) : whole;
  const isZero = as === 'money' && raw !== null && raw !== '' && Number(raw) === 0;
  const empty = raw === null || raw === '' || isZero;
  if (empty && toldOnly) return null;
  const isAhead = record.startsAt !== null && record.startsAt > deps.tools.clock.now().toISOString();
  const written = (): string => {
    if (of === 'status') return statusName(texts, record.entity, String(raw));
    if (as === 'until') return deps.tools.time.until(String(raw), deps.tools.clock.now(), session.language);
    if (as === 'time') return deps.tools.time.dateTime(String(raw), session.language);
    if (as === 'day') return deps.tools.time.day(String(raw), session.language);
    if (typeof raw === 'boolean') return raw ? 'yes' : 'no';
    if (as !== 'money') return String(raw);
    return (record.amount?.currency ?? currency) === currency ? texts.money(Number(raw)) : String(raw);
  };
  if (says && !empty) {
    const value = typeof raw === 'number' && as !== 'money' ? raw : written();
    return texts.sayOwn(`attribute.${record.entity}.${id}`, { title: record.title, value });
  }
  return texts.say('record_fact', {
    entity: record.entity,
    attribute: id,
    title: record.title,
    value: empty ? null : written(),
    zero: isZero ? written() : null,
    // What was called off before it began is still to come, and not the customer's any more.
    upcoming: !record.upcoming && isAhead ? 'off' : record.upcoming,
    place: record.place,
    page: empty && !again && told.length > 0 && whole ? String(whole) : null,
    again,
    amount: record.amount?.minorUnits ? texts.money(record.amount.minorUnits) : null,
    // "Did I pay 80 for it?" asks about the amount.
    whether: deps.dialogue.asksWhetherDone(text) && !/\d/.test(text),
  });
}

/** The sentences of a text that tell something; empty where none does. */
function telling(text: string, told: readonly string[]): string {
  const tells = new RegExp(`\\b(?:${told.join('|')})\\b`);
  const sentences = text.split(/(?<=[.!?])\s+/);
  return sentences.filter((sentence) => tells.test(fold(sentence).replaceAll('-', ' '))).join(' ');
}

function fieldOf(record: EntityRecord, of: string): string | number | boolean | null {
  switch (of) {
    case 'starts_at':
      return record.startsAt;
    case 'amount':
      return record.amount?.minorUnits ?? null;
    case 'place':
    case 'status':
    case 'title':
      return record[of];
    default:
      return record.attributes[of] ?? null;
  }
}
