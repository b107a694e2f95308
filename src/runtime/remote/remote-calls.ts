import { z } from 'zod';
import type { JsonObject } from '../../core/domain/json.js';
import { HubError } from '../../core/errors.js';
import type { Spans } from '../../core/ports/metrics.js';
import type {
  RemoteAgent,
  RemoteAgents,
  RemoteCallOptions,
  RemoteCard,
  RemoteReasoner,
  RemoteReply,
  RemoteTry,
} from '../../core/ports/remote-agents.js';
import type { Log } from '../../core/ports/system.js';
import { linkWithin, untilAborted } from '../../core/signals.js';
import type { Meaning } from './fill-input.js';

/** What is needed to ask agents elsewhere. */
export interface RemoteAccess {
  readonly agents: RemoteAgents;
  /** Takes personal data and secrets out of a text. */
  readonly mask: (text: string) => string;
  /** Hosts that links in answers may lead to. */
  readonly linkHosts: readonly string[];
  /** All the time that one request may take elsewhere, milliseconds; well below that of a turn. */
  readonly deadlineMs: number;
  /** Absent where there is no model. */
  readonly reasoner?: RemoteReasoner;
  /** Compares texts by meaning; without it only their words count. */
  readonly meaning?: Meaning;
}

/** The tool's name; its trace entries are looked for by it. */
export const ASK_REMOTE_AGENT = 'ask_remote_agent';

/** One try of one call. */
const trySchema = z.object({
  kind: z.literal('try'),
  way: z.enum(['card', 'specific', 'generic']),
  skill: z.string().nullable(),
  attempt: z.number(),
  ok: z.boolean(),
  code: z.string().nullable(),
  ms: z.number(),
});

/** What was decided, and on whose authority. */
const decisionSchema = z.object({
  kind: z.literal('decision'),
  decision: z.enum([
    'ask',
    'leave_out',
    'specific',
    'generic',
    'continue',
    'start_again',
    'reword',
    'give_up',
  ]),
  by: z.enum(['rule', 'model']),
  reason: z.string(),
  /** The skill it is about. */
  skill: z.string().nullable(),
});

/** What asking an agent elsewhere came to, with everything that was tried. */
export const remoteShape = z.object({
  agent: z.string(),
  /** `asks`: it wants to know something from the customer first. */
  outcome: z.enum(['answered', 'asks', 'gave_up']),
  /** Its words, cleaned; data, never instruction. */
  text: z.string(),
  /** Its structured output as lines, cleaned. */
  facts: z.array(z.string()),
  /** Why nothing came of it, where nothing did. */
  code: z.string().nullable(),
  /** True where it may have done what was asked although nothing came back. */
  uncertain: z.boolean(),
  /** What it works on, where a reply may follow. */
  task: z
    .object({
      task_id: z.string().nullable(),
      context_id: z.string().nullable(),
      goal: z.string(),
      asked: z.number(),
    })
    .nullable(),
  /** In the order in which it happened. */
  steps: z.array(z.discriminatedUnion('kind', [trySchema, decisionSchema])),
});

export type RemoteOutcome = z.infer<typeof remoteShape>;
type RemoteStep = RemoteOutcome['steps'][number];
type RemoteDecision = z.infer<typeof decisionSchema>;

interface RemoteCallsOptions {
  readonly agent: RemoteAgent;
  readonly access: RemoteAccess;
  readonly log: Log;
  readonly spans?: Spans | undefined;
  readonly ticketId: string;
  readonly limit: TimeLimit;
  /** Names the request; the same when it is made again. */
  readonly key: string;
  readonly hops: number;
  readonly language: RemoteCallOptions['language'];
}

/** The calls of one request to another agent. Every try and decision is logged, and kept for the trace of the turn. */
export class RemoteCalls {
  readonly steps: RemoteStep[] = [];
  #count = 0;

  constructor(private readonly options: RemoteCallsOptions) {}

  card(): Promise<RemoteCard> {
    const { agents } = this.options.access;
    return this.#part('card', (name, options) => agents.card(name, options));
  }

  skill(skill: string, input: JsonObject): Promise<RemoteReply> {
    const { agents } = this.options.access;
    return this.#part(`specific(${skill})`, (name, options) => agents.callSkill(name, skill, input, options));
  }

  send(message: {
    readonly text: string;
    readonly taskId?: string;
    readonly contextId?: string;
  }): Promise<RemoteReply> {
    const { agents } = this.options.access;
    return this.#part('generic', (name, options) => agents.send(name, message, options));
  }

  /** Notes what was decided, and on whose authority. */
  decide(
    decision: RemoteDecision['decision'],
    by: RemoteDecision['by'],
    reason: string,
    skill: string | null,
  ): void {
    const entry = { decision, by, reason: reason.slice(0, 200), skill };
    this.steps.push({ kind: 'decision', ...entry });
    this.#log('remote_decision', entry);
  }

  #part<T>(way: string, work: (agent: string, options: RemoteCallOptions) => Promise<T>): Promise<T> {
    const { agent, spans, limit, key, hops, language } = this.options;
    this.#count += 1;
    const options: RemoteCallOptions = {
      signal: limit.signal,
      key: `${key}-${this.#count}`,
      hops,
      onTry: (entry) => this.#noteTry(entry),
      ...(language === undefined ? {} : { language }),
    };
    const call = () => limit.within(work(agent.name, options));
    return spans ? spans.part({ kind: 'tool', name: `remote:${agent.name}.${way}` }, call) : call();
  }

  #noteTry({ agent: _agent, ...entry }: RemoteTry): void {
    const { way, skill, attempt, ok, code, ms } = entry;
    const kept = { way, skill, attempt, ok, code, ms: Math.round(ms) };
    this.steps.push({ kind: 'try', ...kept });
    this.#log('remote_try', kept);
  }

  #log(action: string, details: Readonly<Record<string, string | number | boolean | null>>): void {
    const { agent, log, ticketId } = this.options;
    log.info({ agent: 'remote', action, ticketId, details: { agent: agent.name, ...details } });
  }
}

/** A stretch of time in which work must be done. */
export interface TimeLimit {
  readonly signal: AbortSignal;
  /** Waits for the work, but no longer than the limit, whether the work heeds the signal or not. */
  within<T>(work: Promise<T>): Promise<T>;
  /** Must be called when the work is over. */
  release(): void;
}

/**
 * Limits work by time, and by the signal of the one who waits for it.
 * @param ms how long
 * @param outer ends it as well; what was thrown then is its own reason
 */
export function limitTime(ms: number, outer: AbortSignal | undefined): TimeLimit {
  const { signal, release } = linkWithin(ms, () => tooLate(ms), outer);
  return {
    signal,
    release,
    async within(work) {
      try {
        return await untilAborted(work, signal);
      } catch (error) {
        // The work may see the signal first and fail with an error of its own.
        throw signal.aborted ? signal.reason : error;
      }
    },
  };
}

function tooLate(ms: number): HubError {
  return new HubError('remote_unreachable', `The other agent gave no answer within ${ms} ms.`, {
    certain: false,
    ms,
  });
}
