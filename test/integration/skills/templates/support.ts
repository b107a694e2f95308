import { createSkillModel, type SkillModelOptions } from '../../../../src/adapters/models/skill-model.js';
import { createPrices } from '../../../../src/adapters/models/usage.js';
import { parseConfig } from '../../../../src/config/config.js';
import type { SkillModel } from '../../../../src/core/ports/chat-models.js';
import type { ModelsConfig } from '../../../../src/core/ports/index.js';
import { createRecordingLog, type RecordingLog } from '../../../support/recording-log.js';

/** What a key and a base URL configure, with a larger model for reviews. */
export function testModels(url: string, config: Partial<ModelsConfig> = {}): ModelsConfig {
  const { models } = parseConfig({
    OPENAI_BASE_URL: url === '' ? undefined : url,
    OPENAI_API_KEY: 'sk-test-key',
    HUB_CHAT_MODEL_REVIEW: 'gpt-4o',
  });
  return { ...models, timeoutMs: 120_000, retries: 2, ...config };
}

/** The model of skills that talks to the given server, with short pauses. */
export function openModel(
  url: string,
  config: Partial<ModelsConfig> = {},
  options: Partial<SkillModelOptions> = {},
): { readonly model: SkillModel; readonly log: RecordingLog } {
  const log = createRecordingLog();
  const models = testModels(url, config);
  return {
    log,
    model: createSkillModel({ models, log, prices: createPrices(), baseDelayMs: 5, ...options }),
  };
}
