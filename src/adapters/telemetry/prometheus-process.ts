import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Gauge, type Registry } from 'prom-client';

const LAG_RESOLUTION_MS = 20;

/**
 * Figures of this process, read when somebody looks. prom-client's own collection is not used because it cannot be
 * stopped, and would outlive the App it belongs to.
 * @returns stops measuring
 */
export function measureProcess(registry: Registry): () => void {
  const registers = [registry];
  // Of several processes, each has its own; a sum would say nothing.
  const aggregator = 'omit';
  const gauge = (name: string, help: string, read: () => number): void => {
    new Gauge({
      name,
      help,
      registers,
      aggregator,
      collect() {
        this.set(read());
      },
    });
  };
  const lag = monitorEventLoopDelay({ resolution: LAG_RESOLUTION_MS });
  lag.enable();
  gauge('hub_process_resident_memory_bytes', 'Memory of the process.', () => process.memoryUsage.rss());
  gauge('hub_process_heap_used_bytes', 'JavaScript heap in use.', () => process.memoryUsage().heapUsed);
  gauge(
    'hub_process_external_memory_bytes',
    'Memory of buffers and native parts.',
    () => process.memoryUsage().external,
  );
  gauge('hub_process_uptime_seconds', 'Time since the process was started.', () => process.uptime());
  gauge('hub_process_cpu_seconds', 'Processor time used since the start.', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  new Gauge({
    name: 'hub_event_loop_lag_seconds',
    help: 'How late timers fire, since the last look.',
    labelNames: ['quantile'],
    registers,
    aggregator,
    collect() {
      for (const quantile of [0.5, 0.99]) {
        const delay = lag.percentile(quantile * 100) / 1e9 - LAG_RESOLUTION_MS / 1000;
        this.set({ quantile: String(quantile) }, Math.max(0, Number.isFinite(delay) ? delay : 0));
      }
      lag.reset();
    },
  });
  return () => void lag.disable();
}
