import { type EntityRecord, NO_FILTERS, type RecordList } from '../core/domain/entity.js';
import type { Session, Task } from '../core/domain/session.js';
import { unlessUnreachable } from '../core/signals.js';
import { localDay } from '../core/wall-clock.js';
import { mergeFilters } from '../dialogue/index.js';
import { CLARIFY, messageOf } from './clarify.js';
import { namedOwn, ownRecords } from './dialogue-records.js';
import type { DialogueTurn, RecordAnswer } from './dialogue-types.js';
import type { GraphDeps } from './graph-deps.js';
import type { MessageReading } from './message-reading.js';
import type { HubStateType } from './state.js';

/**
 * The list that a message asks for, where every word of it only says which: "what is on in Recife in December?", or, of
 * the list that was shown last, "and in Rio?", which keeps whatever else was said of it.
 * @param isMeant true where it is known that it asks for what anybody may choose from, in whatever words
 * @returns null where it asks for something else too, or for none
 */
export async function listAsked(
  turn: DialogueTurn,
  isMeant = false,
): Promise<NonNullable<Task['list']> | null> {
  const { deps, graph, session, state, text } = turn;
  const options = { now: deps.tools.clock.now(), language: session.language };
  // What the hub asked back about is left by whoever asks for a list instead.
  const isFree = graph.focus === null || graph.focus.intent === CLARIFY;
  const heard = isFree ? deps.dialogue.readList(text, options) : null;
  if (!heard || !(heard.isWhole || isMeant)) return null;
  // Where it is known that anybody's list is meant, "I have that one. And in January?" asks for none of the customer's own.
  const said = isMeant ? { ...heard, of: heard.goesOn && heard.leads ? null : ('offered' as const) } : heard;
  const day = said.sameDay ? daySpokenOf(turn) : null;
  const named = day ? { ...said, narrows: true, filters: { ...said.filters, days: [day] } } : said;
  // Of one's own "the one on Saturday" may be a later one; who asks what is on means the Saturday that comes, and no December that is over.
  const plainly = named.filters.days.map((one) =>
    one.to > options.now.toISOString() ? { ...one, alternatives: [] } : one,
  );
  const read = named.of === 'own' ? named : { ...named, filters: { ...named.filters, days: plainly } };
  const before = state.listed ?? null;
  // "Anything cheaper?" is asked of what was shown.
  const isCheaper = read.cheaper && before?.own === false && state.shown.length > 0 && read.of !== 'own';
  // "And in all?" asks what was shown comes to.
  const isSum = read.sums && before?.intent != null;
  // "And theatre there?" asks for something else at the same place.
  const isWhich = read.of === 'own' && before === null && asksWhichOfThem(turn);
  const isElsewhere = read.anywhere && before?.own === false;
  const isFor = read.audience && read.leads && read.of !== 'own' && before?.own === false;
  const narrows = read.narrows || isCheaper || isSum || isWhich || isElsewhere || isFor;
  if (!narrows && !(read.ofKind && read.there && before !== null)) return null;
  // A whole question begins anew: "what is on in Recife?" after the free ones in Rio.
  const isSame = (read.of === 'own') === before?.own;
  // So does "theatre in Brasília", which says what and where.
  const { places, days, weekdays } = read.filters;
  const isNew = read.ofKind && places.length > 0 && !read.leads;
  const isAskedOn = read.leads || read.there || read.sameWish;
  const isOfIt = read.of === null ? read.goesOn && !isNew : isAskedOn && isSame;
  // "Anything in Salvador?" of who has nothing there asks what there is to see.
  const isOpen = read.open && before?.own === true && !(await hasOneOf(turn, read.filters));
  const isOthers = isMeant && before?.own === true;
  const changes = before !== null && !isOpen && !isOthers && (isOfIt || isCheaper);
  // "Theatre in Recife" asks for what is on, where nothing was shown that it could change.
  const isOnOffer = places.length > 0 || (read.ofKind && days.length + weekdays.length > 0);
  if (!changes && read.of === null && !(isOnOffer && read.goesOn) && !isMeant) return null;
  const own = isMeant
    ? false
    : isCheaper
      ? false
      : read.of === null
        ? changes && before.own
        : read.of === 'own';
  if (own ? !mayList(session) : !offersLists(deps)) return null;
  if (await deps.tools.pending.findOpenConfirmation(session.threadId)) return null;
  // Who looks for something in one city goes on looking there until another is named; and at one time until another is.
  const stays = !own && before?.own === false && places.length === 0 && !isElsewhere;
  const kept = stays ? mergeFilters(before.filters, { ...NO_FILTERS, ...{ days, weekdays } }) : null;
  const stayed = kept && { places: kept.places, days: kept.days, weekdays: kept.weekdays };
  return {
    own,
    entity: read.entity ?? (changes ? before.entity : null),
    intent: changes && own && read.entity === null ? (before.intent ?? null) : null,
    filters: changes
      ? {
          ...mergeFilters(before.filters, read.filters),
          ...(isElsewhere ? { places: [] } : {}),
          // A whole question keeps where and when, and not for how much.
          ...(heard.isWhole || read.sameWish ? {} : { price: read.filters.price }),
        }
      : { ...read.filters, ...stayed },
    changes,
  };
}

/** From here on a message is read as one that asks for what anybody may choose from; where its words alone say so; and where they also say which. */
const [MEANT, MEANT_TOO, MEANT_PLAINLY] = [0.66, 0.5, 0.3];
/** From here on the words of a message alone say so; and an article tells it rather than any list. */
const [SURE_WORDS, TOLD] = [0.9, 0.9];
/** From here on one sentence of several says so by itself. */
const SURE_PART = 0.6;
/** From here on it asks how things are, and an article tells that: "does my plan work in Rio on Thursday?". */
const [HOW_IT_IS, TOLD_ALL] = [0.5, 0.8];
/** From here on an article is asked for, whatever place, day and kind of thing the message names beside it. */
const [RATHER, RATHER_TOLD] = [0.6, 0.5];
/** From here on triage is believed that it asks of nobody's record. */
const GENERAL = 0.6;

/**
 * The list of what anybody may choose from, where the whole of a message in its conversation is read as the question for one, whatever
 * single words of it are like: "what is on for free this weekend?" speaks of no plan.
 * @returns null where it is not, something else is asked for too, or nothing says which of all are wanted
 */
export async function listMeant(
  turn: DialogueTurn,
  message: MessageReading,
): Promise<NonNullable<Task['list']> | null> {
  const { deps, graph, session, text } = turn;
  const chance = message.chanceOf('programme');
  const words = deps.dialogue.readQuestion(text)?.chanceOf('programme') ?? 0;
  const { requests = [], humanReason = null, confidence = 0 } = graph.classification ?? {};
  const isOther = requests.some(({ route }) => route !== 'knowledge' && route !== 'account');
  if (humanReason !== null || isOther || (await namedOwn(turn)).length > 0) return null;
  const options = { now: deps.tools.clock.now(), language: session.language };
  const whole = deps.dialogue.readList(text, options);
  if (whole === null) return null;
  // What is told before it says nothing of what is wanted.
  const parts = whole.of === 'own' ? deps.dialogue.sentencesIn(text) : [];
  const last = parts.filter((part) => deps.dialogue.readList(part, options)?.narrows === true).at(-1);
  const asked = last === undefined ? whole : (deps.dialogue.readList(last, options) ?? whole);
  // "And in Rio?" after what the customer has asks of that.
  if (asked.of === null && asked.isWhole && turn.state.listed?.own === true) return null;
  const { places, days, weekdays, price } = asked.filters;
  const said = [places.length > 0, days.length + weekdays.length > 0, asked.ofKind, price !== null];
  // Where, when and what together are asked of nothing else.
  const isPlain = said.filter(Boolean).length > 1;
  const isSure = words >= SURE_WORDS && isPlain && asked.of === 'offered';
  const least = words < SURE_WORDS ? MEANT : isPlain ? MEANT_PLAINLY : MEANT_TOO;
  const isGeneral = requests.every(({ route }) => route === 'knowledge') && confidence >= GENERAL;
  const isSaid = isPlain && asked.of === 'offered' && isGeneral;
  const asksHow = (deps.dialogue.readQuestion(text)?.chanceOf('general') ?? 0) > Math.max(words, HOW_IT_IS);
  const told = message.article?.isContested === false ? message.article.chance : 0;
  const isTold = told >= (asksHow ? TOLD_ALL : TOLD) && chance < TOLD;
  // "What concerts are on in Rio next week?" is for the list, and not for the article on how one finds that out.
  const isRather =
    !isSure && told >= RATHER_TOLD && message.chanceOf('article') >= RATHER && chance < MEANT_PLAINLY;
  if ((chance < least && !isSaid && !isSure) || isTold || isRather) return listInPart(turn);
  return listAsked(last === undefined ? turn : { ...turn, text: last }, true);
}

/** The list that the last of several sentences surely asks for, whatever is told before it; null where none does. */
async function listInPart(turn: DialogueTurn): Promise<NonNullable<Task['list']> | null> {
  const { deps, session, text } = turn;
  const options = { now: deps.tools.clock.now(), language: session.language };
  const parts = deps.dialogue.sentencesIn(text);
  const last = parts.at(-1) ?? '';
  const read = parts.length > 1 ? deps.dialogue.readList(last, options) : null;
  if (!read || read.of === 'own') return null;
  const { places, days, weekdays } = read.filters;
  const said = [places.length > 0, days.length + weekdays.length > 0, read.ofKind];
  const isSure = (deps.dialogue.readQuestion(last)?.chanceOf('programme') ?? 0) >= SURE_PART;
  return isSure && said.filter(Boolean).length > 1 ? listAsked({ ...turn, text: last }, true) : null;
}

/** The day of the record that is spoken of; null where none is. */
function daySpokenOf({ deps, state }: DialogueTurn): RecordList['filters']['days'][number] | null {
  const { time } = deps.tools;
  const at = state.shown.find(({ id }) => id === state.focus)?.startsAt;
  if (at == null) return null;
  const { from, to } = localDay(time.local(new Date(at)).day, time.timeZone);
  return { from, to, alternatives: [] };
}

/** True where the customer has something to come that is narrowed down so. */
async function hasOneOf(turn: DialogueTurn, filters: RecordList['filters']): Promise<boolean> {
  const own = await ownRecords(turn);
  return own.some((one) => one.upcoming && turn.deps.dialogue.fits(one, filters, one.entity));
}

/** True where it asks which ones there are of what was just spoken of: "will my bookings be safe? Which ones do I have?". */
function asksWhichOfThem({ deps, session, text }: DialogueTurn): boolean {
  const spoken = `${session.previousMessage ?? ''} ${session.lastReply ?? ''}`;
  return (
    deps.dialogue.read(text)?.acts.includes('which_ones') === true && deps.dialogue.speaksOfThings(spoken)
  );
}

/**
 * What a sentence says of a list: how many the one that was shown holds, or that the place it is asked of is none of the
 * company's.
 * @returns null where neither is asked
 */
export async function saidOfList(turn: DialogueTurn): Promise<RecordAnswer | null> {
  const { deps, graph, session, state, text, texts } = turn;
  const { clock, records } = deps.tools;
  const read = deps.dialogue.readList(text, { now: clock.now(), language: session.language });
  const { listed, looked } = state;
  if (!read || graph.focus !== null) return null;
  const offered = () => unlessUnreachable(Promise.resolve(records.catalogue?.(null) ?? []), []);
  if (read.counts && listed) {
    // What was looked for in words is not counted again.
    if (!listed.own && (looked?.args.text !== undefined || !records.catalogue)) return null;
    const { entity, filters, own } = listed;
    const count = (own ? await ownRecords(turn) : await offered()).filter(
      (one) =>
        one.upcoming &&
        (entity === null || one.entity === entity) &&
        deps.dialogue.fits(one, filters, one.entity),
    ).length;
    return { text: texts.say('list_count', { count }), state, isExact: true };
  }
  const { elsewhere } = read;
  // "And in cash?" asks for no place, where no list was shown.
  const goesOn = listed?.own === false || (listed == null && /^\p{Lu}/u.test(elsewhere ?? ''));
  const asks = read.serves || read.of === 'offered' || (read.of === null && read.leads && goesOn);
  if (!asks || elsewhere === null) return null;
  const all = await offered();
  const places = deps.dialogue.places.filter((name) => all.some(({ place }) => place?.includes(name)));
  if (places.length === 0) return null;
  const said = texts.say('nothing_there', { place: capitalized(elsewhere), places: texts.list(places) });
  // "And in Rio?" asks the same of another place.
  const asked = { own: false, entity: null, intent: null, filters: read.filters };
  return { text: said, state: { ...state, listed: asked }, isExact: true };
}

/** A place as it is written, also where it was typed in haste. */
function capitalized(place: string): string {
  return place.replace(/^\p{Ll}/u, (first) => first.toUpperCase());
}

/** The list that the conversation is about after an answer; null where it is about none. */
export function listedAfter(
  deps: GraphDeps,
  graph: HubStateType,
  session: Session,
  { isPublic, shown }: { readonly isPublic: boolean; readonly shown: readonly EntityRecord[] },
): RecordList | null {
  const asked = graph.tasks.find(({ list }) => list !== undefined)?.list;
  if (asked) {
    const { own, entity, filters, intent = null } = asked;
    return { own, entity, filters, intent };
  }
  const [first] = shown;
  const intent = graph.drafts.find(({ lists }) => lists !== undefined)?.lists ?? null;
  if (!first && !isPublic && intent === null) return graph.dialogue?.listed ?? null;
  const isOwn =
    intent !== null ||
    (graph.tasks.some(({ route }) => route === 'account') && shown.every(({ upcoming }) => upcoming));
  if (!isPublic && !isOwn) return null;
  const options = { now: deps.tools.clock.now(), language: session.language };
  const text = messageOf(graph);
  const { filters } = deps.dialogue.filtersIn(text, options);
  const before = graph.dialogue?.listed ?? null;
  const read = deps.dialogue.readList(text, options);
  // "Anything else?" asks for more of the same.
  const goesOn = before?.own === !isPublic && read?.goesOn === true && (read.narrows || read.of === null);
  return {
    own: !isPublic,
    entity: isPublic ? null : (first?.entity ?? null),
    intent: isPublic ? null : intent,
    filters: goesOn ? mergeFilters(before.filters, filters) : filters,
  };
}

export function mayList({ identity, scopes }: Session): boolean {
  return identity.kind === 'customer' && (scopes?.includes('account:read') ?? true);
}

/** True where the company has something that anybody may choose from. */
export function offersLists({ agents, tools }: GraphDeps): boolean {
  const offered = agents.find(agents.forRoute('knowledge'))?.tools ?? [];
  return (
    tools.records.catalogue !== undefined && offered.some(({ lists, access }) => lists && access === 'anyone')
  );
}
