import type { Metrics } from '../../core/ports/metrics.js';
import type { HubContext, TokenWatch } from './client.js';

/** One server-sent event. */
export interface ServerEvent {
  /** What a client sends back as `Last-Event-ID`. */
  readonly id?: string;
  readonly event: string;
  readonly data: unknown;
}

/** A stream that is being opened, or open. */
export interface EventStream {
  /** Does nothing once the stream is over. Kept in memory until the client reads, up to a limit. */
  send(event: ServerEvent): void;
  /** What was sent is still delivered. */
  end(): void;
  /** Aborted when the stream is over, for whatever reason. */
  readonly signal: AbortSignal;
  /** The answer that carries it. Only now it counts, and replaces an older one with the same key. */
  response(): Response;
}

interface StreamOptions {
  readonly kind: 'customer' | 'desk';
  /** Of streams with one key the newest wins; the older gets the event `replaced` and is ended. */
  readonly key?: string;
}

/** All event streams of a server. */
export interface EventStreams {
  open(c: HubContext, options: StreamOptions): EventStream;
  /** Ends every stream; clients connect again, elsewhere or later. */
  closeAll(): void;
  readonly size: number;
}

/** A comment this often keeps proxies from closing a quiet stream. */
const HEARTBEAT_MS = 15_000;
/** A client that leaves more than this unread is dropped: it can continue where it was. */
const MAX_UNREAD_BYTES = 1_000_000;
const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
} as const;
const encoder = new TextEncoder();
const HEARTBEAT = encoder.encode(': still here\n\n');
const OPENING = encoder.encode('retry: 1500\n\n');

/** Event streams with one heartbeat for all of them. @param tokens ends a stream whose token is revoked */
export function createEventStreams(
  metrics: Pick<Metrics, 'streams'>,
  heartbeatMs = HEARTBEAT_MS,
  tokens?: Pick<TokenWatch, 'follow'>,
): EventStreams {
  const open = new Set<Stream>();
  const byKey = new Map<string, Stream>();
  const report = (kind: StreamOptions['kind']): void => {
    let count = 0;
    for (const stream of open) if (stream.options.kind === kind) count += 1;
    metrics.streams(kind, count);
  };
  let timer: NodeJS.Timeout | undefined;
  const beat = (): void => {
    for (const stream of open) stream.beat();
  };
  const admit = (stream: Stream): void => {
    const { key } = stream.options;
    const older = key === undefined ? undefined : byKey.get(key);
    if (key !== undefined) byKey.set(key, stream);
    older?.replace();
    open.add(stream);
    const header = stream.c.req.header('authorization');
    if (tokens && header !== undefined) {
      const unfollow = tokens.follow(
        () => header,
        () => stream.end(),
      );
      stream.signal.addEventListener('abort', unfollow, { once: true });
    }
    timer ??= setInterval(beat, heartbeatMs).unref();
    report(stream.options.kind);
  };
  const forget = (stream: Stream): void => {
    const { key } = stream.options;
    if (key !== undefined && byKey.get(key) === stream) byKey.delete(key);
    if (!open.delete(stream)) return;
    report(stream.options.kind);
    if (open.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  return {
    open: (c, options) => new Stream(c, options, admit, forget),
    closeAll: () => {
      for (const stream of [...open]) stream.end();
    },
    get size() {
      return open.size;
    },
  };
}

class Stream implements EventStream {
  readonly #over = new AbortController();
  readonly #body: ReadableStream<Uint8Array>;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #written = OPENING.length;
  /** How much had been read at the last heartbeat; negative before the first. */
  #readBefore = -1;

  constructor(
    readonly c: HubContext,
    readonly options: StreamOptions,
    private readonly admit: (stream: Stream) => void,
    private readonly forget: (stream: Stream) => void,
  ) {
    this.#body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
          controller.enqueue(OPENING);
        },
        cancel: () => this.#finish(),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: MAX_UNREAD_BYTES }),
    );
  }

  get signal(): AbortSignal {
    return this.#over.signal;
  }

  send({ id, event, data }: ServerEvent): void {
    const head = id === undefined ? '' : `id: ${id}\n`;
    this.#write(encoder.encode(`${head}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`));
  }

  end(): void {
    if (this.signal.aborted) return;
    this.#controller?.close();
    this.#finish();
  }

  replace(): void {
    this.send({ event: 'replaced', data: {} });
    this.end();
  }

  beat(): void {
    const unread = MAX_UNREAD_BYTES - (this.#controller?.desiredSize ?? MAX_UNREAD_BYTES);
    const read = this.#written - unread;
    const stuck = unread > 0 && read === this.#readBefore;
    this.#readBefore = read;
    if (stuck) this.#drop();
    else this.#write(HEARTBEAT);
  }

  response(): Response {
    // Hono answers HEAD like GET and throws the body away; nobody would ever end this one.
    if (this.c.req.method === 'HEAD') this.end();
    else if (!this.signal.aborted) this.admit(this);
    return this.c.body(this.#body, 200, HEADERS);
  }

  #write(bytes: Uint8Array): void {
    if (this.signal.aborted) return;
    this.#controller?.enqueue(bytes);
    this.#written += bytes.length;
    if ((this.#controller?.desiredSize ?? 0) <= 0) this.#drop();
  }

  /** The client does not read: what waits for it is thrown away with its connection. */
  #drop(): void {
    this.#finish();
    const { outgoing } = this.c.env ?? {};
    if (outgoing) outgoing.destroy();
    else this.#controller?.error(new Error('The client does not read.'));
  }

  #finish(): void {
    this.#over.abort();
    this.forget(this);
  }
}
