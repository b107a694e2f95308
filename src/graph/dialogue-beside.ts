import { afterShowing, type ReadMessage } from '../dialogue/index.js';
import { aboutRecords, namedAhead, ownRecords } from './dialogue-records.js';
import type { DialogueTurn, RecordAnswer } from './dialogue-types.js';

/** What was answered from records. */
export interface BesideOthers extends RecordAnswer {
  /** What else the message asks for; empty where nothing. */
  readonly rest: string;
}

/** From here on what stands beside a question about a record is a request of its own. */
const OWN_REQUEST = 0.5;

/**
 * Answers the parts of a message that ask about records, each by itself: "does she need a ticket? and what time is it?".
 * @returns null where none does
 */
export async function besideOthers(turn: DialogueTurn): Promise<BesideOthers | null> {
  const { deps, session, text } = turn;
  const named = await namedAhead(turn);
  let state = named ? afterShowing(turn.state, [named]) : turn.state;
  const answers: string[] = [];
  const rest: string[] = [];
  for (const part of deps.dialogue.partsOf(text)) {
    const read = deps.dialogue.read(part);
    const one =
      read && read.asked.length > 0 ? await aboutRecords({ ...turn, text: part, state }, read) : null;
    if (one && one.asks !== true) {
      answers.push(one.text);
      state = one.state;
    } else rest.push(part);
  }
  if (answers.length === 0) return null;
  const left = rest.join(' ').trim();
  const requests = left === '' ? [] : deps.language.requests(left, session.language);
  const isAsked = requests.some(({ confidence }) => confidence >= OWN_REQUEST) || left.includes('?');
  return { text: answers.join(' '), state, rest: isAsked ? left : '' };
}

/** True where one of several requests of a message is a change: "Cancel the film club. When do I pay next?" */
export function changesToo({ deps, graph }: DialogueTurn): boolean {
  const { requests = [] } = graph.classification ?? {};
  return requests.length > 1 && requests.some(({ route }) => deps.agents.changes(route));
}

/** "My friend is reading along, where is it exactly?": asked of what is spoken of, whatever is told beside it. */
export async function askedBesideAside(
  turn: DialogueTurn,
  { asked }: ReadMessage,
): Promise<RecordAnswer | null> {
  const { deps, state, text } = turn;
  if (state.focus === null || asked.length === 0) return null;
  const parts = text.split(/,\s+|\s+[-\u2013\u2014]\s+/);
  const asking = parts.filter((part) => (deps.dialogue.read(part)?.asked.length ?? 0) > 0);
  const [question] = asking;
  const read = question === undefined ? null : deps.dialogue.read(question);
  const asides = parts.filter((part) => part !== question);
  if (question === undefined || !read?.points || read.rest.length > 0) return null;
  if (asking.length > 1 || asides.length === 0 || asides.some(deps.dialogue.asksFor)) return null;
  // "And her plan, when does it renew?" is asked of no booking.
  const spoken = state.shown.find(({ id }) => id === state.focus)?.entity;
  const own = await ownRecords(turn);
  const isOther = own.some(
    ({ entity }) => entity !== spoken && asides.some((part) => deps.language.isCalled(part, entity)),
  );
  if (isOther) return null;
  return aboutRecords({ ...turn, text: question }, read);
}
