/** A stretch of time, with other readings of the same words, likeliest first. Instants are ISO 8601 UTC; `to` is no longer meant. */
export interface DaySpan {
  readonly from: string;
  readonly to: string;
  readonly alternatives: readonly { readonly from: string; readonly to: string }[];
}

/** What a list of records is narrowed down to, as far as a text says it. */
export interface RecordFilters {
  /** On one of these; any time where there is none. */
  readonly days: readonly DaySpan[];
  /** On one of these days of the week, Sunday being 0; any where there is none. */
  readonly weekdays: readonly number[];
  /** Beginning at such an hour of the day, where the company is; null: any. */
  readonly hours: { readonly from: number; readonly to: number } | null;
  /** In one of these places, as the entity names them; anywhere where there is none. */
  readonly places: readonly string[];
  /** What it may cost, in minor units, both ends included; null: anything. */
  readonly price: { readonly least: number; readonly most: number } | null;
  /** True where only what still has places is wanted. */
  readonly left: boolean;
}

/** Everything is wanted. */
export const NO_FILTERS: RecordFilters = {
  days: [],
  weekdays: [],
  hours: null,
  places: [],
  price: null,
  left: false,
};

/** A list that was shown or is asked for, which the next message may narrow down otherwise. */
export interface RecordList {
  /** True for what the customer has, false for what anybody may choose from. */
  readonly own: boolean;
  /** Id of the entity; null: the one that customers have most to do with. */
  readonly entity: string | null;
  /** The intent that the company answered with it, where that is not the plain list of the entity: what was paid. */
  readonly intent?: string | null;
  readonly filters: RecordFilters;
}
