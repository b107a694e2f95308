import type { Log } from '../../core/ports/index.js';
import type { Pack } from '../pack/pack.js';
import type { SkillServices } from './run-context.js';

const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;

/** The services with a log that leaves out what is less than the pack's `observability.log_level`. */
export function quieted(services: SkillServices, { descriptor }: Pack): SkillServices {
  const least = LOG_LEVELS.indexOf(descriptor.observability?.log_level ?? 'debug');
  if (least <= 0) return services;
  const { log } = services;
  const none = (): void => undefined;
  const own: Log = {
    debug: none,
    info: least > 1 ? none : (entry) => log.info(entry),
    warn: least > 2 ? none : (entry) => log.warn(entry),
    error: (entry, error) => log.error(entry, error),
  };
  // Not spread: the checkpointer may be opened by the first run that needs it.
  return Object.create(services, { log: { value: own } });
}
