import type { EntityAttribute, EntityRecord } from '../core/domain/entity.js';
import type { IntentInfo } from '../core/domain/intent.js';
import type { DialogueState } from '../core/domain/session.js';
import type { Language } from '../core/domain/taxonomy.js';
import type { ActModel } from '../nlu/acts.js';
import type { Nlu } from '../nlu/index.js';
import { remembered } from '../nlu/remembered.js';
import { asksWhoAnswers, requestsIn } from '../nlu/requests.js';
import type { SelectOptions } from '../nlu/slots/index.js';
import { foldText, tokenize } from '../nlu/slots/text.js';
import { DETAIL } from '../nlu/taught-questions.js';
import { type ActReader, type ActReaderOptions, createActReader, type ReadMessage } from './acts.js';
import { createAnswerReader, type ReadAnswer } from './answers.js';
import { type ChatReader, createChatReader } from './chat.js';
import { createConfirmationRemarks } from './confirmation-remarks.js';
import { createFollowUps, type FollowUps } from './follow-ups.js';
import { createOrderReader, type OrderReader } from './orders.js';
import {
  candidateOf,
  findNamed,
  isOrder,
  isTitled,
  type ReferenceContext,
  type Referent,
  resolveReference,
} from './references.js';

export { ACTS, type Act, type ActContext, type ActGuess } from '../nlu/acts.js';
export { mergeFilters } from '../nlu/slots/filters.js';
export type { OwnAsked, OwnQuestion } from '../nlu/slots/own-questions.js';
export type { QuestionGuess } from '../nlu/taught-questions.js';
export type { ActKind, AskedAttribute, ReadMessage } from './acts.js';
export * from './message-model.js';
export { meansSeveral, type ReferenceContext, type Referent } from './references.js';
export { type Several, type SeveralOptions, selectSeveral } from './several.js';
export { afterShowing, shownIn } from './state.js';

import { type Several, type SeveralOptions, selectSeveral } from './several.js';
import { createTimesReader, type TimesReader } from './times.js';
import { createPointReader, type PointReader } from './to-the-point.js';
import { besideWishes } from './wishes.js';

/** Understands a conversation without a model. All methods are pure and synchronous. */
export interface Dialogue extends ActReader, TimesReader, FollowUps, PointReader, OrderReader, ChatReader {
  /** What a short message does, by the model. */
  readonly guessAct: ActModel['read'];
  readonly readAnswer: ReadAnswer;
  /** The one question that stands beside a yes or no: "yes please, but is it refundable?"; null where there is none, or several. */
  askedBeside(text: string, language: Language, question: string): string | null;
  /** True where a text names another change than the question asks for: "ok, pause it" after "shall I cancel it?". */
  namesOtherChange(text: string, question: string): boolean;
  /** True where a change is only wondered about, and asked about apart: "perhaps a pause is wiser. Would it cost anything?". */
  wonders(text: string, language: Language): boolean;
  /** The changes that a text names: "what is the difference between pausing and cancelling?". */
  changesNamed(text: string): readonly IntentInfo[];
  /** The intent whose change is offered where no tool makes the one that this intent asks for; null where none is. */
  insteadOf(intent: string): IntentInfo | null;
  /** True where these words do no more than count: "the second one". */
  isOrder(words: readonly string[]): boolean;
  /** What customers ask about a record of this entity. */
  attributesOf(entity: string): readonly EntityAttribute[];
  /** What a text asks about a record that only such records tell: of a refund, where there is one; null where nothing. */
  factOnly(text: string, record: EntityRecord): EntityAttribute | null;
  /** True where a text asks what only some records tell. */
  asksFactOnly(text: string): boolean;
  /** This, `askedOfSeveral` and `speaksOfSingle`: see Slots. */
  readonly comparedIn: Nlu['slots']['comparedIn'];
  readonly askedOfSeveral: Nlu['slots']['askedOfSeveral'];
  readonly speaksOfSingle: Nlu['slots']['speaksOfSingle'];
  /** See FilterReader. */
  readonly fits: Nlu['slots']['filters']['fits'];
  /** The cheapest, the soonest, ... of these, several where they are equal; none where the text compares nothing. */
  extreme(text: string, among: readonly EntityRecord[], options: SelectOptions): readonly EntityRecord[];
  /** See Slots. */
  readonly readList: Nlu['slots']['readList'];
  /** Names of the places where the company has something. */
  readonly places: readonly string[];
  /** What a text narrows a list down to. */
  readonly filtersIn: Nlu['slots']['filters']['read'];
  /** True where the text picks one of the records that were shown last: by name, day, place, number or price. */
  picksShown(text: string, state: DialogueState, options: SelectOptions): boolean;
  /** The record that was shown last and is picked so; null where none or several are. */
  pickedOfShown(text: string, state: DialogueState, options: SelectOptions): EntityRecord | null;
  /** What a message says instead of what it turns down; null where nothing. */
  meantInstead(text: string): string | null;
  /** True where a message takes back itself what it said before. */
  corrects(text: string): boolean;
  /** See selectSeveral; of a message that takes something back only what it says instead. */
  several(
    text: string,
    among: readonly Parameters<typeof candidateOf>[0][],
    options: SeveralOptions,
  ): Several;
  /** What a text only supposes to be done ("what happens if I cancel it?"), where it asks for nothing; null where nothing. */
  supposed(
    text: string,
    language: Language,
  ): { readonly intent: IntentInfo; readonly isBare: boolean } | null;
  /** The one record whose name the text says, where that explains whatever else it names; null where none is. */
  named(
    text: string,
    message: ReadMessage,
    records: readonly EntityRecord[],
    options: SelectOptions,
  ): EntityRecord | null;
  /** True where these words do no more than name a record by its title, or count. */
  isTitled(record: EntityRecord, words: readonly string[]): boolean;
  /** What a message means, without what it says is not meant: "no, I only asked when it begins". */
  readonly meant: Nlu['meant'];
  readonly asked: Nlu['asked'];
  /** See Slots. */
  readonly readOwnAsked: Nlu['slots']['readOwnAsked'];
  /** This and the next two: see ClauseReader. */
  readonly sharedQuestions: Nlu['slots']['sharedQuestions'];
  readonly asksHow: Nlu['slots']['asksHow'];
  isQuestion(text: string): boolean;
  /** See Nlu. */
  readonly readQuestion: Nlu['readQuestion'];
  /** True where a text speaks of records by what they are called: "my tickets". */
  speaksOfThings(text: string): boolean;
  /** The sentences of a text. */
  sentencesIn(text: string): readonly string[];
  /** The parts of a message that may ask for something each. */
  partsOf(text: string): readonly string[];
  /** Which records of an entity a question is about. */
  resolve(text: string, message: ReadMessage, entity: string, context: ReferenceContext): Referent;
}

/** From here on what stands beside an answer is a request of its own. */
const CLEAR = 0.4;

/** From here on it is believed that a detail of a record is asked about. */
const SURE_DETAIL = 0.6;

/** Which of several records that were shown a text picks, and by what; null where it picks none. */
function pickOf({ slots }: Nlu, text: string, { shown }: DialogueState, options: SelectOptions) {
  const listed = shown.map(({ id }) => id);
  if (listed.length < 2) return null;
  const picked = slots.selectCandidate(text, shown.map(candidateOf), { ...options, listed });
  return picked.kind === 'one' && picked.by !== 'only' ? picked : null;
}

/** Below this chance of being mere talk a text says something that is to be answered. */
const MERE_TALK = 0.5;
const isMatter = (nlu: Nlu, text: string): boolean =>
  (nlu.readQuestion(text)?.chanceOf('talk') ?? 1) < MERE_TALK;

/** Makes the dialogue engine for a company. */
export function createDialogue(nlu: Nlu, given: ActModel, options: ActReaderOptions): Dialogue {
  const model = besideWishes(nlu, given);
  const acts = createActReader(options);
  const answers = createAnswerReader({
    ...{ slots: nlu.slots, words: nlu.slots.answers, model },
    confirmationRemarks: createConfirmationRemarks(
      { ...nlu.slots, words: nlu.slots.answers },
      options.languages,
    ),
    meant: nlu.meant,
    supposing: acts.supposing,
    reports: (text) => (nlu.readQuestion(text)?.chanceOf('trouble') ?? 0) >= CLEAR,
    isAct(text) {
      const read = acts.read(text);
      return read?.rest.length === 0 && read.acts.some((act) => act !== 'praise');
    },
    asks(text, language) {
      const requests = requestsIn(nlu, text, language);
      const chance = Math.max(0, ...requests.map(({ confidence }) => confidence));
      return { chance, change: requests.some(({ route }) => route === 'action') };
    },
  });
  const onlyAttributes = options.entities.map(({ id, attributes }) => ({
    id,
    own: attributes.flatMap((attribute) => {
      const { only, asked } = attribute;
      const cue = options.languages.flatMap((language) => asked[language] ?? []).join('|') || '(?!)';
      return only === null ? [] : [{ only, attribute, cue: new RegExp(`\\b(?:${cue})\\b`) }];
    }),
  }));
  /** What no words of a language say is asked about a record, the company's sentences may have taught. */
  const read: ActReader['read'] = remembered((text) => {
    const said = acts.read(text);
    const guess = said && said.asked.length + said.acts.length === 0 ? nlu.readQuestion(text) : null;
    if (!said || !guess || guess.chance < SURE_DETAIL || !guess.name.startsWith(DETAIL)) return said;
    // "Is Elis in São Paulo?" asks whether it is there.
    if (options.entities.some(({ places }) => places.some(({ name }) => text.includes(name)))) return said;
    const asked = options.entities.flatMap(({ id: entity, attributes }) =>
      attributes
        .filter(({ id, only }) => guess.name === `${DETAIL}${id}` && only === null)
        .map((attribute) => ({ entity, attribute })),
    );
    return asked.length === 0 ? said : { ...said, asked, rest: [], points: true };
  });
  const points = createPointReader(options.languages);
  const { askedOfSeveral, asksHow, isQuestion, readList, readOwnAsked, sharedQuestions } = nlu.slots;
  const followUps = createFollowUps(nlu.slots, acts, options.languages);
  const onlyOf = (entity: string) => onlyAttributes.find(({ id }) => id === entity)?.own ?? [];
  return {
    ...acts,
    read,
    ...{ ...createTimesReader(options.languages), ...points },
    ...createChatReader(nlu.slots, options.languages),
    toThePoint(answer, question) {
      // "How long at most? I am back on the 10th" asks only the first.
      const asking = question.slice(0, question.lastIndexOf('?') + 1) || question;
      const parts = nlu.slots.splitClauses(asking).map(({ text }) => points.toThePoint(answer, text));
      const said = parts.filter((part) => part !== answer);
      // What answers one part may be all that answers the next.
      const isIn = (part: string, at: number) => (other: string, i: number) =>
        other === part ? i < at : other.includes(part);
      const news = said.filter((part, at) => !said.some(isIn(part, at)));
      return said.length === 0 ? answer : news.join(' ');
    },
    ...followUps,
    ...createOrderReader(nlu.slots, acts, (text) => isMatter(nlu, text), options.languages),
    guessAct(text, context, language) {
      const guess = model.read(text, context, language);
      // Who asks for the name asks who answers, however much it is like asking for something else.
      return guess && asksWhoAnswers(text) ? { ...guess, act: 'bot_or_human' } : guess;
    },
    readAnswer(text, language, question, asked) {
      const before = followUps.askedBefore(text); // "I asked how long I can pause" turns nothing down.
      const guess = before === null ? null : nlu.readQuestion(before);
      if (guess && guess.own + guess.chanceOf('general') >= SURE_DETAIL)
        return { kind: 'other', rest: text, more: null };
      return answers(acts.withoutAsides(text), language, question, asked);
    },
    askedBeside(text, language, question) {
      const { rest } = answers(acts.withoutAsides(text), language, question);
      const clauses = nlu.slots.splitClauses(rest).filter((clause) => clause.text.includes('?'));
      const [asked, ...others] = clauses;
      return asked && others.length === 0 ? asked.text : null;
    },
    namesOtherChange: (text, question) => nlu.slots.answers.namesChange(text, question).other,
    wonders(text, language) {
      const { doubt } = nlu.slots.answers.guards(language);
      const parts = nlu.slots.sentencesOf(text);
      const names = (part: string) => nlu.slots.answers.changes.kindsIn(part).length > 0;
      const isHedged = parts.some((part) => !part.includes('?') && names(part) && doubt.test(foldText(part)));
      return isHedged && parts.some((part) => part.includes('?') && !names(part));
    },
    changesNamed(text) {
      const kinds = nlu.slots.answers.changes.kindsIn(text);
      const isNamed = (kind: unknown) => kinds.includes(String(kind));
      const all = nlu.intents.names.map((name) => nlu.intents.of(name));
      return all.filter(({ tool, args }) => tool && Object.values(args).some(isNamed));
    },
    insteadOf(name) {
      const { tool, instead } = nlu.intents.of(name);
      return tool === null && instead !== null ? nlu.intents.of(instead) : null;
    },
    isOrder: (words) => words.length > 0 && words.every(isOrder),
    attributesOf: (entity) => options.entities.find(({ id }) => id === entity)?.attributes ?? [],
    factOnly: (text, { entity, attributes }) =>
      onlyOf(entity).find(({ only, cue }) => Boolean(attributes[only]) && cue.test(foldText(text)))
        ?.attribute ?? null,
    asksFactOnly: (text) => onlyAttributes.some(({ own }) => own.some(({ cue }) => cue.test(foldText(text)))),
    speaksOfSingle: nlu.slots.speaksOfSingle,
    fits: (record, filters, entity) => nlu.slots.filters.fits(record, filters, entity),
    comparedIn: (text) => (nlu.slots.speaksOfSingle(text) ? null : nlu.slots.comparedIn(text)),
    picksShown(text, state, options) {
      const picked = pickOf(nlu, text, state, options);
      return picked !== null && picked.by !== 'position';
    },
    pickedOfShown(text, state, options) {
      const picked = pickOf(nlu, text, state, options);
      return state.shown.find(({ id }) => id === picked?.id) ?? null;
    },
    filtersIn: nlu.slots.filters.read,
    places: [...new Set(options.entities.flatMap(({ places }) => places.map(({ name }) => name)))],
    extreme(text, among, options) {
      const listed = among.map(({ id }) => id);
      const picked = nlu.slots.selectCandidate(text, among.map(candidateOf), { ...options, listed });
      const ids = picked.kind === 'one' ? [picked.id] : picked.kind === 'many' ? picked.ids : [];
      return among.filter(({ id }) => ids.includes(id));
    },
    several: (text, among, options) =>
      selectSeveral(nlu, nlu.slots.readCorrection(text)?.after ?? text, among.map(candidateOf), options),
    meantInstead: (text) => nlu.slots.readCorrection(text)?.after ?? null,
    corrects: (text) => nlu.slots.readCorrection(text) !== null,
    supposed(text, language) {
      const { before, after } = acts.supposing(text) ?? {};
      if (before === undefined || after === undefined) return null;
      const asks = (part: string) =>
        requestsIn(nlu, part, language).filter(({ route }) => route === 'action');
      const [change] = asks(after);
      const isAsked = before !== '' && asks(before).some(({ confidence }) => confidence >= CLEAR);
      if (!change || change.confidence < CLEAR || isAsked) return null;
      return { intent: nlu.intents.of(change.intent), isBare: (after.match(/\p{L}+/gu) ?? []).length === 1 };
    },
    named: (text, message, records, options) => findNamed(nlu.slots, text, message, records, options),
    isTitled: (record, words) => isTitled(nlu.slots, record, words),
    ...{ meant: nlu.meant, asked: nlu.asked },
    ...{ askedOfSeveral, asksHow, isQuestion, readList, readOwnAsked, sharedQuestions },
    readQuestion: (text) => nlu.readQuestion(text),
    speaksOfThings: (text) => tokenize(foldText(text)).some(({ word }) => nlu.slots.isThing(word)),
    sentencesIn: (text) => nlu.slots.sentencesOf(text),
    partsOf: (text) => nlu.slots.splitClauses(text).map((clause) => clause.text),
    resolve: (text, message, entity, context) => resolveReference(nlu.slots, text, message, entity, context),
  };
}
