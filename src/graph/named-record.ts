import type { EntityRecord } from '../core/domain/entity.js';
import { unlessUnreachable } from '../core/signals.js';
import type { ReadMessage } from '../dialogue/index.js';
import { afterShowing } from '../dialogue/index.js';
import { lineOf, ownerOf, ownRecords } from './dialogue-records.js';
import type { DialogueTurn, RecordAnswer } from './dialogue-types.js';

/** In more words something else is asked than what a thing is. */
const FEW_WORDS = 7;

/**
 * "What is the Clara Light?": what the company or the customer has under that name, by the article that tells of it, else by its
 * record.
 * @returns `about`: the title of that article; null where nothing is named, or more is asked of it
 */
export async function whatIsNamed(
  turn: DialogueTurn,
  read: ReadMessage,
): Promise<RecordAnswer | { readonly about: string } | null> {
  const { deps, graph, session, state, text } = turn;
  const { records, retriever, clock, policy } = deps.tools;
  const isAsked = deps.dialogue.asksWhatIs(text) && text.trim().split(/\s+/).length <= FEW_WORDS;
  if (!isAsked || graph.focus !== null || read.asked.length + read.acts.length > 0 || read.rest.length === 0)
    return null;
  const offered = records.catalogue ? await unlessUnreachable(records.catalogue(ownerOf(turn)), []) : [];
  const options = { now: clock.now(), language: session.language };
  const known = [...(await ownRecords(turn)), ...offered];
  const record = deps.dialogue.named(text, read, known, options);
  if (!record) return null;
  const { hits } = await retriever.search(text, { topK: 1, language: session.language });
  const [best] = hits;
  const isTold = (best?.confidence ?? 0) >= policy.retrieval.confidence_threshold;
  if (best && isTold && best.content.includes(record.title)) return { about: best.title };
  return { text: lineOf(turn, record), state: { ...afterShowing(state, [record]), asked: null } };
}

/** The one of what was shown that some words mean by its place: "if I cancel the other one". */
export async function placedIn(turn: DialogueTurn, words: string): Promise<EntityRecord | null> {
  const { dialogue, tools } = turn.deps;
  const read = dialogue.read(words);
  const [first, second] = turn.state.shown;
  const rest = read?.rest.filter((word) => dialogue.isOrder([word])) ?? [];
  if (!read || !first || !second || rest.length === 0) return null;
  const { state, session } = turn;
  const context = { state, own: await ownRecords(turn), now: tools.clock.now(), language: session.language };
  const meant = dialogue.resolve(rest.join(' '), { ...read, rest }, first.entity, context);
  const [one, ...others] = meant.kind === 'records' ? meant.records : [];
  return one?.upcoming && others.length === 0 ? one : null;
}
