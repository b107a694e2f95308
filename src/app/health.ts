import { type ErrorCode, toHubError } from '../core/errors.js';
import type { Health, HealthPart } from '../core/health.js';
import type { Clock, Log } from '../core/ports/index.js';

/** One thing to ask. It fails by throwing. */
export interface HealthProbe {
  readonly name: HealthPart['name'];
  /** What a failure means: `failed` stops the hub, `degraded` makes it worse. */
  readonly without: 'failed' | 'degraded';
  /** What to say of a failure, in one sentence. */
  readonly detail: string;
  ask(): Promise<void>;
  /** How long an answer is good for: asking costs something, and anybody may ask. */
  readonly keepMs: number;
}

/** A failure with its own sentence, instead of the probe's. */
export class HealthTrouble extends Error {}

const LIMIT_MS = 2_000;
/** What can be said more exactly than that a part has failed. */
const REASONS: Partial<Record<ErrorCode, string>> = {
  disk_full: 'The disk is full: nothing can be stored.',
  database_busy: 'Another process holds the database: nothing can be stored at the moment.',
};

/** Asks every part at once, each for two seconds at most; one that is being asked is not asked twice. Never throws. */
export function createHealth(
  probes: readonly HealthProbe[],
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): () => Promise<Health> {
  const asked = probes.map((probe) => remembered(probe, clock, log));
  return async () => {
    const parts = await Promise.all(asked.map((ask) => ask()));
    return { ready: parts.every(({ status }) => status !== 'failed'), parts };
  };
}

function remembered(probe: HealthProbe, clock: Clock, log: Log): () => Promise<HealthPart> {
  let running: Promise<HealthPart> | null = null;
  let last: { readonly part: HealthPart; readonly at: number } | null = null;
  const ask = async (): Promise<HealthPart> => {
    const part = await answerOf(probe, log);
    last = { part, at: clock.now().getTime() };
    running = null;
    return part;
  };
  return () => {
    if (last !== null && clock.now().getTime() - last.at < probe.keepMs) return Promise.resolve(last.part);
    running ??= ask();
    return running;
  };
}

async function answerOf(probe: HealthProbe, log: Log): Promise<HealthPart> {
  const began = performance.now();
  const { name } = probe;
  const ms = (): number => Math.round(performance.now() - began);
  try {
    await within(LIMIT_MS, probe.ask());
    return { name, status: 'ok', detail: null, ms: ms() };
  } catch (error) {
    log.warn({ agent: 'health', action: 'part_failed', details: { part: name, error } });
    const own = error instanceof HealthTrouble ? error.message : null;
    const detail = own ?? REASONS[toHubError(error).code] ?? probe.detail;
    return { name, status: probe.without, detail, ms: ms() };
  }
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
