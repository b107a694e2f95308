import type { EntityRecord } from '../core/domain/entity.js';
import type { Focus, LifeEvent, Proposal } from '../core/domain/session.js';
import { ESCALATION_ROUTE } from '../core/domain/taxonomy.js';
import { type Act, afterShowing } from '../dialogue/index.js';
import { missingScope } from '../runtime/caller-facts.js';
import type { ActionTarget, ActionTool } from '../runtime/define-tool.js';
import { numbered } from '../runtime/offline-step.js';
import { anewOf } from '../runtime/release-action.js';
import { lineOf, namedAhead, namedOwn, ownRecords, recordMeant } from './dialogue-records.js';
import type { DialogueTurn, RecordAnswer } from './dialogue-types.js';
import { doneText, teamText } from './request-status.js';
import type { HubStateType } from './state.js';

/** One exact change, which is spoken of before anybody asked for it. */
export interface Change {
  readonly tool: ActionTool;
  readonly args: Readonly<Record<string, unknown>>;
  /** What it is made to; null where the customer has at most one of it. */
  readonly record: EntityRecord | null;
}

/** From here on triage is believed that something else is asked. */
const SURE = 0.75;
/** The most words of such a message. */
const BRIEF = 6;
/** Where nothing was asked for yet, triage is believed from here on. */
const UNSURE = 0.5;

/** What puts the last change back, told and offered; null where nothing was changed or nothing puts it back. */
export async function undoOffer(
  turn: DialogueTurn,
): Promise<(RecordAnswer & { readonly focus: Focus }) | null> {
  const { deps, session, state, texts } = turn;
  const row = await deps.tools.pending.findLatestAgreed(session.threadId);
  const done = row && deps.tools.roster.findAction(row.tool);
  const back = (row && done?.undo?.(done.input.parse(row.args))) ?? null;
  const tool = back && deps.tools.roster.findAction(back.tool);
  if (!row || !tool || missingScope(tool, session.scopes) !== null) return null;
  const plan = await tool.plan(deps.tools, tool.input.parse(back.args), row.customerId, session);
  if (plan.kind === 'denied') return null;
  const focus = offerOf(turn, { tool, args: back.args, record: null });
  return {
    text: `${plan.explained ?? ''} ${texts.say('offer')}`.trim(),
    state: { ...state, asked: null },
    focus,
  };
}

/** How what was changed last is taken back, where it waits for the team or stands; null where nothing was changed. */
export async function keepsAsItIsText(turn: DialogueTurn): Promise<string | null> {
  const waiting = await teamText(turn);
  if (waiting !== null) return turn.texts.say('undo_waiting', { waiting });
  const outcome = await doneText(turn);
  if (outcome === null) return null;
  const { tools } = turn.deps;
  const row = await tools.pending.findLatestAgreed(turn.session.threadId);
  const tool = row && tools.roster.findAction(row.tool);
  const how = row && anewOf(tool, row, turn.texts);
  return turn.texts.say('undo_not', { outcome, how });
}

/** What the hub has offered, where the message takes it up: asked for like any other change, so nothing is done by it. */
export async function acceptedOffer(turn: DialogueTurn): Promise<Proposal | 'declined' | null> {
  const { deps, session, text } = turn;
  const { kind, more } = deps.dialogue.readAnswer(text, session.language, session.lastReply ?? '');
  const offered = offeredIn(turn) ?? (kind === 'yes' ? quotedIn(turn) : null);
  if (!offered) return null;
  // "Then cancel" calls off what waits for a yes, but here it asks for the cancellation that was offered.
  const mayOrder = kind === 'no' || kind === 'unclear' || (kind === 'other' && !text.includes('?'));
  const isOrdered = mayOrder && more === null && orders(turn, offered.tool);
  const now = deps.tools.clock.now();
  // "I will go to the play. But cancel the samba" orders it for another one.
  const input = offered.tool.target?.input;
  const parts = input === undefined ? [] : deps.dialogue.sentencesIn(text);
  const named = (await Promise.all(parts.map((part) => namedOwn({ ...turn, text: part }, false)))).flat();
  if (input !== undefined && named.some(({ id }) => id !== offered.args[input])) return null;
  if (pointsAtOffered(turn, offered))
    return { tool: offered.tool.name, args: offered.args, needsOperator: false };
  // "No, from the 10th on" corrects it.
  const isOther = deps.language.saysPeriod(text, session.language, { intent: offered.tool.name, now });
  if (isOther || (kind === 'no' && asksAnother(turn, offered.tool))) return null;
  if (kind === 'no' && more === null && !isOrdered) return 'declined';
  if (kind !== 'yes' && !isOrdered && !(await namesOffered(turn, offered))) return null;
  return { tool: offered.tool.name, args: offered.args, needsOperator: false };
}

/** True for so few words that they only answer what was asked. */
export function isBrief(text: string): boolean {
  return text.trim().split(/\s+/).length <= BRIEF;
}

/** True where a message points at what stands next to what was turned down, and that is what is offered now. */
function pointsAtOffered({ deps, state, text }: DialogueTurn, { tool, args }: Change): boolean {
  return (
    tool.target !== undefined &&
    deps.dialogue.neighbourIn(text) !== null &&
    args[tool.target.input] === state.focus
  );
}

/** True where few words name what it was offered for, and no other: "the samba one instead". */
async function namesOffered(turn: DialogueTurn, { tool, args }: Change): Promise<boolean> {
  const { deps, text } = turn;
  if (!tool.target || text.includes('?') || !isBrief(text)) return false;
  if (deps.language.readRequestAct(text).kind !== 'none') return false;
  return (await recordMeant(turn, turn.state))?.id === args[tool.target.input];
}

/** True where the message asks for a change that this tool does not make, and names none that is not wanted. */
export function asksAnother({ deps, graph, session, text }: DialogueTurn, { name }: ActionTool): boolean {
  const { requests = [], confidence = 0 } = graph.classification ?? {};
  const isChange = requests.length > 0 && requests.every(({ route }) => deps.agents.changes(route));
  if (!isChange || confidence < SURE || deps.language.readRequestAct(text).actions.length > 0) return false;
  return deps.language.hardlyAsksFor(text, session.language, name);
}

/** True where a message of few words asks for what the tool does, and takes nothing back. */
function orders({ deps, graph, session, text }: DialogueTurn, { name }: ActionTool): boolean {
  const { requests = [], confidence = 0 } = graph.classification ?? {};
  const isChange = requests.length > 0 && requests.every(({ route }) => deps.agents.changes(route));
  const isTakenBack = deps.language.readRequestAct(text).kind === 'withdraw';
  return (
    isChange &&
    confidence >= UNSURE &&
    !isTakenBack &&
    !deps.language.hardlyAsksFor(text, session.language, name)
  );
}

/** Below this confidence of triage what somebody tells of their life is no request yet. */
const UNCLEAR = 0.5;

/** True where a customer tells something and asks for nothing: what the mourning write is seldom clear to rules. */
export function tellsOnly({ classification, session }: HubStateType, text: string): boolean {
  if (text.includes('?') || !classification) return false;
  const { requests, confidence } = classification;
  if (requests.some(({ route }) => route === 'action' || route === ESCALATION_ROUTE)) return false;
  return confidence < UNCLEAR || session?.life === 'grief';
}

/** What can be done, about the record that is named, where one is; the word of sympathy stands before every answer. */
export async function lifeAnswer(
  turn: DialogueTurn,
  event: LifeEvent,
): Promise<RecordAnswer & { readonly focus?: Focus }> {
  const { state, texts } = turn;
  const named = event === 'joy' ? null : await namedAhead(turn);
  const actions = named ? actionsFor(turn, named) : [];
  const [tool] = actions;
  if (!named || !tool?.target || actions.length > 1) {
    return { text: texts.say('life_offer', { event }), state: { ...state, asked: null } };
  }
  return {
    ...offerFor(turn, tool, tool.target, named),
    state: { ...afterShowing(state, [named]), asked: null },
  };
}

/** From here on triage is believed that a change is wanted which the hub makes for nobody; and where it is asked about. */
const [WISH, ASKED_WISH] = [0.5, 0.85];

/**
 * The change that is offered in place of one that no tool makes: to the record that is named or the only one there is, else to the
 * one that the customer picks next. Nothing is done by it.
 * @returns null where no such change is wanted, or it is only asked about in general
 */
export async function offerInstead(
  turn: DialogueTurn,
): Promise<(RecordAnswer & { readonly focus: Focus }) | null> {
  const { deps, graph, session, state, text, texts } = turn;
  const [wish, ...others] = deps.language.requests(text, session.language);
  const isAsked = deps.dialogue.isQuestion(text);
  if (!wish || others.length > 0 || wish.confidence < (isAsked ? ASKED_WISH : WISH)) return null;
  if (graph.focus !== null) return null;
  const tool = deps.tools.roster.findAction(deps.dialogue.insteadOf(wish.intent)?.tool ?? '');
  if (!tool?.target || missingScope(tool, session.scopes) !== null) return null;
  const { entity, eligible } = tool.target;
  const own = (await ownRecords(turn)).filter((one) => one.entity === entity);
  const possible = new Set(eligible(own, new Set()).map(({ id }) => id));
  const all = own.filter(({ id, upcoming }) => upcoming && possible.has(id));
  const named = await namedAhead(turn);
  const [only, ...more] = named ? all.filter(({ id }) => id === named.id) : all;
  // "Ok, add my sister then" goes on with the article that was quoted.
  if (!only || (named === null && (isAsked || state.article !== null))) return null;
  const cannot = texts.sayOf('cannot', wish.intent);
  if (more.length === 0) {
    const offer = offerFor(turn, tool, tool.target, only);
    return {
      ...offer,
      text: `${cannot} ${offer.text}`,
      state: { ...afterShowing(state, [only]), asked: null },
    };
  }
  const choices = all.map(({ id, title, startsAt }) => ({ id, title, startsAt }));
  const focus = { agent: deps.agents.forRoute('action'), intent: tool.name, choices, attempts: 1 };
  const request = tool.request(tool.input.parse({ [tool.target.input]: only.id }), texts);
  return {
    text: `${cannot} ${texts.say('offer_one_of', { request, list: numbered(all.map((one) => lineOf(turn, one))) })}`,
    state: { ...state, shown: all, focus: null, asked: null },
    focus,
  };
}

/** Asks whether a change is to be made to a record. */
function offerFor(
  turn: DialogueTurn,
  tool: ActionTool,
  { input }: ActionTarget,
  record: EntityRecord,
): { readonly text: string; readonly focus: Focus } {
  const { deps, session, texts } = turn;
  const { title, startsAt } = record;
  const when = startsAt && deps.tools.time.dateTime(startsAt, session.language);
  const args = { [input]: record.id };
  const request = tool.request(tool.input.parse(args), texts);
  return {
    text: texts.say('offer_record', { request, title, when }),
    focus: offerOf(turn, { tool, args, record }),
  };
}

/**
 * The change that ends what a customer has of a record, where they do not want it any more: of the one that is named, else of the one
 * that is spoken of. It passes the same gates as any other change, so nothing is done by it.
 * @returns null where they say no such thing, or more than one change could be meant
 */
export async function unwantedRecord(turn: DialogueTurn): Promise<Proposal | null> {
  const { deps, graph, session, state, text } = turn;
  const { humanReason = null } = graph.classification ?? {};
  const isCalled = humanReason !== null && humanReason !== 'sentiment_priority';
  if (session.identity.kind !== 'customer' || graph.focus !== null || isCalled) return null;
  if (!deps.dialogue.unwants(text)) return null;
  const named = await namedOwn(turn);
  const own = named.length > 0 ? named : await ownRecords(turn);
  const meant = own.filter(({ id, upcoming }) => upcoming && (named.length > 0 || id === state.focus));
  const [record, ...others] = meant;
  const [tool, ...more] = record && others.length === 0 ? actionsFor(turn, record) : [];
  if (!record || !tool?.target || more.length > 0 || missingScope(tool, session.scopes) !== null) return null;
  return { tool: tool.name, args: { [tool.target.input]: record.id }, needsOperator: false };
}

/** What the hub offers to do, and asks about. */
export function offerOf({ deps }: DialogueTurn, { tool, args, record }: Change): Focus {
  const choices = record ? [{ id: record.id, title: record.title, startsAt: record.startsAt }] : [];
  const agent = deps.agents.forRoute('action');
  return { agent, intent: tool.name, choices, attempts: 1, args, offered: true };
}

/** What it has offered with its last answer; null where nothing. */
export function offeredIn({ deps, graph: { focus } }: DialogueTurn): Change | null {
  const tool = focus?.offered ? deps.tools.roster.findAction(focus.intent) : null;
  return tool && focus?.args ? { tool, args: focus.args, record: null } : null;
}

const QUOTED = /["“«]([^"“”«»]{2,40})["”»]/gu;

/** What is said to an answer, and takes up nothing of it. */
const HEARS: ReadonlySet<Act> = new Set(['acknowledge', 'thanks', 'praise', 'goodbye']);

/**
 * The one change that its last answer told the customer to ask for in words that it quoted; null where none, or several. What an
 * article quotes are the buttons of an app, and an "ok" takes up nothing.
 */
function quotedIn({ deps, graph: { focus }, session, state, text }: DialogueTurn): Change | null {
  const guess = deps.dialogue.guessAct(text, 'answered', session.language);
  if (focus !== null || state.article !== null || (guess && HEARS.has(guess.act))) return null;
  const quoted = [...(session.lastReply ?? '').matchAll(QUOTED)].flatMap(([, words = '']) =>
    deps.dialogue.changesNamed(words),
  );
  const [change, ...others] = quoted;
  const tool = change && deps.tools.roster.findAction(change.tool ?? '');
  const isOne = others.every(({ name }) => name === change?.name);
  return tool && !tool.target && isOne ? { tool, args: change.args, record: null } : null;
}

/** The changes that may be made to a record. */
export function actionsFor({ deps }: DialogueTurn, record: EntityRecord): readonly ActionTool[] {
  return deps.tools.roster.actions.filter(
    ({ target }) => target?.entity === record.entity && target.eligible([record], new Set()).length > 0,
  );
}
