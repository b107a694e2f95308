import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { TurnReply } from '../../core/domain/turn.js';
import type { QueueDepth } from '../../core/ports/background.js';
import type { Metrics, Operations } from '../../core/ports/metrics.js';

const LAG_RESOLUTION_MS = 20;

/**
 * Figures of this process, read when somebody looks. prom-client's own collection is not used because it cannot be
 * stopped, and would outlive the App it belongs to.
 * @returns stops measuring
 */
function measureProcess(registry: Registry): () => void {
  const registers = [registry];
  const gauge = (name: string, help: string, read: () => number): void => {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  };
  const lag = monitorEventLoopDelay({ resolution: LAG_RESOLUTION_MS });
  lag.enable();
  gauge('hub_process_resident_memory_bytes', 'Memory of the process.', () => process.memoryUsage.rss());
  gauge('hub_process_heap_used_bytes', 'JavaScript heap in use.', () => process.memoryUsage().heapUsed);
  gauge(
    'hub_process_external_memory_bytes',
    'Memory of buffers and native parts.',
    () => process.memoryUsage().external,
  );
  gauge('hub_process_uptime_seconds', 'Time since the process was started.', () => process.uptime());
  gauge('hub_process_cpu_seconds', 'Processor time used since the start.', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  new Gauge({
    name: 'hub_event_loop_lag_seconds',
    help: 'How late timers fire, since the last look.',
    labelNames: ['quantile'],
    registers,
    collect() {
      for (const quantile of [0.5, 0.99]) {
        const delay = lag.percentile(quantile * 100) / 1e9 - LAG_RESOLUTION_MS / 1000;
        this.set({ quantile: String(quantile) }, Math.max(0, Number.isFinite(delay) ? delay : 0));
      }
      lag.reset();
    },
  });
  return () => void lag.disable();
}

/** Metrics that can be let go of. */
interface PrometheusMetrics extends Metrics {
  close(): void;
}

const TURN_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const REQUEST_SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];
/** What may be a label's value: names that code chose. Models invent tools, and clients invent methods. */
const NAME = /^[\w.:/{}*-]{1,80}$/;
const PERSONAL = /^\d{6,}$|@/;

/**
 * Figures in Prometheus' format, in a registry of their own.
 * @param operations asked for the queue whenever somebody looks
 * @param depth asked for the jobs that wait
 */
export function createPrometheusMetrics(
  operations: Operations,
  depth: () => Promise<readonly QueueDepth[]>,
): PrometheusMetrics {
  const registry = new Registry();
  const stopMeasuring = measureProcess(registry);
  const askForQueue = queueFigures(registry, operations);
  const askForJobs = jobFigures(registry, depth);
  const m = instruments(registry);
  return {
    turn: (reply, firstTokenMs, channel) => recordTurn(m, reply, firstTokenMs, channel),
    turnDropped: () => m.dropped.inc(),
    approval: (decision) => m.approvals.inc({ decision }),
    modelCall(call) {
      const { role: agent, model, outcome, ms, usage } = call;
      const labels = { agent: named(agent), model: named(model) };
      m.modelCalls.inc({ ...labels, outcome });
      m.modelSeconds.observe(labels, ms / 1000);
      if (!usage) return;
      const provider = 'openai';
      m.tokens.inc({ ...labels, provider, direction: 'prompt' }, usage.promptTokens);
      m.tokens.inc({ ...labels, provider, direction: 'completion' }, usage.completionTokens);
      m.cost.inc({ ...labels, provider }, usage.costUsd);
    },
    toolCall: (agent, tool, ok) =>
      m.toolCalls.inc({ agent: named(agent), tool: named(tool), ok: String(ok) }),
    ceiling: (scope) => m.ceilings.inc({ scope }),
    error: (where, code) => m.errors.inc({ where: named(where), code: named(code) }),
    webhook: (outcome) => m.webhooks.inc({ outcome }),
    request({ method, route, status, ms }) {
      const labels = { method: named(method), route: named(route) };
      m.requests.inc({ ...labels, status: String(status) });
      m.requestSeconds.observe(labels, ms / 1000);
    },
    streams: (audience, open) => m.streams.set({ audience }, open),
    render: async () => {
      await Promise.all([askForQueue(), askForJobs()]);
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
    close: stopMeasuring,
  };
}

function instruments(registry: Registry) {
  const registers = [registry];
  const counter = (name: string, help: string, labelNames: readonly string[] = []) =>
    new Counter({ name, help, labelNames: [...labelNames], registers });
  const histogram = (name: string, help: string, labelNames: readonly string[], buckets: number[]) =>
    new Histogram({ name, help, labelNames: [...labelNames], buckets, registers });
  return {
    turns: counter('hub_turns_total', 'Turns that ended with an answer.', ['provider', 'channel', 'outcome']),
    turnSeconds: histogram(
      'hub_turn_duration_seconds',
      'Time to the answer.',
      ['provider', 'channel'],
      TURN_SECONDS,
    ),
    firstToken: histogram(
      'hub_time_to_first_token_seconds',
      'Time to the first words shown.',
      ['provider', 'channel'],
      TURN_SECONDS,
    ),
    dropped: counter('hub_turns_dropped_total', 'Turns that a person who took over has ended.'),
    agentTurns: counter('hub_agent_turns_total', 'Turns that an agent took part in.', ['agent', 'provider']),
    toolCalls: counter('hub_tool_calls_total', 'Tool calls of agents.', ['agent', 'tool', 'ok']),
    escalations: counter('hub_escalations_total', 'Turns that were handed to a person.', ['reason']),
    approvals: counter('hub_approvals_total', "Operators' decisions on actions.", ['decision']),
    modelCalls: counter('hub_model_calls_total', 'Calls meant for the model provider.', [
      'agent',
      'model',
      'outcome',
    ]),
    modelSeconds: histogram(
      'hub_model_call_duration_seconds',
      'Time of a call, with all its attempts.',
      ['agent', 'model'],
      TURN_SECONDS,
    ),
    tokens: counter('hub_tokens_total', 'Tokens the provider billed.', [
      'agent',
      'model',
      'provider',
      'direction',
    ]),
    cost: counter('hub_cost_usd_total', 'What models cost, in US dollars.', ['agent', 'model', 'provider']),
    ceilings: counter('hub_spend_ceiling_reached_total', 'Model calls that a spend ceiling held back.', [
      'scope',
    ]),
    errors: counter('hub_errors_total', 'Errors, by where they surfaced.', ['where', 'code']),
    webhooks: counter('hub_webhook_calls_total', 'What came of telling webhooks.', ['outcome']),
    requests: counter('hub_http_requests_total', 'HTTP requests.', ['method', 'route', 'status']),
    requestSeconds: histogram(
      'hub_http_request_duration_seconds',
      'Time to the end of the response.',
      ['method', 'route'],
      REQUEST_SECONDS,
    ),
    streams: new Gauge({
      name: 'hub_event_streams_open',
      help: 'Event streams that are open.',
      labelNames: ['audience'],
      registers,
    }),
  };
}

function recordTurn(
  m: ReturnType<typeof instruments>,
  reply: TurnReply,
  firstTokenMs: number | null,
  channel: string,
): void {
  const { provider } = reply;
  const outcome = reply.escalated ? 'escalated' : reply.pending ? 'pending' : 'answered';
  m.turns.inc({ provider, channel: named(channel), outcome });
  m.turnSeconds.observe({ provider, channel: named(channel) }, (reply.timingsMs.total ?? 0) / 1000);
  if (firstTokenMs !== null) m.firstToken.observe({ provider, channel: named(channel) }, firstTokenMs / 1000);
  for (const agent of reply.agents) m.agentTurns.inc({ agent: named(agent), provider });
  for (const { agent, tool, ok } of reply.toolCalls)
    m.toolCalls.inc({ agent: named(agent), tool: named(tool), ok: String(ok) });
  if (reply.escalation) m.escalations.inc({ reason: reply.escalation.reason });
}

/** @returns asks for the figures; a database that does not answer must not cost the others */
function queueFigures(registry: Registry, operations: Operations): () => Promise<void> {
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    // Every process reads the same from the database.
    new Gauge({ name, help, labelNames, registers: [registry] });
  const tickets = gauge('hub_queue_tickets', 'Tickets with the operators.', ['state']);
  const oldest = gauge('hub_queue_oldest_wait_seconds', 'How long the oldest unassigned ticket has waited.');
  const approvals = gauge('hub_approvals_open', 'Actions that wait for an operator.');
  const inbox = gauge('hub_inbox_messages', 'Messages that were taken and not answered yet.');
  const webhooks = gauge('hub_webhooks', 'Notifications for webhooks.', ['state']);
  const oldestWebhook = gauge(
    'hub_webhooks_oldest_wait_seconds',
    'Age of the oldest that was not taken yet.',
  );
  return async () => {
    const figures = await operations.queue().catch(() => null);
    if (figures === null) return;
    tickets.set({ state: 'unassigned' }, figures.unassigned);
    tickets.set({ state: 'claimed' }, figures.claimed);
    oldest.set(figures.oldestWaitSeconds);
    approvals.set(figures.approvals);
    inbox.set(figures.inbox);
    webhooks.set({ state: 'waiting' }, figures.webhooksWaiting);
    webhooks.set({ state: 'failed' }, figures.webhooksFailed);
    oldestWebhook.set(figures.oldestWebhookSeconds);
  };
}

/** Jobs of work that need not answer at once. A queue's name may end in what tells its version from others. */
function jobFigures(registry: Registry, depth: () => Promise<readonly QueueDepth[]>): () => Promise<void> {
  const jobs = new Gauge({
    name: 'hub_jobs',
    help: 'Jobs that wait and that are in work, of all servers together.',
    labelNames: ['queue', 'state'],
    registers: [registry],
  });
  return async () => {
    const found = await depth().catch(() => null);
    if (found === null) return;
    jobs.reset();
    for (const { queue, waiting, active } of found) {
      const name = queue.replace(/-[0-9a-f]{12}$/, '');
      jobs.inc({ queue: name, state: 'waiting' }, waiting);
      jobs.inc({ queue: name, state: 'active' }, active);
    }
  };
}

/** A label's value, or `other` where it is none that code would choose. */
function named(value: string): string {
  return NAME.test(value) && !PERSONAL.test(value) ? value : 'other';
}
