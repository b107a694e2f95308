import type { Stores } from '../../data/index.js';
import type { OpenCheckpointer } from '../adapters/checkpoints/checkpointers.js';
import type { Config } from '../config/config.js';
import type { ArticleIndex, Customers } from '../core/ports/index.js';
import type { Knowledge } from '../rag/index.js';
import { type HealthProbe, HealthTrouble } from './health.js';

export interface ProbeDeps {
  readonly stores: Pick<Stores, 'tickets' | 'writing'>;
  readonly customers: Pick<Customers, 'get'>;
  /** Name of the company's database. */
  readonly database: string;
  readonly checkpoints: Pick<OpenCheckpointer, 'saver' | 'proveWriting'>;
  /** Signs something and looks whether the secret is still where the next start finds it. */
  readonly proveSigning: () => Promise<void>;
  readonly index: Pick<ArticleIndex, 'ping'>;
  readonly knowledge: Pick<Knowledge, 'repairing'>;
  readonly models: Config['models'];
}

const NOBODY = 'health-check';
const REBUILDING =
  'The vector index was damaged and is being built anew; articles are found by their words alone meanwhile.';
/** Each database is read and written for an answer: not more often than this, whoever asks. */
const DATABASE_KEEP_MS = 1_500;
const PROVIDER_KEEP_MS = 30_000;

/** What the hub needs, in the order people look. */
export function healthProbes(deps: ProbeDeps): readonly HealthProbe[] {
  const { stores, customers, checkpoints, index, knowledge, models } = deps;
  const database = { without: 'failed', keepMs: DATABASE_KEEP_MS } as const;
  return [
    {
      ...database,
      name: `${deps.database}_db`,
      detail: "The company's database cannot be read or written.",
      ask: async () => {
        await customers.get(NOBODY);
        await stores.writing.company();
      },
    },
    {
      ...database,
      name: 'udahub_db',
      detail: "The hub's own database cannot be read or written.",
      ask: async () => {
        await stores.tickets.get(NOBODY);
        await stores.writing.udahub();
      },
    },
    {
      ...database,
      name: 'checkpoints',
      detail: 'The state of conversations cannot be read or written.',
      ask: async () => {
        await checkpoints.saver.getTuple({ configurable: { thread_id: NOBODY } });
        await checkpoints.proveWriting();
      },
    },
    {
      ...database,
      name: 'signing',
      detail: 'The secret that signs sessions (auth-secret) is missing, empty or too short.',
      ask: deps.proveSigning,
    },
    {
      name: 'chroma',
      without: 'degraded',
      keepMs: 1_000,
      detail: 'The vector index does not answer; articles are found by their words alone.',
      ask: async () => {
        if (knowledge.repairing()) throw new HealthTrouble(REBUILDING);
        if (!(await index.ping())) throw new Error('no answer');
      },
    },
    {
      name: 'model_provider',
      without: 'degraded',
      keepMs: PROVIDER_KEEP_MS,
      detail: 'The model provider does not answer; the offline rules do.',
      ask: () => askProvider(models),
    },
  ];
}

/** Lists the models: the cheapest thing that needs the address and the key to be right. Offline there is none to ask. */
async function askProvider({ provider, baseUrl, apiKey, timeoutMs }: Config['models']): Promise<void> {
  if (provider === 'offline') return;
  const response = await fetch(`${baseUrl ?? 'https://api.openai.com/v1'}/models`, {
    headers: { authorization: `Bearer ${apiKey ?? ''}` },
    signal: AbortSignal.timeout(Math.min(timeoutMs, 2_000)),
  });
  await response.body?.cancel();
  // A server without this path is there all the same.
  if (!response.ok && response.status !== 404 && response.status !== 405)
    throw new Error(`status ${response.status}`);
}
