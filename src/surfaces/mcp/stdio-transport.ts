import type { Readable, Writable } from 'node:stream';
import {
  INVALID_PARAMS,
  INVALID_REQUEST,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
  type JSONRPCRequest,
  PARSE_ERROR,
  parseJSONRPCMessage,
  type RequestId,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/server';
import { paramsFault } from './hub-requests.js';

const NEWLINE = 0x0a;

/** A line, or how many bytes were too many for one. */
type Line = { readonly text: string } | { readonly tooLarge: true };

/**
 * Cuts bytes into lines. A line that is too large is reported once, and dropped as it comes, so that it costs no memory.
 * @param maxBytes of one line
 */
export class LineReader {
  #pieces: Buffer[] = [];
  #bytes = 0;
  #dropping = false;

  constructor(private readonly maxBytes: number) {}

  /** The lines that these bytes complete. */
  *read(chunk: Buffer): Generator<Line> {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      yield* this.#take(chunk.subarray(from, end));
      yield* this.end();
      from = end + 1;
    }
    yield* this.#take(chunk.subarray(from));
  }

  /** What is left where nothing more comes. */
  *end(): Generator<Line> {
    const text = Buffer.concat(this.#pieces).toString('utf8').trim();
    const dropped = this.#dropping;
    this.#clear(false);
    if (!dropped && text !== '') yield { text };
  }

  *#take(piece: Buffer): Generator<Line> {
    if (this.#dropping || piece.length === 0) return;
    this.#pieces.push(piece);
    this.#bytes += piece.length;
    if (this.#bytes <= this.maxBytes) return;
    this.#clear(true);
    yield { tooLarge: true };
  }

  #clear(dropping: boolean): void {
    this.#pieces = [];
    this.#bytes = 0;
    this.#dropping = dropping;
  }
}

/** Long enough for the largest input that any tool takes, also where each of its characters is escaped. */
const MAX_LINE_BYTES = 4 * 2 ** 20;
/** Held open by its client on purpose, for as long as the connection lasts. */
const STANDING = 'subscriptions/listen';
const CLIENT_CLOSED = { code: -32_000, message: 'The client has closed its end.' } as const;

interface StdioTransportOptions {
  /** How long requests that are being answered when the input ends may still take, in milliseconds. */
  readonly drainMs: number;
}

/**
 * MCP's lines over two streams. Unlike the SDK's own transport it answers what is no message with an error instead of
 * saying nothing, outlives a line that is too large, and, when the input ends, answers what was asked before it closes.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: <T extends JSONRPCMessage>(message: T) => void;

  readonly #lines: LineReader;
  /** Requests of the client without an answer yet. */
  readonly #open = new Set<RequestId>();
  /** Requests to the client that it has not answered. */
  readonly #asked = new Set<RequestId>();
  #inputEnded = false;
  #closed = false;
  #drain: NodeJS.Timeout | undefined;
  #notifyClosed: () => void = () => {};
  /** Resolves when the connection is over. */
  readonly closed = new Promise<void>((resolve) => {
    this.#notifyClosed = resolve;
  });

  constructor(
    private readonly input: Readable,
    private readonly output: Writable,
    private readonly options: StdioTransportOptions,
  ) {
    this.#lines = new LineReader(MAX_LINE_BYTES);
  }

  async start(): Promise<void> {
    this.input
      .on('data', this.#onData)
      .on('end', this.#onEnd)
      .on('close', this.#onEnd)
      .on('error', this.#onEnd);
    this.output.on('error', this.#onOutputError);
    if (this.input.readableEnded || this.input.destroyed) this.#onEnd();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#closed) throw new Error('The connection is closed.');
    if (isJSONRPCRequest(message)) {
      if (this.#inputEnded) return this.#answerForClient(message.id);
      this.#asked.add(message.id);
    }
    await new Promise<void>((resolve, reject) => {
      this.output.write(serializeMessage(message), (error) => (error ? reject(error) : resolve()));
    });
    if (isJSONRPCResponse(message) && message.id !== undefined) this.#settle(message.id);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#drain);
    this.input.off('data', this.#onData).off('end', this.#onEnd).off('close', this.#onEnd).pause();
    this.onclose?.();
    this.#notifyClosed();
  }

  /** Takes no more requests, and closes when those it has are answered. @param ms how long that may take */
  end(ms: number): void {
    if (this.#closed) return;
    this.#inputEnded = true;
    for (const id of this.#asked) this.#answerForClient(id);
    this.#asked.clear();
    clearTimeout(this.#drain);
    this.#drain = setTimeout(() => void this.close(), this.#open.size === 0 ? 0 : ms);
  }

  readonly #onData = (chunk: Buffer): void => {
    for (const line of this.#lines.read(chunk)) this.#onLine(line);
  };

  readonly #onEnd = (): void => {
    if (this.#inputEnded) return;
    for (const line of this.#lines.end()) this.#onLine(line);
    this.end(this.options.drainMs);
  };

  readonly #onOutputError = (error: Error): void => {
    this.onerror?.(error);
    void this.close();
  };

  #onLine(line: Line): void {
    if (this.#inputEnded || this.#closed) return;
    const read =
      'tooLarge' in line ? refusal(INVALID_REQUEST, 'The message is too large.') : readMessage(line.text);
    if ('refused' in read) {
      this.onerror?.(new Error(read.refused.message));
      this.output.write(`${JSON.stringify({ jsonrpc: '2.0', id: read.id, error: read.refused })}\n`);
      return;
    }
    const error = isJSONRPCRequest(read.message) ? this.#faultOf(read.message) : null;
    if (isJSONRPCRequest(read.message) && error !== null) {
      this.output.write(`${JSON.stringify({ jsonrpc: '2.0', id: read.message.id, error })}\n`);
      return;
    }
    this.#note(read.message);
    this.onmessage?.(read.message);
  }

  /** What is wrong with a request before work on it begins. Two of one id could not be distinguished, or cancelled. */
  #faultOf(request: JSONRPCRequest): Fault | null {
    if (this.#open.has(request.id))
      return { code: INVALID_REQUEST, message: 'A request with this id is still being worked on.' };
    const message = paramsFault(request);
    return message === null ? null : { code: INVALID_PARAMS, message };
  }

  #note(message: JSONRPCMessage): void {
    if (isJSONRPCResponse(message) && message.id !== undefined) this.#asked.delete(message.id);
    if (isJSONRPCRequest(message) && message.method !== STANDING) this.#open.add(message.id);
    // What was cancelled gets no answer.
    if (isJSONRPCNotification(message) && message.method === 'notifications/cancelled') {
      const { requestId } = (message.params ?? {}) as { readonly requestId?: RequestId };
      if (requestId !== undefined) this.#settle(requestId);
    }
  }

  #settle(id: RequestId): void {
    this.#open.delete(id);
    if (this.#inputEnded && this.#open.size === 0) void this.close();
  }

  /** Nobody is there any more to ask. */
  #answerForClient(id: RequestId): void {
    setImmediate(() => this.onmessage?.({ jsonrpc: '2.0', id, error: CLIENT_CLOSED }));
  }
}

/** An error of JSON-RPC. */
interface Fault {
  readonly code: number;
  readonly message: string;
}

/** What is answered to a line that is no message. */
interface Refusal {
  readonly refused: Fault;
  /** Null where nobody can tell whose it is, as JSON-RPC says. */
  readonly id: RequestId | null;
}

function refusal(code: number, message: string, id: RequestId | null = null): Refusal {
  return { refused: { code, message }, id };
}

function readMessage(text: string): { readonly message: JSONRPCMessage } | Refusal {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refusal(PARSE_ERROR, 'Parse error: a message is one line of JSON.');
  }
  if (Array.isArray(value))
    return refusal(INVALID_REQUEST, 'Batches are not supported: send each message on a line of its own.');
  try {
    return { message: parseJSONRPCMessage(value) };
  } catch {
    return refusal(INVALID_REQUEST, 'Invalid request: this is no JSON-RPC 2.0 message.', idOf(value));
  }
}

function idOf(value: unknown): RequestId | null {
  const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : null;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}
