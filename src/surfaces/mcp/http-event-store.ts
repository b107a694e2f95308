import type { EventStore, JSONRPCMessage } from '@modelcontextprotocol/server';

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
 * What has been dropped to stay within the limits cannot be continued from, and the client is told so.
 */
interface SessionEvents extends EventStore {
  /** Gives the memory back. */
  clear(): void;
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
