import { HumanMessage } from '@langchain/core/messages';
import type { EntityAttribute, EntityRecord } from '../core/domain/entity.js';
import { unlessUnreachable } from '../core/signals.js';
import { fold } from '../core/text.js';
import { type AskedAttribute, afterShowing, type ReadMessage } from '../dialogue/index.js';
import { calledIn, isWhollyNamed } from './called-in.js';
import { type BesideOthers, changesToo } from './dialogue-beside.js';
import { namedOwn, ownRecords, recordMeant } from './dialogue-records.js';
import type { DialogueTurn } from './dialogue-types.js';
import { factOf } from './record-facts.js';
import { openRow } from './terms.js';

/** What a part of a message asks of a record. */
interface Asked {
  readonly record: EntityRecord;
  readonly attributes: readonly EntityAttribute[];
}

const isFacet = ({ attribute }: AskedAttribute): boolean => attribute.facet;

/** So many words may stand beside a question that names its record by title and are said of neither. */
const SPARE_WORDS = 1;
/** Of so many records that were just shown each is told of where any may be meant. */
const FEW_SHOWN = 3;
/** Of no more words a question asks on about what was told last. */
const ASKING_ON = 9;

/**
 * What is asked of one record that is named, picked or spoken of, whatever else such words are asked of: what it costs, how to get
 * there, until when it can be given up, who may come along. Each part of the message that asks so is answered once, from the record.
 * @returns null where nothing is asked of one record, or a change is
 */
export async function facetAnswer(turn: DialogueTurn): Promise<BesideOthers | null> {
  const { deps, graph, text } = turn;
  const written = writtenIn(turn);
  const isOther = graph.classification?.humanReason != null || changesToo(turn);
  if (graph.focus !== null || isOther || (await openRow(turn)) !== null) return null;
  const known = await knownRecords(turn);
  // "And the second?" asks the last question of another one, whatever it was taken to mean.
  const out = deps.dialogue.writtenOut(written, turn.session.language);
  for (const said of new Set([written, text, out])) {
    const asks = said.includes('?') || deps.dialogue.isQuestion(said) || (said === text && text !== written);
    if (!asks || asksForList(turn, said)) continue;
    const meant = { ...turn, text: said };
    const answer = (await answerOfOne(meant, known)) ?? answerOfEach(meant, known);
    if (answer) return answer;
  }
  return null;
}

/** The message as it was written, whatever its few words were taken to mean. */
export function writtenIn({ graph, text }: Pick<DialogueTurn, 'graph' | 'text'>): string {
  return graph.messages.findLast((message) => HumanMessage.isInstance(message))?.text ?? text;
}

/**
 * "What else is on in Brasília?" names no record, though one is there, and asks nothing of it; "and in any other city?" after what is on
 * asks for more of that.
 */
function asksForList({ deps, session, state }: DialogueTurn, text: string): boolean {
  const options = { now: deps.tools.clock.now(), language: session.language };
  const list = deps.dialogue.readList(text, options);
  if (list?.isWhole && list.anywhere && state.listed?.own === false && state.focus === null) return true;
  if (!list?.isWhole || list.of !== 'offered') return false;
  return deps.dialogue.readFacets(text)?.asked.length === 0;
}

async function answerOfOne(turn: DialogueTurn, known: readonly EntityRecord[]): Promise<BesideOthers | null> {
  const { deps, session, state, text } = turn;
  const named = await namedIn(turn, known);
  if (named && isOfAnother(turn, named, known)) return null;
  const focus = known.find(({ id }) => id === state.focus) ?? null;
  const mine = named ? null : await bookedOfShown(turn);
  let spoken = named ?? mine ?? focus;
  const answers: string[] = [];
  const rest: string[] = [];
  const asked = new Set<string>();
  // What is told of one that is named says what is asked after it.
  const isNaming = named !== null || (await namedOwn(turn)).length > 0;
  const parts = deps.dialogue
    .partsOf(text)
    .flatMap((part) => (isNaming ? [part] : deps.dialogue.sentencesIn(part)))
    .filter((part) => /\p{L}/u.test(part));
  const facets = parts.flatMap((part) => deps.dialogue.readFacets(part)?.asked.filter(isFacet) ?? []);
  const hasFacet = facets.length > 0;
  // "When is it, and how early must I be there?" is told once, by what tells both.
  const isHeld = ({ id, of, facet }: EntityAttribute): boolean =>
    !facet && facets.some(({ attribute }) => attribute.of === of && attribute.id !== id);
  for (const part of parts) {
    if (deps.dialogue.supposing(part) !== null) {
      rest.push(part);
      continue;
    }
    const own = await namedIn({ ...turn, text: part }, known);
    spoken = own ?? spoken;
    const partly = { ...turn, text: part };
    const on = spoken && own === null ? askedOn(partly, spoken) : null;
    const of =
      on ??
      (spoken &&
        askedOf(partly, spoken, { isNamed: own !== null || named !== null || mine !== null, hasFacet }));
    const isHere = own === null || own.id === named?.id;
    const isTold = isHere && of?.attributes.every((one) => asked.has(one.id) || isHeld(one)) === true;
    const said = of && (isTold ? '' : factsIn(partly, of, answers));
    if (said === null || !of) {
      rest.push(part);
      continue;
    }
    const isAgain = said !== '' && session.lastReply?.includes(said) === true;
    answers.push(on || isAgain ? deps.dialogue.toThePoint(said, part) : said);
    for (const { id } of of.attributes) asked.add(id);
  }
  const told = answers.filter((answer) => answer !== '');
  if (told.length === 0 || !spoken) return null;
  return {
    text: told.join(' '),
    state: { ...afterShowing(state, [spoken]), asked: [...asked].join(' ') },
    rest: rest.filter((part) => deps.dialogue.asksFor(part)).join(' '),
  };
}

/** "When must I be there for mine?" after what is on: the one of those that the customer has; null where none or several are. */
async function bookedOfShown(turn: DialogueTurn): Promise<EntityRecord | null> {
  const { deps, session, state, text } = turn;
  const options = { now: deps.tools.clock.now(), language: session.language };
  if (state.listed?.own !== false || deps.dialogue.readList(text, options)?.of !== 'own') return null;
  const isShown = ({ title, startsAt }: EntityRecord): boolean =>
    state.shown.some((one) => one.title === title && one.startsAt === startsAt);
  const [only, ...others] = (await ownRecords(turn)).filter((one) => one.upcoming && isShown(one));
  return only && others.length === 0 ? only : null;
}

/** "How much does Biscuit weigh?" asks it of the pet of that name, and nothing of the visit whose title only has the name in it. */
function isOfAnother(
  { deps, text }: DialogueTurn,
  named: EntityRecord,
  known: readonly EntityRecord[],
): boolean {
  const asked = deps.dialogue.readFacets(text)?.asked ?? [];
  return (
    !isWhollyNamed(text, named) &&
    known.some(
      (record) =>
        record.entity !== named.entity &&
        asked.some(({ entity }) => entity === record.entity) &&
        isWhollyNamed(text, record),
    )
  );
}

/** "Is it covered?" after two or three were shown: told of each. */
function answerOfEach(turn: DialogueTurn, known: readonly EntityRecord[]): BesideOthers | null {
  const { session, state } = turn;
  const shown = state.shown.map(({ id }) => known.find((one) => one.id === id) ?? null);
  // Which of them is meant is not asked where "that one" may be any.
  const points = turn.deps.dialogue.readFacets(turn.text)?.points === true;
  if (turn.deps.dialogue.supposing(turn.text) !== null) return null;
  const isFew = shown.length > 1 && shown.length <= FEW_SHOWN && state.focus === null;
  const lines = shown.map((record) => {
    const isSeen = record !== null && session.lastReply?.includes(record.title) === true;
    const of = isFew && isSeen ? askedOf(turn, record, { isNamed: false, hasFacet: points }) : null;
    return of && factsIn(turn, of, []);
  });
  return lines.length === 0 || lines.includes(null)
    ? null
    : { text: lines.join('\n'), state: { ...state, asked: null }, rest: '' };
}

/** What may be spoken of, as it is now: what the customer has, and what anybody may choose from. */
async function knownRecords(turn: DialogueTurn): Promise<readonly EntityRecord[]> {
  const { identity } = turn.session;
  const { records } = turn.deps.tools;
  const customerId = identity.kind === 'customer' ? identity.customerId : null;
  const offered = records.catalogue ? await unlessUnreachable(records.catalogue(customerId), []) : [];
  return [...(await ownRecords(turn)), ...offered];
}

/** The one record that a text names by its title or its day, or picks from what was shown; null where it means none, or several. */
async function namedIn(turn: DialogueTurn, known: readonly EntityRecord[]): Promise<EntityRecord | null> {
  const { deps, session, state, text } = turn;
  const read = deps.dialogue.readFacets(text);
  if (!read) return null;
  const options = { now: deps.tools.clock.now(), language: session.language };
  const dated = (await ownRecords(turn)).filter(({ startsAt }) => startsAt !== null);
  const own = calledIn(turn, dated);
  // What is asked may read as a name of something else.
  for (const said of new Set([text, read.naming])) {
    const meant = await recordMeant({ ...turn, text: said }, state);
    // "When is Mara's lesson?" is not asked of the plan that is called "Mara".
    if (meant && calledIn(turn, [meant, ...known]).includes(meant))
      return known.find(({ id }) => id === meant.id) ?? meant;
    if (!deps.dialogue.speaksOfThings(said)) continue;
    for (const entity of new Set(own.map((record) => record.entity))) {
      const referent = deps.dialogue.resolve(said, read, entity, { ...options, state, own });
      const [one, ...others] = referent.kind === 'records' ? referent.records : [];
      if (one && others.length === 0 && one.startsAt !== null && one.id !== state.focus) return one;
    }
  }
  const offered = calledIn(turn, known).filter(({ upcoming, startsAt }) => upcoming && startsAt !== null);
  return deps.dialogue.named(text, read, offered, options);
}

/** What was told last and is asked on about in a few words: "how much is that?" of who may come along. */
function askedOn({ deps, session, state, text }: DialogueTurn, record: EntityRecord): Asked | null {
  if (state.asked === null || text.trim().split(/\s+/).length > ASKING_ON) return null;
  const before = new Set(state.asked.split(' '));
  const folded = fold(text);
  const attributes = deps.dialogue.attributesOf(record.entity).filter(({ id, goesOn }) => {
    const cues = goesOn[session.language] ?? [];
    return before.has(id) && cues.length > 0 && new RegExp(`\\b(?:${cues.join('|')})`).test(folded);
  });
  return attributes.length === 0 ? null : { record, attributes };
}

/**
 * What a part of a message asks of a record; null where it asks nothing of it, or something else may be meant.
 * @param hasFacet whether the message asks what is asked of one record and of nothing else
 */
function askedOf(
  turn: DialogueTurn,
  record: EntityRecord,
  { isNamed, hasFacet }: { readonly isNamed: boolean; readonly hasFacet: boolean },
): Asked | null {
  const { deps, state, text } = turn;
  const read = deps.dialogue.readFacets(text);
  if (!read || !isExplained(turn, read, record, isNamed)) return null;
  const all = attributesIn(turn, read, record, isNamed);
  const facets = all.filter(({ facet }) => facet);
  const { questions } = deps.dialogue.readOwnAsked(text);
  // "When do I pay next?" asks nothing of what is spoken of.
  const isPlain = hasFacet || facets.length > 0 || (isNamed && questions.length === 0);
  if (all.length === 0 || !isPlain) return null;
  // After an answer from an article a few words ask on of that.
  if (!isNamed && !read.points && state.article !== null) return null;
  // What a facet tells holds what the same field tells otherwise; the last of those for one field is the most exact.
  const last = new Map(all.map((one) => [one.of, one]));
  const fields = new Set(facets.map(({ of }) => of));
  return { record, attributes: all.filter((one) => !fields.has(one.of) || last.get(one.of) === one) };
}

/** What is asked for; where only another record is named, what was asked of the last one. */
function attributesIn(
  { deps, session, state }: DialogueTurn,
  { asked }: ReadMessage,
  { entity }: EntityRecord,
  isNamed: boolean,
): readonly EntityAttribute[] {
  const all = asked.flatMap((one) => (one.entity === entity ? [one.attribute] : []));
  if (all.length > 0 || !isNamed || asked.length > 0) return all;
  // "It is the one on Sunday": the question before is asked of that one, whatever it was taken for.
  const previous = deps.dialogue.readFacets(session.previousMessage ?? '')?.asked ?? [];
  const before = new Set(state.asked?.split(' ') ?? previous.map(({ attribute }) => attribute.id));
  return deps.dialogue.attributesOf(entity).filter(({ id }) => before.has(id));
}

/** True where nothing is named beside what is asked but the record, its day and its place. */
function isExplained(
  { deps, session, text }: DialogueTurn,
  { rest }: ReadMessage,
  record: EntityRecord,
  isNamed: boolean,
) {
  // "The other one" is not the one that is spoken of.
  if (!isNamed) return rest.length === 0;
  const list = deps.dialogue.readList(text, { now: deps.tools.clock.now(), language: session.language });
  // "For mine" names nothing else.
  const isOwn = (word: string): boolean =>
    list?.of === 'own' && !list.rest.includes(word) && deps.dialogue.ofSelf(word);
  const unknown = rest.filter((word) => !deps.dialogue.isTitled(record, [word]) && !isOwn(word));
  const isTitled = unknown.length < rest.length;
  return unknown.length <= (isTitled ? SPARE_WORDS : 0);
}

/** What the record says to each of them, once; null where it tells none of it. */
function factsIn(
  turn: DialogueTurn,
  { record, attributes }: Asked,
  before: readonly string[],
): string | null {
  const { currency } = turn.deps.tools.company;
  const facts: string[] = [];
  let isTold = false;
  let isFacetTold = !attributes.some(({ facet }) => facet);
  for (const attribute of attributes) {
    const again = [...before, ...facts].some((fact) => fact.includes(record.title));
    const fact = factOf(turn, record, attribute, currency, again);
    isTold ||= fact !== null;
    isFacetTold ||= fact !== null && attribute.facet;
    const isNew = fact !== null && ![...before, ...facts].some((one) => one.includes(fact));
    if (isNew) facts.push(fact);
  }
  // "When does the money come back?" of what was cancelled asks nothing of when that is.
  return isTold && isFacetTold ? facts.join(' ') : null;
}
