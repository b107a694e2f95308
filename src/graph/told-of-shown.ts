import { afterShowing, meansSeveral } from '../dialogue/index.js';
import { dashed } from '../runtime/offline-step.js';
import type { DialogueTurn, RecordAnswer } from './dialogue-types.js';
import { factOf } from './record-facts.js';

/** Of more words a message asks for more than that. */
const MOST_WORDS = 16;
/** So many may say how it is wished: "are any of them fine for a wheelchair?". */
const SPARE_WORDS = 1;

/**
 * Which of what was shown is as somebody wishes, where the text of a record tells that: "which of those are in English?". Those that tell
 * nothing of it are named.
 * @returns null where something else is asked, or of one of them
 */
export function toldOfShown(turn: DialogueTurn): RecordAnswer | null {
  const { deps, graph, session, state, text, texts } = turn;
  const { shown } = state;
  const isShort = text.trim().split(/\s+/).length <= MOST_WORDS;
  if (graph.focus !== null || shown.length < 2 || !isShort || !meansSeveral(text)) return null;
  const [facets, plain] = [deps.dialogue.readFacets(text), deps.dialogue.read(text)];
  const read = facets && facets.asked.length > 0 ? facets : plain;
  const options = { now: deps.tools.clock.now(), language: session.language };
  const unknown = new Set(deps.dialogue.readList(text, options)?.rest);
  if (!read || read.rest.filter((word) => unknown.has(word)).length > SPARE_WORDS) return null;
  const [entity, ...others] = new Set(shown.map((record) => record.entity));
  if (entity === undefined || others.length > 0) return null;
  const asked = read.asked.filter((one) => one.entity === entity).map(({ attribute }) => attribute);
  const [attribute] = asked;
  if (!attribute || asked.some(({ told }) => told.length === 0)) return null;
  const { currency } = deps.tools.company;
  const toldOnly = { ...attribute, toldOnly: true };
  const facts = shown.map((record) => factOf(turn, record, toldOnly, currency));
  const telling = facts.filter((fact) => fact !== null);
  const silent = shown.filter((_, at) => facts[at] === null).map(({ title }) => `"${title}"`);
  const list = telling.length === 0 ? null : dashed(telling);
  const rest = silent.length === 0 ? null : texts.list(silent);
  return {
    text: texts.say('told_of_shown', { list, rest, attribute: attribute.id }),
    state: { ...afterShowing(state, shown), asked: attribute.id },
    isExact: true,
  };
}
