import { MemorySaver } from '@langchain/langgraph';
import type { JsonObject, JsonValue } from '../../src/core/domain/json.js';
import { HubError } from '../../src/core/errors.js';
import type { SkillModel } from '../../src/core/ports/chat-models.js';
import type { DataSources } from '../../src/core/ports/data-source.js';
import { descriptorSchema } from '../../src/skills/pack/descriptor-schema.js';
import { mappingsSchema } from '../../src/skills/pack/file-schemas.js';
import type { Pack } from '../../src/skills/pack/pack.js';
import type { RunContext, SkillServices } from '../../src/skills/run/run-context.js';
import { createFixedClock } from './fixed-clock.js';
import { createRecordingLog, type RecordingLog } from './recording-log.js';
import { createSequentialIds } from './sequential-ids.js';

/** A run of one skill without an engine, whose parts a test chooses. */
interface TestContext extends RunContext {
  readonly log: RecordingLog;
  readonly counted: { steps: number; apiCalls: number };
}

export interface TestContextOptions extends Partial<Pick<RunContext, 'caller' | 'signal'>> {
  readonly sources?: DataSources;
  readonly commands?: Readonly<Record<string, string>>;
  /** Shared between contexts, as runs of one engine share it. */
  readonly cache?: SkillServices['cache'];
}

/** A pack made of the keys of skill.yaml, and of api_mappings.yaml, as if it had been loaded. */
export function packOf(descriptor: JsonObject, mappings: JsonObject = {}): Pack {
  const parsed = descriptorSchema.parse({
    id: 'demo',
    version: '1.0.0',
    title: 'Demo',
    description: 'For a test.',
    type: 'atomic',
    ...descriptor,
  });
  const { title, description, owner, status, type, tags, policy } = parsed;
  return {
    id: parsed.id,
    version: parsed.version,
    summary: {
      id: parsed.id,
      version: parsed.version,
      title,
      titles: parsed.titles,
      descriptions: parsed.descriptions,
      description,
      owner,
      status,
      type,
      tags,
      effect: policy.effect,
      approval: policy.approval,
      templateType: parsed.template_type,
      inputSchema: parsed.input_schema,
      outputSchema: parsed.output_schema,
    },
    descriptor: parsed,
    folder: `skills/${parsed.id}`,
    files: {},
    hash: JSON.stringify([descriptor, mappings]),
    tree: null,
    mappings: new Map(Object.entries(mappingsSchema.parse({ mappings }).mappings)),
    knowledge: null,
    texts: new Map(),
    prompts: new Map(),
    prompt: null,
    rubric: null,
    parts: new Map(),
  };
}

export function testContext(options: TestContextOptions = {}): TestContext {
  const log = createRecordingLog();
  const counted = { steps: 0, apiCalls: 0 };
  const kept = new Map<string, JsonValue>();
  const none = (what: string) => async (): Promise<never> => {
    throw new HubError('internal', `This test has no ${what}.`);
  };
  return {
    runId: 'run_1',
    caller: options.caller ?? { kind: 'operator', operatorId: 'op_1' },
    signal: options.signal ?? new AbortController().signal,
    depth: 0,
    answer: null,
    gatedActions: [],
    log,
    counted,
    services: {
      catalog: { list: () => [], all: () => [], get: () => packOf({}) },
      sources: options.sources ?? {
        open: none('sources'),
        isCustomersOwn: () => false,
        close: async () => undefined,
      },
      model: { provider: 'offline', tier: () => 'large', complete: none('model') } satisfies SkillModel,
      checkpointer: new MemorySaver(),
      clock: createFixedClock(),
      ids: createSequentialIds(),
      log,
      cache: options.cache ?? mapCache(),
      commands: options.commands ?? {},
      currency: 'BRL',
    },
    meter: {
      step() {
        counted.steps += 1;
      },
      apiCall() {
        counted.apiCalls += 1;
      },
      lookup: () => undefined,
      modelCall: () => undefined,
    },
    journal: { read: (key) => kept.get(key), write: async (key, value) => void kept.set(key, value) },
    emit: () => undefined,
    runPart: none('parts'),
  };
}

/** Keeps everything that may be kept at all. */
export function mapCache(): SkillServices['cache'] {
  const values = new Map<string, JsonValue>();
  return {
    get: (key) => values.get(key),
    set: (key, value, ttlMs) => void (ttlMs > 0 && values.set(key, value)),
  };
}
