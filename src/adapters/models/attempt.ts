import type { CallbackManagerForLLMRun } from '@langchain/core/callbacks/manager';
import { BaseChatModel, type BaseChatModelCallOptions } from '@langchain/core/language_models/chat_models';
import { AIMessageChunk, type BaseMessage } from '@langchain/core/messages';
import { ChatGenerationChunk } from '@langchain/core/outputs';
import { type LinkedSignal, linkSignals } from '../../core/signals.js';
import { ModelTimeout, StreamCut } from './failure.js';
import { type AnswerLimit, AnswerTooLong, CUT, LengthWatch, withEnding } from './length.js';

/** Hands the pieces of an answer to the run's callbacks while it is written, and tells when it began anew. */
export class LiveTokens {
  readonly #runManager: CallbackManagerForLLMRun;
  #attempt = 0;
  #id: string | undefined;
  #named = false;
  #shown = false;
  #stale = false;
  #restarted = false;

  constructor(runManager: CallbackManagerForLLMRun) {
    this.#runManager = runManager;
  }

  /** True where text was shown that is not part of the answer. */
  get restarted(): boolean {
    return this.#restarted;
  }

  /** To be called before each attempt. */
  begin(): void {
    this.#attempt += 1;
    // The first one is left to LangChain, which names it after the run.
    this.#id = this.#attempt > 1 ? `run-${this.#runManager.runId}-${this.#attempt}` : undefined;
    this.#named = false;
    this.#stale = this.#shown;
    this.#restarted = this.#shown;
  }

  /** The first piece after text was shown in vain carries `hub_restarted`, so that a surface can clear what it showed. */
  readonly emit = async (chunk: ChatGenerationChunk): Promise<void> => {
    const { message } = chunk;
    // Pieces of one answer share an id, also those that come without; pieces of another attempt have another.
    if (message.id == null) message._updateId(this.#id);
    else if (!this.#named) this.#id = message.id;
    this.#named = true;
    if (this.#stale) message.response_metadata = { ...message.response_metadata, hub_restarted: true };
    this.#stale = false;
    if (chunk.text !== '') this.#shown = true;
    await this.#runManager.handleLLMNewToken(
      chunk.text,
      { prompt: 0, completion: 0 },
      undefined,
      undefined,
      undefined,
      { chunk },
    );
  };
}

/** Receives the pieces of an answer while it is written. */
type Emit = (chunk: ChatGenerationChunk) => Promise<void>;

interface Attempt {
  readonly messages: BaseMessage[];
  readonly options: BaseChatModelCallOptions;
  /** Longest silence: until the answer, or between two pieces of it. 0: no limit. */
  readonly timeoutMs: number;
  /** Absent: the answer is fetched in one piece. */
  readonly emit?: Emit | undefined;
  /** No more of the answer is taken in than this; without limit where absent. */
  readonly limit?: AnswerLimit | undefined;
}

/**
 * Asks a model once. Goes below `invoke`, so that the attempts of one answer are one run to callbacks and traces.
 * @throws ModelTimeout, StreamCut, whatever the client throws, and the caller's own abort reason
 */
export async function attemptAnswer(model: BaseChatModel, attempt: Attempt): Promise<BaseMessage> {
  const watch = new Watch(attempt.timeoutMs, attempt.options.signal);
  const options = { ...attempt.options, signal: watch.signal };
  try {
    if (attempt.emit === undefined || !streams(model)) {
      const result = await watch.guard(model._generate(attempt.messages, options));
      const [generation] = result.generations;
      if (generation === undefined) throw new StreamCut('the provider sent no choices');
      const { message, generationInfo } = generation;
      // Why it ended is told beside the message.
      message.response_metadata = { ...generationInfo, ...message.response_metadata };
      if (attempt.emit !== undefined) await attempt.emit(whole(message));
      return message;
    }
    return await collect(model, attempt, options, attempt.emit, watch);
  } finally {
    watch.stop();
  }
}

async function collect(
  model: BaseChatModel,
  { messages, limit }: Attempt,
  options: BaseChatModelCallOptions,
  emit: Emit,
  watch: Watch,
): Promise<BaseMessage> {
  const pieces = model._streamResponseChunks(messages, options);
  const length = limit && new LengthWatch(limit.maxChars);
  let argsChars = 0;
  let sum: ChatGenerationChunk | undefined;
  try {
    for (
      let piece = await watch.guard(pieces.next());
      piece.done !== true;
      piece = await watch.guard(pieces.next())
    ) {
      watch.alive();
      argsChars += argsLength(piece.value);
      const kept = length?.next(piece.value.text) ?? null;
      if (limit && (argsChars > limit.maxChars || (kept !== null && limit.ending === null)))
        throw new AnswerTooLong(`more than ${limit.maxChars} characters`);
      if (limit?.ending && kept !== null) {
        const last = ending(piece.value, withEnding(kept, limit.ending), messages, limit.maxChars);
        await emit(last);
        sum = sum === undefined ? last : sum.concat(last);
        watch.end();
        break;
      }
      await emit(piece.value);
      sum = sum === undefined ? piece.value : sum.concat(piece.value);
    }
  } finally {
    // A hanging generator would never settle its return; it is told to stop by the signal.
    pieces.return(undefined).catch(() => undefined);
  }
  if (sum === undefined) throw new StreamCut('the stream held nothing');
  const finished: Record<string, unknown> = { ...sum.generationInfo, ...sum.message.response_metadata };
  if (finished.finish_reason === undefined && finished.hub_provider === undefined) {
    throw new StreamCut('the stream ended before the answer did');
  }
  sum.message.response_metadata = finished;
  return sum.message;
}

function argsLength({ message }: ChatGenerationChunk): number {
  if (!AIMessageChunk.isInstance(message)) return 0;
  return (message.tool_call_chunks ?? []).reduce((sum, { args }) => sum + (args?.length ?? 0), 0);
}

/** The last piece of an answer that gets no longer. */
function ending(
  { message }: ChatGenerationChunk,
  text: string,
  asked: readonly BaseMessage[],
  chars: number,
): ChatGenerationChunk {
  // The provider tells what it cost at the very end, which is not waited for.
  const prompt = Math.ceil(asked.reduce((sum, { text: words }) => sum + words.length, 0) / 4);
  const completion = Math.ceil(chars / 4);
  const last = new AIMessageChunk({
    content: text,
    response_metadata: { finish_reason: CUT },
    usage_metadata: { input_tokens: prompt, output_tokens: completion, total_tokens: prompt + completion },
    ...(message.id != null && { id: message.id }),
  });
  return new ChatGenerationChunk({ text, message: last });
}

/** One chunk that holds a whole message. */
export function whole(message: BaseMessage): ChatGenerationChunk {
  const calls = 'tool_calls' in message && Array.isArray(message.tool_calls) ? message.tool_calls : [];
  const chunk = new AIMessageChunk({
    id: message.id,
    content: message.content as string,
    tool_call_chunks: calls.map((call: { name: string; args: unknown; id?: string }, index) => ({
      type: 'tool_call_chunk' as const,
      index,
      name: call.name,
      args: JSON.stringify(call.args),
      ...(call.id !== undefined && { id: call.id }),
    })),
    response_metadata: message.response_metadata,
    ...('usage_metadata' in message && {
      usage_metadata: message.usage_metadata as AIMessageChunk['usage_metadata'],
    }),
  });
  return new ChatGenerationChunk({ text: message.text, message: chunk });
}

function streams(model: BaseChatModel): boolean {
  return (
    model._streamResponseChunks !== BaseChatModel.prototype._streamResponseChunks && !model.disableStreaming
  );
}

/** Ends an attempt when its caller gives up or the provider falls silent, even where the client ignores the signal. */
class Watch {
  readonly signal: AbortSignal;
  readonly #controller = new AbortController();
  readonly #link: LinkedSignal;
  readonly #timeoutMs: number;
  readonly #ended: Promise<never>;
  #timer: NodeJS.Timeout | undefined;

  constructor(timeoutMs: number, outer: AbortSignal | undefined) {
    this.#timeoutMs = timeoutMs;
    this.#link = linkSignals(outer, this.#controller.signal);
    this.signal = this.#link.signal;
    this.#ended = new Promise((_, reject) => {
      const end = (): void => reject(this.signal.reason);
      if (this.signal.aborted) end();
      else this.signal.addEventListener('abort', end, { once: true });
    });
    // Without a listener of its own, an end that nobody waits for would be an unhandled rejection.
    this.#ended.catch(() => undefined);
    this.alive();
  }

  async guard<T>(work: Promise<T>): Promise<T> {
    work.catch(() => undefined);
    const result = await Promise.race([work, this.#ended]).catch((error: unknown) => {
      // The client reports the abort in its own words; the reason says which it was.
      throw this.signal.aborted ? this.signal.reason : error;
    });
    this.signal.throwIfAborted();
    return result;
  }

  alive(): void {
    clearTimeout(this.#timer);
    if (this.#timeoutMs <= 0) return;
    const give = (): void =>
      this.#controller.abort(new ModelTimeout(`no answer within ${this.#timeoutMs} ms`));
    this.#timer = setTimeout(give, this.#timeoutMs);
  }

  /** Tells the client that no more is wanted. */
  end(): void {
    this.#controller.abort(new DOMException('The answer is long enough', 'AbortError'));
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#link.release();
  }
}
