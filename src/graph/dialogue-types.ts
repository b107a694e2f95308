import type { DialogueState, Session } from '../core/domain/session.js';
import type { Sentences } from '../core/i18n/index.js';
import type { GraphDeps } from './graph-deps.js';
import type { HubStateType } from './state.js';

/** What is said about records, and what the conversation is about then. */
export interface RecordAnswer {
  readonly text: string;
  readonly state: DialogueState;
  /** True where it asks which record is meant. */
  readonly asks?: boolean;
  /** True where every word of the message is explained by it, whatever triage hears in one of them. */
  readonly isExact?: boolean;
}

/** One turn, as its dialogue acts see it. */
export interface DialogueTurn {
  readonly deps: GraphDeps;
  readonly graph: HubStateType;
  readonly session: Session;
  readonly text: string;
  readonly state: DialogueState;
  /** The article that was quoted last, where the message says that it is not about that. */
  readonly away?: DialogueState['article'];
  readonly texts: Sentences;
}
