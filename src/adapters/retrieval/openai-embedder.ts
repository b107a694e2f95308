import type { OpenAIEmbeddings } from '@langchain/openai';
import { handleWhen, type IPolicy, retry, TimeoutStrategy, timeout, wrap } from 'cockatiel';
import { HubError, messageOf } from '../../core/errors.js';
import type { Embedder } from '../../core/ports/knowledge-store.js';
import { SecretMask } from '../../core/secret-mask.js';
import { numberIn, retryAfter } from '../models/failure.js';

const BATCH = 256;
const TIMEOUT_MS = 10_000;
const RETRIES = 3;
/** A question waits no longer than this, retries included: the customer does. */
const QUERY_TIMEOUT_MS = 5000;
const QUERY_RETRIES = 1;
const FIRST_BACKOFF_MS = 250;
const LAST_BACKOFF_MS = 8000;
/** The models take about 8,000 tokens; more is refused with the whole batch. */
const MAX_CHARS = 20_000;

const KNOWN_DIMENSIONS: Readonly<Record<string, number>> = {
  'text-embedding-3-small': 1536,
  'text-embedding-3-large': 3072,
  'text-embedding-ada-002': 1536,
};

interface OpenAIEmbedderOptions {
  readonly apiKey: string;
  /** Any service that speaks the Embeddings API; OpenAI's own where absent. */
  readonly baseUrl?: string | undefined;
  readonly model: string;
  /** Longest wait for one request, in milliseconds. */
  readonly timeoutMs?: number | undefined;
  /** Further attempts after the first. */
  readonly retries?: number | undefined;
}

/** Embeddings over HTTP. Vectors are normalised here, as not every compatible server does. */
export function createOpenAIEmbedder(options: OpenAIEmbedderOptions): Embedder {
  return new OpenAIEmbedder(options);
}

class OpenAIEmbedder implements Embedder {
  readonly id: string;
  private size: number;
  private client: Promise<OpenAIEmbeddings> | null = null;
  private readonly policy: IPolicy;
  private readonly queryPolicy: IPolicy;

  constructor(private readonly options: OpenAIEmbedderOptions) {
    this.id = `openai-${options.model}`;
    this.size = KNOWN_DIMENSIONS[options.model] ?? 0;
    this.policy = retrying(options.retries ?? RETRIES);
    this.queryPolicy = wrap(
      timeout(QUERY_TIMEOUT_MS, TimeoutStrategy.Aggressive),
      retrying(Math.min(QUERY_RETRIES, options.retries ?? RETRIES)),
    );
  }

  /** 0 for an unknown model before its first answer. */
  get dimensions(): number {
    return this.size;
  }

  async embedDocuments(texts: readonly string[]): Promise<number[][]> {
    const vectors: number[][] = [];
    for (let start = 0; start < texts.length; start += BATCH) {
      vectors.push(...(await this.embed(texts.slice(start, start + BATCH), this.policy)));
    }
    return vectors;
  }

  async embedQuery(text: string): Promise<number[]> {
    const [vector] = await this.embed([text], this.queryPolicy);
    if (vector === undefined) throw malformed(this.options.model, 'no vector');
    return vector;
  }

  private async embed(texts: readonly string[], policy: IPolicy): Promise<number[][]> {
    this.client ??= this.connect();
    const client = await this.client;
    const cut = texts.map((text) => new SecretMask().mask(text).slice(0, MAX_CHARS));
    let answer: number[][];
    try {
      answer = await policy.execute(() => client.embedDocuments(cut));
    } catch (error) {
      throw failed(this.options.model, error);
    }
    if (answer.length !== texts.length)
      throw malformed(this.options.model, `${answer.length} vectors for ${texts.length} texts`);
    return answer.map((vector) => this.normalise(vector));
  }

  private normalise(vector: readonly number[]): number[] {
    const norm = Array.isArray(vector) ? Math.hypot(...vector) : Number.NaN;
    if (!(norm > 0) || !Number.isFinite(norm)) throw malformed(this.options.model, 'a vector without length');
    if (this.size === 0) this.size = vector.length;
    if (vector.length !== this.size)
      throw malformed(this.options.model, `${vector.length} dimensions instead of ${this.size}`);
    return vector.map((value) => value / norm);
  }

  /** Loaded on first use: the library takes a quarter of a second, and offline it is never needed. */
  private async connect(): Promise<OpenAIEmbeddings> {
    const { OpenAIEmbeddings: Client } = await import('@langchain/openai');
    const { apiKey, baseUrl, model } = this.options;
    return new Client({
      apiKey,
      model,
      batchSize: BATCH,
      // Without this the client asks for base64, which some servers ignore: silent garbage.
      encodingFormat: 'float',
      timeout: this.options.timeoutMs ?? TIMEOUT_MS,
      // Retries are this file's, so that a deadline and the server's own wish are kept.
      maxRetries: 0,
      configuration: baseUrl === undefined ? {} : { baseURL: baseUrl },
    });
  }
}

function retrying(maxAttempts: number): IPolicy {
  return retry(handleWhen(isTransient), {
    maxAttempts,
    backoff: {
      next: (context) => backoff(context.attempt, 'error' in context.result ? context.result.error : null),
    },
  });
}

function isTransient(error: Error): boolean {
  const status = numberIn(error, 'status');
  if (status !== undefined) return status === 408 || status === 409 || status === 429 || status >= 500;
  return (
    error.name === 'TimeoutError' ||
    /connection|timeout|timed out|fetch failed|ECONN/iu.test(`${error.name} ${error.message}`)
  );
}

/** What the server asked for, else doubling; bounded either way. Milliseconds. */
function backoff(
  attempt: number,
  error: unknown,
): { duration: number; next: () => ReturnType<typeof backoff> } {
  const doubled = FIRST_BACKOFF_MS * 2 ** Math.max(0, attempt - 1);
  const duration = Math.min(retryAfter(error) ?? doubled, LAST_BACKOFF_MS);
  return { duration, next: () => backoff(attempt + 1, error) };
}

function failed(model: string, error: unknown): HubError {
  const status = numberIn(error, 'status') ?? null;
  return new HubError(
    'embedding_failed',
    `The embedding model ${model} did not answer: ${messageOf(error)}`,
    { model, status },
    { cause: error },
  );
}

function malformed(model: string, what: string): HubError {
  return new HubError('embedding_failed', `The embedding model ${model} answered with ${what}.`, { model });
}
