import type { CompositeTraceEntry } from '../../core/domain/composite-result.js';
import type { JsonObject, JsonValue } from '../../core/domain/json.js';
import { toHubError } from '../../core/errors.js';
import type { OWN_PROMPTS } from '../pack/own-prompts.js';
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

/** What an entry tells as data. */
export type TraceData = {
  readonly [Key in 'step' | 'plan' | 'input' | 'output' | 'confidence' | 'cost_usd']?:
    | TraceEntry[Key]
    | undefined;
};

const MAX_TRACED = 2_000;

/** A trace is kept with the run, beside the results themselves. */
function short(value: JsonValue): JsonValue {
  const text = JSON.stringify(value);
  return text.length <= MAX_TRACED ? value : `${text.slice(0, MAX_TRACED)}…`;
}

/** Begins a trace entry; the entry is made where the decision is, and carries the time since. */
export function startTrace(env: CompositeEnv, level: TraceEntry['level']) {
  const began = performance.now();
  return (by: TraceEntry['by'], decided: string, reason: string, data: TraceData = {}): TraceEntry => {
    const known = Object.entries(data).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, short(value)] as const],
    );
    const entry = {
      ...{ level, decided, by, reason, duration_ms: millisecondsSince(began) },
      ...(Object.fromEntries(known) as TraceData),
    };
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
  readonly prompt: (typeof OWN_PROMPTS.composite)[number];
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
): Promise<Asked<Answer> & { readonly cost_usd: number }> {
  let cost_usd = 0;
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
    const asked = await askModel(question, {
      model: services.model,
      log: services.log,
      signal: AbortSignal.any([signal, limit.signal]),
      ticketId,
      onCall: (answer) => {
        cost_usd += answer.costUsd;
        meter.modelCall(answer);
      },
    });
    return { ...asked, cost_usd };
  } catch (error) {
    return {
      ok: false,
      reason: `the prompt ${prompt} cannot be used (${toHubError(error).message})`,
      cost_usd,
    };
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
