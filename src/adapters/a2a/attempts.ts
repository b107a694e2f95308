import { type ErrorCode, HubError, toHubError } from '../../core/errors.js';
import type { RemoteCallOptions, RemoteTry } from '../../core/ports/remote-agents.js';
import type { Log } from '../../core/ports/system.js';
import { linkSignals, pause } from '../../core/signals.js';
import { CircuitBreaker, type Passage } from '../models/circuit.js';
import type { AgentSettings } from './agent-file.js';
import { cancelled, Unreachable, unreachable } from './faults.js';

/** How long is waited for what, in milliseconds where nothing else is said. */
export interface CallTimings {
  /** Before the second try; each further one waits twice as long, with chance in it. */
  readonly backoffMs: number;
  readonly maxBackoffMs: number;
  /** A longer `Retry-After` than this is not waited for: the call fails at once. */
  readonly maxRetryAfterMs: number;
  /** Before a task is looked at again; grows up to the second figure. */
  readonly pollMs: number;
  readonly maxPollMs: number;
  /** Failed calls in a row that keep further ones away. */
  readonly circuitFailures: number;
  /** For how long they are kept away. */
  readonly circuitPauseMs: number;
  /** Milliseconds of a clock that only goes forward: the time of calls, and the pause of the circuit. */
  readonly now: () => number;
  /** How long a card counts as fresh: at least, at most, and where it does not say. */
  readonly cardMinMs: number;
  readonly cardMaxMs: number;
  readonly cardDefaultMs: number;
  /** How long an old card is used where no newer one can be had. */
  readonly cardStaleMs: number;
  /** After a card could not be read, how long nobody tries again. */
  readonly cardRetryMs: number;
}

export const CALL_TIMINGS: CallTimings = {
  backoffMs: 200,
  maxBackoffMs: 2_000,
  maxRetryAfterMs: 5_000,
  pollMs: 250,
  maxPollMs: 2_000,
  circuitFailures: 3,
  circuitPauseMs: 20_000,
  now: () => performance.now(),
  cardMinMs: 60_000,
  cardMaxMs: 3_600_000,
  cardDefaultMs: 300_000,
  cardStaleMs: 86_400_000,
  cardRetryMs: 10_000,
};

/** What a call is, for log and trace. */
export interface Call {
  readonly way: RemoteTry['way'];
  readonly skill: string | null;
  readonly options: Pick<RemoteCallOptions, 'signal' | 'onTry'>;
}

/** How long one try may take, and what ends it. */
export interface Limit {
  readonly signal: AbortSignal;
  /** For one exchange, or less where the whole call is nearly over. */
  timeoutMs(): number;
  /** Of `performance.now()`, when the whole call is over. */
  readonly ends: number;
}

interface AttemptsOptions {
  readonly settings: AgentSettings;
  readonly timings: CallTimings;
  readonly log: Log;
  /** Ends all calls when the hub stops. */
  readonly closing: AbortSignal;
}

/**
 * Tries of the calls to one agent. What may go better in a moment (network, time, 5xx, 429) is tried again, each time
 * later; several calls that got no answer keep further ones away for a while.
 */
export class Attempts {
  readonly #options: AttemptsOptions;
  readonly #circuit: CircuitBreaker;

  constructor(options: AttemptsOptions) {
    this.#options = options;
    const { log, timings, settings } = options;
    const logAction = (action: string) => () =>
      log.warn({ agent: 'remote', action, details: { remote: settings.name } });
    this.#circuit = new CircuitBreaker({
      threshold: timings.circuitFailures,
      pauseMs: timings.circuitPauseMs,
      now: timings.now,
      onOpen: logAction('remote_circuit_open'),
      onClose: logAction('remote_circuit_closed'),
    });
  }

  /**
   * Does the work, again where that may help. It must be the same each time: what it sends carries the same key.
   * @throws HubError `remote_unreachable` where it never succeeds, `cancelled`, and whatever else the work throws
   */
  async run<T>(call: Call, work: (limit: Limit) => Promise<T>): Promise<T> {
    const { settings, closing, timings } = this.#options;
    const passage = this.#circuit.enter();
    if (passage === 'barred') throw this.#barred(call);
    const link = linkSignals(call.options.signal, closing);
    const ends = timings.now() + 2 * settings.timeoutMs;
    const timeoutMs = (): number => Math.max(1, Math.min(settings.timeoutMs, ends - timings.now()));
    try {
      const result = await this.#tries(call, passage, { signal: link.signal, timeoutMs, ends }, work);
      this.#circuit.succeeded();
      return result;
    } catch (error) {
      this.#settle(passage, error);
      throw error;
    } finally {
      link.release();
    }
  }

  async #tries<T>(
    call: Call,
    passage: Passage,
    limit: Limit,
    work: (limit: Limit) => Promise<T>,
  ): Promise<T> {
    const { settings, timings } = this.#options;
    // The one call that looks whether the agent is back does not press it.
    const last = passage === 'trial' ? 1 : 1 + settings.retries;
    let certain = true;
    for (let attempt = 1; ; attempt += 1) {
      const since = performance.now();
      try {
        if (limit.signal.aborted) throw cancelled(settings.name, limit.signal.reason);
        const result = await work(limit);
        this.#report(call, attempt, since, null);
        return result;
      } catch (error) {
        if (!(error instanceof Unreachable)) {
          this.#report(call, attempt, since, toHubError(error));
          throw error;
        }
        certain &&= error.certain;
        const end = unreachable(settings.name, error, attempt, certain);
        this.#report(call, attempt, since, end);
        const wait = waitOf(error, attempt, timings);
        if (attempt === last || wait === null || timings.now() + wait >= limit.ends) throw end;
        if (!(await pause(wait, limit.signal))) throw cancelled(settings.name, limit.signal.reason);
      }
    }
  }

  #settle(passage: Passage, error: unknown): void {
    const code: ErrorCode | null = error instanceof HubError ? error.code : null;
    if (code === 'remote_unreachable') this.#circuit.failed(passage);
    // It answered, if not as was hoped; an address that is refused, or a caller that left, says nothing about it.
    else if (code === 'remote_refused' && error instanceof HubError && error.fields.status === 429)
      this.#circuit.abandoned(passage);
    else if (code === 'remote_refused' || code === 'remote_failed' || code === 'remote_bad_answer')
      this.#circuit.succeeded();
    else this.#circuit.abandoned(passage);
  }

  #barred(call: Call): HubError {
    const { name } = this.#options.settings;
    const message = `The agent ${name} did not answer several times and is left alone for a moment.`;
    const error = new HubError('remote_unreachable', message, { agent: name, attempts: 0, certain: true });
    this.#report(call, 1, performance.now(), error);
    return error;
  }

  #report({ way, skill, options }: Call, attempt: number, since: number, error: HubError | null): void {
    const { settings, log } = this.#options;
    const ms = Math.round(performance.now() - since);
    const code = error?.code ?? null;
    options.onTry?.({ agent: settings.name, way, skill, attempt, ok: error === null, code, ms });
    const reason = error === null ? {} : { code, reason: error.message };
    const details = { remote: settings.name, way, skill, attempt, ok: error === null, ms, ...reason };
    const entry = { agent: 'remote', action: 'remote_call', details };
    if (error === null || error.code === 'cancelled') log.info(entry);
    else log.warn(entry);
  }
}

/** Milliseconds until the next try; null where the agent asks for more than a caller can wait. */
function waitOf(fault: Unreachable, attempt: number, timings: CallTimings): number | null {
  if (fault.waitMs !== null && fault.waitMs > timings.maxRetryAfterMs) return null;
  const most = Math.min(timings.maxBackoffMs, timings.backoffMs * 2 ** (attempt - 1));
  return Math.max(fault.waitMs ?? 0, most / 2 + (Math.random() * most) / 2);
}
