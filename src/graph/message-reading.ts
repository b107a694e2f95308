import {
  ACTS,
  type MessageFeatures,
  type MessageGuess,
  type MessageModel,
  oddsOf,
  withBest,
  wordFeatures,
} from '../dialogue/index.js';
import { type ArticleCandidate, candidatesFor, lengthOf } from './article-candidates.js';
import { classifyAct } from './dialogue-act.js';
import { namedOwn } from './dialogue-records.js';
import type { DialogueTurn } from './dialogue-types.js';
import type { GraphDeps } from './graph-deps.js';

/** What a message is in its conversation, as learned from conversations that were judged. */
export interface MessageReading extends MessageGuess {
  /** The likeliest article with the chance that it answers, if any article does; null where none was found. */
  readonly article: {
    readonly title: string;
    readonly chance: number;
    /** True where another article is likelier by the message alone: what it leans on is not certain. */
    readonly isContested: boolean;
  } | null;
}

/** Reads a message by all that is known of it. What was measured is logged at level debug: the model is learned from that. */
export async function readMessage(turn: DialogueTurn, model: MessageModel): Promise<MessageReading> {
  const candidates = await candidatesFor(turn);
  const [likeliest, ...others] = candidates
    .map(({ title, features }) => ({ title, features, chance: model.answers(features) }))
    .sort((one, other) => other.chance - one.chance);
  const stands = ({ features }: Pick<ArticleCandidate, 'features'>, least: number): boolean =>
    (features.alone ?? 0) >= least;
  const best = likeliest && {
    title: likeliest.title,
    chance: likeliest.chance,
    isContested: !stands(likeliest, LEANS) && others.some((other) => stands(other, STANDS)),
  };
  const features = await featuresOf(turn, candidates);
  const guess = model.kindOf(withBest(features, best?.chance ?? 0));
  turn.deps.tools.log.debug({
    agent: 'dialogue',
    action: 'message_read',
    ticketId: turn.session.ticketId,
    details: {
      features,
      candidates,
      kind: guess.kind,
      chance: guess.chance,
      article: best ?? null,
    },
  });
  return { ...guess, article: best ?? null };
}

/** From here on an article answers a message alone; below the other it is found by what was said before only. */
const [STANDS, LEANS] = [0.7, 0.3];
/** What is measured of the message itself, beside its articles. */
async function featuresOf(
  turn: DialogueTurn,
  candidates: readonly ArticleCandidate[],
): Promise<MessageFeatures> {
  const { deps, graph, session, state, text } = turn;
  const { dialogue, language, tools } = deps;
  const question = dialogue.readQuestion(text);
  const { requests = [], confidence = 0, humanReason = null, sentiment } = graph.classification ?? {};
  const heard = await classifyAct(turn);
  const read = dialogue.read(text);
  const list = dialogue.readList(text, { now: tools.clock.now(), language: session.language });
  const { focus } = graph;
  const routes: readonly (string | null)[] = requests.map(({ route }) => route);
  const usual = ['knowledge', 'account', 'action', 'investigation'];
  const alone = Math.max(0, ...candidates.map(({ features }) => features.alone ?? 0));
  const signs: Readonly<Record<string, boolean>> = {
    'triage.none': routes.length === 0,
    'triage.several': routes.length > 1,
    'reads.act': (read?.acts.length ?? 0) > 0,
    'reads.detail': (read?.asked.length ?? 0) > 0,
    'reads.points': read?.points === true,
    'reads.rest': (read?.rest.length ?? 0) > 0,
    'reads.own': dialogue.readOwnAsked(text).questions.length > 0,
    'open.question': focus !== null,
    'open.choices': (focus?.choices.length ?? 0) > 1,
    'open.confirmation': (await tools.pending.findOpenConfirmation(session.threadId)) !== null,
    'open.approval': (await tools.pending.listOpenApprovals(session.threadId)).length > 0,
    'before.nothing': session.lastReply === null,
    'before.article': state.article != null,
    'before.records': state.shown.length > 0,
    'before.list': state.listed != null,
    'before.search': state.looked != null,
    'names.record': (await namedOwn({ deps, session, text })).length > 0,
    'list.whole': list?.isWhole === true,
    'list.narrows': list?.narrows === true,
    'list.kind': list?.ofKind === true,
    'says.mine': dialogue.ofSelf(text),
    'says.if': dialogue.supposed(text, session.language) !== null,
    'says.danger': language.hintsAtDanger(text),
    'says.change': dialogue.changesNamed(text).length > 0,
    'asks.mark': text.includes('?'),
    'asks.words': dialogue.isQuestion(text),
    'is.visitor': session.identity.kind !== 'customer',
    [`person.${humanReason}`]: humanReason !== null,
    [`mood.${sentiment}`]: sentiment !== undefined,
    [`after.${heard?.context}`]: heard !== null,
    [`last.${state.last}`]: state.last != null,
  };
  const sums = (kinds: readonly string[]): number =>
    routes.some((route) => kinds.includes(String(route))) ? confidence : 0;
  return {
    ...Object.fromEntries(Object.entries(signs).flatMap(([name, holds]) => (holds ? [[name, 1]] : []))),
    ...Object.fromEntries(usual.map((route) => [`triage.${route}`, sums([route])])),
    'triage.other': routes.some((route) => !usual.includes(String(route))) ? confidence : 0,
    'triage.sure': confidence,
    ...Object.fromEntries(
      (['general', 'order', 'programme', 'trouble', 'talk'] as const).map((kind) => [
        `question.${kind}`,
        question?.chanceOf(kind) ?? 0,
      ]),
    ),
    'question.own': question?.own ?? 0,
    'question.detail': question?.detail ?? 0,
    ...Object.fromEntries(ACTS.map((act) => [`act.${act}`, heard?.guess.chanceOf(act) ?? 0])),
    'act.sure': heard?.guess.confidence ?? 0,
    'search.alone': alone,
    'search.alone_odds': oddsOf(alone),
    'change.chance': Math.max(0, ...language.chances(text, session.language).values()),
    length: lengthOf(text),
    ...wordFeatures(text),
  };
}

/** From here on the last sentence of a message asks for a person. */
const WANTS_PERSON = 0.7;
/** The same of what stands behind a comma. */
const SURELY_PERSON = 0.97;

/** True where a message that tells more ends with the wish for a person: "my card was charged twice, I want a person". */
export function endsAskingForPerson({ deps, graph, session, text }: DialogueTurn): boolean {
  // What triage hears is answered beside it.
  if (graph.classification?.humanReason != null) return false;
  const sentences = deps.dialogue.sentencesIn(text);
  // Behind what goes wrong: "my card was charged twice, I want a person".
  const isSymptom = graph.classification?.requests.some(({ route }) => route === 'investigation') === true;
  const parts = isSymptom ? (sentences.at(-1) ?? '').split(/,\s+/) : sentences.slice(-1);
  const last = parts.at(-1) ?? '';
  if (sentences.length + parts.length < 3 || last.includes('?')) return false;
  const chance = deps.dialogue.guessAct(last, 'answered', session.language)?.chanceOf('human') ?? 0;
  return chance >= (parts.length > 1 ? SURELY_PERSON : WANTS_PERSON);
}

/** From here on a message asks how things are: none of the customer's records tells it. */
export const SURELY_GENERAL = 0.85;

/** True where a message asks how things are, so that what no article answers is not answered from records either. */
export function asksGenerally({ dialogue }: Pick<GraphDeps, 'dialogue'>, text: string): boolean {
  return (dialogue.readQuestion(text)?.chanceOf('general') ?? 0) >= SURELY_GENERAL;
}

/**
 * What a message asks, without its asides; all that it means where something has happened to the customer, and the whole where it only leaves
 * something: "fine, forget it. Thank you anyway".
 */
export function whatIsMeant({ dialogue, language }: GraphDeps, written: string): string {
  const asked = dialogue.asked(written);
  const meant = dialogue.lifeEvent(asked) === dialogue.lifeEvent(written) ? asked : dialogue.meant(written);
  return language.readRequestAct(written).kind === 'withdraw' && !dialogue.asksFor(meant) ? written : meant;
}
