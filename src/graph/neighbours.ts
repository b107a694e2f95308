import type { EntityRecord } from '../core/domain/entity.js';
import { afterShowing } from '../dialogue/index.js';
import { lineOf, ownRecords, recordMeant } from './dialogue-records.js';
import type { DialogueTurn, RecordAnswer } from './dialogue-types.js';
import { writtenIn } from './facets.js';
import { openRow } from './terms.js';

/**
 * What stands next to the record that is spoken of, where a message asks for that alone: "and the one after that?", "no, the next
 * one". Where there is none, that is said.
 * @returns null where nothing is spoken of, or something else is asked
 */
export async function neighbourAnswer(turn: DialogueTurn): Promise<RecordAnswer | null> {
  const { deps, graph, session, state, texts } = turn;
  const text = writtenIn(turn);
  const side = deps.dialogue.asksNeighbour(text) ?? deps.dialogue.asksNeighbour(turn.text);
  const isOpen = graph.focus !== null && !graph.focus.offered;
  if (side === null || isOpen || (await openRow(turn)) !== null) return null;
  // "My next booking" is the first of all, whatever was spoken of.
  const last = deps.dialogue.sentencesIn(text).at(-1) ?? '';
  if (deps.dialogue.speaksOfThings(last) && deps.dialogue.readOwnAsked(last).questions.length > 0)
    return null;
  const own = (await ownRecords(turn)).filter(({ upcoming, startsAt }) => upcoming && startsAt !== null);
  const anchor = (await recordMeant({ ...turn, text }, state)) ?? spokenIn(turn, own);
  // "When is his next visit?" after the weight of a pet asks for no pet after that one.
  const isOther = deps.dialogue.speaksOfThings(last) && !deps.language.isCalled(last, anchor?.entity ?? '');
  if (!anchor || isOther) return null;
  const isOwn = own.some(({ id }) => id === anchor.id);
  const among = isOwn ? own.filter(({ entity }) => entity === anchor.entity).sort(bySoonest) : state.shown;
  const at = among.findIndex(({ id }) => id === anchor.id);
  const found = among[side === 'after' ? at + 1 : at - 1];
  if (at < 0) return null;
  if (!found) {
    const args = { title: anchor.title, side, only: among.length === 1 };
    return { text: texts.say('no_neighbour', args), state: { ...state, asked: null } };
  }
  const line = lineOf({ ...turn, session }, found);
  return {
    text: texts.say('neighbour', { line, side }),
    state: { ...afterShowing(state, [found]), asked: null },
  };
}

/** The one that is spoken of: in focus, or the only one that the last answer names. */
function spokenIn({ session, state }: DialogueTurn, own: readonly EntityRecord[]): EntityRecord | null {
  const focus = [...own, ...state.shown].find(({ id }) => id === state.focus);
  const named = own.filter(({ title }) => session.lastReply?.includes(title) === true);
  return focus ?? (named.length === 1 ? (named[0] ?? null) : null);
}

const bySoonest = (a: EntityRecord, b: EntityRecord): number =>
  (a.startsAt ?? '').localeCompare(b.startsAt ?? '');
