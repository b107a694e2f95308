import { type MessageFeatures, oddsOf } from '../dialogue/index.js';
import { knownNames } from '../runtime/caller-facts.js';
import { classifyAct } from './dialogue-act.js';
import type { DialogueTurn } from './dialogue-types.js';

/** An article that may answer a message, and how each search for it fared. */
export interface ArticleCandidate {
  readonly articleId: string;
  readonly title: string;
  readonly features: MessageFeatures;
}

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
export function lengthOf(text: string): number {
  return Math.log1p(text.trim().split(/\s+/).length) / 4;
}

/**
 * What is searched for: the message `alone`; the sentences of it that ask, `asking`, where it tells more; `joined` with the message before
 * it; and `leaning` on the title of the article that was quoted last.
 */
type Search = 'alone' | 'asking' | 'joined' | 'leaning';

interface Found {
  readonly articleId: string;
  readonly title: string;
  /** Place and confidence in each search that found it. */
  readonly by: Map<Search, { readonly place: number; readonly confidence: number }>;
}

/** The articles that any of the searches for a message finds, and the one that was quoted last. */
export async function candidatesFor(turn: DialogueTurn): Promise<readonly ArticleCandidate[]> {
  const { deps, session, state, text } = turn;
  const { language, previousMessage: before = null } = session;
  const names = await knownNames(deps.tools, session);
  const bare = (said: string) => deps.language.withoutNames(said, names, language);
  const found = new Map<string, Found>();
  const look = async (search: Search, query: string): Promise<void> => {
    const { hits } = await deps.tools.retriever.search(query, { topK: TOP + 1, language });
    for (const [place, { articleId, title, confidence }] of hits.slice(0, TOP).entries()) {
      const key = keyOf(articleId);
      const one = found.get(key) ?? { articleId, title, by: new Map() };
      one.by.set(search, { place, confidence });
      found.set(key, one);
    }
  };
  const { article } = state;
  await look('alone', bare(text));
  const asking = askingOf(turn);
  if (asking !== null) await look('asking', bare(asking));
  if (before !== null) await look('joined', bare(`${before} ${asking ?? text}`));
  if (article) await look('leaning', `${article.title} ${bare(asking ?? text)}`);
  if (article && !found.has(keyOf(article.articleId))) {
    const { articleId, title } = article;
    found.set(keyOf(articleId), { articleId, title, by: new Map() });
  }
  const around = await aroundCandidates(turn);
  const all = [...found.values()].filter(
    ({ articleId }) => !turn.away || keyOf(articleId) !== keyOf(turn.away.articleId),
  );
  return all.map((one) => {
    const isLast = article != null && keyOf(article.articleId) === keyOf(one.articleId);
    const others = all.filter((other) => other !== one);
    return {
      articleId: one.articleId,
      title: one.title,
      features: candidateFeatures(one, others, isLast, around),
    };
  });
}

/** The sentences of a message that ask; null where it is one sentence, all of them ask, or none does. */
function askingOf({ deps: { dialogue }, text }: DialogueTurn): string | null {
  const sentences = dialogue.sentencesIn(text).filter((one) => /\p{L}/u.test(one));
  const asking = sentences.filter((one) => one.includes('?') || dialogue.asksFor(one));
  return asking.length === 0 || asking.length === sentences.length ? null : asking.join(' ');
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
  readonly tellsMore: number;
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
    tellsMore: sign(askingOf(turn) !== null),
  };
}

function candidateFeatures(
  candidate: Found,
  others: readonly Found[],
  isLast: boolean,
  around: Around,
): MessageFeatures {
  const of = (search: Search, { by } = candidate) => by.get(search) ?? { place: TOP, confidence: 0 };
  const rival = (search: Search) => Math.max(0, ...others.map((one) => of(search, one).confidence));
  const [alone, asking] = [of('alone'), of('asking')];
  const [joined, leaning] = [of('joined'), of('leaning')];
  const last = sign(isLast);
  // What stands by itself in the message: its questions where it tells more.
  const stands = Math.max(alone.confidence, asking.confidence);
  const standing = Math.max(rival('alone'), rival('asking'));
  return {
    alone: alone.confidence,
    alone_odds: oddsOf(alone.confidence),
    alone_first: sign(alone.place === 0),
    alone_second: sign(alone.place === 1),
    asking: around.tellsMore * asking.confidence,
    asking_first: around.tellsMore * sign(asking.place === 0),
    asking_both: around.tellsMore * sign(asking.place === 0 && alone.place === 0),
    alone_telling: around.tellsMore * alone.confidence,
    stands,
    stands_odds: oddsOf(stands),
    rival: standing,
    rival_odds: oddsOf(standing),
    rival_last: last * standing,
    rival_last_odds: last * oddsOf(standing),
    rival_joined: joined.confidence * standing,
    rival_follow_up: standing * around.followUp,
    joined: joined.confidence,
    joined_odds: around.hasBefore * oddsOf(joined.confidence),
    joined_first: sign(joined.place === 0),
    joined_alone_first: sign(joined.place === 0 && alone.place === 0),
    joined_complains: joined.confidence * around.complains,
    leaning: leaning.confidence,
    leaning_first: sign(leaning.place === 0),
    leaning_new: (1 - last) * leaning.confidence,
    leaning_alone_first: sign(leaning.place === 0 && alone.place === 0),
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
