import { createClassifierPool } from '../adapters/processes/classifier-pool.js';
import type { Company } from '../company/company.js';
import type { ProviderName } from '../core/domain/taxonomy.js';
import type { ClassifierPool, Log, TicketClassifier } from '../core/ports/index.js';
import type { ClassifierSetup } from './classifier-process.js';

interface BatchParts {
  /** Classifies in this process. */
  readonly classifier: TicketClassifier;
  readonly provider: ProviderName;
  readonly company: Pick<Company, 'nlu' | 'profile'>;
  readonly log: Log;
}

/** How a whole batch is classified. */
export interface BatchClassifierOptions {
  /** Processes at most. */
  readonly workers: number;
  /** Called where a process has ended by itself. */
  readonly onLost: (why: string) => void;
}

/**
 * What classifies a batch. Without a model it is the language layer in several processes; a model is waited for by this one
 * alone, so that one circuit, one spend ceiling and one concurrency hold for the whole batch.
 */
export function batchClassifier(
  { classifier, provider, company, log }: BatchParts,
  { onLost, ...options }: BatchClassifierOptions,
): ClassifierPool {
  if (options.workers === 1 || provider !== 'offline')
    return { ...classifier, workers: 1, ready: async () => [], close() {} };
  const { nlu, profile } = company;
  const { name, currency, timeZone, languages, issueTypes } = profile;
  const setup: ClassifierSetup = {
    intents: nlu.intents.names.map((intent) => nlu.intents.of(intent)),
    entities: nlu.entities,
    company: { name, currency, timeZone, languages, issueTypes },
    modelFile: nlu.modelFile,
  };
  return createClassifierPool({
    ...options,
    program: new URL('./classifier-process.ts', import.meta.url),
    setup,
    local: classifier,
    onLost(why) {
      log.warn({ agent: 'triage', action: 'process_ended', details: { why } });
      onLost(why);
    },
  });
}
