import type { AskedInput } from '../core/domain/entity.js';
import { primaryOf } from '../core/domain/language.js';
import type { Language } from '../core/domain/taxonomy.js';
import type { LanguageGuess, LanguageLayer } from '../core/ports/language-layer.js';
import { createAttendingReader } from './attending.js';
import type { Nlu } from './nlu.js';
import { createPassingOnReader } from './passing-on.js';
import { answersInput, isReply, ordersInto, saysPeriod } from './reply.js';
import { requestsIn } from './requests.js';
import { foldText, leadsOf } from './slots/text.js';
import { chancesOf, shareOf } from './tool-chances.js';
import { DANGER, hintsAtDanger } from './triage-rules.js';
import { readMarks } from './words.js';

/** Up to so many words are not taken for a language near to that of the conversation. */
const NEIGHBOUR_WORDS = 12;
/** Below this a request is not worth a tool's place in a prompt. */
const HARDLY = 0.05;
/** From here on a request is plain, and what is hardly asked for beside it has no place in a prompt. */
const PLAINLY = 0.8;
/** What the graph asks of the local language layer, over the trained classifier and the slot readers. */
export function createLanguageLayer(nlu: Nlu): LanguageLayer {
  const neighbours = new Map(nlu.languages.map((language) => [language, readMarks(language).neighbours]));
  return {
    detectLanguage(text, previous) {
      const near = neighbours.get(previous ?? '') ?? [];
      return stay(nlu.detectLanguage(text, previous), text, previous, near);
    },
    readYesNo: nlu.slots.readYesNo,
    readRequestAct: nlu.slots.readRequestAct,
    dangerIn(text) {
      const { intent, danger } = nlu.classifyIntent(text);
      if (intent === 'discrimination') return intent;
      if (intent !== DANGER) return null;
      // Where words alone tell it, which of the two the model takes for the less unlikely means nothing.
      return danger.kind === 'self_harm' && !danger.isCalm ? 'self_harm' : 'harm';
    },
    takesAlarmBack: createAttendingReader(nlu.languages, nlu.slots.isThing).takesAlarmBack,
    withoutPersonWish: nlu.team.withoutPersonWish,
    besideNoPerson: nlu.team.besideNoPerson,
    invites: nlu.team.invites,
    doesSo: nlu.team.doesSo,
    isForTeam: nlu.team.isForTeam,
    deniesDeed: nlu.team.deniesDeed,
    beforeAddition: nlu.team.beforeAddition,
    ...createPassingOnReader(nlu.languages),
    hintsAtDanger: (text) => hintsAtDanger(nlu.classifyIntent(text)),
    speaksOfHaste: (text) => nlu.hasHaste(text),
    speaksOf: nlu.slots.speaksOf,
    namedAmong: nlu.slots.namedAmong,
    withoutNames: nlu.slots.withoutNames,
    hardlyAsksFor: (text, language, tool) => shareOf(nlu, text, language, tool) < HARDLY,
    chances: (text, language) => chancesOf(nlu, text, language),
    plainlyAsksFor(text, language, tool) {
      const share = shareOf(nlu, text, language, tool);
      return share >= PLAINLY && Number.isFinite(share);
    },
    symptoms: nlu.intents.names.filter((name) => nlu.intents.of(name).group === 'symptom'),
    requests: (text, language) => requestsIn(nlu, text, language),
    ledTo: (text) => nlu.slots.ledTo(text),
    ledById: (text) => leadsOf(text).some(({ tail }) => nlu.slots.ids.find(tail).length > 0),
    statesIn: (text, entity) => nlu.slots.saidOf(text, entity),
    isCalled: (text, entity) => nlu.slots.isCalled(text, entity),
    answersInput: (text, language, question) => answersInput(nlu, text, language, question),
    isReply: (text, language, question) => isReply(nlu, text, language, question),
    ordersInto: (text, language, inputs, now) => ordersInto(nlu, text, inputs, { now, language }),
    choicesInstead(text, inputs, given) {
      const choices = inputs.filter(({ reading }) => reading.kind === 'choice');
      const options = { now: new Date(0), language: nlu.languages[0] ?? '', asked: null, given };
      const said = nlu.slots.readInputs(text, choices, options);
      const isOther = ([name, value]: [string, unknown]) =>
        JSON.stringify(value) !== JSON.stringify(given[name]);
      return Object.fromEntries(Object.entries(said).filter(isOther));
    },
    dayInstead(text, given, { entity, ...options }) {
      const days = nlu.slots
        .findDates(text, options)
        .filter(({ grain }) => grain === 'day' || grain === 'hour');
      const [day, ...others] = days;
      // "No, leave it on Friday" puts nothing in its place.
      const isLeft = nlu.slots.readRequestAct(text).kind === 'withdraw';
      if (isLeft || !day || others.length > 0 || nlu.slots.pointsAtOne(foldText(text))) return null;
      const asked: AskedInput = { name: 'day', required: true, reading: { kind: 'date' } };
      // Beside the name of a record a day is that of one, unless words lead to it.
      const isNamed = entity !== null && nlu.slots.isCalled(text, entity);
      const said = nlu.slots.readInputs(text, [asked], { ...options, asked: isNamed ? null : asked.name });
      const meant = said[asked.name];
      return meant === undefined || meant === given ? null : day.text;
    },
    saysPeriod: (text, language, question) => saysPeriod(nlu, text, language, question),
  };
}

/** Nobody changes from Portuguese to Spanish for a few words in the middle of a conversation. */
function stay(
  guess: LanguageGuess,
  text: string,
  previous: Language | undefined,
  neighbours: readonly string[],
): LanguageGuess {
  const few = text.trim().split(/\s+/).length <= NEIGHBOUR_WORDS;
  if (previous === undefined || guess.supported || !few || !neighbours.includes(guess.detected)) return guess;
  return { language: previous, detected: primaryOf(previous), supported: true };
}
