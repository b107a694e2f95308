import type { Metrics } from '../../core/ports/metrics.js';

const nothing = (): void => undefined;

/** Counts nothing: for commands that end before anybody could ask. */
export function createNoMetrics(): Metrics {
  return {
    turn: nothing,
    turnDropped: nothing,
    approval: nothing,
    modelCall: nothing,
    toolCall: nothing,
    ceiling: nothing,
    error: nothing,
    webhook: nothing,
    request: nothing,
    streams: nothing,
    render: async () => ({ contentType: 'text/plain; version=0.0.4; charset=utf-8', text: '' }),
    snapshot: async () => [],
  };
}
