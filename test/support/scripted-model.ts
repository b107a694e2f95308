import type {
  BaseLanguageModelInput,
  StructuredOutputMethodOptions,
} from '@langchain/core/language_models/base';
import {
  BaseChatModel,
  type BaseChatModelCallOptions,
  type BindToolsInput,
} from '@langchain/core/language_models/chat_models';
import { AIMessage, type AIMessageChunk, type BaseMessage } from '@langchain/core/messages';
import type { ChatResult } from '@langchain/core/outputs';
import type { Runnable } from '@langchain/core/runnables';
import { toolName } from '../../src/adapters/models/offline-chat-model.js';
import {
  type OutputSchema,
  readStructured,
  type StructuredRequest,
  structuredPipeline,
  structuredRequest,
} from '../../src/adapters/models/structured.js';
import type { ProviderName } from '../../src/core/domain/taxonomy.js';
import { type ChatModels, MODEL_ROLES, type ModelRole } from '../../src/core/ports/chat-models.js';

/** One thing the model says. Ids of tool calls are given, because made-up ones collide between agents. */
export type ScriptStep =
  | { readonly text: string; readonly metadata?: Readonly<Record<string, unknown>> }
  | {
      readonly calls: readonly {
        readonly id: string;
        readonly name: string;
        readonly args: Readonly<Record<string, unknown>>;
      }[];
      readonly text?: string;
    }
  | { readonly object: Readonly<Record<string, unknown>> }
  | { readonly error: Error };

/** A step, or a function of the messages that gives one. */
export type Scripted = ScriptStep | ((messages: readonly BaseMessage[]) => ScriptStep);

/** One call as the model got it. */
interface ScriptedCall {
  readonly messages: readonly BaseMessage[];
  readonly tools: readonly string[];
}

interface ScriptedOptions extends BaseChatModelCallOptions {
  tools?: readonly BindToolsInput[];
  hub_structured?: StructuredRequest;
}

/** A real chat model that says what the test wrote, step by step, and fails the test where it does not fit. */
export class ScriptedModel extends BaseChatModel<ScriptedOptions> {
  readonly calls: ScriptedCall[] = [];
  readonly #name: string;
  readonly #steps: Scripted[];
  readonly #provider: ProviderName;
  readonly #faults: string[] = [];

  constructor(steps: readonly Scripted[], name = 'model', provider: ProviderName = 'openai') {
    super({});
    this.#steps = [...steps];
    this.#name = name;
    this.#provider = provider;
  }

  override _llmType(): string {
    return 'scripted';
  }

  override bindTools(
    tools: BindToolsInput[],
    kwargs?: Partial<ScriptedOptions>,
  ): Runnable<BaseLanguageModelInput, AIMessageChunk, ScriptedOptions> {
    return this.withConfig({ ...kwargs, tools });
  }

  override withStructuredOutput(
    schema: OutputSchema,
    config?: StructuredOutputMethodOptions<boolean>,
  ): Runnable<BaseLanguageModelInput, never> {
    const request = structuredRequest(schema, config);
    return structuredPipeline(this.withConfig({ hub_structured: request }), request, config?.includeRaw);
  }

  override async _generate(messages: BaseMessage[], options: this['ParsedCallOptions']): Promise<ChatResult> {
    const tools = (options.tools ?? []).map(toolName).filter((name) => name !== undefined);
    this.calls.push({ messages, tools });
    const next = this.#steps.shift();
    if (next === undefined)
      throw this.#fault(
        `ran dry at call ${this.calls.length}; last message: ${messages.at(-1)?.text.slice(0, 120)}`,
      );
    const step = typeof next === 'function' ? next(messages) : next;
    if ('error' in step) throw step.error;
    const message = await this.#message(step, tools, options.hub_structured);
    return { generations: [{ text: message.text, message }] };
  }

  /** @throws where steps are left, or one did not fit (even if the graph swallowed the error) */
  assertExhausted(): void {
    const left = this.#steps.length > 0 ? [`${this.#steps.length} steps of ${this.#name} were not used`] : [];
    const problems = [...this.#faults, ...left];
    if (problems.length > 0) throw new Error(`Scripted model:\n${problems.join('\n')}`);
  }

  async #message(
    step: Exclude<ScriptStep, { error: Error }>,
    tools: readonly string[],
    request: StructuredRequest | undefined,
  ): Promise<AIMessage> {
    const calls = 'calls' in step ? step.calls : [];
    const unknown = calls.find((call) => !tools.includes(call.name));
    if (unknown !== undefined && request === undefined)
      throw this.#fault(`calls ${unknown.name}, which is not bound (${tools.join(', ')})`);
    const message = new AIMessage({
      content: 'object' in step ? JSON.stringify(step.object) : (step.text ?? ''),
      tool_calls: calls.map((call) => ({
        type: 'tool_call',
        id: call.id,
        name: call.name,
        args: { ...call.args },
      })),
      response_metadata: { ...('metadata' in step ? step.metadata : {}), hub_provider: this.#provider },
      usage_metadata: { input_tokens: 0, output_tokens: 0, total_tokens: 0 },
    });
    if ('object' in step && request === undefined)
      throw this.#fault('has an object to give, but none was asked for');
    if (request !== undefined) {
      await readStructured(message, request).catch((error: unknown) => {
        throw this.#fault(error instanceof Error ? error.message : String(error));
      });
    }
    return message;
  }

  #fault(text: string): Error {
    this.#faults.push(`${this.#name} ${text}`);
    return new Error(`Scripted model ${this.#name} ${text}`);
  }
}

/** A model for one role. */
export function scriptedModel(steps: readonly Scripted[], name?: string): ScriptedModel {
  return new ScriptedModel(steps, name);
}

/** Models by role; a role without a script fails the test when it is asked. */
type ScriptedModels = ChatModels & {
  readonly models: Readonly<Record<ModelRole, ScriptedModel>>;
  assertExhausted(): void;
};

/** The ChatModels port over scripts. */
export function scriptedModels(
  scripts: Partial<Record<ModelRole, readonly Scripted[]>>,
  provider: ProviderName = 'openai',
): ScriptedModels {
  const models = Object.fromEntries(
    MODEL_ROLES.map((role) => [role, new ScriptedModel(scripts[role] ?? [], role, provider)]),
  ) as Record<ModelRole, ScriptedModel>;
  return {
    provider,
    models,
    forRole: (role) => models[role],
    assertExhausted: () => {
      for (const role of MODEL_ROLES) models[role].assertExhausted();
    },
  };
}
