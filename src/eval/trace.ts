import type { SearchResult } from '../core/domain/article.js';
import type { TurnReply } from '../core/domain/turn.js';
import type { TracedPart, Tracing } from '../core/ports/metrics.js';
import type { Log, LogEntry } from '../core/ports/system.js';

/** One thing that happened in a turn. */
export interface TraceStep {
  readonly kind: 'triage' | 'route' | 'tool' | 'retrieval' | 'answer' | 'guardrail' | 'escalation' | 'other';
  /** Agent, tool or component. */
  readonly name: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** Keeps what a hub does in the turns of one conversation: it is given to the hub as its log and as its tracing. */
export interface TraceRecorder {
  readonly log: Log;
  readonly tracing: Tracing;
  /** What has happened since the last time this was asked. */
  take(): readonly TraceStep[];
}

/** What the log's lines are about. */
const KINDS: Readonly<Record<string, TraceStep['kind']>> = {
  classified: 'triage',
  routed: 'route',
  answered: 'answer',
  replied: 'answer',
  draft_rejected: 'guardrail',
  escalated: 'escalation',
  joined_waiting_ticket: 'escalation',
};
/** Said better by the tracing, or of no use to a reader. */
const LEFT_OUT = new Set(['tool_called', 'message_received', 'turn_finished', 'seeded', 'migrated']);
const LONGEST = 4_000;

/** A recorder of one conversation. */
export function createTraceRecorder(): TraceRecorder {
  let steps: TraceStep[] = [];
  const keep =
    (level: string) =>
    ({ agent, action, details = {} }: LogEntry, error?: unknown): void => {
      if (LEFT_OUT.has(action)) return;
      const failed = error === undefined ? {} : { error: String(error) };
      const said = level === 'info' || level === 'debug' ? {} : { level };
      steps.push({
        kind: KINDS[action] ?? 'other',
        name: agent,
        details: { action, ...details, ...said, ...failed },
      });
    };
  const part = async <T>(traced: TracedPart, work: () => Promise<T>): Promise<T> => {
    const about = { ...(traced.facts ?? {}), input: shown(traced.input) };
    const at = steps.push({ kind: traced.kind, name: traced.name, details: about }) - 1;
    const end = (outcome: Readonly<Record<string, unknown>>): void => {
      const step = steps[at];
      if (step) steps[at] = { ...step, details: { ...step.details, ...outcome } };
    };
    try {
      const result = await work();
      end(traced.kind === 'retrieval' ? foundBy(result) : outcomeOf(result));
      return result;
    } catch (error) {
      // A pause for a person, or a fault: the turn says which.
      end({ paused: true });
      throw error;
    }
  };
  return {
    log: { debug: keep('debug'), info: keep('info'), warn: keep('warn'), error: keep('error') },
    tracing: {
      part,
      turn: (_turn, work): Promise<TurnReply> => work(),
      call: (_call, work) => work(),
      callbacks: () => [],
      modelCall: (call) => void steps.push({ kind: 'other', name: 'model', details: { ...call } }),
      close: () => Promise.resolve(),
    },
    take() {
      const taken = steps;
      steps = [];
      return taken;
    },
  };
}

/** The articles that a search found, best first. */
function foundBy(result: unknown): Readonly<Record<string, unknown>> {
  const { hits = [], mode } = (result ?? {}) as Partial<SearchResult>;
  return {
    mode,
    hits: hits.map(({ articleId, confidence, content }) => ({
      article: articleId,
      confidence: Math.round(confidence * 1000) / 1000,
      content,
    })),
  };
}

function outcomeOf(result: unknown): Readonly<Record<string, unknown>> {
  const { envelope, paused } = (result ?? {}) as { envelope?: unknown; paused?: boolean };
  const { ok, data, error } = (envelope ?? {}) as { ok?: boolean; data?: unknown; error?: { code?: string } };
  return ok === false ? { ok, code: error?.code, paused } : { ok, paused, output: shown(data) };
}

/** Bounded, so that a report of hundreds of conversations can be read. */
function shown(value: unknown): unknown {
  const text = JSON.stringify(value) ?? '';
  return text.length <= LONGEST ? value : `${text.slice(0, LONGEST)}...`;
}
