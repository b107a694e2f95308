import {
  ACTS,
  type MessageFeatures,
  type MessageGuess,
  type MessageModel,
  oddsOf,
  withBest,
  wordFeatures,
} from '../dialogue/index.js';
import { knownNames } from '../runtime/caller-facts.js';
import { classifyAct } from './dialogue-act.js';
import { namedOwn } from './dialogue-records.js';
import type { DialogueTurn } from './dialogue-types.js';
import type { GraphDeps } from './graph-deps.js';

/** An article that may answer a message, and how each search for it fared. */
export interface ArticleCandidate {
  readonly articleId: string;
  readonly title: string;
  readonly features: MessageFeatures;
}

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
      zz: guess.chanceOf('person'),
      article: best ?? null,
    },
  });
  return { ...guess, article: best ?? null };
}

/** From here on an article answers a message alone; below the other it is found by what was said before only. */
const [STANDS, LEANS] = [0.7, 0.3];
/** Of each search the first are candidates. */
const TOP = 3;
/** Which language an article is in ends its id. */
const LANGUAGE = /-[a-z]{2}$/;

/** The same for all versions of an article. */
function keyOf(articleId: string): string {
  return articleId.replace(LANGUAGE, '');
}

/** A yes as a number. */
function sign(holds: boolean): number {
  return holds ? 1 : 0;
}

/** Words of a text, on a logarithmic scale: 1 for about 50. */
function lengthOf(text: string): number {
  return Math.log1p(text.trim().split(/\s+/).length) / 4;
}

interface Found {
  readonly title: string;
  /** Place and confidence in each search that found it. */
  readonly by: Map<Search, { readonly place: number; readonly confidence: number }>;
}
type Search = 'alone' | 'joined' | 'leaning';

/** The articles found by the message alone, with the message before it, and with the title of the article that was quoted last. */
async function candidatesFor(turn: DialogueTurn): Promise<readonly ArticleCandidate[]> {
  const { deps, session, state, text } = turn;
  const { language, previousMessage: before = null } = session;
  const names = await knownNames(deps.tools, session);
  const bare = (said: string) => deps.language.withoutNames(said, names, language);
  const found = new Map<string, Found>();
  const ids = new Map<string, string>();
  const look = async (search: Search, query: string): Promise<void> => {
    const { hits } = await deps.tools.retriever.search(query, { topK: TOP + 1, language });
    for (const [place, { articleId, title, confidence }] of hits.slice(0, TOP).entries()) {
      const key = keyOf(articleId);
      ids.set(key, ids.get(key) ?? articleId);
      const one = found.get(key) ?? { title, by: new Map() };
      one.by.set(search, { place, confidence });
      found.set(key, one);
    }
  };
  const { article } = state;
  await look('alone', bare(text));
  if (before !== null) await look('joined', bare(`${before} ${text}`));
  if (article) await look('leaning', `${article.title} ${bare(text)}`);
  if (article && !found.has(keyOf(article.articleId))) {
    ids.set(keyOf(article.articleId), article.articleId);
    found.set(keyOf(article.articleId), { title: article.title, by: new Map() });
  }
  const around = await aroundCandidates(turn);
  return [...found].map(([key, { title, by }]) => {
    const isLast = article !== null && article !== undefined && keyOf(article.articleId) === key;
    return { articleId: ids.get(key) ?? key, title, features: candidateFeatures(by, isLast, around) };
  });
}

interface Around {
  readonly length: number;
  readonly followUp: number;
  readonly complains: number;
  readonly asksOn: number;
  readonly points: number;
  readonly asks: number;
  readonly isFirst: number;
  readonly hasArticle: number;
  readonly hasBefore: number;
}

async function aroundCandidates(turn: DialogueTurn): Promise<Around> {
  const { deps, session, state, text } = turn;
  const heard = await classifyAct(turn);
  const { article } = state;
  return {
    length: lengthOf(text),
    followUp: heard?.guess.chanceOf('follow_up') ?? 0,
    complains: heard?.guess.chanceOf('wrong_answer', 'not_helpful', 'correct') ?? 0,
    asksOn: sign(article != null && (await deps.tools.retriever.asksOn(article.articleId, text))),
    points: sign(deps.dialogue.read(text)?.points === true),
    asks: sign(text.includes('?')),
    isFirst: sign(session.lastReply === null),
    hasArticle: sign(article != null),
    hasBefore: sign(session.previousMessage != null),
  };
}

function candidateFeatures(by: Found['by'], isLast: boolean, around: Around): MessageFeatures {
  const of = (search: Search) => by.get(search) ?? { place: TOP, confidence: 0 };
  const [alone, joined, leaning] = [of('alone'), of('joined'), of('leaning')];
  const last = sign(isLast);
  return {
    alone: alone.confidence,
    alone_odds: oddsOf(alone.confidence),
    alone_first: sign(alone.place === 0),
    alone_second: sign(alone.place === 1),
    joined: joined.confidence,
    joined_odds: around.hasBefore * oddsOf(joined.confidence),
    joined_first: sign(joined.place === 0),
    leaning: leaning.confidence,
    leaning_first: sign(leaning.place === 0),
    alone_of_first: around.isFirst * oddsOf(alone.confidence),
    alone_first_later: (1 - around.isFirst) * sign(alone.place === 0),
    alone_length: alone.confidence * around.length,
    joined_length: joined.confidence * around.length,
    alone_follow_up: alone.confidence * around.followUp,
    joined_follow_up: joined.confidence * around.followUp,
    last,
    last_length: last * around.length,
    last_follow_up: last * around.followUp,
    last_alone: last * alone.confidence,
    last_joined: last * joined.confidence,
    last_asks_on: last * around.asksOn,
    last_points: last * around.points,
    last_asks: last * around.asks,
    last_complains: last * around.complains,
  };
}

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

/** What a message means; all of it where it only leaves something: "fine, forget it. Thank you anyway". */
export function whatIsMeant({ dialogue, language }: GraphDeps, written: string): string {
  const meant = dialogue.meant(written);
  return language.readRequestAct(written).kind === 'withdraw' && !dialogue.asksFor(meant) ? written : meant;
}
