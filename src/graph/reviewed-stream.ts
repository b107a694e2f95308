import type { Session, ToolTrace } from '../core/domain/session.js';
import type { ToolRoster } from '../runtime/define-tool.js';
import type { TurnEvidence } from './claims/turn-evidence.js';
import { reviewText, withoutCitations } from './review-rules.js';

/** What the sentences of an answer are checked against. */
export interface Evidence {
  readonly trace: readonly ToolTrace[];
  readonly session: Session;
  /** Tells what the calls did. */
  readonly roster: ToolRoster;
  /** Who says it. */
  readonly agent?: string | undefined;
  /** All that the turn knows, where the hub's own model wrote them. */
  readonly known?: TurnEvidence | undefined;
}

/** One message of an agent on its way out. */
interface Passage {
  readonly id: string;
  /** As the model wrote it, citation marks and all. */
  raw: string;
  /** What the customer has seen of it. */
  shown: string;
  /** True once nothing more of it may be shown. */
  closed: boolean;
}

/** A sentence is over where its mark is followed by space, or at the end of a line; the number of a list item is none. */
const SENTENCE_END = /(?<!^\s*\d{1,3})[.!?…]["”')\]]*\s|\n/gm;

/**
 * Shows the answer of a turn while it is written: sentence by sentence, each one after what was written so far has
 * passed review. What was shown cannot be taken back, so where it turns out not to be the beginning of the answer,
 * nothing more is shown and the finished message carries the truth.
 */
export class ReviewedStream {
  #shown = '';
  #passage: Passage | null = null;
  #stopped = false;

  constructor(private readonly show: (text: string) => void) {}

  /** Adds what a model wrote. @param id tells the messages of a turn apart */
  write(id: string, text: string, evidence: Evidence): void {
    const passage = this.#enter(id);
    passage.raw += text;
    if (text === '') return;
    this.#release(passage, withoutCitations(passage.raw.slice(0, lastSentenceEnd(passage.raw))), evidence);
  }

  /** The message was no answer after all: it calls a tool, or began anew. */
  withdraw(id: string): void {
    const passage = this.#enter(id);
    passage.closed = true;
    if (passage.shown !== '') this.#stopped = true;
  }

  /** An agent's finished answer: the rest of what was streamed, or all of it where it did not come from a model. */
  settle(text: string, evidence: Evidence): void {
    const answer = withoutCitations(text);
    // What was not shown while it was written may still be shown as a whole.
    const passage = this.#passage?.shown ? this.#passage : { id: '', raw: '', shown: '', closed: false };
    this.#release(passage, answer, evidence);
    if (passage.shown !== answer && passage.shown !== '') this.#stopped = true;
    this.#passage = null;
  }

  /** Words of the hub's own. */
  say(text: string): void {
    this.#emit(this.#shown === '' ? text : `\n\n${text}`);
  }

  /** The whole reply of the turn: what is missing of it is shown now, if the rest was its beginning. */
  finish(reply: string): void {
    if (reply.startsWith(this.#shown)) this.#emit(reply.slice(this.#shown.length));
  }

  #enter(id: string): Passage {
    if (this.#passage?.id === id) return this.#passage;
    // A message that was followed by another one was not the agent's answer.
    if (this.#passage && this.#passage.shown !== '') this.#stopped = true;
    this.#passage = { id, raw: '', shown: '', closed: false };
    return this.#passage;
  }

  #release(passage: Passage, text: string, { trace, session, roster, agent, known }: Evidence): void {
    if (passage.closed || this.#stopped || text === passage.shown) return;
    if (!text.startsWith(passage.shown) || reviewText(text, trace, session, roster, agent, known) !== null) {
      passage.closed = true;
      return;
    }
    const first = passage.shown === '' && this.#shown !== '';
    this.#emit(`${first ? '\n\n' : ''}${text.slice(passage.shown.length)}`);
    passage.shown = text;
  }

  #emit(text: string): void {
    if (this.#stopped || text === '') return;
    this.#shown += text;
    this.show(text);
  }
}

/** Where the last finished sentence ends; 0 where none is, or where a citation mark is only half there. */
function lastSentenceEnd(text: string): number {
  const end = [...text.matchAll(SENTENCE_END)].at(-1);
  if (!end) return 0;
  const until = end.index + end[0].length;
  const part = text.slice(0, until);
  return part.lastIndexOf('[') > part.lastIndexOf(']') ? 0 : until;
}
