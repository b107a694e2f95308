import type { JsonObject, JsonValue } from '../../core/domain/json.js';
import { HubError } from '../../core/errors.js';
import type { Clock, Log } from '../../core/ports/index.js';

/** @throws HubError `input_invalid` where it is no text; an absent one is `fallback` where that is given */
export function textInput(input: JsonObject, name: string, fallback?: string): string {
  return typed(input, name, fallback, (value): value is string => typeof value === 'string', 'a text');
}

/** @throws HubError `input_invalid` where it is no number; an absent one is `fallback` where that is given */
export function numberInput(input: JsonObject, name: string, fallback?: number): number {
  return typed(input, name, fallback, (value): value is number => typeof value === 'number', 'a number');
}

/** @throws HubError `input_invalid` where it is no list of texts, or has more than `max` */
export function textsInput(input: JsonObject, name: string, max: number): readonly string[] {
  const isTexts = (value: JsonValue): value is readonly string[] =>
    Array.isArray(value) && value.length <= max && value.every((one) => typeof one === 'string');
  return typed(input, name, undefined, isTexts, `a list of at most ${max} texts`);
}

/** Milliseconds since 1970. @throws HubError `input_invalid` where it is no ISO 8601 time */
export function timeInput(input: JsonObject, name: string, fallback?: number): number {
  const value = input[name];
  if (value === undefined && fallback !== undefined) return fallback;
  const at = typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(at)) throw wrong(name, 'an ISO 8601 time');
  return at;
}

function typed<T extends JsonValue>(
  input: JsonObject,
  name: string,
  fallback: T | undefined,
  is: (value: JsonValue) => value is T,
  what: string,
): T {
  const value = input[name];
  if (value === undefined && fallback !== undefined) return fallback;
  if (value === undefined || !is(value)) throw wrong(name, what);
  return value;
}

function wrong(name: string, what: string): HubError {
  return new HubError('input_invalid', `${name} must be ${what}.`, { field: name });
}

/** What a handler may use beside its input. */
interface HandlerTools {
  /** Aborts when the run is stopped or out of time. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly log: Log;
  /** The company's, ISO 4217; absent where no company is known. */
  readonly currency?: string | undefined;
}

/**
 * A function that a skill's `implementation: { type: ts_function, handler: NAME }` runs. The input was checked against the
 * skill's `input_schema`; what it returns is checked against its `output_schema`.
 * @throws HubError `input_invalid` where a value cannot be used
 */
export type Handler = (input: JsonObject, tools: HandlerTools) => Promise<JsonValue>;
