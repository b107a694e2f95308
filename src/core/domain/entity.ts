import type { Language } from './taxonomy.js';

/** Words in every language, in the singular, lower case, without accents. */
export type WordsByLanguage = Readonly<Record<Language, readonly string[]>>;

/** How customers speak of one kind of the company's records. */
export interface EntityWords {
  readonly id: string;
  /** What its records are called together, as a heading, by language. */
  readonly label?: Readonly<Record<Language, string>>;
  /** What it is called. */
  readonly nouns: WordsByLanguage;
  /** Other words for one, which its title may follow ("ticket for ..."). */
  readonly also: WordsByLanguage;
  /** What it is for: words that stand for one where nothing else can be meant ("the second concert"). */
  readonly kinds: WordsByLanguage;
  /** What belongs to it and is counted by itself, under the names that tools use, and what customers call that. */
  readonly parts: Readonly<Record<string, WordsByLanguage>>;
  /** True where a customer has at most one, so that it needs no name. */
  readonly single: boolean;
  /** How its ids are written; null where customers see none. */
  readonly ids: {
    /** Before the number; the first as in the records, the others as customers shorten it. */
    readonly prefixes: readonly [string, ...string[]];
    /** A letter that does alone, before a number of enough digits; null where there is none. */
    readonly letter: string | null;
    /** Digits of a number at least: fewer are filled up with zeros. */
    readonly digits: number;
  } | null;
  /** What customers say has become of one, by the name that the tools know it under. */
  readonly said: Readonly<Record<string, WordsByLanguage>>;
  /** Words for the topics of questions about the customer's own records, by the name that `asks` uses. */
  readonly topics?: Readonly<Record<string, WordsByLanguage>>;
  /**
   * Questions that the customer's own records answer, by the name of the answer. Each rule lists the topics and kinds of question that a
   * part of a message must contain, or must not (`charge when -past`); one rule that applies is enough.
   */
  readonly asks?: Readonly<Record<string, readonly string[]>>;
  /** Those of them that only an operator can answer. */
  readonly asks_person?: readonly string[];
  /** Those of them that articles answer, whatever else the message says: a question about a lost item is not about the visit. */
  readonly asks_article?: readonly string[];
  /** Those of them that may name a record of another entity, although a customer has only one of these: what was paid for or refunded. */
  readonly asks_named?: readonly string[];
  /** Topics and kinds that exclude all of them, except where a rule names them. */
  readonly asks_not?: readonly string[];
  /** Topics by which a part of a message asks on about those of the question before it, whatever other words it has. */
  readonly asks_on?: readonly string[];
  readonly titles: {
    /** Words that mean the same in a title, whatever the language or the form; the first stands for all. */
    readonly same: readonly (readonly string[])[];
    /** Words of so many titles that they name none alone. */
    readonly common: readonly string[];
    /** Ordinary words of requests about it, never a slip of a title's word. */
    readonly never: readonly string[];
  };
  /** Where they are, and how customers shorten it. */
  readonly places: readonly {
    readonly name: string;
    readonly also: readonly string[];
    /** "No Rio de Janeiro": how it is written behind a noun, in languages where that is not as for the others. */
    readonly in: Readonly<Partial<Record<Language, string>>>;
  }[];
  /** What customers ask about one, in the order of the file. */
  readonly attributes: readonly EntityAttribute[];
}

/**
 * How a value is written for customers; `left` is a number, of how many there still are, `until` how far off a time is, `day` a day of
 * the calendar, of which no time is told.
 */
export const ATTRIBUTE_KINDS = ['text', 'time', 'day', 'until', 'money', 'number', 'left'] as const;
type AttributeKind = (typeof ATTRIBUTE_KINDS)[number];

/** One thing that customers ask about a record. */
export interface EntityAttribute {
  /** The branch of the sentence `record_fact` that says it, where it has no sentence of its own. */
  readonly id: string;
  /** Its own sentence by language, filled with the record's `title` and the `value`. */
  readonly says?: Readonly<Record<Language, string>> | undefined;
  /** Where it stands: a field that every record has, or one of its own attributes. */
  readonly of: string;
  readonly as: AttributeKind;
  /** How it is asked for: regular expressions over text without accents and case. */
  readonly asked: WordsByLanguage;
  /** What a sentence of a text says where it tells this (regular expressions, as above); empty: the whole text does. */
  readonly told: readonly string[];
  /** True where the help centre has a rule for all of them: said of a record only where its text tells it. */
  readonly toldOnly: boolean;
  /** True where it is asked of one record that is named or spoken of and of nothing else: a rule of the company as it is for that one. */
  readonly facet: boolean;
  /** How a few words after it was told ask on about it, and of nothing else. */
  readonly goesOn: WordsByLanguage;
  /** An attribute of the record without which this one is not asked about; with it, this is what the words ask for. */
  readonly only: string | null;
}

/** One thing that a record says of itself. Times are ISO 8601 UTC, money is in minor units of its currency (ISO 4217). */
export type RecordFact =
  | { readonly label: string | null; readonly type: 'text' | 'time'; readonly value: string }
  | { readonly label: string | null; readonly type: 'number'; readonly value: number }
  | {
      readonly label: string | null;
      readonly type: 'money';
      readonly value: number;
      readonly currency: string;
    };

/** One of a customer's records as an operator sees it. A fact without a label says by itself what it is. */
export interface RecordRow {
  readonly id: string;
  readonly title: string;
  readonly status: { readonly value: string; readonly label: string; readonly tone: RecordTone } | null;
  readonly facts: readonly RecordFact[];
}

/** How a status stands out: as usual, well, asking for attention, wrong. */
export const RECORD_TONES = ['plain', 'good', 'warn', 'bad'] as const;
export type RecordTone = (typeof RECORD_TONES)[number];

/** Records of one kind: what there is one of (`facts`), or any number (`list`). Labels are in the reader's language. */
export interface RecordSection {
  readonly id: string;
  readonly label: string;
  readonly kind: 'facts' | 'list';
  /** What is said where the customer has no such record. */
  readonly empty: string;
  readonly rows: readonly RecordRow[];
}

/** One record of a customer's, whatever the company calls it. */
export interface EntityRecord {
  /** Id of its entity. */
  readonly entity: string;
  readonly id: string;
  /** As customers name it. */
  readonly title: string;
  /** As the company's database has it. */
  readonly status: string;
  /** ISO 8601 UTC; null where it happens at no time. */
  readonly startsAt: string | null;
  readonly place: string | null;
  /** What was paid for it. */
  readonly amount: { readonly minorUnits: number; readonly currency: string } | null;
  /** True where it is still to come. */
  readonly upcoming: boolean;
  /** What else there is to ask about it. */
  readonly attributes: Readonly<Record<string, string | number | boolean | null>>;
}

/** What can be read of an input in a customer's own words. */
export type InputReading =
  | {
      readonly kind: 'choice';
      /** By value: what customers call it, in each language. */
      readonly options: ReadonlyMap<string, Readonly<Partial<Record<Language, readonly string[]>>>>;
      /** True where several may be meant at once: the value is a list. */
      readonly several: boolean;
    }
  /** One of the customer's records, chosen among those that were read. */
  | { readonly kind: 'record'; readonly entity: string }
  /** Things of which each is told by itself: a list of them, or one where `max` is null. */
  | { readonly kind: 'items'; readonly fields: readonly AskedInput[]; readonly max: number | null }
  | { readonly kind: 'number' | 'money' | 'date' | 'yes_no' | 'text' | 'other' };

/** An input of a tool that a customer's words fill where no model does, and that is asked for where they do not. */
export interface AskedInput {
  readonly name: string;
  readonly reading: InputReading;
  /** False where the tool can be called without it. */
  readonly required: boolean;
}

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
