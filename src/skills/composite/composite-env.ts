import type { JsonObject } from '../../core/domain/json.js';
import type { CompositeTraceEntry } from '../../core/domain/skill.js';
import { toHubError } from '../../core/errors.js';
import type { Pack } from '../pack/pack.js';
import { type Asked, askModel, type ModelQuestion } from '../routing/ask-model.js';
import { promptFor, renderPrompt, systemPrompt } from '../routing/prompt-file.js';
import type { RunContext } from '../run/run-context.js';
import type { Part } from './part-packs.js';
import { COMPOSITE_PROMPTS } from './prompts.js';

/** What the levels of one run share. Nothing in it changes but the trace, which grows. */
export interface CompositeEnv {
  readonly pack: Pack;
  readonly input: JsonObject;
  readonly context: RunContext;
  readonly parts: readonly Part[];
}

export type TraceEntry = CompositeTraceEntry;

/** Begins a trace entry; the entry is made where the decision is, and carries the time since. */
export function startTrace(env: CompositeEnv, level: TraceEntry['level']) {
  const began = performance.now();
  return (by: TraceEntry['by'], decided: string, reason: string): TraceEntry => {
    const entry = { level, decided, by, reason, duration_ms: millisecondsSince(began) };
    env.context.emit({ type: 'level', step: `level_${level}`, details: entry });
    return entry;
  };
}

/** Milliseconds, to a hundredth. */
export function millisecondsSince(began: number): number {
  return Math.round((performance.now() - began) * 100) / 100;
}

/** What a level asks the model: the name of its prompt, what fills it, and the data that are nobody's instructions. */
export interface LevelQuestion<Answer> extends Pick<ModelQuestion<Answer>, 'schema' | 'check'> {
  readonly prompt: 'route' | 'decompose' | 'resolve' | 'synthesize';
  readonly view: JsonObject;
  readonly data: JsonObject;
}

/**
 * Asks the writing model on behalf of a level: counted, and for no longer than a part may take. Never throws; a prompt of
 * the pack that cannot be rendered is a reason to decide by rule, as is a model that gives no answer.
 */
export async function askLevel<Answer>(
  env: CompositeEnv,
  { prompt, view, data, schema, check }: LevelQuestion<Answer>,
): Promise<Asked<Answer>> {
  const { services, meter, signal, ticketId = null } = env.context;
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), env.pack.descriptor.execution.timeout_per_skill * 1000);
  try {
    const template = promptFor(prompt, services.model, COMPOSITE_PROMPTS, env.pack.prompts);
    const question = {
      name: `composite_${prompt}`,
      system: systemPrompt(),
      prompt: renderPrompt(template, { ...aboutSkill(env.pack), ...view }, data),
      schema,
      ...(check === undefined ? {} : { check }),
    };
    return await askModel(question, {
      model: services.model,
      log: services.log,
      signal: AbortSignal.any([signal, limit.signal]),
      ticketId,
      onCall: (answer) => meter.modelCall(answer),
    });
  } catch (error) {
    return { ok: false, reason: `the prompt ${prompt} cannot be used (${toHubError(error).message})` };
  } finally {
    clearTimeout(timer);
  }
}

function aboutSkill({ summary, knowledge }: Pack): JsonObject {
  return {
    title: summary.title,
    description: summary.description,
    knowledge: knowledge?.slice(0, 4_000) ?? '',
  };
}
