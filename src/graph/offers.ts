import type { LifeEvent } from '../core/domain/dialogue.js';
import type { EntityRecord } from '../core/domain/entity.js';
import type { PendingAction } from '../core/domain/pending.js';
import type { Focus, Proposal, Session } from '../core/domain/session.js';
import { ESCALATION_ROUTE } from '../core/domain/taxonomy.js';
import { afterShowing } from '../dialogue/index.js';
import type { ActionTool } from '../runtime/define-tool.js';
import { missingScope } from '../runtime/scope.js';
import { namedAhead, ownRecords, placedIn } from './dialogue-records.js';
import type { DialogueTurn, RecordAnswer } from './dialogue-types.js';
import type { GraphDeps } from './graph-deps.js';
import { namesSomethingElse } from './spoken.js';

/** One exact change, which is spoken of before anybody asked for it. */
interface Change {
  readonly tool: ActionTool;
  readonly args: Readonly<Record<string, unknown>>;
  /** What it is made to; null where the customer has at most one of it. */
  readonly record: EntityRecord | null;
}

/** From here on a question is taken to be about what is open. */
const LEANS = 0.6;
/** From here on it is, where it is put in the words of what is open. */
const HINTS = 0.3;
/** From here on triage is believed that something else is asked. */
const SURE = 0.75;
/** From here on also that it is about the customer's own record. */
const CERTAIN = 0.9;
/** From here on a question is about what is open, unless triage is certain. */
const PLAIN = 0.85;
/** So few words may lean on what is open without naming any of it. */
const FEW_WORDS = 3;
/** And so few where nothing answers them. */
const BRIEF = 6;
/** Where nothing was asked for yet, triage is believed from here on. */
const UNSURE = 0.5;

/**
 * What would come of a change, where that is asked: of the one that is open, was offered, waits for the team, or is only
 * supposed ("what happens if I cancel it?"). What nobody has asked for yet is offered with it.
 * @returns null where the question is about something else
 */
export async function termsAnswer(
  turn: DialogueTurn,
): Promise<(RecordAnswer & { readonly focus?: Focus }) | null> {
  const { deps, session, state, texts } = turn;
  if (session.identity.kind !== 'customer') return null;
  const { customerId } = session.identity;
  const plan = async (change: Change | null): Promise<string | null> => {
    if (!change || missingScope(change.tool, session.scopes) !== null) return null;
    const input = change.tool.input.parse(change.args);
    const planned = await change.tool.plan(deps.tools, input, customerId, session);
    return planned.kind === 'ready' ? (planned.explained ?? '') : null;
  };
  const open = await openRow(turn);
  const spoken = open ? changeOf(turn, open) : offeredIn(turn);
  const outcome = await plan(spoken);
  const isAsked =
    spoken !== null && outcome !== null && (await asksTerms(turn, spoken, open?.question ?? null, outcome));
  const change = isAsked ? spoken : await supposedChange(turn);
  const said = (isAsked ? outcome : await plan(change)) || (isAsked && open ? open.question : '');
  if (!change || said === '') return null;
  const shown = change.record ? afterShowing(state, [change.record]) : state;
  const about = { ...shown, asked: null };
  if (isAsked && open) return { text: said, state: about };
  return { text: `${said} ${texts.say('offer')}`, state: about, focus: offerOf(turn, change) };
}

/**
 * What would come of the change that waits for the customer's yes, for few words that nothing answers while it is open: they
 * are most likely about it.
 * @returns null for longer messages, and where the change is no longer possible
 */
export async function openTerms(
  { tools }: GraphDeps,
  session: Session,
  { tool: name, args, customerId, question }: PendingAction,
  text: string,
): Promise<string | null> {
  const tool = tools.roster.findAction(name);
  if (!tool || !text.includes('?') || (text.match(/\p{L}+/gu)?.length ?? 0) > BRIEF) return null;
  const planned = await tool.plan(tools, tool.input.parse(args), customerId, session);
  return planned.kind === 'ready' ? (planned.explained ?? question) : null;
}

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

/** What the hub has offered, where the message takes it up: asked for like any other change, so nothing is done by it. */
export async function acceptedOffer(turn: DialogueTurn): Promise<Proposal | 'declined' | null> {
  const { deps, session, text } = turn;
  const offered = offeredIn(turn);
  if (!offered) return null;
  const { kind, more } = deps.dialogue.readAnswer(text, session.language, session.lastReply ?? '');
  // "Then cancel" calls off what waits for a yes, but here it asks for the cancellation that was offered.
  const mayOrder = kind === 'no' || kind === 'unclear' || (kind === 'other' && !text.includes('?'));
  const isOrdered = mayOrder && more === null && orders(turn, offered.tool);
  const now = deps.tools.clock.now();
  // "No, from the 10th on" corrects it.
  const isOther = deps.language.saysPeriod(text, session.language, { intent: offered.tool.name, now });
  if (isOther || (kind === 'no' && asksAnother(turn, offered.tool))) return null;
  if (kind === 'no' && more === null && !isOrdered) return 'declined';
  if (kind !== 'yes' && !isOrdered && !(await namesOffered(turn, offered))) return null;
  return { tool: offered.tool.name, args: offered.args, needsOperator: false };
}

/** True where few words name what it was offered for, and no other: "the samba one instead". */
async function namesOffered(turn: DialogueTurn, { tool, args }: Change): Promise<boolean> {
  const { deps, text } = turn;
  if (!tool.target || text.includes('?') || text.trim().split(/\s+/).length > BRIEF) return false;
  if (deps.language.readRequestAct(text).kind !== 'none') return false;
  return (await namedAhead(turn))?.id === args[tool.target.input];
}

/** True where the message asks for a change that this tool does not make, and names none that is not wanted. */
function asksAnother({ deps, graph, session, text }: DialogueTurn, { name }: ActionTool): boolean {
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

/** What can be done, about the record that is named, where one is; the word of sympathy stands before every answer. */
export async function lifeAnswer(
  turn: DialogueTurn,
  event: LifeEvent,
): Promise<RecordAnswer & { readonly focus?: Focus }> {
  const { deps, session, state, texts } = turn;
  const named = event === 'joy' ? null : await namedAhead(turn);
  const actions = named ? actionsFor(turn, named) : [];
  const [tool] = actions;
  if (!named || !tool?.target || actions.length > 1) {
    return { text: texts.say('life_offer', { event }), state: { ...state, asked: null } };
  }
  const { title, startsAt } = named;
  const when = startsAt && deps.tools.time.dateTime(startsAt, session.language);
  const args = { [tool.target.input]: named.id };
  const request = tool.request(tool.input.parse(args), texts);
  return {
    text: texts.say('life_record', { request, title, when }),
    state: { ...afterShowing(state, [named]), asked: null },
    focus: offerOf(turn, { tool, args, record: named }),
  };
}

function offerOf({ deps }: DialogueTurn, { tool, args, record }: Change): Focus {
  const choices = record ? [{ id: record.id, title: record.title, startsAt: record.startsAt }] : [];
  const agent = deps.agents.forRoute('action');
  return { agent, intent: tool.name, choices, attempts: 1, args, offered: true };
}

function offeredIn({ deps, graph: { focus } }: DialogueTurn): Change | null {
  const tool = focus?.offered ? deps.tools.roster.findAction(focus.intent) : null;
  return tool && focus?.args ? { tool, args: focus.args, record: null } : null;
}

/** The question that waits for the customer, or else the one request that waits for the team. */
async function openRow({ deps, session }: DialogueTurn): Promise<PendingAction | null> {
  const { pending } = deps.tools;
  const asked = await pending.findOpenConfirmation(session.threadId);
  if (asked) return asked;
  const { identity } = session;
  const waiting = (await pending.listOpenApprovals(session.threadId)).filter(
    ({ customerId }) => identity.kind === 'customer' && customerId === identity.customerId,
  );
  return waiting.length === 1 ? (waiting[0] ?? null) : null;
}

function changeOf({ deps }: DialogueTurn, { tool: name, args }: PendingAction): Change | null {
  const tool = deps.tools.roster.findAction(name);
  return tool && { tool, args, record: null };
}

/**
 * True where the message asks about what is open or was offered, and triage is not certain of something else.
 * @param question what is open, as the customer read it; null where it was only offered
 * @param outcome what would come of it
 */
async function asksTerms(
  turn: DialogueTurn,
  { tool, args }: Change,
  question: string | null,
  outcome: string,
): Promise<boolean> {
  const { deps, graph, session, text } = turn;
  const beside = question === null ? null : deps.dialogue.askedBeside(text, session.language, question);
  const guess = deps.dialogue.guessAct(beside ?? text, 'confirm', session.language);
  const chance = guess?.chanceOf('ask_terms', 'why') ?? 0;
  const isNear = chance >= HINTS && text.includes('?') && question !== null && isInWordsOf(text, question);
  if (chance < LEANS && !isNear) return false;
  const { requests = [], confidence = 0 } = graph.classification ?? {};
  const routes = new Set(requests.map(({ route }) => route));
  // "Could I withdraw instead?" asks for another change.
  if (asksAnother(turn, tool)) return false;
  if (routes.has(ESCALATION_ROUTE) || (requests.length > 1 && routes.has('action'))) return false;
  const { agents } = deps;
  const isOwn = [...routes].some((route) => agents.isPersonal(route) && !agents.changes(route));
  if (isOwn && confidence >= CERTAIN) return false;
  const { identity, language } = session;
  const customerId = identity.kind === 'customer' ? identity.customerId : '';
  const { kind, about } = await tool.matter(deps.tools, tool.input.parse(args), customerId, { language });
  const own = about ? await ownRecords({ deps, session }) : [];
  // By title alone: "this month" names nothing.
  const choices = own.map(({ id, title }) => ({ id, title, startsAt: null }));
  const named = deps.language.namedAmong(text, choices, deps.tools.clock.now()) ?? [];
  if (named.length > 0 && !named.includes(about?.id ?? '')) return false;
  if (deps.language.speaksOf(text, kind)) return true;
  // "No, I would miss the ballet then" is about what is open, whatever words it takes.
  const isOther = question !== null && deps.dialogue.readAnswer(text, language, question).kind === 'other';
  if (isOther && outcome !== '' && isFarFrom(text, `${question} ${outcome}`)) return false;
  const isAbout = question === null || outcome === '' || isInWordsOf(text, outcome);
  if (chance < PLAIN && !isAbout && !isNear) return false;
  const isOfOutcome = outcome !== '' && isInWordsOf(text, outcome);
  const sure = question === null ? UNSURE : chance >= PLAIN || isOfOutcome ? CERTAIN : SURE;
  return !routes.has('knowledge') || confidence < sure;
}

/** True where a message of some words shares next to none with what would come of the change: it is about something else. */
function isFarFrom(text: string, outcome: string): boolean {
  const words = text.match(/\p{L}{4,}/gu) ?? [];
  const known = words.filter((word) => !namesSomethingElse(word, outcome));
  return words.length > FEW_WORDS && known.length * 4 < words.length;
}

/** True where at least every other word of some length stands in the question too. */
function isInWordsOf(text: string, question: string): boolean {
  const words = text.match(/\p{L}{4,}/gu) ?? [];
  const known = words.filter((word) => !namesSomethingElse(word, question));
  return words.length > 0 && known.length * 2 >= words.length;
}

/** The change that the customer supposes, where what it would be made to is clear. */
async function supposedChange(turn: DialogueTurn): Promise<Change | null> {
  const { deps, session, state, text } = turn;
  const supposed = deps.dialogue.supposed(text, session.language);
  if (!supposed) return null;
  const { intent, isBare } = supposed;
  const named =
    (await namedAhead(turn)) ??
    (await pointedAt(turn, state.focus, isBare)) ??
    (await placedIn(turn, deps.dialogue.supposing(text)?.after ?? ''));
  const tool = deps.tools.roster.findAction(intent.tool ?? '');
  // "Cancel it" of a booking that is spoken of is no end of the plan, whatever it is most often said of.
  const [instead, ...others] = named && !tool?.target ? actionsFor(turn, named) : [];
  if (named && instead?.target && others.length === 0 && intent.instead !== null)
    return { tool: instead, args: { [instead.target.input]: named.id }, record: named };
  if (!tool?.target) return tool && { tool, args: intent.args, record: null };
  if (!named) return null;
  return { tool, args: { [tool.target.input]: named.id }, record: named };
}

/** @param isBare true where the message names nothing that would be changed: "and if I cancel?" */
async function pointedAt(
  turn: DialogueTurn,
  focus: string | null,
  isBare: boolean,
): Promise<EntityRecord | null> {
  if (focus === null || !(isBare || turn.deps.dialogue.read(turn.text)?.points)) return null;
  return (await ownRecords(turn)).find(({ id, upcoming }) => id === focus && upcoming) ?? null;
}

/** The changes that may be made to a record. */
function actionsFor({ deps }: DialogueTurn, record: EntityRecord): readonly ActionTool[] {
  return deps.tools.roster.actions.filter(
    ({ target }) => target?.entity === record.entity && target.eligible([record], new Set()).length > 0,
  );
}
