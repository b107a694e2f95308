import type { EntityRecord } from '../core/domain/entity.js';
import type { Proposal } from '../core/domain/session.js';
import { minorDigits } from '../core/prices.js';
import { missingScope } from '../runtime/caller-facts.js';
import { messageOf } from './clarify.js';
import { namedOwn, ownRecords } from './dialogue-records.js';
import type { DialogueTurn } from './dialogue-types.js';
import { type InConversation, NOTHING } from './in-conversation.js';
import { actionsFor, isBrief } from './offers.js';
import { planned } from './planned-terms.js';
import { waitingTicket } from './request-status.js';

type PlainOrder = NonNullable<ReturnType<DialogueTurn['deps']['dialogue']['plainOrder']>>;

/** Ends what a customer has of a record; money that is asked back for what is still to come is had by that alone. */
const ENDS: ReadonlySet<string> = new Set(['cancel', 'refund']);
/** From here on triage hears the change that is ordered itself, and finds what it is made to. */
const HEARD = 0.6;
/** From here on words order something, where they name nothing that is known. */
const SURE = 0.5;

/**
 * What a message orders in plain words, whatever triage takes them for: made to the record that it names, or that was spoken of last;
 * "cancel that one, so that I do not lose the money". It passes the gates of any other change: nothing is done by it.
 * @returns null where nothing is ordered so, or triage hears it already and nothing is asked beside it
 */
export async function plainlyOrdered(turn: DialogueTurn): Promise<InConversation | null> {
  const { deps, graph, session, text } = turn;
  const { dialogue } = deps;
  const { humanReason = null } = graph.classification ?? {};
  const isCalled =
    humanReason !== null && humanReason !== 'sentiment_priority' && humanReason !== 'customer_request';
  if (session.identity.kind !== 'customer' || isCalled || deps.language.hintsAtDanger(text)) return null;
  const offered = oneAskedAbout(turn);
  if (offered) return { ...NOTHING, accepted: offered, isTold: true };
  const chosen = await chosenBeside(turn);
  if (chosen) return chosen;
  // What answers a question, corrects what was said or is about what waits for the team is read more exactly by its own readers.
  const isOpen = graph.focus !== null && graph.focus.offered !== true;
  if (isOpen || dialogue.corrects(text) || (await waitingTicket(turn)) !== null) return null;
  const order = dialogue.plainOrder(text);
  if (order === null) return unableToGo(turn);
  // What triage hears already is made as ever; only what is asked beside "then cancel it" would take its place.
  if (hearsIt(turn) && !order.points && !order.all) return null;
  if (dialogue.supposed(text, session.language) !== null) return null;
  const named = new Set(dialogue.changesNamed(text).map(({ name }) => name));
  if (named.size > 1 || (graph.classification?.requests.length ?? 0) > (order.besides === '' ? 1 : 2))
    return null;
  const beside = order.besides === '' ? {} : { besides: order.besides };
  // "Then cancel everything", after the plan was spoken of, means the plan, and none of the bookings.
  const whole = order.all ? await planSpokenOf(turn, order) : null;
  if (whole) return { ...NOTHING, accepted: whole, isTold: true, ...beside };
  if (hearsIt(turn) && !order.points) return null;
  // "All but the musical" is told apart by what makes the change.
  const options = { now: deps.tools.clock.now(), language: session.language };
  const several = ENDS.has(order.kind) ? dialogue.several(order.text, await ownRecords(turn), options) : null;
  if (several && several.ids.length + several.among.length + (several.kept ?? []).length > 1) return null;
  if ((several?.kept ?? []).length > 0 || dialogue.pointsAtAnother(order.text)) return null;
  const plan = order.points ? await planSpokenOf(turn, order) : null;
  const record = ENDS.has(order.kind) && !plan ? await recordOrdered(turn, order) : null;
  const accepted = plan ?? (record && endingOf(turn, record));
  if (accepted) return { ...NOTHING, accepted, isTold: true, ...beside };
  if (hearsIt(turn) && order.besides === '') return null;
  const isSure = [text, order.text].some(
    (one) => (dialogue.readQuestion(one)?.chanceOf('order') ?? 0) >= SURE,
  );
  // Money that is wanted back for no record that is known is looked into.
  return !isSure || order.kind === 'refund'
    ? null
    : {
        ...NOTHING,
        orders: ENDS.has(order.kind) && asksChange(turn, order.text) ? order.text : order.command,
        isTold: true,
        ...beside,
      };
}

/** The change to the one thing that was asked about, where it is ordered in so many words: "yes obviously refund it, I want it back"; or agreed to. */
function oneAskedAbout({ deps, graph, session, text }: DialogueTurn): Proposal | null {
  const { choices = [], intent = '', offered } = graph.focus ?? {};
  const tool = deps.tools.roster.findAction(intent);
  const [one, ...others] = choices;
  if (offered || !one || others.length > 0 || !tool?.target) return null;
  if (missingScope(tool, session.scopes) !== null || text.includes('?')) return null;
  const change = { tool: tool.name, args: { [tool.target.input]: one.id }, needsOperator: false };
  const answer = deps.dialogue.readAnswer(text, session.language, session.lastReply ?? '');
  if (answer.kind === 'yes' && answer.more === null && isBrief(text)) return change;
  const order = deps.dialogue.plainOrder(text);
  // The kinds of orders are what the names of the tools that carry them out are made of.
  if (!order?.points || !tool.name.split('_').includes(order.kind)) return null;
  return change;
}

/** The one of several that a sentence says was meant, where nothing but questions stands beside it: "the first. Is it refunded?". */
async function chosenBeside(turn: DialogueTurn): Promise<InConversation | null> {
  const { deps, graph, session, state, text } = turn;
  const { dialogue, language, tools } = deps;
  const { choices = [], intent = '' } = graph.focus ?? {};
  const tool = tools.roster.findAction(intent);
  const sentences = dialogue.sentencesIn(text);
  const asked = sentences.filter((one) => one.includes('?'));
  const [said, ...others] = sentences.filter((one) => !one.includes('?'));
  if (!tool?.target || missingScope(tool, session.scopes) !== null || choices.length < 2) return null;
  if (!said || others.length > 0 || asked.length === 0 || language.readRequestAct(said).kind !== 'none')
    return null;
  const own = await ownRecords(turn);
  const shown = choices.flatMap(({ id }) => own.find((one) => one.id === id) ?? []);
  const options = { now: tools.clock.now(), language: session.language };
  const record = dialogue.pickedOfShown(said, { ...state, shown }, options);
  if (!record) return null;
  const accepted = { tool: tool.name, args: { [tool.target.input]: record.id }, needsOperator: false };
  const terms = (await planned(turn, { tool, args: accepted.args, record })) ?? '';
  // What it would bring is told where it is asked to be confirmed.
  const isTold = (one: string): boolean =>
    (dialogue.guessAct(one, 'confirm', session.language)?.chanceOf('ask_terms') ?? 0) >= SURE &&
    dialogue.toThePoint(terms, one) !== terms;
  const besides = asked.filter((one) => !isTold(one)).join(' ');
  return { ...NOTHING, accepted, isTold: true, ...(besides === '' ? {} : { besides }) };
}

/**
 * The change made to no record that an order which names nothing takes up: the one that was turned down last, or the one that the last
 * answer was about. "You cannot do that for me here, can you?" after how a subscription ends means no booking.
 */
async function planSpokenOf(turn: DialogueTurn, { command }: PlainOrder): Promise<Proposal | null> {
  const { deps, session, state } = turn;
  const { dialogue, tools } = deps;
  const [named, ...others] = dialogue.changesNamed(command);
  const tool = named && tools.roster.findAction(named.tool ?? '');
  if (!tool || tool.target || others.length > 0 || missingScope(tool, session.scopes) !== null) return null;
  const isSame = (args: Proposal['args']): boolean =>
    Object.entries(named.args).every(([key, value]) => args[key] === value);
  const { declined, article } = state;
  if (declined?.tool === tool.name && isSame(declined.args)) return { ...declined, needsOperator: false };
  const [reply, before] = [session.lastReply ?? '', session.previousMessage ?? ''];
  const spoken = [article?.title ?? '', before, reply];
  const isOfPlan = dialogue.speaksOfSingle(article?.title ?? reply);
  const isNamed = spoken.some((one) => dialogue.changesNamed(one).some(({ name }) => name === named.name));
  const own = (await ownRecords(turn)).filter(({ title, startsAt }) => startsAt !== null && title !== '');
  const isOfRecord = own.some(({ title }) => `${before} ${reply}`.includes(title));
  const meansRecord = isOfRecord || (dialogue.speaksOfThings(before) && !dialogue.speaksOfSingle(before));
  return isOfPlan && isNamed && !meansRecord
    ? { tool: tool.name, args: named.args, needsOperator: false }
    : null;
}

/** What somebody has who cannot go to it, where one record is meant: its end is offered, with what comes of it. */
async function unableToGo(turn: DialogueTurn): Promise<InConversation | null> {
  if (turn.graph.focus !== null || !turn.deps.dialogue.cannotGo(turn.text)) return null;
  const named = (await namedOwn(turn)).filter(({ upcoming }) => upcoming);
  const all = named.length > 0 ? named : onDaySaid(turn, await ownRecords(turn));
  const own = all.length > 0 ? all : spokenOf(turn, await ownRecords(turn));
  const [record, ...others] = own;
  const accepted = record && others.length === 0 ? endingOf(turn, record) : null;
  return accepted && { ...NOTHING, accepted, isTold: true };
}

/** The record that an order is made to: the one it names, or points at; null where that is none, or not certain. */
async function recordOrdered(turn: DialogueTurn, { text, points }: PlainOrder): Promise<EntityRecord | null> {
  // "And the samba night, can it be cancelled?" names it in front of the order; what another sentence names is another matter.
  const ordered = await namedOwn({ ...turn, text });
  const { dialogue } = turn.deps;
  const isSingle = dialogue.meansSingle(text, turn.session.language);
  const whole = isSingle ? undefined : dialogue.sentencesIn(turn.text).find((one) => one.includes(text));
  const named =
    ordered.length > 0 || whole === undefined ? ordered : await namedOwn({ ...turn, text: whole });
  const [one, ...more] = named.filter(({ upcoming }) => upcoming);
  if (named.length > 0) return one && more.length === 0 && named.length === 1 ? one : null;
  if (!points) return null;
  const before = await namedBefore(turn, text);
  const [spoken, ...others] = before ?? spokenOf(turn, await ownRecords(turn));
  if (!spoken || others.length > 0) return null;
  // "The 110" is what was paid for it, or something else is meant.
  const sums = [...text.matchAll(/\d+(?:[.,]\d{2})?/g)].map(([sum]) => Number(sum.replace(',', '.')));
  const paid = (spoken.amount?.minorUnits ?? 0) / 10 ** minorDigits(turn.deps.tools.company.currency);
  return sums.every((sum) => sum === paid) ? spoken : null;
}

/**
 * What the last sentence before an order names, of those that name something of theirs to come: "the 12th is the samba. I can't go. Could
 * you cancel that one?"; null where none does.
 */
async function namedBefore(turn: DialogueTurn, order: string): Promise<readonly EntityRecord[] | null> {
  // What is left of a message without its asides may not name it any more.
  const sentences = turn.deps.dialogue.sentencesIn(messageOf(turn.graph).split(order)[0] ?? '');
  for (const sentence of sentences.toReversed()) {
    const named = await namedOwn({ ...turn, text: sentence }, false);
    const ahead = named.filter(({ upcoming }) => upcoming);
    if (ahead.length > 0) return ahead;
  }
  return null;
}

/** What of theirs is on the days that a message speaks of: "I cannot come tonight". */
function onDaySaid(
  { deps, session, text }: DialogueTurn,
  own: readonly EntityRecord[],
): readonly EntityRecord[] {
  const options = { now: deps.tools.clock.now(), language: session.language };
  const { days } = deps.dialogue.filtersIn(text, options).filters;
  return own.filter(
    ({ startsAt, upcoming }) =>
      upcoming && startsAt !== null && days.some(({ from, to }) => from <= startsAt && startsAt <= to),
  );
}

/** What of theirs, still to come, the last answers were about. */
function spokenOf({ state }: DialogueTurn, own: readonly EntityRecord[]): readonly EntityRecord[] {
  const coming = own.filter(({ upcoming }) => upcoming);
  const focused = coming.filter(({ id }) => id === state.focus);
  if (focused.length > 0) return focused;
  return state.shown.length === 1 ? coming.filter(({ id }) => id === state.shown[0]?.id) : [];
}

/** The one change that ends what they have of it; null where there is none, several may be meant, or this caller may make none. */
function endingOf(turn: DialogueTurn, record: EntityRecord): Proposal | null {
  const [tool, ...others] = actionsFor(turn, record);
  if (!tool?.target || others.length > 0 || missingScope(tool, turn.session.scopes) !== null) return null;
  return { tool: tool.name, args: { [tool.target.input]: record.id }, needsOperator: false };
}

function asksChange({ deps, session }: DialogueTurn, text: string): boolean {
  const requests = deps.language.requests(text, session.language);
  return requests.some(({ route }) => route !== null && deps.agents.changes(route));
}

function hearsIt({ deps, graph }: DialogueTurn): boolean {
  const { requests = [], confidence = 0 } = graph.classification ?? {};
  return confidence >= HEARD && requests.some(({ route }) => route !== null && deps.agents.changes(route));
}
