import type { ModelCallReport } from '../../../src/adapters/models/call.js';
import { createModelCircuit } from '../../../src/adapters/models/circuit.js';
import { createChatModels } from '../../../src/adapters/models/openai-chat-models.js';
import { parseConfig } from '../../../src/config/config.js';
import {
  type ChatModels,
  MODEL_ROLES,
  type ModelRole,
  type OfflinePolicy,
} from '../../../src/core/ports/chat-models.js';
import type { ModelsConfig } from '../../../src/core/ports/index.js';
import type { Log, LogEntry, LogLevel } from '../../../src/core/ports/system.js';
import { TEXTS } from '../../support/texts.js';

/** A log that keeps its entries. */
export interface KeptLog extends Log {
  readonly entries: readonly (LogEntry & { readonly level: LogLevel })[];
  actions(level: LogLevel): string[];
}

export function keptLog(): KeptLog {
  const entries: (LogEntry & { readonly level: LogLevel })[] = [];
  const keep = (level: LogLevel) => (entry: LogEntry) => void entries.push({ ...entry, level });
  return {
    entries,
    actions: (level) => entries.filter((entry) => entry.level === level).map((entry) => entry.action),
    debug: keep('debug'),
    info: keep('info'),
    warn: keep('warn'),
    error: keep('error'),
  };
}

/** The same policy for every role. */
export function policies(policy: OfflinePolicy): Record<ModelRole, OfflinePolicy> {
  return Object.fromEntries(MODEL_ROLES.map((role) => [role, policy])) as Record<ModelRole, OfflinePolicy>;
}

export interface Bench {
  readonly models: ChatModels;
  readonly log: KeptLog;
  readonly reports: ModelCallReport[];
}

/** Chat models that talk to the given server, with short waits. */
export function modelsFor(
  url: string,
  config: Partial<ModelsConfig> = {},
  options: {
    readonly policy?: OfflinePolicy;
    readonly budgetMs?: number;
    readonly circuitNow?: () => number;
  } = {},
): Bench {
  const {
    policy = () => ({ kind: 'say', text: 'Written offline.' }),
    circuitNow = () => 0,
    ...rest
  } = options;
  const log = keptLog();
  const reports: ModelCallReport[] = [];
  const base = parseConfig({ OPENAI_BASE_URL: url, OPENAI_API_KEY: 'sk-test-key' }).models;
  const models = createChatModels({
    config: { ...base, timeoutMs: 120_000, retries: 2, ...config },
    offlinePolicies: policies(policy),
    texts: TEXTS,
    log,
    onCall: (report) => reports.push(report),
    baseDelayMs: 5,
    circuit: createModelCircuit(log, { now: circuitNow }),
    ...rest,
  });
  return { models, log, reports };
}
