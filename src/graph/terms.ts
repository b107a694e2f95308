import type { EntityRecord } from '../core/domain/entity.js';
import type { PendingAction } from '../core/domain/pending.js';
import type { Focus, Session } from '../core/domain/session.js';
import { ESCALATION_ROUTE } from '../core/domain/taxonomy.js';
import { afterShowing, type ReadMessage } from '../dialogue/index.js';
import { namedAhead, ownRecords } from './dialogue-records.js';
import type { DialogueTurn, RecordAnswer } from './dialogue-types.js';
import type { GraphDeps } from './graph-deps.js';
import { placedIn } from './named-record.js';
import { actionsFor, asksAnother, type Change, offeredIn, offerOf } from './offers.js';
import { isAnsweredElsewhere, planned, termsOfEach } from './planned-terms.js';
import { isFarFrom, isInWordsOf, isOnlyIn, namesSomethingElse, saysAnotherNumber } from './reply-text.js';

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
/** From here on a change that is named may be ordered. */
const MAY_ORDER = 0.3;
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
  isPointed = false,
): Promise<(RecordAnswer & { readonly focus?: Focus }) | null> {
  const { deps, session, state, text, texts } = turn;
  if (session.identity.kind !== 'customer') return null;
  const each = await termsOfEach(turn);
  if (each !== null) return { text: each, state, ...(turn.graph.focus ? { focus: turn.graph.focus } : {}) };
  const open = await openRow(turn);
  const spoken = open ? changeOf(turn, open) : offeredIn(turn);
  const named = await namedTerms(turn, spoken);
  if (named !== null) return { text: named, state: { ...state, asked: null }, ...(open ? {} : kept(turn)) };
  const outcome = await planned(turn, spoken);
  const isAsked =
    spoken !== null &&
    outcome !== null &&
    (isPointed ||
      // "And the visit comes back?" says nothing but what would come of what waits, whatever else such words are asked of.
      (open?.kind === 'approval' && deps.dialogue.isQuestion(text) && isOnlyIn(text, outcome)) ||
      isBareOf(turn, spoken, outcome) ||
      asksOfUndoing(turn, spoken) ||
      (await asksTerms(turn, spoken, open?.question ?? null, outcome)));
  const change = isAsked ? spoken : await supposedChange(turn);
  // A reason is in all of it: "why do they have to agree?".
  const isWhy = (deps.dialogue.guessAct(text, 'approval', session.language)?.chanceOf('why') ?? 0) >= LEANS;
  const told = isAsked && !isWhy ? deps.dialogue.toThePoint(outcome, text) : outcome;
  const whole = isAsked ? told : await planned(turn, change);
  // What waits for the team is worded for an operator.
  const said = whole || (isAsked && open?.kind === 'confirmation' ? open.question : '');
  if (!change || said === '') return null;
  const shown = change.record ? afterShowing(state, [change.record]) : state;
  const about = { ...shown, asked: null };
  // Where a question is open nothing is offered beside it, since a yes would be one to either; what the team has is asked for already.
  if (open && (open.kind === 'confirmation' || isAsked)) return { text: said, state: about };
  return { text: `${said} ${texts.say('offer')}`, state: about, focus: offerOf(turn, change) };
}

/** What was offered stays so while something else is explained. */
export function kept({ graph: { focus } }: DialogueTurn): { readonly focus?: Focus } {
  return focus?.offered ? { focus } : {};
}

/**
 * What would come of the change that is open, where its question is asked beside words that say more than what is on record: "how
 * many days is that on the card?" asks for no day of the booking.
 */
export async function termsBeside(turn: DialogueTurn, read: ReadMessage): Promise<RecordAnswer | null> {
  if (read.asked.length === 0 || read.rest.length === 0) return null;
  return (await openRow(turn)) ? termsAnswer(turn) : null;
}

/** True where a few words ask about a change that is open or was offered and is made to no record: "how much is it?". */
export async function pointsAtChange(turn: DialogueTurn, read: ReadMessage): Promise<boolean> {
  if (!read.points || read.rest.length > 0 || read.asked.length === 0) return false;
  const open = await openRow(turn);
  const spoken = open ? changeOf(turn, open) : offeredIn(turn);
  return spoken !== null && spoken.tool.target === undefined;
}

/**
 * What would come of changes that are named while one is open or offered, or compared at any time: "what is the difference
 * between pausing and cancelling?", "perhaps a pause, would it cost anything?".
 * @returns null where none is asked about so, or one of those that are compared is not possible
 */
async function namedTerms(turn: DialogueTurn, spoken: Change | null): Promise<string | null> {
  const { deps, session, text } = turn;
  const isCompared = deps.dialogue.compares(text);
  const asks = text.includes('?') || deps.dialogue.readOwnAsked(text).opens || isCompared;
  const named = asks ? deps.dialogue.changesNamed(text) : [];
  const changes = named.flatMap(({ tool: name, args }): readonly Change[] => {
    const tool = deps.tools.roster.findAction(name ?? '');
    return tool && !tool.target ? [{ tool, args, record: null }] : [];
  });
  const [first] = changes;
  if (isCompared && changes.length > 1) {
    const terms = await Promise.all(changes.map((change) => planned(turn, change)));
    return terms.some((one) => !one) ? null : terms.join('\n\n');
  }
  const { language } = session;
  const asked = deps.language.requests(text, language).filter(({ route }) => route === 'action');
  // "Can it be paused instead, for 30 days?" wants it, and does not ask about it.
  const isOrder =
    asked.some(({ confidence }) => confidence >= MAY_ORDER) ||
    deps.dialogue.corrects(text) ||
    (first !== undefined &&
      deps.language.saysPeriod(text, language, { intent: first.tool.name, now: deps.tools.clock.now() }));
  const isSame = first && spoken?.tool.name === first.tool.name && holds(spoken.args, first.args);
  const guess = deps.dialogue.guessAct(text, 'confirm', language);
  const isAnswer = (guess?.chanceOf('correct', 'deny_and_more') ?? 0) >= LEANS;
  if (!first || !spoken || spoken.tool.target || changes.length > 1) return null;
  if (isSame || (!deps.dialogue.wonders(text, language) && (isOrder || isAnswer))) return null;
  const terms = await planned(turn, first);
  return terms && deps.dialogue.toThePoint(terms, text);
}

function holds(args: Change['args'], part: Change['args']): boolean {
  return Object.entries(part).every(([key, value]) => args[key] === value);
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

/** The question that waits for the customer, or else the one request that waits for the team. */
export async function openRow({ deps, session }: DialogueTurn): Promise<PendingAction | null> {
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
  const chances = [text, beside ?? text].map(
    (one) => deps.dialogue.guessAct(one, 'confirm', session.language)?.chanceOf('ask_terms', 'why') ?? 0,
  );
  const chance = Math.max(...chances);
  const isNear = chance >= HINTS && text.includes('?') && question !== null && isInWordsOf(text, question);
  if (chance < LEANS && !isNear) return false;
  const { requests = [], confidence = 0 } = graph.classification ?? {};
  const routes = new Set(requests.map(({ route }) => route));
  // "Could I withdraw instead?" asks for another change, and "is a pause better than that?" about one.
  if (asksAnother(turn, tool)) return false;
  const changes = deps.dialogue.changesNamed(text);
  if (changes.length > 0 && !changes.some((one) => one.tool === tool.name && holds(args, one.args)))
    return false;
  if (deps.dialogue.namesOtherChange(text, question ?? outcome)) return false;
  // "Is that cheaper than the larger plan?" asks of something else too, which its terms do not tell.
  if (changes.length === 0 && deps.dialogue.compares(text)) return false;
  // "Could it be 45 days?" corrects what is open.
  if (question !== null && saysAnotherNumber(text, `${question} ${outcome}`)) return false;
  if (routes.has(ESCALATION_ROUTE) || (requests.length > 1 && routes.has('action'))) return false;
  const { agents } = deps;
  const isOwn = [...routes].some((route) => agents.isPersonal(route) && !agents.changes(route));
  const list = deps.dialogue.readList(text, { now: deps.tools.clock.now(), language: session.language });
  // "What else do I have booked?" asks for a list.
  const asksList = list?.of === 'own' && list.isWhole;
  if (isOwn && confidence >= (asksList ? SURE : CERTAIN)) return false;
  // "I will wait then. Meanwhile, which other bookings do I have?" asks for a list, whatever else it says.
  const ruled = deps.dialogue.readOwnAsked(text).questions.filter(({ taught }) => taught !== true);
  const isOfList = ruled.length > 0 && ruled.every(({ single, person }) => !single && !person);
  if (isOwn && isOfList && list?.of === 'own' && list.entity !== null) return false;
  const { identity, language } = session;
  const customerId = identity.kind === 'customer' ? identity.customerId : '';
  const { kind, about } = await tool.matter(deps.tools, tool.input.parse(args), customerId, { language });
  const records = about ? await ownRecords({ deps, session }) : [];
  // By title alone: "this month" names nothing.
  const choices = records.map(({ id, title }) => ({ id, title, startsAt: null }));
  const named = deps.language.namedAmong(text, choices, deps.tools.clock.now()) ?? [];
  if (named.length > 0 && !named.includes(about?.id ?? '')) return false;
  if (deps.language.speaksOf(text, kind)) return true;
  // Where nothing is told of what would come of it but the question, words of their own ask for something else.
  const own = question !== null && outcome === '' ? (deps.dialogue.read(text)?.rest ?? []) : [];
  if (own.length > 0 && own.every((word) => namesSomethingElse(word, question ?? ''))) return false;
  // "No, I would miss the ballet then" is about what is open, whatever words it takes.
  const isOther = question !== null && deps.dialogue.readAnswer(text, language, question).kind === 'other';
  if (isOther && outcome !== '' && isFarFrom(text, `${question} ${outcome}`)) return false;
  const speaksOf = deps.dialogue.toThePoint(outcome, text) !== outcome;
  const isAbout = question === null || outcome === '' || speaksOf || isInWordsOf(text, outcome);
  if (chance < PLAIN && !isAbout && !isNear) return false;
  if (await isAnsweredElsewhere(turn, `${question ?? ''} ${outcome}`)) return false;
  const isOfOutcome = outcome !== '' && isInWordsOf(text, outcome);
  const sure = question === null ? UNSURE : chance >= PLAIN || isOfOutcome ? CERTAIN : SURE;
  return !routes.has('knowledge') || confidence < sure;
}

/** "And my bookings?" after what a pause would bring, which tells of them. */
function isBareOf({ deps, text }: DialogueTurn, { tool }: Change, outcome: string): boolean {
  const isFew = text.includes('?') && text.trim().split(/\s+/).length <= NAMING_WORDS;
  const isOfThings = isFew && deps.dialogue.speaksOfThings(text);
  return tool.target === undefined && isOfThings && deps.dialogue.toThePoint(outcome, text) !== outcome;
}

/** "And if I come back earlier, can I resume it?", asked of a pause that is not made yet: what it brings tells that too. */
function asksOfUndoing({ deps, session, text }: DialogueTurn, { tool, args }: Change): boolean {
  const parsed = tool.input.safeParse(args);
  const undoing = parsed.success ? tool.undo?.(parsed.data) : null;
  const supposed = undoing && deps.dialogue.supposed(text, session.language);
  return supposed != null && supposed.intent.tool === undoing?.tool;
}

/** The change that the customer supposes, where what it would be made to is clear. */
async function supposedChange(turn: DialogueTurn): Promise<Change | null> {
  const { deps, session, state, text } = turn;
  const supposed = deps.dialogue.supposed(text, session.language);
  if (!supposed) return namedAlone(turn);
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
  // "And if I use it and want another" names no change of the plan: none is told of, or offered, on a guess.
  const chance = deps.language.chances(text, session.language).get(tool?.name ?? '') ?? 0;
  const isGuess = chance < SURE && deps.dialogue.changesNamed(text).length === 0;
  if (tool && !tool.target) return isGuess ? null : { tool, args: intent.args, record: null };
  if (!named || !tool?.target) return null;
  return { tool, args: { [tool.target.input]: named.id }, record: named };
}

/** Of no more words a question after an answer asks of the change that it names: "and the pause?". */
const NAMING_WORDS = 4;

/** The change that is made to no record and is all that a few words after an answer ask about; null where they ask more. */
function namedAlone({ deps, session, text }: DialogueTurn): Change | null {
  const isFew = text.includes('?') && text.trim().split(/\s+/).length <= NAMING_WORDS;
  const [named, ...others] = isFew && session.lastReply !== null ? deps.dialogue.changesNamed(text) : [];
  const tool = deps.tools.roster.findAction(named?.tool ?? '');
  return !named || others.length > 0 || !tool || tool.target
    ? null
    : { tool, args: named.args, record: null };
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
