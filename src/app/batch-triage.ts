import { createHash } from 'node:crypto';
import {
  classifyJob,
  shareClassification,
  TICKETS_PER_JOB,
} from '../adapters/processes/shared-classifier.js';
import type { Config } from '../config/config.js';
import { HubError } from '../core/errors.js';
import type { BackgroundWork } from '../core/ports/background.js';
import type { ClassifierPool } from '../core/ports/index.js';
import type { Parts } from './parts.js';
import {
  type BatchClassifierOptions,
  type BatchParts,
  batchClassifier,
  classifierSetup,
} from './providers.js';

/** Triage of whole files: on several cores, or by all servers and workers of one database. */
export interface BatchTriage {
  /** What classifies a batch on this machine; closed by who asks for it. */
  batchClassifier(options: BatchClassifierOptions): ClassifierPool;
  /** Has a batch classified by all who help. @throws HubError `usage` where this process is alone */
  sharedClassifier(): ClassifierPool;
  /** Classifies what batches of others have to do, until the hub closes; nothing where this process is alone. */
  helpBatches(options: BatchClassifierOptions): void;
}

/** Processes that wait for nothing cost memory. */
const IDLE_MS = 60_000;
/** A model is asked for so many tickets at once, as in a batch of one machine. */
const ASKED_AT_ONCE = 16;

/** Servers that would classify otherwise (another company, version or model) have a queue of their own. */
export function openBatchTriage(
  { models }: Pick<Config, 'models'>,
  { company, log, graph }: Pick<Parts, 'company' | 'log' | 'graph'>,
  { jobs }: Pick<BackgroundWork, 'jobs'>,
): BatchTriage & { close(): void } {
  const { provider } = graph.models;
  const parts: BatchParts = { company, log, classifier: graph.tools.classifier, provider };
  const { modelFile: _, ...setup } = classifierSetup(company);
  const kind = JSON.stringify([setup, provider, models.chatModel]);
  const queue = `triage-${createHash('sha256').update(kind).digest('hex').slice(0, 12)}`;
  const pools = new Set<ClassifierPool>();
  return {
    batchClassifier: (options) => batchClassifier(parts, options),
    sharedClassifier() {
      if (jobs === null)
        throw new HubError('usage', '--distributed needs HUB_DATABASE_URL: the workers share that database.');
      return shareClassification((job) => jobs.give(queue, job));
    },
    helpBatches(options) {
      if (jobs === null) return;
      const offline = provider === 'offline';
      let pool: ClassifierPool | null = null;
      let inWork = 0;
      let idle: NodeJS.Timeout | undefined;
      const opened = (): ClassifierPool => {
        clearTimeout(idle);
        pool ??= batchClassifier(parts, { ...options, apart: true });
        pools.add(pool);
        return pool;
      };
      const rest = (): void => {
        if (pool === null) return;
        pools.delete(pool);
        pool.close();
        pool = null;
      };
      jobs.help(queue, offline ? options.workers + 1 : 1, async (job) => {
        inWork += 1;
        try {
          const classifier = opened();
          await classifier.ready();
          return await classifyJob(job, classifier, offline ? TICKETS_PER_JOB : ASKED_AT_ONCE);
        } finally {
          inWork -= 1;
          if (inWork === 0) idle = setTimeout(rest, IDLE_MS).unref();
        }
      });
    },
    close() {
      for (const pool of pools) pool.close();
    },
  };
}
