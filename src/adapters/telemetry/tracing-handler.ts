import { BaseCallbackHandler } from '@langchain/core/callbacks/base';
import type { Serialized } from '@langchain/core/load/serializable';
import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import type { LLMResult } from '@langchain/core/outputs';
import type { Attributes, Context, Span } from '@opentelemetry/api';
import type { ReadableSpan, Span as SentSpan, SpanProcessor } from '@opentelemetry/sdk-trace-base';
import { wordPattern } from '../../core/privacy.js';
import { type AnswerMetadata, tokensOf } from '../models/usage.js';
import { maskText } from './pino-log.js';

/** Replaces what must not leave in a text. */
export type MaskText = (text: string) => string;

/**
 * The log's masker, which also takes out the names a session is known by, whole and in parts.
 * @param names full name and e-mail address of the customer
 */
export function sessionMask(names: readonly string[]): MaskText {
  const parts = names.flatMap((name) => [name, ...name.split(/\s+/)]).filter((part) => part.length >= 3);
  if (parts.length === 0) return maskText;
  const pattern = wordPattern([...new Set(parts)]);
  return (text) => maskText(text).replace(pattern, '[name]');
}

/**
 * Masks every text of a span before it is handed on: attributes, events, status. Ended spans take no more changes by
 * their methods, so the values are replaced where they are kept.
 */
export class MaskingSpanProcessor implements SpanProcessor {
  /** @param maskOf what to mask in the spans of a trace */
  constructor(
    private readonly next: SpanProcessor,
    private readonly maskOf: (traceId: string) => MaskText,
  ) {}

  onStart(span: SentSpan, parentContext: Context): void {
    this.next.onStart(span, parentContext);
  }

  onEnd(span: ReadableSpan): void {
    const mask = this.maskOf(span.spanContext().traceId);
    maskAttributes(span.attributes, mask);
    for (const event of span.events) if (event.attributes) maskAttributes(event.attributes, mask);
    if (span.status.message !== undefined) span.status.message = mask(span.status.message);
    this.next.onEnd(span);
  }

  forceFlush(): Promise<void> {
    return this.next.forceFlush();
  }

  shutdown(): Promise<void> {
    return this.next.shutdown();
  }
}

function maskAttributes(attributes: Attributes, mask: MaskText): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'string') attributes[name] = mask(value);
    else if (Array.isArray(value))
      attributes[name] = value.map((item) => (typeof item === 'string' ? mask(item) : item)) as string[];
  }
}

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
