import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { KnowledgeStore } from '../core/ports/knowledge-store.js';
import { type ConfidenceModels, FEATURE_NAMES, type LogisticModel, UNCALIBRATED } from './confidence.js';

/** Changes when the features do: parameters of another version are not used. */
const VERSION = 1;
const SHIPPED_DIR = new URL('../../data/rag/', import.meta.url);

interface StoredCalibration {
  readonly version: number;
  readonly models: ConfidenceModels;
}

/**
 * The calibration of an embedding model: stored with the index, else shipped, else a careful default. Looks at the
 * stored text every time, because another process may have calibrated, but reads it only when it changed.
 */
export function createModelReader(
  store: KnowledgeStore,
  embedderId: string,
): () => Promise<ConfidenceModels> {
  // Searching by keywords does not depend on the embedding, so that part of the shipped calibration always holds.
  const keyword = shippedModels('local')?.keyword ?? UNCALIBRATED.keyword;
  const fallback = shippedModels(embedderId) ?? { hybrid: UNCALIBRATED.hybrid, keyword };
  let last: { readonly text: string | null; readonly models: ConfidenceModels } = {
    text: null,
    models: fallback,
  };
  return async () => {
    const text = await store.getSetting(settingKey(embedderId));
    if (text !== last.text) last = { text, models: parse(text) ?? fallback };
    return last.models;
  };
}

export async function saveModels(
  store: KnowledgeStore,
  embedderId: string,
  models: ConfidenceModels,
): Promise<void> {
  await store.putSetting(
    settingKey(embedderId),
    JSON.stringify({ version: VERSION, models } satisfies StoredCalibration),
  );
}

/** What data/rag/calibration.<family>.json holds for an embedder, the family being the part before its first `-`. */
export function shippedModels(embedderId: string): ConfidenceModels | null {
  const family = embedderId.split('-')[0] ?? '';
  if (!/^[a-z0-9]+$/u.test(family)) return null;
  const path = fileURLToPath(new URL(`calibration.${family}.json`, SHIPPED_DIR));
  return existsSync(path) ? parse(readFileSync(path, 'utf8')) : null;
}

function settingKey(embedderId: string): string {
  return `knowledge.calibration.${embedderId}`;
}

function parse(text: string | null): ConfidenceModels | null {
  if (text === null) return null;
  try {
    const value = JSON.parse(text) as Partial<StoredCalibration>;
    if (value.version !== VERSION || value.models === undefined) return null;
    return isModel(value.models.hybrid) && isModel(value.models.keyword) ? value.models : null;
  } catch {
    return null;
  }
}

function isModel(model: LogisticModel | undefined): model is LogisticModel {
  return (
    model !== undefined &&
    Number.isFinite(model.bias) &&
    FEATURE_NAMES.every((name) => Number.isFinite(model.weights[name] ?? 0))
  );
}
