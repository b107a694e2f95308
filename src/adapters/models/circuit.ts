import type { Log } from '../../core/ports/system.js';
import type { ModelCallReport } from './failure.js';

/** How a call may go to the provider: freely, as the one trial after a pause, or not at all. */
export type Passage = 'free' | 'trial' | 'barred';

export interface CircuitOptions {
  /** Failed calls in a row that open the circuit. */
  readonly threshold?: number;
  /** How long it stays open before one call may try. */
  readonly pauseMs?: number;
  /** Milliseconds of a clock that only goes forward. */
  readonly now?: () => number;
  readonly onOpen?: () => void;
  readonly onClose?: () => void;
}

/**
 * Keeps calls away from a provider that is down. Failures are counted by call, after its retries, and not by attempt:
 * with many calls side by side a few stray 500s in a row are likely, and must not turn a whole batch offline.
 * Calls that find it open, or a trial on its way, do not wait.
 */
export class CircuitBreaker {
  readonly #threshold: number;
  readonly #pauseMs: number;
  readonly #now: () => number;
  readonly #onOpen: () => void;
  readonly #onClose: () => void;
  #failures = 0;
  #openUntil: number | undefined;
  #trial = false;
  #lastSuccess = Number.NEGATIVE_INFINITY;

  constructor(options: CircuitOptions = {}) {
    this.#threshold = options.threshold ?? 3;
    this.#pauseMs = options.pauseMs ?? 20_000;
    this.#now = options.now ?? (() => performance.now());
    this.#onOpen = options.onOpen ?? (() => undefined);
    this.#onClose = options.onClose ?? (() => undefined);
  }

  get isOpen(): boolean {
    return this.#openUntil !== undefined;
  }

  /** Asks for passage. Every passage that is not barred must be answered by succeeded, failed or abandoned. */
  enter(): Passage {
    if (this.#openUntil === undefined) return 'free';
    if (this.#trial || this.#now() < this.#openUntil) return 'barred';
    this.#trial = true;
    return 'trial';
  }

  /** The provider answered, well or badly. */
  succeeded(): void {
    this.#failures = 0;
    this.#trial = false;
    this.#lastSuccess = this.#now();
    if (this.#openUntil === undefined) return;
    this.#openUntil = undefined;
    this.#onClose();
  }

  /**
   * The call got no answer.
   * @param certain true where more tries would tell nothing new (a refused key): opens at once
   */
  failed(passage: Passage, certain = false): void {
    if (passage === 'trial') this.#trial = false;
    this.#failures += 1;
    if (passage !== 'trial' && !certain && this.#failures < this.#threshold) return;
    const wasOpen = this.isOpen;
    this.#openUntil = this.#now() + this.#pauseMs;
    if (!wasOpen) this.#onOpen();
  }

  /** The call was given up by its caller, which says nothing about the provider. */
  abandoned(passage: Passage): void {
    if (passage === 'trial') this.#trial = false;
  }

  /** True where nobody got an answer since then. */
  silentSince(time: number): boolean {
    return this.#lastSuccess < time;
  }
}

/** One line for each call that could have gone to the provider. */
export function logModelCall(log: Log, report: ModelCallReport): void {
  const { role: agent, ticketId, ...details } = report;
  log.info({ agent, action: 'model_called', ticketId, details: { ...details, ms: Math.round(report.ms) } });
}

/**
 * The circuit of the provider, for all that ask it, which logs when it opens and closes.
 * @param options how long it stays open, and by which clock
 */
export function createModelCircuit(
  log: Log,
  options: Pick<CircuitOptions, 'pauseMs' | 'now'> = {},
): CircuitBreaker {
  const agent = 'models';
  return new CircuitBreaker({
    ...options,
    onOpen: () =>
      log.warn({
        agent,
        action: 'model_circuit_opened',
        details: { effect: 'answers are written offline until the provider is back' },
      }),
    onClose: () => log.info({ agent, action: 'model_circuit_closed' }),
  });
}
