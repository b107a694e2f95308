import type { EventStore, JSONRPCMessage } from '@modelcontextprotocol/server';
import type { HubContext, TokenWatch } from '../http/client.js';

/** Memory that the event stores of a server share. */
export interface EventMemory {
  /** Bytes kept by all of them together. */
  used: number;
  readonly most: number;
}

/** What one session may keep. */
const MOST_EVENTS = 200;
const MOST_BYTES = 256 * 1_024;
/** What it may keep also where the others have used up what there is for all. */
const OWN_BYTES = 16 * 1_024;

interface Kept {
  readonly streamId: string;
  readonly message: JSONRPCMessage;
  readonly bytes: number;
}

/**
 * Keeps the last messages of one session, so that a client whose connection broke continues after the last one it read.
 * What has been dropped to stay within the limits cannot be continued from, and the client gets an error that says so.
 */
interface SessionEvents extends EventStore {
  /** Gives the memory back. */
  clear(): void;
}

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

interface Followed {
  readonly response: Response;
  /** Resolves when all of it has been passed on, or the stream has no reader any more. */
  readonly ended: Promise<void>;
  readonly streams: boolean;
}

/**
 * @param report called with the number of streams whenever it changes
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

export function createSessionEvents(memory: EventMemory): SessionEvents {
  // In the order they were sent, which is that of a Map.
  const kept = new Map<string, Kept>();
  let count = 0;
  let size = 0;
  const drop = (id: string, { bytes }: Kept): void => {
    kept.delete(id);
    size -= bytes;
    memory.used -= bytes;
  };
  const isTooMuch = (): boolean =>
    kept.size > MOST_EVENTS || size > MOST_BYTES || (size > OWN_BYTES && memory.used > memory.most);
  return {
    async storeEvent(streamId, message) {
      count += 1;
      const id = String(count);
      const bytes = Buffer.byteLength(JSON.stringify(message));
      kept.set(id, { streamId, message, bytes });
      size += bytes;
      memory.used += bytes;
      for (const [oldest, event] of kept) {
        if (!isTooMuch()) break;
        drop(oldest, event);
      }
      return id;
    },
    getStreamIdForEventId: async (id) => kept.get(id)?.streamId,
    async replayEventsAfter(lastId, { send }) {
      const last = kept.get(lastId);
      if (last === undefined) throw new Error('This event is not kept any more.');
      for (const [id, event] of [...kept])
        if (Number(id) > Number(lastId) && event.streamId === last.streamId && !isPriming(event))
          await send(id, event.message);
      return last.streamId;
    },
    clear() {
      for (const [id, event] of [...kept]) drop(id, event);
    },
  };
}

/** What opens a stream only gives the client a place to continue from. */
function isPriming({ message }: Kept): boolean {
  return Object.keys(message).length === 0;
}
