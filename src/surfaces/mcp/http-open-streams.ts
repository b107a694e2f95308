import type { HubContext } from '../http/http-env.js';
import type { TokenWatch } from '../http/token-watch.js';

/** What one caller may hold open at the same time. */
const MOST_STREAMS_PER_OWNER = 600;
/** A client that leaves more than this unread is dropped. */
const MAX_UNREAD_BYTES = 4 * 1_024 * 1_024;

/** The answers that are still being streamed. */
export interface OpenStreams {
  /** Follows an answer to its end; one that is no stream has ended already. */
  follow(c: HubContext, response: Response, owner: string): Followed;
  isFull(owner: string): boolean;
  readonly size: number;
}

export interface Followed {
  readonly response: Response;
  /** Resolves when the last of it has been handed on, or nobody reads it any more. */
  readonly ended: Promise<void>;
  readonly streams: boolean;
}

/**
 * @param report is told how many there are, whenever that changes
 * @param most how many one owner may hold
 * @param tokens ends a stream whose token is revoked
 */
export function createOpenStreams(
  report: (open: number) => void,
  most = MOST_STREAMS_PER_OWNER,
  tokens?: Pick<TokenWatch, 'follow'>,
): OpenStreams {
  const byOwner = new Map<string, number>();
  let size = 0;
  const count = (owner: string, change: 1 | -1): void => {
    const own = (byOwner.get(owner) ?? 0) + change;
    if (own === 0) byOwner.delete(owner);
    else byOwner.set(owner, own);
    size += change;
    report(size);
  };
  return {
    follow(c, response, owner) {
      const { body } = response;
      if (body === null || !isStream(response)) return { response, ended: Promise.resolve(), streams: false };
      count(owner, 1);
      const { stream, ended, end } = relay(body, () => c.env?.outgoing?.destroy());
      const header = c.req.header('authorization');
      const unfollow = header === undefined ? undefined : tokens?.follow(() => header, end);
      const counted = ended.then(() => {
        unfollow?.();
        count(owner, -1);
      });
      const { status, headers } = response;
      return { response: new Response(stream, { status, headers }), ended: counted, streams: true };
    },
    isFull: (owner) => (byOwner.get(owner) ?? 0) >= most,
    get size() {
      return size;
    },
  };
}

function isStream(response: Response): boolean {
  return response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
}

/** Hands a stream on as it comes, and gives up on a reader that does not read. */
function relay(
  source: ReadableStream<Uint8Array>,
  onStuck: () => void,
): { readonly stream: ReadableStream<Uint8Array>; readonly ended: Promise<void>; readonly end: () => void } {
  const reader = source.getReader();
  let over: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    over = resolve;
  });
  const pump = async (to: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return to.close();
      // One answer may be larger than the limit; the next one shows whether it is read.
      if ((to.desiredSize ?? 0) > 0) {
        to.enqueue(value);
        continue;
      }
      await reader.cancel();
      onStuck();
      return to.error(new Error('The client does not read.'));
    }
  };
  const stream = new ReadableStream<Uint8Array>(
    {
      start: (to) => {
        // Closing one that was cancelled fails, and means nothing: it is over either way.
        pump(to)
          .catch((error: unknown) => to.error(error))
          .finally(over);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: MAX_UNREAD_BYTES }),
  );
  // A reader that is cancelled reads the end.
  return { stream, ended, end: () => void reader.cancel().catch(() => undefined) };
}
