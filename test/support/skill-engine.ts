import { type BaseCheckpointSaver, MemorySaver } from '@langchain/langgraph';
import type { JsonValue } from '../../src/core/domain/json.js';
import { HubError } from '../../src/core/errors.js';
import type { DataSource, DataSources, QuerySource } from '../../src/core/ports/data-source.js';
import type { SkillCache, SkillModel, SkillRunStore, Skills } from '../../src/core/ports/index.js';
import { createSkillEngine } from '../../src/skills/engine.js';
import { type LoadOptions, loadPackFromFiles } from '../../src/skills/pack/load-pack.js';
import type { Pack, PackFiles } from '../../src/skills/pack/pack.js';
import { createCatalog } from '../../src/skills/pack/pack.js';
import { createMemoryRunStore } from '../../src/skills/run/detached-runs.js';
import { createFixedClock } from './fixed-clock.js';
import { createRecordingLog, type RecordingLog } from './recording-log.js';
import { createOfflineSkillModel } from './scripted-skill-model.js';
import { createSequentialIds } from './sequential-ids.js';

/** Loads a pack from the texts of its files. @throws where it has a fault, so that no test runs half a pack */
export function loadPack(files: PackFiles, options: LoadOptions = {}): Pack {
  const { pack, faults } = loadPackFromFiles(files, options);
  if (pack !== null) return pack;
  throw new Error(faults.map(({ file, line, message }) => `${file}:${line} ${message}`).join('\n'));
}

export type Rows = readonly Readonly<Record<string, JsonValue>>[];
/** Answers a query: rows, or work that gives them or throws. */
type Answer = Rows | ((statement: string, signal: AbortSignal) => Promise<Rows> | Rows);

/** Sources that answer by their names, and count how often they were asked. A SQLite one shows a customer their own rows. */
export interface CountingSources extends DataSources {
  readonly asked: string[];
}

export function answering(answers: Readonly<Record<string, Answer>>): CountingSources {
  const asked: string[] = [];
  return {
    asked,
    async open({ name }): Promise<DataSource> {
      const answer = answers[name];
      if (answer === undefined) throw new HubError('source_unavailable', `${name} is down.`);
      return {
        answers: 'query',
        async query({ segments }, { signal }) {
          asked.push(name);
          const rows = typeof answer === 'function' ? await answer(segments.join('?'), signal) : answer;
          return { rows, truncated: false };
        },
        close: async () => undefined,
      } satisfies QuerySource;
    },
    isCustomersOwn: ({ kind }) => kind === 'sqlite',
    close: async () => undefined,
  };
}

interface TestEngineOptions {
  readonly packs: readonly Pack[];
  readonly sources?: DataSources;
  readonly model?: SkillModel;
  readonly store?: SkillRunStore;
  readonly cache?: SkillCache;
  readonly checkpointer?: BaseCheckpointSaver;
  readonly commands?: Readonly<Record<string, string>>;
  /** Tells engines apart that share a store. */
  readonly label?: string;
}

export interface TestEngine {
  readonly skills: Skills;
  readonly store: SkillRunStore;
  readonly log: RecordingLog;
}

/** A real engine over packs of the test, with sources and model that the test gives. */
export function openEngine(options: TestEngineOptions): TestEngine {
  const log = createRecordingLog();
  const store = options.store ?? createMemoryRunStore();
  const skills = createSkillEngine({
    services: {
      catalog: createCatalog(options.packs),
      sources: options.sources ?? answering({}),
      model: options.model ?? createOfflineSkillModel(),
      checkpointer: options.checkpointer ?? new MemorySaver(),
      clock: createFixedClock(),
      ids: createSequentialIds(options.label),
      log,
      commands: options.commands ?? {},
    },
    store,
    ...(options.cache ? { cache: options.cache } : {}),
    restorePack: (files) => loadPackFromFiles(files).pack,
  });
  return { skills, store, log };
}
