import { createHash } from 'node:crypto';
import type { CallbackManagerForLLMRun } from '@langchain/core/callbacks/manager';
import type {
  BaseLanguageModelInput,
  StructuredOutputMethodOptions,
} from '@langchain/core/language_models/base';
import {
  BaseChatModel,
  type BaseChatModelCallOptions,
  type BindToolsInput,
} from '@langchain/core/language_models/chat_models';
import {
  AIMessage,
  AIMessageChunk,
  type BaseMessage,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages';
import { ChatGenerationChunk, type ChatResult } from '@langchain/core/outputs';
import type { Runnable } from '@langchain/core/runnables';
import {
  type ChatModels,
  MODEL_ROLES,
  type ModelRole,
  type OfflinePolicy,
  type OfflineStep,
} from '../../core/ports/chat-models.js';
import { type OutputSchema, structuredPipeline, structuredRequest } from './structured.js';

/** Options of one call; `tools` is what `bindTools` left. */
interface OfflineCallOptions extends BaseChatModelCallOptions {
  tools?: readonly BindToolsInput[];
}

interface OfflineChatModelFields {
  /** Whose model this is. Part of every tool-call id, so that two agents' ids never meet. */
  readonly role: string;
  readonly policy: OfflinePolicy;
}

const NO_TOKENS = { input_tokens: 0, output_tokens: 0, total_tokens: 0 } as const;

/**
 * A chat model that answers by rules: no key, no network, no cost, and the same answer for the same messages.
 * Answers carry `response_metadata.hub_provider = 'offline'` and a usage of zero.
 */
export class OfflineChatModel extends BaseChatModel<OfflineCallOptions> {
  readonly role: string;
  readonly #policy: OfflinePolicy;

  constructor(fields: OfflineChatModelFields) {
    super({});
    this.role = fields.role;
    this.#policy = fields.policy;
  }

  static override lc_name(): string {
    return 'OfflineChatModel';
  }

  override _llmType(): string {
    return 'hub-offline';
  }

  override bindTools(
    tools: BindToolsInput[],
    kwargs?: Partial<OfflineCallOptions>,
  ): Runnable<BaseLanguageModelInput, AIMessageChunk, OfflineCallOptions> {
    return this.withConfig({ ...kwargs, tools });
  }

  /** The policy answers with JSON text or with a call; either is checked by the schema. */
  override withStructuredOutput(
    schema: OutputSchema,
    config?: StructuredOutputMethodOptions<boolean>,
  ): Runnable<BaseLanguageModelInput, never> {
    return structuredPipeline(this, structuredRequest(schema, config), config?.includeRaw);
  }

  override async _generate(messages: BaseMessage[], options: this['ParsedCallOptions']): Promise<ChatResult> {
    const step = await this.#decide(messages, options);
    const message =
      step.kind === 'say'
        ? new AIMessage({
            content: step.text,
            response_metadata: metadataOf(step),
            usage_metadata: { ...NO_TOKENS },
          })
        : new AIMessage({
            content: '',
            tool_calls: [
              { type: 'tool_call', name: step.tool, args: step.args, id: callId(this.role, messages, step) },
            ],
            response_metadata: metadataOf(step),
            usage_metadata: { ...NO_TOKENS },
          });
    return { generations: [{ text: step.kind === 'say' ? step.text : '', message }] };
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: this['ParsedCallOptions'],
    runManager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    const step = await this.#decide(messages, options);
    const pieces = step.kind === 'say' ? sentences(step.text) : [''];
    for (const [index, text] of pieces.entries()) {
      const last = index === pieces.length - 1;
      // Metadata is merged by concatenation over chunks, so exactly one of them carries it.
      const message = new AIMessageChunk({
        content: text,
        ...(step.kind === 'call' && {
          tool_call_chunks: [
            {
              type: 'tool_call_chunk',
              index: 0,
              name: step.tool,
              args: JSON.stringify(step.args),
              id: callId(this.role, messages, step),
            },
          ],
        }),
        ...(last && { response_metadata: metadataOf(step), usage_metadata: { ...NO_TOKENS } }),
      });
      const chunk = new ChatGenerationChunk({ text, message });
      yield chunk;
      await runManager?.handleLLMNewToken(
        text,
        { prompt: 0, completion: 0 },
        undefined,
        undefined,
        undefined,
        { chunk },
      );
    }
  }

  async #decide(messages: readonly BaseMessage[], options: this['ParsedCallOptions']): Promise<OfflineStep> {
    options.signal?.throwIfAborted();
    const first = messages.find((message) => SystemMessage.isInstance(message));
    const toolNames = (options.tools ?? []).map(toolName).filter((name) => name !== undefined);
    return this.#policy({ messages, context: first?.additional_kwargs.hub, toolNames });
  }
}

/** The name of anything that can be bound as a tool. */
export function toolName(tool: BindToolsInput): string | undefined {
  if ('function' in tool && typeof tool.function === 'object' && tool.function !== null)
    return nameOf(tool.function);
  return nameOf(tool);
}

function nameOf(value: object): string | undefined {
  return 'name' in value && typeof value.name === 'string' ? value.name : undefined;
}

function metadataOf(step: OfflineStep): Record<string, unknown> {
  return { ...(step.kind === 'say' ? step.metadata : undefined), hub_provider: 'offline' };
}

/**
 * A tool-call id that is the same for the same conversation and different for any other. The tool node skips a call
 * whose id was answered before, so everything that tells two moments apart goes in: who asks, every message with its
 * id, and the call itself.
 */
function callId(
  role: string,
  messages: readonly BaseMessage[],
  step: Extract<OfflineStep, { kind: 'call' }>,
): string {
  const hash = createHash('sha1').update(
    `${role}\0${messages.length}\0${step.tool}\0${JSON.stringify(step.args)}`,
  );
  for (const message of messages) {
    const content = typeof message.content === 'string' ? message.content : JSON.stringify(message.content);
    const answered = ToolMessage.isInstance(message) ? message.tool_call_id : '';
    hash.update(`\0${message.id ?? ''}\0${message.type}\0${answered}\0${content}`);
  }
  return `call_${hash.digest('hex').slice(0, 24)}`;
}

/** Splits after sentence ends, keeping every character. Linear in the length of the text. */
function sentences(text: string): string[] {
  const parts = text.match(/[^.!?\n]*[.!?\n]+\s*|[^.!?\n]+/g);
  return parts ?? [text];
}

/** The chat models of all roles without a provider. Apart from the provider's, whose client takes long to load. */
export function createOfflineChatModels(policies: Readonly<Record<ModelRole, OfflinePolicy>>): ChatModels {
  return chatModels('offline', (role) => new OfflineChatModel({ role, policy: policies[role] }));
}

/** The chat models of all roles, each made once. */
export function chatModels(
  provider: ChatModels['provider'],
  make: (role: ModelRole) => BaseChatModel,
): ChatModels {
  const models = new Map(MODEL_ROLES.map((role) => [role, make(role)]));
  return {
    provider,
    forRole(role) {
      const model = models.get(role);
      if (model === undefined) throw new TypeError(`no chat model for role ${String(role)}`);
      return model;
    },
  };
}
