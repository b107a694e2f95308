import type { EntityRecord } from '../domain/entity.js';
import type { Language } from '../domain/taxonomy.js';
import type { ENGINE_TEXTS, EngineText, TextFamily } from './engine-texts.js';

/** What a sentence is filled with. Null and the empty text choose its `none`, true and false its `yes` and `no`. */
export type TextValue = string | number | boolean | null;
export type TextValues = Readonly<Record<string, TextValue>>;

type ValuesOf<Key extends EngineText> = (typeof ENGINE_TEXTS)[Key][number] extends never
  ? readonly []
  : readonly [values: Readonly<Record<(typeof ENGINE_TEXTS)[Key][number], TextValue>>];

/** What the hub says to customers and operators, in one language. Values that come in are already formatted. */
export interface Sentences {
  readonly language: Language;
  /** One of the engine's sentences, in the company's words where it has its own. */
  say<Key extends EngineText>(key: Key, ...values: ValuesOf<Key>): string;
  /** One of a family, or the family's `other`. @returns the empty text where it has neither */
  sayOf(family: TextFamily, member: string): string;
  /** A sentence that only the company has. @throws HubError `config_invalid` where it has none of that key */
  sayOwn(key: string, values?: TextValues): string;
  /** An amount of the company's currency, from its smallest unit: `US$ 45.90`. */
  money(minorUnits: number): string;
  /** "a, b and c". */
  list(items: readonly string[]): string;
}

/** The sentences of a company in each of its languages. */
export interface Texts {
  /** In the company's order of preference. */
  readonly languages: readonly Language[];
  for(language: Language): Sentences;
}

/** What happens next, and when. */
export interface NextStep {
  /** The latest time of a person's answer; null where it should have come by now. */
  readonly by: string | null;
  readonly outOfHours: boolean;
}

/** A first sentence, and when a person answers. */
export function withNextStep(texts: Sentences, first: string, { by, outOfHours }: NextStep): string {
  return `${first} ${texts.say('next_step', { by, out_of_hours: outOfHours })}`;
}

/** An operator's no, with the reason as a part of the sentence. */
export function declinedText(texts: Sentences, reason: string | null): string {
  return texts.say('operator_declined', { reason: reason?.replace(/[.!?\s]+$/, '') ?? null });
}

/** That a yes of an operator changes nothing, and why. @param code of the refusal */
export function cannotRun(texts: Sentences, code: string): string {
  return texts.say('cannot_run', { why: texts.sayOf('impossible', code) });
}

/** What a record's status means to its customer, as a sentence. */
export function statusText(
  texts: Sentences,
  {
    entity,
    title,
    status,
    upcoming,
    place,
  }: Pick<EntityRecord, 'entity' | 'title' | 'status' | 'upcoming' | 'place'>,
): string {
  const value = statusName(texts, entity, status);
  const named = { entity, title, value, upcoming, place };
  return texts.say('record_fact', { ...named, attribute: 'status', page: null, again: false });
}

/** How a status of a record is spoken of; as the company's data have it where no text says it. */
export function statusName(texts: Sentences, entity: string, status: string): string {
  return texts.sayOf('status', `${entity}.${status}`) || status;
}
