import type { JsonObject } from '../../core/domain/json.js';
import type { Log } from '../../core/ports/log.js';
import type {
  RemoteAgent,
  RemoteCallOptions,
  RemoteCard,
  RemoteReply,
  RemoteTry,
} from '../../core/ports/remote-agents.js';
import type { Spans } from '../../core/ports/tracing.js';
import type { RemoteAccess } from './remote-access.js';
import type { RemoteDecision, RemoteStep } from './remote-shape.js';
import type { TimeLimit } from './time-limit.js';

export interface RemoteCallsOptions {
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
