import type { EntityRecord } from '../core/domain/entity.js';
import type { Sentences } from '../core/i18n/index.js';

/** One of the customer's records as a tool lists it. */
export type ListedRecord = Pick<
  EntityRecord,
  'id' | 'title' | 'status' | 'startsAt' | 'place' | 'upcoming' | 'attributes'
> &
  Partial<Pick<EntityRecord, 'amount'>>;

/** What a change is made to, where the customer may have several. */
export interface ActionTarget {
  /** Id of the company's entity; a tool of the same agent lists its records. */
  readonly entity: string;
  /** The input that takes the record's id. */
  readonly input: string;
  /**
   * The records that a request for this change may be about.
   * @param said what the customer says has become of it, by the names that the entity declares
   */
  eligible(records: readonly ListedRecord[], said: ReadonlySet<string>): readonly ListedRecord[];
  /** Name of the tool that is right for this record in place of this one; null where this one is. */
  instead?(record: ListedRecord): string | null;
}

/** What an operator chooses an action's object from, where that is no record of an entity: a payment, a refund. */
export interface OperatorPicks<Deps> {
  /** The input that takes the id. What else the action takes follows from it: the operator is asked for nothing more. */
  readonly input: string;
  /** Those that the rules let it be done to at this moment, titled as people call them. */
  among(
    deps: Deps,
    customerId: string,
    texts: Sentences,
  ): Promise<readonly Pick<EntityRecord, 'id' | 'title' | 'startsAt' | 'amount'>[]>;
}
