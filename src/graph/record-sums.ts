import type { EntityRecord } from '../core/domain/entity.js';
import { fold } from '../core/text.js';
import { afterShowing, type ReadMessage } from '../dialogue/index.js';
import { dashed } from '../runtime/offline-step.js';
import { lineOf, ownRecords } from './dialogue-records.js';
import type { DialogueTurn, RecordAnswer } from './dialogue-types.js';
import { factsOf } from './record-facts.js';

/** From here on triage is believed that a change is asked for. */
const SURE_CHANGE = 0.6;
/** So few words beside the name of a record ask whether it is then or there, and nothing else. */
const MOST_WORDS = 14;
/** A word of more letters says something. */
const SHORT_WORD = 4;

/**
 * What is asked of several of the customer's own that a text names: what was paid for them in all, which of them cost less or comes
 * first, whether one did, how far they are apart. And of one, whether it is on a day or at a place.
 * @returns null where none of that is asked
 */
export async function namedRecordsAnswer(turn: DialogueTurn): Promise<RecordAnswer | null> {
  const { graph, deps } = turn;
  const { confidence = 0, requests = [] } = graph.classification ?? {};
  const changes = requests.some(({ route }) => deps.agents.changes(route));
  if (graph.focus !== null || (changes && (confidence >= SURE_CHANGE || requests.length > 1))) return null;
  if (deps.language.speaksOf(turn.text, 'cancel')) return null;
  const own = (await ownRecords(turn)).filter(({ startsAt }) => startsAt !== null);
  const several = eachNamed(turn, own);
  if (several.length > 1) return severalAnswer(turn, several);
  const [record, ...others] = namedAmong(turn, turn.text, own);
  return record && others.length === 0 ? whetherAnswer(turn, record) : null;
}

function severalAnswer(turn: DialogueTurn, named: readonly EntityRecord[]): RecordAnswer | null {
  const { deps, text, texts, state, session } = turn;
  const { sums, difference, compares } = deps.dialogue.askedOfSeveral(text);
  const asked = deps.dialogue.read(text)?.asked ?? [];
  const isMoney = asked.some(({ attribute }) => attribute.as === 'money' && attribute.of === 'amount');
  const by = compares?.by ?? 'amount';
  // "Can I go to the samba and then to the play" compares nothing.
  if (compares === null && !isMoney && asked.length > 0) return factsAnswer(turn, named, asked);
  if (compares ? !isMoney && deps.dialogue.asksClash(text) : !(isMoney || sums)) return null;
  const values = named.map(({ amount, startsAt }) =>
    by === 'amount' ? (amount?.minorUnits ?? null) : startsAt === null ? null : Date.parse(startsAt),
  );
  const known = values.flatMap((value) => value ?? []);
  if (known.length < named.length) return null;
  const sign = compares?.sign ?? 1;
  const best = Math.min(...known.map((value) => value * sign));
  const winners = named.filter((_, at) => (known[at] ?? 0) * sign === best);
  const [winner] = winners;
  const isLevel = winners.length > 1;
  const apart = Math.max(...known) - Math.min(...known);
  const how = (): string => {
    if (compares === null) return 'sum';
    if (difference && by === 'amount') return 'apart';
    if (deps.dialogue.asksWhether(text)) return !isLevel && winner === named[0] ? 'yes' : 'no';
    return isLevel ? 'level' : `${by}_${sign === 1 ? 'less' : 'more'}`;
  };
  const total = compares === null ? known.reduce((sum, value) => sum + value, 0) : apart;
  const lines = named.map(({ title, amount, startsAt }) => {
    const when = startsAt === null ? '' : deps.tools.time.dateTime(startsAt, session.language);
    return `${title}: ${by === 'amount' ? texts.money(amount?.minorUnits ?? 0) : when}`;
  });
  const said = texts.say('compared', {
    ...{ how: how(), title: winner?.title ?? null, value: by === 'amount' ? texts.money(total) : null },
    list: dashed(lines),
  });
  return { text: said, state: { ...afterShowing(state, named), asked: null } };
}

/** What is asked of each of them: "when are the samba and the play?" */
function factsAnswer(
  turn: DialogueTurn,
  named: readonly EntityRecord[],
  asked: ReadMessage['asked'],
): RecordAnswer | null {
  const { deps, state } = turn;
  const attributes = asked.flatMap(({ entity, attribute }) =>
    named.every((record) => record.entity === entity) ? [attribute] : [],
  );
  const text = attributes.length === 0 ? null : factsOf(turn, named, attributes, deps.tools.company.currency);
  return text === null
    ? null
    : { text, state: { ...afterShowing(state, named), asked: attributes[0]?.id ?? null } };
}

/** "Is the samba in Rio?", "is it in April?" of one that is named. */
function whetherAnswer(turn: DialogueTurn, record: EntityRecord): RecordAnswer | null {
  const { deps, text, texts, state, session } = turn;
  if (!record.upcoming || !deps.dialogue.asksWhetherIs(text)) return null;
  const words = text.split(/\s+/);
  if (words.length > MOST_WORDS || (deps.dialogue.read(text)?.asked.length ?? 0) > 0) return null;
  const rest = words
    .filter((word) => !deps.dialogue.isTitled(record, [fold(word).replace(/[^\p{L}\p{N}]/gu, '')]))
    .join(' ');
  const options = { now: deps.tools.clock.now(), language: session.language };
  const { filters, places: cues } = deps.dialogue.filtersIn(rest, options);
  const others = fold(rest)
    .split('')
    .map((sign, at) => (cues.some(({ start, end }) => start <= at && at < end) ? ' ' : sign));
  // "And the film club on Tuesday, can I still cancel?" asks something else of it.
  if (
    others
      .join('')
      .split(/\s+/)
      .filter((word) => word.length > SHORT_WORD).length > 0
  )
    return null;
  const { days, weekdays, places, hours } = filters;
  if (days.length + weekdays.length + places.length === 0 && hours === null) return null;
  const isSo = deps.dialogue.fits(record, filters, record.entity);
  const said = texts.say('whether_so', { so: isSo, line: lineOf(turn, record) });
  return { text: said, state: { ...afterShowing(state, [record]), asked: null } };
}

/** What a text names one after the other, in its order; a part that may mean several names none. */
function eachNamed(turn: DialogueTurn, own: readonly EntityRecord[]): readonly EntityRecord[] {
  const { parts } = turn.deps.dialogue.askedOfSeveral(turn.text);
  if (parts.length < 2 || parts.length > MOST_WORDS) return [];
  const named = parts.flatMap((part) => {
    const [record, ...others] = namedAmong(turn, part, own);
    return record && others.every(({ title }) => title === record.title) ? [record] : [];
  });
  return [...new Set(named)];
}

/** What of the customer's own a text names by its title, what is ahead first. */
function namedAmong(
  { deps }: DialogueTurn,
  text: string,
  own: readonly EntityRecord[],
): readonly EntityRecord[] {
  const choices = own.map(({ id, title }) => ({ id, title, startsAt: null }));
  const ids = deps.language.namedAmong(text, choices, deps.tools.clock.now(), false) ?? [];
  return own.filter(({ id }) => ids.includes(id)).sort((a, b) => Number(b.upcoming) - Number(a.upcoming));
}
