import { AsyncLocalStorage } from 'node:async_hooks';
import { AsyncLocalStorageProviderSingleton } from '@langchain/core/singletons';
import { isGraphInterrupt } from '@langchain/langgraph';
import {
  type Attributes,
  DiagLogLevel,
  diag,
  ROOT_CONTEXT,
  type Span,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { TurnReply } from '../../core/domain/turn.js';
import { messageOf, toHubError } from '../../core/errors.js';
import type { TracedCall, TracedPart, TracedTurn, Tracing } from '../../core/ports/metrics.js';
import type { Log } from '../../core/ports/system.js';
import { maskText } from './pino-log.js';
import {
  MaskingSpanProcessor,
  type MaskText,
  type SpanMaker,
  sessionMask,
  TracingHandler,
} from './tracing-handler.js';

interface TracingOptions {
  /** Base address of the collector; traces go to `/v1/traces` below it. */
  readonly endpoint: string;
  readonly serviceName: string;
  /** Whether what was said is shown too, masked. */
  readonly content: boolean;
  /** Full name of a customer, to be taken out of every text. */
  readonly nameOf: (customerId: string) => Promise<string | null>;
  readonly log: Log;
}

/** The turn that the current asynchronous work belongs to. */
interface Current {
  readonly root: Span;
  readonly handler: TracingHandler;
  /** The tool that runs, where one does. */
  readonly part: Span | null;
}

const EXPORT_EVERY_MS = 2_000;
const EXPORT_TIMEOUT_MS = 3_000;

/** One trace a turn, sent to an OpenTelemetry collector (OTLP over HTTP, JSON) in the background. */
export function createTracing(options: TracingOptions): Tracing {
  return new OpenTelemetryTracing(options);
}

class OpenTelemetryTracing implements Tracing {
  readonly #options: TracingOptions;
  readonly #provider: BasicTracerProvider;
  readonly #maker: SpanMaker;
  readonly #current = new AsyncLocalStorage<Current>();
  readonly #masks = new Map<string, MaskText>();

  constructor(options: TracingOptions) {
    this.#options = options;
    quietDiagnostics(options.log);
    const exporter = new OTLPTraceExporter({
      url: `${options.endpoint}/v1/traces`,
      timeoutMillis: EXPORT_TIMEOUT_MS,
    });
    const batch = new BatchSpanProcessor(exporter, {
      scheduledDelayMillis: EXPORT_EVERY_MS,
      exportTimeoutMillis: EXPORT_TIMEOUT_MS,
    });
    this.#provider = new BasicTracerProvider({
      resource: resourceFromAttributes({ 'service.name': options.serviceName }),
      spanProcessors: [new MaskingSpanProcessor(batch, (traceId) => this.#masks.get(traceId) ?? maskText)],
    });
    const tracer = this.#provider.getTracer('uda-hub');
    this.#maker = {
      content: options.content,
      start: (name, kind, parent, attributes) =>
        tracer.startSpan(
          name,
          { attributes: { 'openinference.span.kind': kind, ...attributes } },
          trace.setSpan(ROOT_CONTEXT, parent),
        ),
      end: endSpan,
    };
  }

  turn(turn: TracedTurn, work: () => Promise<TurnReply>): Promise<TurnReply> {
    const { content } = this.#options;
    const { threadId } = turn;
    const lost = threadId === null ? {} : { 'hub.thread_id': threadId };
    const attributes = content ? { 'input.value': turn.text } : {};
    return this.#traced('turn', turn, attributes, work, (reply) => (reply ? factsOf(reply, content) : lost));
  }

  call<T extends { readonly kind: string }>(call: TracedCall, work: () => Promise<T>): Promise<T> {
    return this.#traced(
      'call',
      call,
      { 'hub.tool': call.name },
      work,
      (outcome): Attributes => (outcome ? { 'hub.outcome': outcome.kind } : {}),
    );
  }

  /** @param facts of what it came to; of nothing where it failed */
  async #traced<T>(
    name: string,
    { identity, channel }: Pick<TracedTurn, 'identity' | 'channel'>,
    attributes: Attributes,
    work: () => Promise<T>,
    facts: (result: T | null) => Attributes,
  ): Promise<T> {
    const signedIn = identity.kind === 'customer';
    const known = signedIn ? await this.#options.nameOf(identity.customerId).catch(() => null) : null;
    const names = signedIn ? [identity.email, ...(known ? [known] : [])] : [];
    const root = this.#provider.getTracer('uda-hub').startSpan(name, {
      root: true,
      attributes: {
        'openinference.span.kind': 'CHAIN',
        'hub.channel': channel,
        'hub.signed_in': signedIn,
        ...attributes,
      },
    });
    const { traceId } = root.spanContext();
    this.#masks.set(traceId, sessionMask(names));
    const handler = new TracingHandler(root, this.#maker);
    try {
      const result = await this.#current.run({ root, handler, part: null }, work);
      endSpan(root, facts(result));
      return result;
    } catch (error) {
      endSpan(root, facts(null), error);
      throw error;
    } finally {
      this.#masks.delete(traceId);
    }
  }

  callbacks(): readonly TracingHandler[] {
    const current = this.#current.getStore();
    return current ? [current.handler] : [];
  }

  async part<T>({ kind, name, facts, input }: TracedPart, work: () => Promise<T>): Promise<T> {
    const current = this.#current.getStore();
    if (!current) return work();
    const attributes = {
      'openinference.span.kind': kind === 'tool' ? 'TOOL' : 'RETRIEVER',
      ...facts,
      ...(this.#options.content && input !== undefined ? { 'input.value': JSON.stringify(input) } : {}),
    };
    const parent = current.part ?? current.handler.spanOf(currentRunId());
    const context = trace.setSpan(ROOT_CONTEXT, parent);
    const label = kind === 'tool' ? `tool ${name}` : name;
    const span = this.#provider.getTracer('uda-hub').startSpan(label, { attributes }, context);
    try {
      const result = await this.#current.run({ ...current, part: span }, work);
      endSpan(span, {});
      return result;
    } catch (error) {
      endSpan(span, {}, error);
      throw error;
    }
  }

  modelCall({
    role,
    model,
    ms,
    promptTokens,
    completionTokens,
    outcome,
  }: Parameters<Tracing['modelCall']>[0]): void {
    const current = this.#current.getStore();
    if (!current) return;
    const context = trace.setSpan(ROOT_CONTEXT, current.part ?? current.root);
    const attributes = {
      'openinference.span.kind': 'LLM',
      'hub.agent': role,
      'hub.outcome': outcome,
      'llm.model_name': model,
      'llm.token_count.prompt': promptTokens,
      'llm.token_count.completion': completionTokens,
    };
    const startTime = performance.timeOrigin + performance.now() - ms;
    const span = this.#provider
      .getTracer('uda-hub')
      .startSpan(`model ${role}`, { attributes, startTime }, context);
    endSpan(span, {});
  }

  async close(): Promise<void> {
    await this.#provider.shutdown().catch((error: unknown) => {
      const reason = messageOf(error);
      this.#options.log.warn({ agent: 'tracing', action: 'traces_not_sent', details: { reason } });
    });
    // Otherwise each promise of this process would be given a place of its own here for ever.
    this.#current.disable();
  }
}

/** The LangChain run that the current work is a part of. */
function currentRunId(): string | undefined {
  const config: unknown = AsyncLocalStorageProviderSingleton.getRunnableConfig();
  const callbacks = (config as { callbacks?: { getParentRunId?: () => string | undefined } } | undefined)
    ?.callbacks;
  return callbacks?.getParentRunId?.();
}

/** A pause for a person is no error. What went wrong is named by its code; its words may be a customer's. */
function endSpan(span: Span, attributes: Attributes, error?: unknown): void {
  span.setAttributes(attributes);
  if (isGraphInterrupt(error)) span.setAttribute('hub.paused', true);
  else if (error !== undefined)
    span.setStatus({ code: SpanStatusCode.ERROR, message: toHubError(error).code });
  else span.setStatus({ code: SpanStatusCode.OK });
  span.end();
}

function factsOf(reply: TurnReply, content: boolean): Attributes {
  const { usage, escalation, classification } = reply;
  return {
    'hub.ticket_id': reply.ticketId,
    'hub.thread_id': reply.threadId,
    'hub.provider': reply.provider,
    'hub.language': reply.language,
    'hub.agents': [...reply.agents],
    'hub.route': reply.route.map(({ to, by }) => `${to} (${by.startsWith('rule:') ? by : 'model'})`),
    'hub.outcome': reply.escalated ? 'escalated' : reply.pending ? 'pending' : 'answered',
    ...(classification ? { 'hub.issue_type': classification.issueType } : {}),
    ...(escalation ? { 'hub.escalation_reason': escalation.reason } : {}),
    'llm.token_count.prompt': usage.promptTokens,
    'llm.token_count.completion': usage.completionTokens,
    'llm.token_count.total': usage.promptTokens + usage.completionTokens,
    'hub.cost_usd': usage.costUsd,
    ...(content ? { 'output.value': reply.reply } : {}),
  };
}

/** What the exporter complains of goes to the log; by itself it would say nothing at all. */
function quietDiagnostics(log: Log): void {
  const logReason = (reason: string): void =>
    log.warn({ agent: 'tracing', action: 'traces_not_sent', details: { reason: reason.slice(0, 300) } });
  const silent = (): void => undefined;
  diag.setLogger(
    { error: logReason, warn: silent, info: silent, debug: silent, verbose: silent },
    { logLevel: DiagLogLevel.ERROR, suppressOverrideMessage: true },
  );
}
