import { BaseCallbackHandler } from '@langchain/core/callbacks/base';
import type { Serialized } from '@langchain/core/load/serializable';
import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import type { LLMResult } from '@langchain/core/outputs';
import type { Attributes, Span } from '@opentelemetry/api';
import { type AnswerMetadata, tokensOf } from '../models/usage.js';

/** Makes spans; the handler decides which, and where they hang. */
export interface SpanMaker {
  start(name: string, kind: 'AGENT' | 'CHAIN' | 'LLM', parent: Span, attributes: Attributes): Span;
  end(span: Span, attributes: Attributes, error?: unknown): void;
  /** Whether what was said may be shown. */
  readonly content: boolean;
}

/** Steps of LangGraph and LangChain that say nothing about the hub. */
const MACHINERY = /^(?:__start__|model_request|tools|agent|uda-hub)$|[.:]/;
const CHAINS = new Set(['intake', 'router', 'review', 'escalate', 'respond']);
/** The supervisor's stand-in for a model: its rules are no model call. */
const ROUTER = 'RouterModel';

/** Turns the run of a graph into spans: one for each node of the hub and each agent, one for each model call. */
export class TracingHandler extends BaseCallbackHandler {
  override name = 'HubTracing';
  override awaitHandlers = true;
  override ignoreRetriever = true;
  override ignoreAgent = true;
  readonly #root: Span;
  readonly #maker: SpanMaker;
  /** The span of a run, or of the nearest run above it that has one. */
  readonly #spans = new Map<string, Span>();
  readonly #own = new Set<string>();
  readonly #names = new Map<Span, string>();

  constructor(root: Span, maker: SpanMaker) {
    super();
    this.#root = root;
    this.#maker = maker;
  }

  /** The span that the work of a run belongs to. */
  spanOf(runId: string | undefined): Span {
    return (runId === undefined ? undefined : this.#spans.get(runId)) ?? this.#root;
  }

  /** The order of the arguments is the one the library calls it with; its types name another. */
  override handleChainStart(
    _chain: Serialized,
    _inputs: unknown,
    runId: string,
    parentRunId?: string,
    _tags?: string[],
    metadata?: Record<string, unknown>,
    _runType?: string,
    runName?: string,
  ): void {
    const parent = this.spanOf(parentRunId);
    const node = metadata?.langgraph_node;
    const known = runName !== undefined && runName === node && !MACHINERY.test(runName);
    // An agent is a node and the graph inside of it, both by the same name.
    if (!known || this.#names.get(parent) === runName) return void this.#spans.set(runId, parent);
    const kind = CHAINS.has(runName) ? 'CHAIN' : 'AGENT';
    const name = kind === 'AGENT' ? `agent ${runName}` : runName;
    this.#open(runId, this.#maker.start(name, kind, parent, { 'hub.agent': runName }), runName);
  }

  override handleChainEnd(_outputs: unknown, runId: string): void {
    this.#close(runId, {});
  }

  override handleChainError(error: unknown, runId: string): void {
    this.#close(runId, {}, error);
  }

  override handleChatModelStart(
    llm: Serialized,
    messages: BaseMessage[][],
    runId: string,
    parentRunId?: string,
  ): void {
    const parent = this.spanOf(parentRunId);
    if (llm.id?.at(-1) === ROUTER) return void this.#spans.set(runId, parent);
    const agent = this.#names.get(parent);
    const said = messages[0]?.at(-1)?.text;
    const attributes = {
      ...(agent === undefined ? {} : { 'hub.agent': agent }),
      ...(this.#maker.content && said !== undefined ? { 'input.value': said } : {}),
    };
    this.#open(runId, this.#maker.start(`model ${agent ?? 'hub'}`, 'LLM', parent, attributes), agent);
  }

  override handleLLMEnd(output: LLMResult, runId: string): void {
    const generation = output.generations[0]?.[0];
    const message = generation !== undefined && 'message' in generation ? generation.message : undefined;
    this.#close(runId, AIMessage.isInstance(message) ? this.#answerOf(message) : {});
  }

  override handleLLMError(error: unknown, runId: string): void {
    this.#close(runId, {}, error);
  }

  #answerOf(message: AIMessage): Attributes {
    const meta = message.response_metadata as Partial<AnswerMetadata>;
    const tokens = tokensOf(message);
    return {
      'llm.provider': meta.hub_provider ?? 'offline',
      ...(meta.hub_model === undefined ? {} : { 'llm.model_name': meta.hub_model }),
      ...(meta.hub_fallback === undefined ? {} : { 'hub.fallback': meta.hub_fallback }),
      'llm.token_count.prompt': tokens.prompt,
      'llm.token_count.completion': tokens.completion,
      ...(this.#maker.content ? { 'output.value': message.text } : {}),
    };
  }

  #open(runId: string, span: Span, name: string | undefined): void {
    this.#spans.set(runId, span);
    this.#own.add(runId);
    if (name !== undefined) this.#names.set(span, name);
  }

  #close(runId: string, attributes: Attributes, error?: unknown): void {
    const span = this.#spans.get(runId);
    this.#spans.delete(runId);
    if (span !== undefined && this.#own.delete(runId)) this.#maker.end(span, attributes, error);
  }
}
