import { type DialogueState, NEW_DIALOGUE } from '../core/domain/dialogue.js';
import type { EntityAttribute, EntityRecord } from '../core/domain/entity.js';
import type { Session } from '../core/domain/session.js';
import { type Sentences, statusName } from '../core/i18n/index.js';
import { unlessUnreachable } from '../core/unreachable.js';
import { afterShowing, type ReadMessage, shownIn } from '../dialogue/index.js';
import { numbered } from '../runtime/offline-step.js';
import type { GraphDeps } from './graph-deps.js';
import type { HubStateType } from './state.js';

/** What is said about records, and what the conversation is about then. */
export interface RecordAnswer {
  readonly text: string;
  readonly state: DialogueState;
}

/** One turn, as its dialogue acts see it. */
export interface DialogueTurn {
  readonly deps: GraphDeps;
  readonly graph: HubStateType;
  readonly session: Session;
  readonly text: string;
  readonly state: DialogueState;
  readonly texts: Sentences;
}

/** "And the third?" asks the same of another one. */
export function isElliptical(
  { acts, asked, rest }: ReadMessage,
  { asked: before, shown }: DialogueState,
  isOpen: boolean,
): boolean {
  const bare = acts.length === 0 && asked.length === 0 && rest.length > 0 && !isOpen;
  return bare && (before !== null || shown.length > 1);
}

/**
 * Answers what is asked about a record: the one that is named, pointed at, or the only one.
 * @returns null where it is no question about a record of theirs
 */
export async function aboutRecords(turn: DialogueTurn, read: ReadMessage): Promise<RecordAnswer | null> {
  const { deps, session, state, text, texts } = turn;
  const own = await ownRecords(turn);
  const extreme = isCompared(turn) ? extremeOf(turn, own) : null;
  if (extreme) return extreme;
  const entities = [
    ...new Set([
      ...state.shown.map(({ entity }) => entity),
      ...read.asked.map(({ entity }) => entity),
      ...own.map(({ entity }) => entity),
    ]),
  ];
  const { clock, company } = deps.tools;
  const context = { state, own, now: clock.now(), language: session.language };
  for (const entity of entities) {
    const attributes =
      read.asked.length > 0
        ? read.asked.filter((one) => one.entity === entity).map(({ attribute }) => attribute)
        : deps.dialogue.attributesOf(entity).filter(({ id }) => id === state.asked);
    const picks = attributes.length === 0 && read.asked.length === 0 && state.asked === null;
    if (attributes.length === 0 && !picks) continue;
    // "The second one" picks it from the list; a title alone may begin anything.
    if (picks && !deps.dialogue.isOrder(read.rest)) continue;
    const referent = deps.dialogue.resolve(text, read, entity, context);
    const asked = attributes[0]?.id ?? null;
    if (referent.kind === 'which') {
      const lines = referent.among.map((record) => lineOf(turn, record));
      const shown = { ...state, shown: referent.among, focus: null, asked };
      return { text: texts.say('which_record', { list: numbered(lines) }), state: shown };
    }
    if (referent.kind === 'records' && referent.records.length > 0) {
      const facts = referent.records.flatMap((record) =>
        picks
          ? [lineOf(turn, record)]
          : attributes.map((attribute) => factOf(turn, record, attribute, company.currency)),
      );
      const [only] = referent.records;
      const shown = referent.records.length === 1 && only ? afterShowing(state, [only]) : state;
      return { text: facts.join(' '), state: { ...shown, asked } };
    }
  }
  return null;
}

/**
 * "Which of them was the cheapest?": of what was shown last, else of what is ahead.
 * @returns null where the text compares nothing, or speaks of what a customer has at most one of
 */
function extremeOf(turn: DialogueTurn, own: readonly EntityRecord[]): RecordAnswer | null {
  const { deps, session, state, text } = turn;
  const compared = deps.dialogue.comparedIn(text);
  if (compared === null) return null;
  const among = state.shown.length > 1 ? state.shown : own.filter(({ upcoming }) => upcoming);
  const [entity] = new Set(among.map((record) => record.entity));
  const { clock, company } = deps.tools;
  const now = clock.now();
  const found = entity && deps.dialogue.extreme(text, among, { now, language: session.language });
  const attribute = deps.dialogue
    .attributesOf(entity ?? '')
    .find(({ as, of }) => as === (compared === 'time' ? 'time' : 'money') && of !== '');
  if (!found || !attribute) return null;
  return {
    text: factOf(turn, found, attribute, company.currency),
    state: { ...afterShowing(state, [found]), asked: attribute.id },
  };
}

/** What is compared is what was shown, or what the customer has; a change is compared by the agent that makes it. */
export function isCompared({ deps, graph, text }: DialogueTurn): boolean {
  const { dialogue, classification, focus } = graph;
  if (deps.dialogue.comparedIn(text) === null) return false;
  const routes = new Set(classification?.requests.map(({ route }) => route));
  if (routes.has('action') || focus !== null || deps.language.speaksOf(text, 'cancel')) return false;
  return (dialogue?.shown.length ?? 0) > 1 || routes.has('account');
}

/** The one record to come that the text names by its title; null where it names none, or several. */
export async function namedAhead(turn: DialogueTurn): Promise<EntityRecord | null> {
  const { deps, text } = turn;
  const ahead = (await ownRecords(turn)).filter(({ upcoming, startsAt }) => upcoming && startsAt !== null);
  const choices = ahead.map(({ id, title, startsAt }) => ({ id, title, startsAt }));
  const named = deps.language.namedAmong(text, choices, deps.tools.clock.now()) ?? [];
  return named.length === 1 ? (ahead.find(({ id }) => id === named[0]) ?? null) : null;
}

/** What the customer has, where whoever speaks for them may see it. */
export async function ownRecords({
  deps,
  session,
}: Pick<DialogueTurn, 'deps' | 'session'>): Promise<readonly EntityRecord[]> {
  const { identity, scopes } = session;
  if (identity.kind !== 'customer' || !(scopes?.includes('account:read') ?? true)) return [];
  return unlessUnreachable(deps.tools.records.list(identity.customerId), []);
}

function lineOf({ deps, session, texts }: DialogueTurn, record: EntityRecord): string {
  const { entity, title, place, status, startsAt } = record;
  const when = startsAt && deps.tools.time.dateTime(startsAt, session.language);
  return texts.say('record_line', { entity, title, when, place, status: statusName(texts, entity, status) });
}

function factOf(
  { deps, session, texts }: DialogueTurn,
  record: EntityRecord,
  { id, of, as }: EntityAttribute,
  currency: string,
): string {
  const raw = fieldOf(record, of);
  const empty = raw === null || raw === '' || (as === 'money' && Number(raw) === 0);
  const written = (): string => {
    if (of === 'status') return statusName(texts, record.entity, String(raw));
    if (as === 'time') return deps.tools.time.dateTime(String(raw), session.language);
    if (as !== 'money') return String(raw);
    return (record.amount?.currency ?? currency) === currency ? texts.money(Number(raw)) : String(raw);
  };
  return texts.say('record_fact', {
    entity: record.entity,
    attribute: id,
    title: record.title,
    value: empty ? null : written(),
    upcoming: record.upcoming,
  });
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

/** The records that an answer shows, and what the conversation is about after it. */
export async function dialogueAfter(
  deps: GraphDeps,
  graph: HubStateType,
  session: Session,
  text: string,
): Promise<DialogueState> {
  const state = graph.dialogue ?? NEW_DIALOGUE;
  const listed = graph.trace.flatMap((entry) => (entry.ok ? listedBy(deps, entry.tool, entry.result) : []));
  const reads = graph.trace.some(
    ({ ok, tool }) => ok && deps.tools.roster.all.get(tool)?.access === 'customer',
  );
  const { identity } = session;
  const own =
    reads && identity.kind === 'customer'
      ? await unlessUnreachable(deps.tools.records.list(identity.customerId), [])
      : [];
  const ids = new Set(own.map(({ id }) => id));
  const known = [...own, ...listed.filter(({ id }) => !ids.has(id))];
  const whenOf = (startsAt: string) => deps.tools.time.dateTime(startsAt, session.language);
  const acted = graph.trace.some(({ ok, tool }) => ok && deps.tools.roster.findAction(tool) !== null);
  const last = graph.escalation ? 'escalated' : acted ? 'done' : 'answered';
  return { ...afterShowing(state, shownIn(text, known, whenOf)), asked: null, article: null, stuck: 0, last };
}

/** What a tool has listed, as records. */
function listedBy(deps: GraphDeps, name: string, result: unknown): readonly EntityRecord[] {
  const tool = deps.tools.roster.all.get(name);
  if (!tool?.lists) return [];
  const output = tool.output.safeParse(result);
  if (!output.success) return [];
  const { entity } = tool.lists;
  return tool.lists
    .records(output.data)
    .map((record) => ({ ...record, entity, amount: record.amount ?? null }));
}
