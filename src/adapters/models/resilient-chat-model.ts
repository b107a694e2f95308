import type { CallbackManagerForLLMRun } from '@langchain/core/callbacks/manager';
import type {
  BaseLanguageModelInput,
  StructuredOutputMethodOptions,
} from '@langchain/core/language_models/base';
import {
  BaseChatModel,
  type BaseChatModelCallOptions,
  type BindToolsInput,
  type LangSmithParams,
} from '@langchain/core/language_models/chat_models';
import type { AIMessage, AIMessageChunk, BaseMessage } from '@langchain/core/messages';
import type { ChatGenerationChunk, ChatResult } from '@langchain/core/outputs';
import type { Runnable } from '@langchain/core/runnables';
import { LiveTokens, whole } from './attempt.js';
import { ResilientCall, type ResilientCallSettings } from './call.js';
import {
  type OutputSchema,
  type StructuredRequest,
  structuredPipeline,
  structuredRequest,
} from './structured.js';

/** Options of one call: what `bindTools` and `withStructuredOutput` left. */
interface ResilientCallOptions extends BaseChatModelCallOptions {
  tools?: readonly BindToolsInput[];
  hub_structured?: StructuredRequest;
  parallel_tool_calls?: boolean;
}

interface ResilientChatModelFields extends ResilientCallSettings {
  /** Adds `parallel_tool_calls: false` where tools are bound: one call at a time. */
  readonly oneCallAtATime?: boolean;
}

/**
 * A chat model that always answers: by the provider where it can be reached and says something usable, by the
 * fallback otherwise. Retries, timeouts, the circuit and the check of answers are all here (the provider's client
 * retries nothing), so that the rules are in one place. See `ResilientCall` for them.
 *
 * Every answer carries the fields of `AnswerMetadata`; `usage_metadata` is the sum over all billed attempts.
 * Tokens go out live through the callbacks of the run; the message itself is yielded whole, at the end, because
 * what was streamed may turn out to be the beginning of an answer that broke off.
 */
export class ResilientChatModel extends BaseChatModel<ResilientCallOptions> {
  readonly #fields: ResilientChatModelFields;

  constructor(fields: ResilientChatModelFields) {
    super({});
    this.#fields = fields;
  }

  static override lc_name(): string {
    return 'ResilientChatModel';
  }

  override _llmType(): string {
    return 'hub-resilient';
  }

  override getLsParams(options: this['ParsedCallOptions']): LangSmithParams {
    return { ...super.getLsParams(options), ls_provider: 'openai', ls_model_name: this.#fields.model };
  }

  override bindTools(
    tools: BindToolsInput[],
    kwargs?: Partial<ResilientCallOptions>,
  ): Runnable<BaseLanguageModelInput, AIMessageChunk, ResilientCallOptions> {
    const single = this.#fields.oneCallAtATime === true && tools.length > 0;
    return this.withConfig({ ...(single && { parallel_tool_calls: false }), ...kwargs, tools });
  }

  /** Answers that do not fit the schema are asked for once more, then written by the fallback. */
  override withStructuredOutput(
    schema: OutputSchema,
    config?: StructuredOutputMethodOptions<boolean>,
  ): Runnable<BaseLanguageModelInput, never> {
    const request = structuredRequest(schema, config);
    return structuredPipeline(this.withConfig({ hub_structured: request }), request, config?.includeRaw);
  }

  override async _generate(
    messages: BaseMessage[],
    options: this['ParsedCallOptions'],
    runManager?: CallbackManagerForLLMRun,
  ): Promise<ChatResult> {
    const message = await this.#answer(messages, options, runManager, undefined);
    return { generations: [{ text: message.text, message }] };
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: this['ParsedCallOptions'],
    runManager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    // JSON for the program is nothing to watch.
    const live =
      options.hub_structured === undefined && runManager !== undefined
        ? new LiveTokens(runManager)
        : undefined;
    yield whole(await this.#answer(messages, options, runManager, live));
  }

  async #answer(
    messages: BaseMessage[],
    options: this['ParsedCallOptions'],
    runManager: CallbackManagerForLLMRun | undefined,
    live: LiveTokens | undefined,
  ): Promise<AIMessage> {
    const { hub_structured: request, ...rest } = options;
    const call = new ResilientCall(this.#fields, {
      messages,
      options: rest,
      request,
      live,
      ticketId: ticketOf(runManager) ?? ticketIn(messages),
    });
    return call.run();
  }
}

/** Says in a system message which ticket a call is for, where it is made outside of the hub's graph. */
export function ticketMark(ticketId: string | null | undefined): { hub_order?: { ticketId: string } } {
  return ticketId ? { hub_order: { ticketId } } : {};
}

/** The ticket in what the hub attaches to its system messages (an agent's context, the router's order). */
function ticketIn([first]: readonly BaseMessage[]): string | null {
  const attached = first?.additional_kwargs as HubAttachment | undefined;
  return attached?.hub?.session?.ticketId ?? attached?.hub_order?.ticketId ?? null;
}

interface HubAttachment {
  readonly hub?: { readonly session?: { readonly ticketId?: string } };
  readonly hub_order?: { readonly ticketId?: string };
}

/** The ticket named in the run's metadata, for the log. The property is there at run time, hidden only by its type. */
function ticketOf(runManager: CallbackManagerForLLMRun | undefined): string | null {
  const metadata: unknown = runManager === undefined ? undefined : Reflect.get(runManager, 'metadata');
  if (typeof metadata !== 'object' || metadata === null || !('ticket_id' in metadata)) return null;
  return typeof metadata.ticket_id === 'string' ? metadata.ticket_id : null;
}
