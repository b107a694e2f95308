import { MemorySaver } from '@langchain/langgraph';
import type { JsonObject } from '../../../../src/core/domain/json.js';
import type { GenerationResult, ReviewResult } from '../../../../src/core/domain/skill.js';
import { HubError } from '../../../../src/core/errors.js';
import type { SkillModel, SkillModelAnswer, SkillModelCall } from '../../../../src/core/ports/chat-models.js';
import { type Descriptor, descriptorSchema } from '../../../../src/skills/pack/descriptor-schema.js';
import { promptSchema, rubricSchema } from '../../../../src/skills/pack/file-schemas.js';
import type { Pack } from '../../../../src/skills/pack/pack.js';
import type { RunContext } from '../../../../src/skills/run/run-context.js';
import { executeTemplate } from '../../../../src/skills/templates/review.js';
import { createFixedClock } from '../../../support/fixed-clock.js';
import { createRecordingLog, type RecordingLog } from '../../../support/recording-log.js';
import { createSequentialIds } from '../../../support/sequential-ids.js';

/** What a scripted model says to one call, or throws. */
type Scripted = string | HubError | ((call: SkillModelCall) => string | Promise<string>);

interface ScriptedSkillModel extends SkillModel {
  readonly calls: readonly SkillModelCall[];
}

/** Says what the script has, in order. A script that runs dry throws, and so fails the test. */
export function scriptedModel(...script: readonly Scripted[]): ScriptedSkillModel {
  const calls: SkillModelCall[] = [];
  return {
    provider: 'openai',
    calls,
    tier: () => 'large',
    async complete(call): Promise<SkillModelAnswer> {
      const what = script[calls.length];
      calls.push(call);
      if (what === undefined) throw new Error(`the script ran dry at call ${calls.length}`);
      if (what instanceof HubError) throw what;
      const text = typeof what === 'string' ? what : await what(call);
      return { text, model: 'scripted', promptTokens: 10, completionTokens: 5, costUsd: 0.001 };
    },
  };
}

/** A model of the offline mode: it must never be asked. */
export function offlineModel(): SkillModel {
  return {
    provider: 'offline',
    tier: () => 'large',
    complete: async () => {
      throw new Error('the offline mode has no model to ask');
    },
  };
}

export const UNAVAILABLE = new HubError('model_unavailable', 'The model scripted gave no answer: it is down');

interface PackParts {
  readonly prompt?: object;
  readonly rubric?: object;
  readonly config?: Descriptor['template_config'];
  readonly timeoutSeconds?: number;
  readonly knowledge?: string;
  readonly noTemplate?: boolean;
}

/** An atomic pack with one template, checked by the real schemas. */
export function templatePack(parts: PackParts): Pack {
  const kind = parts.rubric === undefined ? 'LLM_JSON_GENERATION' : 'LLM_REVIEW';
  const descriptor = descriptorSchema.parse({
    id: 'the_skill',
    version: '1.0.0',
    title: 'A skill',
    description: 'Writes or reviews.',
    type: 'atomic',
    template_type: parts.noTemplate ? null : kind,
    template_config: parts.config ?? {},
    execution: { timeout_per_skill: parts.timeoutSeconds ?? 30 },
  });
  return {
    id: descriptor.id,
    version: descriptor.version,
    summary: {
      id: descriptor.id,
      version: descriptor.version,
      title: descriptor.title,
      titles: descriptor.titles,
      descriptions: descriptor.descriptions,
      description: descriptor.description,
      owner: descriptor.owner,
      status: descriptor.status,
      type: descriptor.type,
      tags: [],
      effect: 'read',
      approval: 'none',
      templateType: descriptor.template_type,
      inputSchema: {},
      outputSchema: {},
    },
    descriptor,
    folder: 'skills/the_skill',
    files: {},
    hash: 'hash',
    tree: null,
    mappings: new Map(),
    texts: new Map(),
    knowledge: parts.knowledge ?? null,
    prompts: new Map(),
    prompt: parts.prompt === undefined ? null : { ...promptSchema.parse(parts.prompt), version: '1.0.0' },
    rubric: parts.rubric === undefined ? null : rubricSchema.parse(parts.rubric),
    parts: new Map(),
  };
}

interface Bench {
  readonly context: RunContext;
  readonly log: RecordingLog;
  readonly spent: { calls: number; tokens: number; costUsd: number };
}

/** A run's context whose meter can be read. */
export function templateContext(model: SkillModel, signal = new AbortController().signal): Bench {
  const log = createRecordingLog();
  const spent = { calls: 0, tokens: 0, costUsd: 0 };
  const unused = (what: string) => (): never => {
    throw new Error(`a template has no use for ${what}`);
  };
  const context: RunContext = {
    runId: 'run_1',
    caller: { kind: 'operator', operatorId: 'op_1' },
    signal,
    depth: 0,
    answer: null,
    gatedActions: [],
    services: {
      catalog: { list: () => [], get: unused('the catalog'), all: () => [] },
      sources: { open: unused('sources'), isCustomersOwn: () => false, close: async () => undefined },
      model,
      checkpointer: new MemorySaver(),
      clock: createFixedClock(),
      ids: createSequentialIds(),
      log,
      cache: { get: () => undefined, set: () => undefined },
      commands: {},
    },
    meter: {
      step: () => undefined,
      lookup: () => undefined,
      apiCall: unused('sources'),
      modelCall({ promptTokens, completionTokens, costUsd }) {
        spent.calls += 1;
        spent.tokens += promptTokens + completionTokens;
        spent.costUsd += costUsd;
      },
    },
    journal: { read: () => undefined, write: async () => undefined },
    emit: () => undefined,
    runPart: unused('parts'),
  };
  return { context, log, spent };
}

/** Runs a generation and gives its result. */
export async function generated(
  parts: PackParts,
  model: SkillModel,
  input: JsonObject,
  signal?: AbortSignal,
): Promise<GenerationResult> {
  const { context } = templateContext(model, signal);
  const outcome = await executeTemplate(templatePack(parts), input, context);
  if (outcome.status !== 'done' || outcome.result.kind !== 'generation') throw new Error('not a generation');
  return outcome.result.value;
}

/** Runs a review and gives its result. */
export async function reviewed(
  parts: PackParts,
  model: SkillModel,
  input: JsonObject,
): Promise<ReviewResult> {
  const { context } = templateContext(model);
  const outcome = await executeTemplate(templatePack(parts), input, context);
  if (outcome.status !== 'done' || outcome.result.kind !== 'review') throw new Error('not a review');
  return outcome.result.value;
}
