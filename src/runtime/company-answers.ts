import type { EntityRecord } from '../core/domain/entity.js';
import type { RecordFilters } from '../core/domain/record-filters.js';
import type { Sentences, TimeFormat } from '../core/i18n/index.js';
import type { OfflineStep } from '../core/ports/offline-policy.js';
import type { AgentContext } from './agent-state.js';
import type { AnyTool, ListedRecord } from './define-tool.js';

/** What of a record a list is narrowed down by. */
type Filtered = Pick<EntityRecord, 'place' | 'startsAt' | 'attributes'> &
  Partial<Pick<EntityRecord, 'amount'>>;

/** What a text narrows a list down to. */
export interface Narrowed {
  readonly own: RecordFilters;
  /** With what was said of the list that was shown last. */
  readonly merged: RecordFilters;
  /** True where it narrows something down by itself. */
  readonly narrows: boolean;
}

/** A request as a company's own answers see it. */
export interface Asked {
  readonly context: AgentContext;
  /** The customer's intent, one of the company's or the engine's. */
  readonly intent: string;
  /** True where the agent has an answer of its own, such as an article. */
  readonly answered: boolean;
  /** Names of the tools that may be called. */
  readonly toolNames: readonly string[];
  /** True where the program that speaks for the customer may use this tool. */
  may(tool: string): boolean;
  /**
   * Calls a tool with what the customer's words give of its inputs, or asks for the first that is missing.
   * @param known what is known of them beside these words
   * @param among the records of which one is missing
   */
  call(
    tool: AnyTool,
    known?: Readonly<Record<string, unknown>>,
    among?: readonly ListedRecord[],
  ): OfflineStep;
  readonly texts: Sentences;
  readonly time: TimeFormat;
  /** Stretches of time that the text names, or what it was written with (`task.within`), in the order written. */
  dates(): readonly NamedDate[];
  /** Names of what the text says has become of a record of this entity, as the entity declares them. */
  said(entity: string): ReadonlySet<string>;
  /** The declared questions about the customer's own records that the request asks, in its order; empty where none. */
  readonly asks: readonly string[];
  /** What the text narrows a list down to; with what stood before it, where it only changes that. */
  readonly filters: RecordFilters;
  /** True where a record of the entity is one of those. */
  fits(record: Filtered, entity: string, filters?: RecordFilters): boolean;
  /** What a text alone narrows a list down to, by itself and as a change of the list that was shown last. */
  narrowed(text: string): Narrowed;
  /** True where not everything is wanted. */
  narrows(filters: RecordFilters): boolean;
  /** What a list was narrowed down to, in words that follow what it is of; null where it was not. */
  narrowedTo(filters: RecordFilters): string | null;
  /** What the message says by itself: a short one comes with the message before it. */
  readonly own: string;
  /** Which of the records a text names, the whole request where none is given; null where it names none, or several. */
  named(records: readonly ListedRecord[], text?: string): string | null;
}

/** A stretch of time, and where the text names it. Instants are ISO 8601 UTC; `to` is the first that is not meant. */
interface NamedDate {
  readonly from: string;
  readonly to: string;
  readonly start: number;
  readonly end: number;
  /** Other readings of the same words, likeliest first. */
  readonly alternatives: readonly { readonly from: string; readonly to: string }[];
}

/**
 * How a company answers without a model what only it knows how to say. Deterministic: the same request gives the same step.
 * @returns null where the engine should answer
 */
export type CompanyAnswer = (asked: Asked) => OfflineStep | null;

/** A company's answers, by name of the agent that is asked. */
export type CompanyAnswers = Readonly<Record<string, CompanyAnswer>>;
