import type { CallbackManagerForLLMRun } from '@langchain/core/callbacks/manager';
import { AIMessage, AIMessageChunk, type BaseMessage, ToolMessage } from '@langchain/core/messages';
import type { ChatGenerationChunk, ChatResult } from '@langchain/core/outputs';
import { ChatOpenAI } from '@langchain/openai';
import { PlaceholderStream, SecretMask } from '../../core/secret-mask.js';

type ToolCallChunks = NonNullable<AIMessageChunk['tool_call_chunks']>;

/**
 * The provider's client, which sends no card number, CPF, CNPJ, password, code or key: placeholders go out in their
 * places, whatever message they stand in. Arguments of tools and JSON come back with the true values, which never left
 * this process; words for people come back with the end of a number at most.
 */
export class MaskedChatOpenAI extends ChatOpenAI {
  static override lc_name(): string {
    return 'MaskedChatOpenAI';
  }

  override async _generate(
    messages: BaseMessage[],
    options: this['ParsedCallOptions'],
    runManager?: CallbackManagerForLLMRun,
  ): Promise<ChatResult> {
    const mask = new SecretMask();
    const result = await super._generate(maskedMessages(messages, mask), options, runManager);
    for (const generation of result.generations) {
      restoreMessage(generation.message, mask);
      generation.text = generation.message.text;
    }
    return result;
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: this['ParsedCallOptions'],
    runManager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    const mask = new SecretMask();
    const stream = new RestoredStream(mask);
    for await (const chunk of super._streamResponseChunks(
      maskedMessages(messages, mask),
      options,
      runManager,
    )) {
      stream.restore(chunk);
      yield chunk;
    }
  }
}

function maskedMessages(messages: readonly BaseMessage[], mask: SecretMask): BaseMessage[] {
  for (const message of messages) mask.learn(message.text);
  return messages.map((message) => {
    const copy = Object.assign(Object.create(Object.getPrototypeOf(message)), message) as BaseMessage;
    copy.content = mask.maskIn(message.content);
    if (AIMessage.isInstance(copy) && copy.tool_calls) copy.tool_calls = mask.maskIn(copy.tool_calls);
    // The call names its tool; who made it is the graph's business, and would be paid for with every call.
    if (ToolMessage.isInstance(copy) || (AIMessage.isInstance(copy) && copy.tool_calls?.length))
      delete copy.name;
    return copy;
  });
}

function restoreMessage(message: BaseMessage, mask: SecretMask): void {
  if (typeof message.content === 'string') {
    const isJson = /^\s*(?:\{|```|\[\s*[{"])/.test(message.content);
    message.content = isJson ? mask.restore(message.content, true) : mask.show(message.content);
  }
  if (!AIMessage.isInstance(message)) return;
  if (message.tool_calls) message.tool_calls = mask.restoreIn(message.tool_calls);
  for (const call of message.invalid_tool_calls ?? []) {
    if (call.args !== undefined) call.args = mask.restore(call.args, true);
  }
}

/** The same for an answer in pieces. A placeholder may be cut anywhere. */
class RestoredStream {
  readonly #mask: SecretMask;
  readonly #text: PlaceholderStream;
  readonly #args = new Map<number, PlaceholderStream>();

  constructor(mask: SecretMask) {
    this.#mask = mask;
    this.#text = new PlaceholderStream((text) => mask.show(text));
  }

  restore(chunk: ChatGenerationChunk): void {
    const { message } = chunk;
    if (!AIMessageChunk.isInstance(message) || typeof message.content !== 'string') return;
    const last = (chunk.generationInfo?.finish_reason ?? message.response_metadata.finish_reason) != null;
    const text = `${this.#text.push(message.content)}${last ? this.#text.end() : ''}`;
    message.content = text;
    chunk.text = text;
    const pieces = (message.tool_call_chunks ?? []).map((piece) => ({
      ...piece,
      ...(piece.args !== undefined && { args: this.#argsOf(piece.index ?? 0).push(piece.args) }),
    }));
    message.tool_call_chunks = last ? [...pieces, ...this.#rest()] : pieces;
  }

  #argsOf(index: number): PlaceholderStream {
    const known = this.#args.get(index) ?? new PlaceholderStream((text) => this.#mask.restore(text, true));
    this.#args.set(index, known);
    return known;
  }

  #rest(): ToolCallChunks {
    return [...this.#args].flatMap(([index, held]) => {
      const args = held.end();
      return args === '' ? [] : [{ type: 'tool_call_chunk' as const, index, args }];
    });
  }
}
