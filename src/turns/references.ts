import { type EntityRecord, NO_FILTERS } from '../core/domain/entity.js';
import type { PendingAction } from '../core/domain/pending.js';
import type { Choice } from '../core/domain/session.js';
import type { Language } from '../core/domain/taxonomy.js';
import type { Sentences } from '../core/i18n/index.js';
import type { RequestAct } from '../core/ports/index.js';
import type { YesNoAnswer } from '../core/ports/language-layer.js';
import { unlessUnreachable } from '../core/signals.js';
import { focusOn } from '../graph/reply-text.js';
import { askTakeBack } from '../graph/request-status.js';
import type { Matter } from '../runtime/define-tool.js';
import { matterOf } from '../runtime/release-action.js';
import { severalInstead } from './several-instead.js';
import type { Turn, TurnDeps } from './turn.js';

/* Which record, or which open request, a message refers to. */

type Deps = Pick<TurnDeps, 'graph' | 'pending'>;

/** The record that a confirmation is about; undefined where it is about none. */
export async function aboutOf(
  { graph: { tools } }: Deps,
  confirmation: PendingAction,
  language: Language,
): Promise<string | undefined> {
  const tool = tools.roster.findAction(confirmation.tool);
  return (tool && (await matterOf(tool, tools, confirmation, language)))?.about?.id;
}

/** What the change that is asked about may be made to next to its record in time, where a text points there: null where it does not. */
export async function neighbourOf(
  deps: Deps,
  text: string,
  confirmation: PendingAction,
  language: Language,
): Promise<string | null> {
  const { dialogue, tools } = deps.graph;
  const side = dialogue.neighbourIn(text);
  const target = tools.roster.findAction(confirmation.tool)?.target;
  if (side === null || !target || (await namedIn(deps, text, confirmation)).length > 0) return null;
  const about = await aboutOf(deps, confirmation, language);
  const all = await unlessUnreachable(tools.records.list(confirmation.customerId), []);
  const own = all.filter(({ entity }) => entity === target.entity);
  const possible = new Set(target.eligible(own, new Set()).map(({ id }) => id));
  const ahead = own
    .filter(
      ({ id, startsAt, upcoming }) => startsAt !== null && upcoming && (id === about || possible.has(id)),
    )
    .toSorted((a, b) => Date.parse(a.startsAt ?? '') - Date.parse(b.startsAt ?? ''));
  const at = ahead.findIndex(({ id }) => id === about);
  return at < 0 ? null : (ahead[side === 'after' ? at + 1 : at - 1]?.id ?? null);
}

/** The records that the change which is asked about may be made to instead, where a text turns that down for "the other one"; none where it does not. */
export async function otherTargets(
  { graph: { dialogue, tools } }: Deps,
  text: string,
  confirmation: PendingAction,
  about: string | undefined,
): Promise<readonly Choice[]> {
  const target = tools.roster.findAction(confirmation.tool)?.target;
  if (!target || about === undefined || dialogue.theOtherIn(text) === null) return [];
  const all = await unlessUnreachable(tools.records.list(confirmation.customerId), []);
  const own = all.filter(({ entity }) => entity === target.entity);
  return target.eligible(own, new Set()).filter(({ id }) => id !== about);
}

/** What a customer may name by its title or day. Where it cannot be read, nothing: a yes is a yes while another system is down. */
export async function namable({ graph: { tools } }: Deps, customerId: string): Promise<readonly Choice[]> {
  const all = await unlessUnreachable(tools.records.list(customerId), []);
  return all.flatMap(({ id, title, startsAt }) => (startsAt === null ? [] : [{ id, title, startsAt }]));
}

/** The title of the one other record that a text puts in the place of what is asked about: "make it the jazz one instead"; null where it does not. */
export async function switchedTo(
  deps: Deps,
  text: string,
  confirmation: PendingAction,
  about: string | undefined,
): Promise<string | null> {
  if (about === undefined || !deps.graph.dialogue.switches(text)) return null;
  const [id, ...others] = (await namedIn(deps, text, confirmation)).filter((one) => one !== about);
  const all = await namable(deps, confirmation.customerId);
  return others.length > 0 ? null : (all.find((one) => one.id === id)?.title ?? null);
}

/**
 * What a question that is turned down is asked about next: the same change, and of the one other record that is named, "no,
 * it is the reading that I want to cancel".
 */
export async function askedInstead(
  deps: Deps,
  {
    more: text,
    isSet,
    instead,
    together,
  }: { readonly more: string; readonly isSet?: boolean; readonly instead?: string } & Pick<Turn, 'together'>,
  confirmation: PendingAction,
  language: Language,
): Promise<Pick<Turn, 'about' | 'focus'>> {
  const about = await aboutOf(deps, confirmation, language);
  if (isSet) return { about, focus: focusOn(confirmation) };
  if (instead !== undefined) {
    const { [instead]: _, ...args } = confirmation.args;
    return { about, focus: { ...focusOn(confirmation), args } };
  }
  const focus = { ...focusOn(confirmation), offered: true };
  const input = deps.graph.tools.roster.findAction(confirmation.tool)?.target?.input;
  const beside = await neighbourOf(deps, text, confirmation, language);
  const several = beside === null ? await severalInstead(deps, text, confirmation) : [];
  // "No, only the samba and the reading": each of them is asked about, and nothing else.
  if (several.length > 1) return { focus: { ...focusOn(confirmation), args: {}, choices: several } };
  const ids = beside === null ? await namedIn(deps, text, confirmation, together) : [beside];
  const [named, ...more] = ids.filter((id) => id !== about);
  const [other, ...others] = named === undefined ? await otherTargets(deps, text, confirmation, about) : [];
  const meant = more.length > 0 ? undefined : (named ?? (others.length === 0 ? other?.id : undefined));
  if (input !== undefined && meant !== undefined)
    return { about: meant, focus: { ...focus, args: { ...focus.args, [input]: meant } } };
  // "No, the other one": of several it is asked which.
  return other
    ? { focus: { ...focusOn(confirmation), args: {}, choices: [other, ...others] } }
    : { about, focus };
}

/** Titles of what the customer has beside what a confirmation asks about. */
export async function titlesBeside(
  deps: Deps,
  { customerId, question }: PendingAction,
): Promise<readonly string[]> {
  const all = await namable(deps, customerId);
  return all.flatMap(({ title }) => (question.includes(title) ? [] : [title]));
}

/**
 * Ids of the customer's records that a text names.
 * @param counted what "the second" counts in; all of them where that is not known
 */
export async function namedIn(
  deps: Deps,
  text: string,
  { customerId }: Pick<PendingAction, 'customerId'>,
  counted: readonly string[] = [],
): Promise<readonly string[]> {
  const { tools } = deps.graph;
  const choices = await namable(deps, customerId);
  const among = counted.flatMap((id) => choices.find((one) => one.id === id) ?? []);
  const inList = among.length > 1 ? deps.graph.language.namedAmong(text, among, tools.clock.now()) : null;
  return inList ?? deps.graph.language.namedAmong(text, choices, tools.clock.now(), among.length < 2) ?? [];
}

/**
 * What a message that turns a change down means of another record: its name alone where it names that and little else, so that no
 * "no" beside it is heard once more.
 */
export async function namingOnly(deps: Deps, text: string, confirmation: PendingAction): Promise<string> {
  const { dialogue, models, tools } = deps.graph;
  const isShort = text.trim().split(/\s+/).length <= NAMING_WORDS;
  if (models.provider !== 'offline' || !isShort || dialogue.isQuestion(text)) return text;
  const [id, ...others] = await namedIn(deps, text, confirmation);
  const all = await unlessUnreachable(tools.records.list(confirmation.customerId), []);
  const record = all.find((one) => one.id === id);
  const isAlone = record !== undefined && all.filter(({ title }) => title === record.title).length === 1;
  return isAlone && others.length === 0 ? record.title : text;
}

/** In more words a correction says more than a name. */
const NAMING_WORDS = 5;

/** What a change takes beside its record, given in place of what it is asked about with. */
export interface Instead {
  readonly input: string;
  /** What it is called, where no model reads the message. */
  readonly called: string;
}

/** In more words something else is told. */
const CORRECTION_WORDS = 10;

/** The other value, or the other record, that a text names of what a change takes: "no, Basic please". Null where it names none, or several. */
export async function namedInstead(
  { graph: { dialogue, language, tools } }: Deps,
  text: string,
  { tool: name, args, customerId }: PendingAction,
  spoken: Language,
): Promise<Instead | null> {
  const tool = tools.roster.findAction(name);
  const inputs = (tool?.asks?.inputs ?? []).filter(({ name: input }) => input in args);
  if (text.includes('?') || text.trim().split(/\s+/).length > CORRECTION_WORDS) return null;
  const [choice, ...more] = Object.entries(language.choicesInstead(text, inputs, args));
  if (choice)
    return more.length > 0 ? null : { input: choice[0], called: String(choice[1]).replaceAll('_', ' ') };
  const options = { now: tools.clock.now(), language: spoken };
  const dated = inputs.find(({ reading }) => reading.kind === 'date');
  const entity = tool?.target?.entity ?? null;
  const day = dated && language.dayInstead(text, String(args[dated.name]), { ...options, entity });
  if (dated && day) return { input: dated.name, called: day };
  const { hours } = dialogue.filtersIn(text, options).filters;
  const filters = { ...NO_FILTERS, hours };
  const pointing = (one: EntityRecord): boolean =>
    hours === null ? dialogue.pointsAtAnother(text) : dialogue.fits(one, filters, one.entity);
  for (const { name: input, reading } of inputs) {
    if (reading.kind !== 'record' || input === tool?.target?.input) continue;
    const known = await unlessUnreachable(tools.records.list(customerId, reading.entity), []);
    const [id, ...others] = language.namedAmong(text, known, tools.clock.now()) ?? [];
    const meant = others.length > 0 ? known.filter((one) => one.id === id || others.includes(one.id)) : known;
    const isNamed = id !== undefined && others.length === 0 && id !== args[input];
    const record = isNamed
      ? known.find((one) => one.id === id)
      : otherOf(
          meant,
          known.find((one) => one.id === args[input]),
          pointing,
        );
    if (!record) continue;
    // A name that several have says which of them no better than before.
    const isAlone = known.filter(({ title }) => title === record.title).length === 1;
    return { input, called: isAlone ? record.title : record.id };
  }
  return null;
}

/** The one beside that which was chosen, on the same day or else at all, that is pointed at: "the other one", "the morning one". */
function otherOf(
  known: readonly EntityRecord[],
  before: EntityRecord | undefined,
  pointing: (one: EntityRecord) => boolean,
): EntityRecord | null {
  if (!before) return null;
  const dayOf = ({ startsAt }: EntityRecord): string => (startsAt ?? '').slice(0, DATE);
  const others = known.filter((one) => one !== before);
  for (const among of [others.filter((one) => dayOf(one) === dayOf(before)), others]) {
    const [one, ...more] = among.filter(pointing);
    if (one && more.length === 0) return one;
  }
  return null;
}

/** Of an instant so many characters say its day. */
const DATE = 10;

/** A request that operators decide, as its customer speaks of it. */
export interface OpenRequest extends Matter {
  readonly row: PendingAction;
}

/** As much of what the customer said as operators read with a withdrawal. */
const WITHDRAWAL_CHARS = 500;

/** What is about no record is named by its own words. */
export function candidatesOf({ row, name, about }: OpenRequest): readonly Choice[] {
  return about ? [] : [{ id: row.pendingId, title: name, startsAt: row.createdAt }];
}

/** Those that a message is about: of the kinds it names, and by their names where it says any. */
export function matching(
  { actions }: RequestAct,
  open: readonly OpenRequest[],
  named: readonly string[] | null,
): readonly OpenRequest[] {
  const fits = open.filter(({ kind }) => actions.length === 0 || actions.includes(kind));
  if (named === null) return fits;
  return fits.filter(({ row }) => named.includes(row.pendingId));
}

/** True where what is not wanted is the other half of the one request there is: the money back for what is cancelled. */
export function isOfSameMoney(
  { actions, kind }: RequestAct,
  named: readonly string[] | null,
  open: readonly OpenRequest[],
): boolean {
  const [only, ...others] = open;
  if (kind !== 'withdraw' || named !== null || !only || others.length > 0) return false;
  const pair: readonly string[] = ['cancel', 'refund'];
  return pair.includes(only.kind) && actions.every((one) => pair.includes(one));
}

/** What a text answers to "shall I take it back?". "Changed my mind about the refund, withdraw it" begins as a no does, and is a yes. */
export function takeBackAnswer(
  { language }: Deps['graph'],
  text: string,
  spoken: Language,
): YesNoAnswer['kind'] {
  const { retracts } = language.readRequestAct(text);
  if (retracts !== null) return retracts ? 'yes' : 'no';
  return language.readYesNo(text, spoken).kind;
}

/** Asks whether this one is taken back, or which of several. */
export function askWhich(requests: readonly OpenRequest[], texts: Sentences): string {
  return askTakeBack(
    requests.map(({ name }) => name),
    texts,
  );
}

/** What operators read with a withdrawal. @param before what the customer had said before the hub asked back */
export function noteText({ text }: Turn, before = ''): string {
  return (before === '' ? text : `${before} … ${text}`).slice(0, WITHDRAWAL_CHARS);
}
