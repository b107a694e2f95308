import type { Log } from '../../core/ports/system.js';
import type { ModelCallReport } from './call.js';
import { CircuitBreaker, type CircuitOptions } from './circuit.js';

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
