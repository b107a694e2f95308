import type { JsonObject, JsonValue } from '../../core/domain/json.js';
import type { Clock, Log } from '../../core/ports/index.js';

/** What a handler may use beside its input. */
export interface HandlerTools {
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
