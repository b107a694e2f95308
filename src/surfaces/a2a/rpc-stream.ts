import { HubError } from '../../core/errors.js';
import type { Log } from '../../core/ports/log.js';
import type { EventStream } from '../http/event-streams.js';

/** A JSON-RPC answer. */
export interface Envelope {
  readonly jsonrpc: string;
  readonly id: string | number | null;
  readonly result?: unknown;
  readonly error?: unknown;
}

interface StreamAnswer {
  /** The answer in the place of a stream, where it is refused before the first event; null: the stream says so. */
  readonly refused: (error: unknown) => Response | null;
  readonly envelopeOf: (error: unknown) => Envelope;
  /** True where the stream ends with the task waiting for its caller, and the last event has to say that it is. */
  readonly closing: boolean;
  readonly log: Log;
}

/** Answers with the envelopes, each as one event; what is refused before the first one is a plain answer. */
export async function answerWithStream(
  stream: EventStream,
  envelopes: AsyncGenerator<Envelope>,
  { refused, envelopeOf, closing, log }: StreamAnswer,
): Promise<Response> {
  let first: IteratorResult<Envelope>;
  try {
    first = await envelopes.next();
  } catch (error) {
    const answer = refused(error);
    if (answer === null) stream.send({ event: 'error', data: envelopeOf(error) });
    const response = answer ?? stream.response();
    stream.end();
    return response;
  }
  const response = stream.response();
  const send = (envelope: Envelope): void =>
    stream.send({ event: 'message', data: closing ? withEnd(envelope) : envelope });
  if (!first.done) send(first.value);
  const rest = async (): Promise<void> => {
    for await (const envelope of envelopes) send(envelope);
  };
  void rest()
    .catch((error: unknown) => {
      log.error({ agent: 'a2a', action: 'stream_failed' }, error);
      stream.send({ event: 'error', data: envelopeOf(error) });
    })
    .finally(() => stream.end());
  return response;
}

/** A task that waits for its caller is the end of what the older version calls a stream. */
function withEnd(envelope: Envelope): Envelope {
  const result = envelope.result as { readonly kind?: string; readonly status?: { readonly state?: string } };
  if (result.kind !== 'status-update' || result.status?.state !== 'input-required') return envelope;
  return { ...envelope, result: { ...result, final: true } };
}

/** What one caller may follow at the same time. */
export const MOST_STREAMS_PER_CALLER = 300;

/** Counts the streams of each caller, so that no caller takes the memory and the sockets of all. */
export interface StreamCounter {
  /**
   * Opens one more for a caller; it counts until it is over.
   * @throws HubError `rate_limited`
   */
  open(callerKey: string, open: () => EventStream): EventStream;
}

export function createStreamCounter(): StreamCounter {
  const byCaller = new Map<string, number>();
  const count = (callerKey: string, change: 1 | -1): void => {
    const own = (byCaller.get(callerKey) ?? 0) + change;
    if (own === 0) byCaller.delete(callerKey);
    else byCaller.set(callerKey, own);
  };
  return {
    open(callerKey, open) {
      if ((byCaller.get(callerKey) ?? 0) >= MOST_STREAMS_PER_CALLER)
        throw new HubError('rate_limited', 'Too many streams are open. Close some, or try again later.');
      const stream = open();
      count(callerKey, 1);
      stream.signal.addEventListener('abort', () => count(callerKey, -1), { once: true });
      return stream;
    },
  };
}
