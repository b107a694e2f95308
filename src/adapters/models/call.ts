import { setTimeout as sleep } from 'node:timers/promises';
import type { BaseChatModel, BaseChatModelCallOptions } from '@langchain/core/language_models/chat_models';
import { AIMessage, type AIMessageFields, type BaseMessage } from '@langchain/core/messages';
import type { ProviderName } from '../../core/domain/taxonomy.js';
import { HubError } from '../../core/errors.js';
import type { Spend } from '../../core/ports/metrics.js';
import type { Log } from '../../core/ports/system.js';
import { correction, inspectAnswer } from './answer.js';
import { attemptAnswer, type LiveTokens } from './attempt.js';
import type { CircuitBreaker, Passage } from './circuit.js';
import {
  classifyFailure,
  type FailureKind,
  failureText,
  type ModelCallReport,
  type ModelFailure,
  type NotAsked,
  refusesFormat,
} from './failure.js';
import { type AnswerBounds, type AnswerLimit, AnswerTooLong, limitOf } from './length.js';
import {
  type StructuredMethod,
  StructuredMethods,
  type StructuredRequest,
  structuredMessages,
  structuredOptions,
} from './structured.js';
import { type AnswerMetadata, type Prices, tokensOf } from './usage.js';

export type { ModelCallReport } from './failure.js';

/** What stays the same for all calls of a role. */
export interface ResilientCallSettings extends AnswerBounds {
  readonly role: string;
  /** The provider's name for the model. */
  readonly model: string;
  readonly primary: BaseChatModel;
  /** Null: a call that cannot be answered throws HubError `model_unavailable`. */
  readonly fallback: BaseChatModel | null;
  /** Further attempts after the first. */
  readonly retries: number;
  /** Longest silence of the provider. */
  readonly timeoutMs: number;
  /** No attempt begins, and no waiting is done, beyond this time after the call began. */
  readonly budgetMs: number;
  /** Shared by all roles that ask the same provider. */
  readonly circuit: CircuitBreaker;
  readonly methods: StructuredMethods;
  readonly prices: Prices;
  /** Asked before the provider is, and told what each of its answers cost; without limit where absent. */
  readonly spend?: Spend | undefined;
  readonly log: Log;
  readonly onCall?: ((report: ModelCallReport) => void) | undefined;
  /** First pause between attempts; doubles each time. */
  readonly baseDelayMs?: number;
}

interface CallInput {
  readonly messages: BaseMessage[];
  readonly options: BaseChatModelCallOptions;
  readonly request: StructuredRequest | undefined;
  readonly live: LiveTokens | undefined;
  readonly ticketId: string | null;
}

type Shortfall = Pick<ModelFailure, 'message' | 'status'> & { readonly kind: NotAsked | FailureKind };
type Reply = { readonly answer: BaseMessage } | { readonly failure: ModelFailure };
type Outcome = { readonly message: AIMessage } | { readonly failure: Shortfall };

const TRIAL_TIMEOUT_MS = 10_000;
const MAX_DELAY_MS = 8_000;

/**
 * One answer, whatever it takes:
 * - 429 (waiting as long as it asks), 5xx, network faults and timeouts are tried again, as often as `retries` says and
 *   as long as the budget lasts; then the fallback answers.
 * - Other 4xx go to the fallback at once. A refused key or spent quota also opens the circuit.
 * - A server that rejects one way of structured output is asked in the next one.
 * - An unusable answer (empty, malformed arguments, wrong shape) is asked for once more, then the fallback answers.
 * - While the circuit is open, or once the money is spent, the provider is left alone. The caller's own abort is passed on, never answered.
 */
export class ResilientCall {
  readonly #settings: ResilientCallSettings;
  readonly #input: CallInput;
  readonly #started = performance.now();
  readonly #tokens = { prompt: 0, completion: 0, cached: 0 };
  readonly #limit: AnswerLimit | undefined;
  #attempts = 0;
  #billed = 0;
  /** True once an answer was too long to take in: the next one is read piece by piece, so that it can be stopped. */
  #tooLong = false;

  constructor(settings: ResilientCallSettings, input: CallInput) {
    this.#settings = settings;
    this.#input = input;
    this.#limit = limitOf(settings, input.messages);
  }

  async run(): Promise<AIMessage> {
    const { circuit, spend } = this.#settings;
    this.#input.options.signal?.throwIfAborted();
    if (spend && (await spend.reached(this.#input.ticketId)))
      return this.#fallBack({ kind: 'spend_ceiling', status: undefined, message: '' });
    const passage = circuit.enter();
    if (passage === 'barred') return this.#fallBack({ kind: 'circuit_open', status: undefined, message: '' });
    const outcome = await this.#askProvider(passage).catch((error: unknown) => {
      circuit.abandoned(passage);
      throw this.#input.options.signal?.aborted ? this.#input.options.signal.reason : error;
    });
    return 'message' in outcome
      ? this.#finish(outcome.message, 'openai', null)
      : this.#fallBack(outcome.failure);
  }

  async #askProvider(passage: Passage): Promise<Outcome> {
    const { model, methods, circuit, retries } = this.#settings;
    const { request, messages } = this.#input;
    let method = methods.get(model);
    let complaint: BaseMessage[] = [];
    let retriesLeft = passage === 'trial' ? 0 : retries;
    for (;;) {
      const reply = await this.#attempt(method, complaint, passage);
      if ('answer' in reply) {
        const verdict = await inspectAnswer(reply.answer, messages, request, this.#limit);
        if ('message' in verdict) {
          if (request !== undefined) methods.remember(model, method);
          return verdict;
        }
        if (complaint.length > 0)
          return { failure: { kind: 'bad_output', status: undefined, message: verdict.problem } };
        complaint = [correction(verdict.problem, request)];
        continue;
      }
      const { failure } = reply;
      const next =
        request !== undefined && refusesFormat(failure) ? StructuredMethods.after(method) : undefined;
      if (next !== undefined) {
        method = next;
      } else if (failure.kind === 'bad_output' && complaint.length === 0) {
        complaint = [correction('it was malformed or cut short', request)];
      } else if (retriesLeft > 0 && (await this.#waited(failure))) {
        retriesLeft -= 1;
      } else {
        this.#judge(failure, passage);
        return { failure };
      }
      if (failure.kind === 'bad_output') circuit.succeeded();
    }
  }

  /** Sends the request once and notes what it cost. Throws only where the caller gave up. */
  async #attempt(method: StructuredMethod, complaint: BaseMessage[], passage: Passage): Promise<Reply> {
    const { primary, timeoutMs, circuit } = this.#settings;
    const { request, messages, options, live } = this.#input;
    const asked = request === undefined ? messages : structuredMessages(messages, request, method);
    this.#attempts += 1;
    live?.begin();
    try {
      const answer = await attemptAnswer(primary, {
        messages: [...asked, ...complaint],
        options: request === undefined ? options : { ...options, ...structuredOptions(request, method) },
        timeoutMs: passage === 'trial' ? Math.min(timeoutMs, TRIAL_TIMEOUT_MS) : timeoutMs,
        emit: live?.emit ?? (this.#tooLong ? async () => undefined : undefined),
        limit: request === undefined ? this.#limit : undefined,
      });
      circuit.succeeded();
      this.#bill(answer);
      return { answer };
    } catch (error) {
      if (options.signal?.aborted) throw error;
      const failure = classifyFailure(error);
      this.#tooLong ||= error instanceof AnswerTooLong && request === undefined;
      // The client could not read the answer, but there was one, and it was paid for.
      if (failure.kind === 'bad_output') this.#billed += 1;
      return { failure };
    }
  }

  #bill(answer: BaseMessage): void {
    this.#billed += 1;
    if (!AIMessage.isInstance(answer)) return;
    const used = tokensOf(answer);
    for (const key of ['prompt', 'completion', 'cached'] as const) this.#tokens[key] += used[key];
    const { spend, prices, model } = this.#settings;
    spend?.add(this.#input.ticketId, prices.costUsd(model, used));
  }

  /** Waits before the next attempt; false where there is none to be made. */
  async #waited(failure: ModelFailure): Promise<boolean> {
    if (!failure.retryable) return false;
    const { baseDelayMs = 250, budgetMs, log, role } = this.#settings;
    const backoff = Math.min(MAX_DELAY_MS, baseDelayMs * 2 ** (this.#attempts - 1));
    // Callers that were turned away together must not come back together.
    const delay = (failure.retryAfterMs ?? backoff / 2) + (Math.random() * backoff) / 2;
    if (this.#elapsed() + delay >= budgetMs) return false;
    log.debug({
      agent: role,
      action: 'model_retried',
      ticketId: this.#input.ticketId,
      details: { ...failure, delay_ms: Math.round(delay) },
    });
    await sleep(delay, undefined, { signal: this.#input.options.signal });
    return true;
  }

  /** Tells the circuit what the failure says about the provider. */
  #judge(failure: ModelFailure, passage: Passage): void {
    const { circuit } = this.#settings;
    const { kind } = failure;
    // A silence that nobody's answer broke means it hangs: two more such waits would outlast the customer's turn.
    const dead = kind === 'timeout' && circuit.silentSince(this.#started);
    if (kind === 'auth' || kind === 'quota' || dead) circuit.failed(passage, true);
    else if (kind === 'unavailable' || kind === 'network' || kind === 'timeout') circuit.failed(passage);
    // It is up, and objects to this one request.
    else if (kind === 'rejected' || kind === 'bad_output') circuit.succeeded();
    else circuit.abandoned(passage);
  }

  async #fallBack(failure: Shortfall): Promise<AIMessage> {
    this.#report(failure);
    const { fallback, model } = this.#settings;
    if (fallback === null) throw unavailable(model, failure);
    const { live, messages, options } = this.#input;
    live?.begin();
    const answer = await attemptAnswer(fallback, { messages, options, timeoutMs: 0, emit: live?.emit });
    return this.#finish(answer, 'offline', failure.kind);
  }

  #report({ kind: reason, status, message }: Shortfall): void {
    const { log, role, model } = this.#settings;
    const details = {
      model,
      reason,
      status,
      message,
      attempts: this.#attempts,
      ms: Math.round(this.#elapsed()),
    };
    const entry = { agent: role, ticketId: this.#input.ticketId, details };
    if (reason === 'circuit_open' || reason === 'spend_ceiling')
      log.debug({ ...entry, action: 'model_bypassed' });
    else if (reason === 'internal') log.error({ ...entry, action: 'model_client_failed' });
    else log.warn({ ...entry, action: reason === 'auth' ? 'model_key_refused' : 'model_fell_back' });
  }

  #finish(answer: BaseMessage, provider: ProviderName, reason: ModelCallReport['reason']): AIMessage {
    const { role, model, prices, onCall } = this.#settings;
    const { prompt, completion, cached } = this.#tokens;
    onCall?.({
      ticketId: this.#input.ticketId,
      role,
      provider,
      model,
      promptTokens: prompt,
      completionTokens: completion,
      costUsd: prices.costUsd(model, this.#tokens),
      ms: this.#elapsed(),
      attempts: this.#attempts,
      outcome: reason === null ? 'ok' : 'fallback',
      reason,
    });
    const metadata: AnswerMetadata = {
      hub_provider: provider,
      ...(this.#billed > 0 && { hub_model: model }),
      hub_calls: this.#billed,
      ...(reason !== null && { hub_fallback: reason }),
      ...(this.#input.live?.restarted && { hub_restarted: true }),
    };
    return new AIMessage({
      id: answer.id,
      content: answer.content,
      tool_calls: AIMessage.isInstance(answer) ? (answer.tool_calls ?? []) : [],
      response_metadata: { ...answer.response_metadata, ...metadata },
      usage_metadata: {
        input_tokens: prompt,
        output_tokens: completion,
        total_tokens: prompt + completion,
        ...(cached > 0 && { input_token_details: { cache_read: cached } }),
      },
    } as AIMessageFields);
  }

  #elapsed(): number {
    return performance.now() - this.#started;
  }
}

function unavailable(model: string, { kind, status }: Shortfall): HubError {
  const message = `The model ${model} gave no answer: ${failureText(kind)}`;
  return new HubError('model_unavailable', message, { model, reason: kind, status });
}
