import type { Language } from './taxonomy.js';

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
  | { readonly kind: 'number' | 'money' | 'date' | 'yes_no' | 'text' | 'other' };

/** An input of a tool that a customer's words fill where no model does, and that is asked for where they do not. */
export interface AskedInput {
  readonly name: string;
  readonly reading: InputReading;
  /** False where the tool can be called without it. */
  readonly required: boolean;
}
