import { isObject, type JsonObject, parseJson, parseObject } from '../../core/domain/json.js';
import { toHubError } from '../../core/errors.js';
import type { SkillModelAnswer, SkillModelCall } from '../../core/ports/index.js';
import { abortReason, untilAborted } from '../../core/signals.js';
import type { Pack } from '../pack/pack.js';
import type { RunContext } from '../run/run-context.js';

/** The object a model wrote, or what is wrong with its reply. */
type ParsedReply = { readonly value: JsonObject } | { readonly problem: string };

const MAX_REPLY_CHARS = 1_000_000;
/** Places where an object may begin that are looked at; more braces than this are no answer. */
const MAX_STARTS = 200;

/** Adds up how long the parts of one piece of work took. Milliseconds, to a hundredth. */
export class Stopwatch {
  readonly #started = performance.now();
  readonly #spent = new Map<string, number>();

  /** Does the work and counts its time to the part. */
  time<T>(part: string, work: () => T): T {
    const started = performance.now();
    try {
      return work();
    } finally {
      this.#spent.set(part, (this.#spent.get(part) ?? 0) + performance.now() - started);
    }
  }

  of(part: string): number {
    return this.rounded(this.#spent.get(part) ?? 0);
  }

  /** Since it was made. */
  total(): number {
    return this.rounded(performance.now() - this.#started);
  }

  rounded(ms: number): number {
    return Math.round(ms * 100) / 100;
  }
}

/** What a template asks for; the rest of a call is the same for all calls of a run. */
export type ModelRequest = Pick<SkillModelCall, 'role' | 'system' | 'prompt'>;

/** What could be read of a reply, else what is wrong with it. */
export type Read<T> = { readonly value: T } | { readonly errors: readonly string[] };

/** Nobody answered, and why, in words. */
interface Unavailable {
  readonly unavailable: string;
}

/**
 * The model as one run of a template may use it: within the time of the skill, and counted. Nine tenths of
 * `timeout_per_skill` are the model's; the rest is for the rules that stand in for one that is too slow.
 */
export class ModelSession {
  readonly #deadline: AbortSignal;
  readonly #signal: AbortSignal;
  #calls = 0;
  #ms = 0;

  constructor(
    private readonly pack: Pack,
    private readonly context: RunContext,
  ) {
    this.#deadline = AbortSignal.timeout(Math.round(pack.descriptor.execution.timeout_per_skill * 900));
    this.#signal = AbortSignal.any([context.signal, this.#deadline]);
  }

  /** Calls made, answered or not. */
  get calls(): number {
    return this.#calls;
  }

  /** Milliseconds spent waiting for answers. */
  get ms(): number {
    return this.#ms;
  }

  /**
   * Asks for a reply that can be read, and once more with what was wrong with the first.
   * @param read reads a reply; `isLast` where there is no other to come
   * @param retry false where one reply has to do
   */
  async askFor<T>(
    request: ModelRequest,
    read: (reply: string, isLast: boolean) => Read<T>,
    retry = true,
  ): Promise<(Read<T> & Pick<SkillModelAnswer, 'text' | 'model'>) | Unavailable> {
    let asked = request;
    for (let isLast = !retry; ; isLast = true) {
      const answer = await this.#ask(asked);
      if ('unavailable' in answer) return answer;
      const result = read(answer.text, isLast);
      if ('value' in result || isLast) return { ...result, text: answer.text, model: answer.model };
      asked = { ...request, prompt: retryPrompt(request.prompt, answer.text, result.errors) };
    }
  }

  /**
   * Asks once. A model that cannot be reached, or not in time, is an answer of its own, since rules can stand in for it.
   * @throws HubError what the run was aborted with, and every other fault of the model
   */
  async #ask(request: ModelRequest): Promise<SkillModelAnswer | Unavailable> {
    const { services, meter, signal, ticketId } = this.context;
    if (services.model.provider === 'offline')
      return { unavailable: 'there is no model, since the hub works offline' };
    if (this.#signal.aborted) return this.#givenUp();
    this.#calls += 1;
    const started = performance.now();
    try {
      const about = ticketId ? { ticketId } : {};
      const call = { ...request, ...this.#settings(request), ...about, json: true, signal: this.#signal };
      const answer = await untilAborted(services.model.complete(call), this.#signal);
      meter.modelCall(answer);
      return answer;
    } catch (error) {
      if (signal.aborted || this.#deadline.aborted) return this.#givenUp();
      const fault = toHubError(error);
      if (fault.code !== 'model_unavailable') throw fault;
      return this.#unavailable(fault.message);
    } finally {
      this.#ms += performance.now() - started;
    }
  }

  #settings({ role }: ModelRequest): Pick<SkillModelCall, 'model' | 'temperature' | 'maxTokens'> {
    const config = this.pack.descriptor.template_config ?? {};
    const { temperature, max_tokens: maxTokens } = config;
    const model = role === 'review' ? config.evaluation_model : config.model;
    return {
      ...(model !== undefined && { model }),
      ...(temperature !== undefined && { temperature }),
      ...(maxTokens !== undefined && { maxTokens }),
    };
  }

  #givenUp(): Unavailable {
    if (this.context.signal.aborted) throw abortReason(this.context.signal);
    return this.#unavailable('the model took longer than the skill may take');
  }

  #unavailable(why: string): Unavailable {
    const { id, version } = this.pack;
    this.context.services.log.warn({
      agent: 'skills',
      action: 'skill_model_unavailable',
      details: { run: this.context.runId, skill: id, version, why },
    });
    return { unavailable: why };
  }
}

const MAX_SHOWN_REPLY_CHARS = 8_000;
const MAX_SHOWN_ERRORS = 10;

/** The request once more, with the reply that could not be used and what was wrong with it. */
function retryPrompt(prompt: string, reply: string, errors: readonly string[]): string {
  const shown =
    reply.length > MAX_SHOWN_REPLY_CHARS
      ? `${reply.slice(0, MAX_SHOWN_REPLY_CHARS)} [cut short here]`
      : reply;
  return [
    prompt,
    'Your last reply to this could not be used:',
    errors
      .slice(0, MAX_SHOWN_ERRORS)
      .map((error) => `- ${error}`)
      .join('\n'),
    `That reply was, as a JSON string: ${JSON.stringify(shown)}`,
    'Reply again, with nothing but one JSON object that fits the JSON Schema.',
  ].join('\n\n');
}

/**
 * Reads the one JSON object in a model's reply. Models put it in a code fence, think aloud before it and add words around it,
 * and all of that is tolerated; JSON that is broken, or several objects of which any could be meant, is not.
 */
export function readModelJson(reply: string): ParsedReply {
  if (reply.length > MAX_REPLY_CHARS) return { problem: `it is longer than ${MAX_REPLY_CHARS} characters` };
  const text = reply.replace(/^\s*<think(?:ing)?>[\s\S]*?<\/think(?:ing)?>/i, '').trim();
  if (text === '') return { problem: 'it is empty' };
  const whole = parseJson(text, undefined);
  if (whole !== undefined)
    return isObject(whole) ? { value: whole } : { problem: 'it is JSON, but not an object' };
  const fenced = objectsIn(
    [...text.matchAll(/```[a-z0-9]*\s*\n?([\s\S]*?)```/gi)].map((match) => match[1] ?? ''),
  );
  const found = fenced.length > 0 ? fenced : objectsIn(braced(text));
  const [value, ...others] = found;
  if (value === undefined) return { problem: 'it holds no complete JSON object' };
  if (others.length > 0) return { problem: `it holds ${found.length} JSON objects, and only one is wanted` };
  return { value };
}

function objectsIn(texts: readonly string[]): JsonObject[] {
  return texts.map((text) => parseJson(text.trim(), null)).filter(isObject);
}

/** The outermost objects in the text. One that is broken ends the search, or a part of it would pass for the whole. */
function braced(text: string): string[] {
  const parts: string[] = [];
  let from = text.indexOf('{');
  for (let starts = 0; from !== -1 && starts < MAX_STARTS; starts += 1) {
    const end = endOfBraces(text, from);
    const part = end === undefined ? undefined : text.slice(from, end);
    const complete = part !== undefined && parseObject(part) !== undefined;
    if (complete) parts.push(part);
    else if (/^\{\s*"/.test(text.slice(from, from + 100))) return [];
    from = text.indexOf('{', complete && end !== undefined ? end : from + 1);
  }
  return parts;
}

/** Where the object that begins at `from` ends; braces in its strings do not count. */
function endOfBraces(text: string, from: number): number | undefined {
  let depth = 0;
  let quoted = false;
  for (let at = from; at < text.length; at += 1) {
    const char = text[at];
    if (quoted) {
      if (char === '\\') at += 1;
      else if (char === '"') quoted = false;
    } else if (char === '"') quoted = true;
    else if (char === '{') depth += 1;
    else if (char === '}') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}
