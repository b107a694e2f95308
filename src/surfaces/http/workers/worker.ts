import cluster from 'node:cluster';
import type { App } from '../../../app/app.js';
import type { CommandContext } from '../../command.js';
import { serveUntil } from '../server.js';
import { type FromWorker, isOurs, type Rendered, type ToWorker } from './figures.js';

/** The primary gives slow workers two seconds. */
const FIGURES_MS = 4_000;

/** Serves as one of several processes until the primary or a signal stops it. @throws HubError `usage` as `serve` does */
export async function serveAsWorker(context: CommandContext): Promise<number> {
  const primary = new PrimaryLink(context.app);
  const stop = AbortSignal.any([context.stop, primary.stop]);
  try {
    const { webDir } = await primary.task(stop);
    const siblings = { streams: primary.streams, figures: () => primary.figures() };
    const options = { siblings, ...(webDir === null ? {} : { webDir }) };
    return await serveUntil(stop, context, options, (url) => primary.tell({ hub: 'listening', url }));
  } finally {
    await primary.close();
  }
}

type Task = Extract<ToWorker, { hub: 'serve' }>;

/** A worker's end of the channel to the primary. */
class PrimaryLink {
  readonly #stop = new AbortController();
  readonly #asked = new Map<number, (rendered: Rendered) => void>();
  readonly #hear = (message: unknown): void => {
    if (isOurs<ToWorker>(message)) this.#heard(message);
  };
  readonly #recovering = new Set<Promise<void>>();
  #asks = 0;
  #replaced: (key: string, token: string) => void = () => {};
  #begin: (task: Task) => void = () => {};

  constructor(private readonly app: App) {
    process.on('message', this.#hear);
  }

  /** Aborted when the primary wants the worker to end. */
  get stop(): AbortSignal {
    return this.#stop.signal;
  }

  readonly streams = {
    opened: (key: string, token: string): void => this.tell({ hub: 'stream_opened', key, token }),
    closed: (key: string, token: string): void => this.tell({ hub: 'stream_closed', key, token }),
    onReplaced: (replaced: (key: string, token: string) => void): void => {
      this.#replaced = replaced;
    },
  };

  tell(message: FromWorker): void {
    // A primary that is gone ends this process; there is nobody left to tell.
    if (process.connected) process.send?.(message, undefined, undefined, () => {});
  }

  /** What is to be served; without pages where it is stopped before it could begin. */
  task(stop: AbortSignal): Promise<Task> {
    return new Promise((resolve) => {
      this.#begin = resolve;
      stop.addEventListener('abort', () => resolve({ hub: 'serve', webDir: null }), { once: true });
      this.tell({ hub: 'ready' });
    });
  }

  figures(): Promise<Rendered> {
    const ask = ++this.#asks;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#asked.delete(ask);
        reject(new Error(`The primary did not answer within ${FIGURES_MS} ms.`));
      }, FIGURES_MS);
      this.#asked.set(ask, (rendered) => {
        clearTimeout(timer);
        this.#asked.delete(ask);
        resolve(rendered);
      });
      this.tell({ hub: 'figures_wanted', ask });
    });
  }

  async close(): Promise<void> {
    process.off('message', this.#hear);
    await Promise.all(this.#recovering);
    // The channel would keep the process alive.
    if (process.connected) cluster.worker?.disconnect();
  }

  #heard(message: ToWorker): void {
    switch (message.hub) {
      case 'serve':
        this.#begin(message);
        break;
      case 'stop':
        this.#stop.abort();
        break;
      case 'replace':
        this.#replaced(message.key, message.token);
        break;
      case 'give_figures':
        void this.#giveFigures(message.ask);
        break;
      case 'all_figures':
        this.#asked.get(message.ask)?.({ contentType: message.contentType, text: message.text });
        break;
      case 'worker_died':
        this.#takeOver();
        break;
    }
  }

  /** What a dead worker left is answered now, and not at the next look around. */
  #takeOver(): void {
    const { log, conversations } = this.app;
    log.warn({ agent: 'http', action: 'worker_died' });
    const taken: Promise<void> = conversations
      .recover()
      .then(
        () => {},
        (error: unknown) => log.error({ agent: 'hub', action: 'recovery_failed' }, error),
      )
      .finally(() => this.#recovering.delete(taken));
    this.#recovering.add(taken);
  }

  async #giveFigures(ask: number): Promise<void> {
    const snapshot = await this.app.metrics.snapshot().catch((error: unknown) => {
      this.app.log.error({ agent: 'http', action: 'figures_not_read' }, error);
      return null;
    });
    this.tell({ hub: 'figures', ask, snapshot });
  }
}
