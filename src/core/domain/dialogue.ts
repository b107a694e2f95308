import type { EntityRecord } from './entity.js';
import type { RecordList } from './record-filters.js';

/** What a customer goes through, beside what they ask for. */
export const LIFE_EVENTS = ['grief', 'trouble', 'joy'] as const;
export type LifeEvent = (typeof LIFE_EVENTS)[number];

/**
 * What a conversation is about, as far as it must outlive a turn. Kept with the graph's state, so that a restart or a
 * question that pauses a turn does not lose it.
 */
export interface DialogueState {
  /** The records that the customer was shown last, in the order in which they stood. */
  readonly shown: readonly EntityRecord[];
  /** Which of them is spoken of; null where several were shown and none was picked. */
  readonly focus: string | null;
  /** The attribute of a record that was asked about last ("and the third?"). */
  readonly asked: string | null;
  /** The question that was asked last, whole ("and in cash?" asks it again); null where the last message asked none. */
  readonly question?: string | null;
  /** What was looked up last for anybody to choose from, as it was asked for ("and in Rio?" changes a part of it). */
  readonly looked?: { readonly tool: string; readonly args: Readonly<Record<string, unknown>> } | null;
  /** The list that was shown last ("and in December?" narrows it down otherwise). */
  readonly listed?: RecordList | null;
  /** The article that the last answer was taken from. */
  readonly article: { readonly articleId: string; readonly title: string } | null;
  /** The symptom that was looked into last, in the customer's words, until something else is answered; null where none was. */
  readonly symptom?: string | null;
  /** How often in a row the hub has said that something did not help or was not understood. */
  readonly stuck: number;
  /** What the last answer did, where it did more than answer. */
  readonly last?: 'answered' | 'done' | 'escalated';
  /** Why the change that was asked for last could not be made, as the customer read it; null where none was refused. */
  readonly refused?: string | null;
}

export const NEW_DIALOGUE: DialogueState = {
  shown: [],
  focus: null,
  asked: null,
  article: null,
  stuck: 0,
};
