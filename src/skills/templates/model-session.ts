import { type HubError, toHubError } from '../../core/errors.js';
import type { SkillModelAnswer, SkillModelCall } from '../../core/ports/index.js';
import type { Pack } from '../pack/pack.js';
import type { RunContext } from '../run/run-context.js';
import { abortReason, untilAborted } from '../sources/until-aborted.js';

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
export type ModelRequest = Omit<SkillModelCall, 'signal' | 'json' | 'ticketId'>;

/** Nobody answered, and why, in words. */
interface Unavailable {
  readonly unavailable: string;
}

/**
 * The model as one run of a template may use it: within the time of the skill, and counted. Nine tenths of
 * `timeout_per_skill` are the model's; the rest is for the rules that stand in for one that is too slow.
 */
export class ModelSession {
  readonly #pack: Pack;
  readonly #context: RunContext;
  readonly #deadline: AbortSignal;
  readonly #signal: AbortSignal;
  #calls = 0;
  #ms = 0;

  constructor(pack: Pack, context: RunContext) {
    this.#pack = pack;
    this.#context = context;
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
   * Asks once. A model that cannot be reached, or not in time, is an answer of its own, since rules can stand in for it.
   * @throws HubError what the run was aborted with, and every other fault of the model
   */
  async ask(request: ModelRequest): Promise<SkillModelAnswer | Unavailable> {
    const { services, meter, signal, ticketId } = this.#context;
    if (services.model.provider === 'offline')
      return { unavailable: 'there is no model, since the hub works offline' };
    if (this.#signal.aborted) return this.#givenUp();
    this.#calls += 1;
    const started = performance.now();
    try {
      const about = ticketId ? { ticketId } : {};
      const call = { ...request, ...about, json: true, signal: this.#signal };
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

  #givenUp(): Unavailable {
    if (this.#context.signal.aborted) throw abortReason(this.#context.signal);
    return this.#unavailable('the model took longer than the skill may take');
  }

  #unavailable(why: string): Unavailable {
    const { id, version } = this.#pack;
    this.#context.services.log.warn({
      agent: 'skills',
      action: 'skill_model_unavailable',
      details: { run: this.#context.runId, skill: id, version, why },
    });
    return { unavailable: why };
  }
}

/** The faults of a result, as it carries them. */
export function resultError(error: HubError): { readonly code: string; readonly message: string } {
  return { code: error.code, message: error.message };
}
