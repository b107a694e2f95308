import { issueTypeOf } from '../core/domain/company.js';
import type { EntityRecord } from '../core/domain/entity.js';
import { type DialogueState, NEW_DIALOGUE } from '../core/domain/session.js';
import { statusName } from '../core/i18n/index.js';
import { unlessUnreachable } from '../core/signals.js';
import { afterShowing, type ReadMessage, type Referent } from '../dialogue/index.js';
import { numbered } from '../runtime/offline-step.js';
import { calledIn, namingPart, wholeNameFirst } from './called-in.js';
import type { DialogueTurn, RecordAnswer } from './dialogue-types.js';
import { factOf, factsOf } from './record-facts.js';

/** What was said, and by whom. */
type MessageInTurn = Pick<DialogueTurn, 'deps' | 'session' | 'text'>;

/** "And the third?" asks the same of another one; so does a mere name where nothing else is called so that anybody may choose. */
export function isElliptical(
  { deps, graph, text, state: { asked: before, shown } }: DialogueTurn,
  { acts, asked, rest }: ReadMessage,
): boolean {
  const bare = acts.length === 0 && asked.length === 0 && graph.focus === null;
  const names = rest.length > 0 || deps.dialogue.speaksOfThings(text);
  if (bare && names && !deps.tools.records.catalogue && isFew(text)) return true;
  return bare && rest.length > 0 && (before !== null || shown.length > 1);
}

/** Of no more words a message may be a mere name. */
const NAME_WORDS = 4;
const isFew = (text: string): boolean => text.trim().split(/\s+/).length <= NAME_WORDS;

/** "How much was the second?" is asked of what was shown, by its place there and nothing else. */
export function isPlaced(
  { deps, graph, session, state, text }: DialogueTurn,
  { acts, asked, rest }: ReadMessage,
): boolean {
  if (acts.length > 0 || asked.length === 0 || graph.focus !== null || state.shown.length < 2) return false;
  const options = { now: deps.tools.clock.now(), language: session.language };
  return deps.dialogue.isOrder(rest) || (rest.length === 0 && deps.dialogue.picksShown(text, state, options));
}

/**
 * Answers what is asked about a record: the one that is named, pointed at, or the only one.
 * @returns null where it is no question about a record of theirs
 */
export async function aboutRecords(turn: DialogueTurn, read: ReadMessage): Promise<RecordAnswer | null> {
  const { deps, session, state, text, texts } = turn;
  if (await asksOfTime(turn, read)) return null;
  // A few words that name nothing of theirs are no name.
  if (read.asked.length + read.rest.length === 0 && !read.points && (await namedOwn(turn)).length === 0)
    return null;
  const own = await ownRecords(turn);
  const extreme = isCompared(turn) ? extremeOf(turn, own, read) : null;
  if (extreme) return extreme;
  // "When is Pepper's appointment?" is not asked of the plan that is called "Pepper".
  const known = [...new Set([...state.shown, ...read.asked, ...own].map(({ entity }) => entity))];
  const naming = namingPart(turn);
  const called = own.length === 0 ? [] : known.filter((entity) => deps.language.isCalled(naming, entity));
  const entities = called.length > 0 ? called : wholeNameFirst(turn, known, own);
  const { clock, company } = deps.tools;
  const context = { state, own, now: clock.now(), language: session.language };
  const told = (records: readonly EntityRecord[]): DialogueState => {
    const [only, ...others] = records;
    return only && others.length === 0 ? afterShowing(state, [only]) : state;
  };
  for (const entity of entities) {
    const attributes =
      read.asked.length > 0
        ? read.asked.filter((one) => one.entity === entity).map(({ attribute }) => attribute)
        : deps.dialogue.attributesOf(entity).filter(({ id }) => id === state.asked);
    const picks = attributes.length === 0 && read.asked.length === 0 && state.asked === null;
    if (attributes.length === 0 && !picks) continue;
    const referent = deps.dialogue.resolve(text, read, entity, context);
    // "The second one" picks it from the list, and so does a title that was shown; a day or a place may begin anything.
    const elliptical = read.asked.length === 0 && !deps.dialogue.isOrder(read.rest);
    if (elliptical && !isNamed(turn, read, referent, picks)) continue;
    if (picks && elliptical && isRequest(turn)) continue;
    const asked = attributes[0]?.id ?? null;
    if (referent.kind === 'which') {
      // What the help centre or the customer's whole record may know is not asked back about where nothing was shown.
      const isLeft = called.length === 0 && isOfAccount(turn);
      if (attributes.every(({ told }) => told.length > 0) ? state.shown.length === 0 : isLeft) continue;
      const lines = referent.among.map((record) => lineOf(turn, record));
      const shown = { ...state, shown: referent.among, focus: null, asked };
      return { text: texts.say('which_record', { list: numbered(lines) }), state: shown, asks: true };
    }
    if (referent.kind === 'records' && referent.records.length > 0) {
      const { records, isAssumed = false } = referent;
      // "How much?" after an answer about something else is asked of that.
      if (isAssumed && session.lastReply !== null && !deps.dialogue.speaksOfThings(text)) continue;
      if (picks) return { text: records.map((one) => lineOf(turn, one)).join(' '), state: told(records) };
      const said = factsOf(turn, records, attributes, company.currency);
      return said === null ? null : { text: said, state: { ...told(records), asked } };
    }
  }
  return fromCatalogue(turn, read);
}

/** Longer stretches of time hold more than one record. */
const A_WEEK = 7 * 86_400_000;

/** True where only amounts are asked for, of a month or a year and of no record by its name: "how much did I pay in February?". */
async function asksOfTime(turn: DialogueTurn, { asked }: ReadMessage): Promise<boolean> {
  if (asked.length === 0 || asked.some(({ attribute }) => attribute.as !== 'money')) return false;
  const { deps, session, text } = turn;
  const options = { now: deps.tools.clock.now(), language: session.language };
  const { days } = deps.dialogue.filtersIn(text, options).filters;
  const isLong = days.some(({ from, to }) => Date.parse(to) - Date.parse(from) > A_WEEK);
  return isLong && (await namedOwn(turn)).length === 0;
}

/** What is asked about something that anybody may be told of, by its name. */
async function fromCatalogue(turn: DialogueTurn, read: ReadMessage): Promise<RecordAnswer | null> {
  const { deps, session, state, text } = turn;
  const { records, clock, company } = deps.tools;
  if (!records.catalogue || (read.asked.length === 0 && state.asked === null)) return null;
  const all = await unlessUnreachable(records.catalogue(ownerOf(turn)), []);
  const record = deps.dialogue.named(text, read, all, { now: clock.now(), language: session.language });
  const asked = new Set(
    read.asked.length > 0 ? read.asked.map(({ attribute }) => attribute.id) : [state.asked],
  );
  const attributes = deps.dialogue.attributesOf(record?.entity ?? '').filter(({ id }) => asked.has(id));
  if (!record || attributes.length === 0) return null;
  const facts = factsOf(turn, [record], attributes, company.currency);
  if (facts === null) return null;
  return { text: facts, state: { ...afterShowing(state, [record]), asked: attributes[0]?.id ?? null } };
}

/** True where the text is the name of a record and nothing else: of one that was shown, where only `shown` ones count. */
function isNamed(
  { deps, state }: DialogueTurn,
  { rest }: ReadMessage,
  referent: Referent,
  shown: boolean,
): boolean {
  if (referent.kind === 'none') return false;
  const records = referent.kind === 'records' ? referent.records : referent.among;
  return records.every(
    (record) =>
      (!shown || !deps.tools.records.catalogue || state.shown.some(({ id }) => id === record.id)) &&
      deps.dialogue.isTitled(record, rest),
  );
}

/** From here on triage is believed that something to choose from is asked for. */
const SURE_OF_OFFER = 0.6;

/** True where the name of a record is part of a request of another kind: to book it, to find others. */
function isRequest({ deps, graph }: DialogueTurn): boolean {
  const { confidence = 0, issueType, requests = [] } = graph.classification ?? {};
  if (
    issueType !== undefined &&
    confidence >= SURE_OF_OFFER &&
    issueTypeOf(deps.tools.company, issueType).offered
  )
    return true;
  return confidence >= SURE_OF_ACCOUNT && requests.some(({ route }) => route !== 'account');
}

/** From here on triage is believed that the customer's record as a whole is asked about. */
const SURE_OF_ACCOUNT = 0.8;

function isOfAccount({ graph }: DialogueTurn): boolean {
  const { confidence = 0, requests = [] } = graph.classification ?? {};
  return confidence >= SURE_OF_ACCOUNT && requests.every(({ route }) => route === 'account');
}

/** So many that are equal are told one by one. */
const MOST_EQUAL = 4;

/**
 * "Which of them was the cheapest?": of what was shown last, else of what is ahead.
 * @returns null where the text compares nothing, or speaks of what a customer has at most one of
 */
function extremeOf(turn: DialogueTurn, own: readonly EntityRecord[], read: ReadMessage): RecordAnswer | null {
  const { deps, session, state, text } = turn;
  const compared = deps.dialogue.comparedIn(text);
  if (compared === null) return null;
  const among = state.shown.length > 1 ? state.shown : own.filter(({ upcoming }) => upcoming);
  const [entity] = new Set(among.map((record) => record.entity));
  const { clock, company } = deps.tools;
  const now = clock.now();
  const found = entity ? deps.dialogue.extreme(text, among, { now, language: session.language }) : [];
  const attribute = deps.dialogue
    .attributesOf(entity ?? '')
    .find(({ as, of }) => as === (compared === 'time' ? 'time' : 'money') && of !== '');
  if (found.length === 0 || found.length === among.length || found.length > MOST_EQUAL || !attribute)
    return null;
  // "The cheaper one, when is it?" asks something else of it.
  const asked = read.asked.flatMap((one) => (one.entity === entity ? [one.attribute] : []));
  const said = asked.length === 0 ? null : factsOf(turn, found, asked, company.currency);
  const each = found.map((one) => factOf(turn, one, attribute, company.currency) ?? lineOf(turn, one));
  return { text: said ?? each.join('\n'), state: { ...afterShowing(state, found), asked: attribute.id } };
}

/** What is compared is what was shown, or what the customer has; a change is compared by the agent that makes it. */
export function isCompared({ deps, graph, text }: DialogueTurn): boolean {
  const { dialogue, classification, focus } = graph;
  if (deps.dialogue.comparedIn(text) === null) return false;
  const routes = new Set(classification?.requests.map(({ route }) => route));
  if (routes.has('action') || focus !== null || deps.language.speaksOf(text, 'cancel')) return false;
  return (dialogue?.shown.length ?? 0) > 1 || routes.has('account');
}

/**
 * The one record to come that the text names by its title; null where it names none, or several.
 * @param listed false where "the first" counts in something else than all that is to come
 */
export async function namedAhead(turn: MessageInTurn, listed = true): Promise<EntityRecord | null> {
  const { deps, text } = turn;
  const own = (await ownRecords(turn)).filter(({ upcoming, startsAt }) => upcoming && startsAt !== null);
  const ahead = calledIn(turn, own);
  const choices = ahead.map(({ id, title, startsAt }) => ({ id, title, startsAt }));
  const named = deps.language.namedAmong(text, choices, deps.tools.clock.now(), listed) ?? [];
  return named.length === 1 ? (ahead.find(({ id }) => id === named[0]) ?? null) : null;
}

/** The one record that a message names, or picks from what was shown; null where it means none, or several. */
export async function recordMeant(turn: MessageInTurn, state: DialogueState): Promise<EntityRecord | null> {
  const { deps, session, text } = turn;
  const options = { now: deps.tools.clock.now(), language: session.language };
  // "The first one" counts in what was shown, where several were, or what anybody may choose from.
  const named = await namedAhead(turn, state.shown.length < 2 && state.looked == null);
  // "Anything cheaper?" picks none of it.
  if (deps.dialogue.readList(text, options)?.cheaper) return named;
  return named ?? deps.dialogue.pickedOfShown(text, state, options);
}

/** Stands for what is spoken of, in Spanish also at the end of a verb: "muévela", "moverla". */
const PRONOUN =
  /\b(?:it|ela|ele|isso|eso)\b|\p{L}*[áéíóú]\p{L}{0,3}[ae]l[oa](?!\p{L})|\p{L}{3,}[aei]rl[oa](?!\p{L})/iu;

/** What the conversation is about once a message has named or picked one record: what else it asks is asked of that. */
export async function dialogueNaming(
  turn: MessageInTurn,
  state: DialogueState | null,
): Promise<DialogueState | null> {
  const before = state ?? NEW_DIALOGUE;
  const record = await recordMeant(turn, before);
  // "Move it to Friday" is said of what is spoken of, and not of what is on Friday.
  const points = before.focus !== null && PRONOUN.test(turn.text);
  if (record && points && !(await namedOwn(turn, false)).some(({ id }) => id === record.id)) return null;
  return record && record.id !== before.focus ? afterShowing(before, [record]) : null;
}

/**
 * What the customer has that the text names by its title, whatever has become of it. Where the text says what one is called, it is one
 * of those: "when is Pepper's appointment?" is not asked of the plan that is called "Pepper".
 * @param listed false where nothing was shown that it could count: "the 5th" is a day then
 */
export async function namedOwn(turn: MessageInTurn, listed = true): Promise<readonly EntityRecord[]> {
  const own = calledIn(
    turn,
    (await ownRecords(turn)).filter(({ startsAt }) => startsAt !== null),
  );
  const choices = own.map(({ id, title }) => ({ id, title, startsAt: null }));
  const named = turn.deps.language.namedAmong(turn.text, choices, turn.deps.tools.clock.now(), listed) ?? [];
  return own.filter(({ id }) => named.includes(id));
}

/** Who asks, where whoever speaks for them may see what they have; else null. */
export function ownerOf({ session: { identity, scopes } }: Pick<MessageInTurn, 'session'>): string | null {
  return identity.kind === 'customer' && (scopes?.includes('account:read') ?? true)
    ? identity.customerId
    : null;
}

/** What the customer has, where whoever speaks for them may see it. */
export async function ownRecords({
  deps,
  session,
}: Omit<MessageInTurn, 'text'>): Promise<readonly EntityRecord[]> {
  const owner = ownerOf({ session });
  return owner === null ? [] : unlessUnreachable(deps.tools.records.list(owner), []);
}

/** A record in a line, as customers read it. */
export function lineOf({ deps, session, texts }: DialogueTurn, record: EntityRecord): string {
  const { entity, title, place, status, startsAt, amount } = record;
  const when = startsAt && deps.tools.time.dateTime(startsAt, session.language);
  const name = status === '' ? null : statusName(texts, entity, status);
  // What happens at no time is told by what it is worth, as in a list.
  const where = startsAt === null && amount ? texts.money(amount.minorUnits) : place;
  return texts.say('record_line', { entity, title, when, place: where, status: name });
}
