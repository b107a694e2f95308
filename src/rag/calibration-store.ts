import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { KnowledgeStore } from '../core/ports/knowledge-store.js';
import {
  type Calibration,
  type ConfidenceModels,
  FEATURE_NAMES,
  type LogisticModel,
  UNCALIBRATED,
} from './confidence.js';
import { type ExampleScores, type ExampleTools, TaughtExamples } from './examples.js';
import { type UnitChances, unitChances } from './taught-units.js';
import type { UnitWeights } from './unit-features.js';

/** Changes when the features do: parameters of another version are not used. */
const VERSION = 3;
const SHIPPED_DIR = new URL('../../data/rag/', import.meta.url);

type StoredCalibration = Calibration & { readonly version: number };

/** A calibration that can be asked. */
export interface InForce extends Calibration {
  /** Which unit of an article answers: by what the company's labelled questions taught of it, else as of any article. */
  readonly chances: UnitChances;
  /** @param meant what {@link HybridRetriever.asMeant} gives */
  examples(meant: string): Promise<ExampleScores | null>;
}

export interface CalibrationSource {
  readonly store: KnowledgeStore;
  readonly embedderId: string;
  /** What labelled questions are read with. */
  readonly tools: ExampleTools;
  /** What the company ships for its articles; there need be none. */
  readonly shipped?: URL | undefined;
  /**
   * What was shipped, by embedding and file, as others have read it: the file is large, and a process may have many knowledge bases
   * over the same one that read texts with the same tools.
   */
  readonly known?: Map<string, InForce> | undefined;
}

/**
 * The calibration of an embedding model: stored with the index, else the company's, else the hub's, else a careful
 * default. Looks at the stored text every time, because another process may have calibrated, but reads it only when it
 * changed.
 */
export function createCalibrationReader(source: CalibrationSource): () => Promise<InForce> {
  const { store, embedderId, tools, known = new Map<string, InForce>() } = source;
  const inForce = (calibration: Calibration): InForce => {
    // Vectors of two embeddings do not compare.
    const taught = calibration.taught?.examples.embedder === tools.local.id ? calibration.taught : null;
    const examples = taught && new TaughtExamples(tools, taught.examples);
    return {
      ...calibration,
      taught,
      chances: unitChances(tools, calibration.units ?? shippedUnits(), taught?.units),
      examples: async (query) => (await examples?.score(query)) ?? null,
    };
  };
  const shippedInForce = (): InForce => {
    const key = `${embedderId} ${source.shipped?.href ?? ''}`;
    const read = known.get(key) ?? inForce(ownOf(source) ?? defaultFor(embedderId));
    known.set(key, read);
    return read;
  };
  let last: { readonly text: string | null; readonly calibration: InForce } | null = null;
  return async () => {
    const text = await store.getSetting(settingKey(embedderId));
    if (last?.text !== text || last === null) {
      const stored = parse(text);
      last = { text, calibration: stored ? inForce(stored) : shippedInForce() };
    }
    return last.calibration;
  };
}

/** The company's, where it was made with this embedding. */
function ownOf({ shipped, embedderId }: CalibrationSource): Calibration | null {
  if (shipped === undefined || !existsSync(shipped)) return null;
  const own = parse(readFileSync(shipped, 'utf8'));
  return own?.taught?.examples.embedder === embedderId ? own : null;
}

function defaultFor(embedderId: string): Calibration {
  // Searching by keywords does not depend on the embedding, so that part of the shipped calibration always holds.
  const keyword = shippedModels('local')?.keyword ?? UNCALIBRATED.keyword;
  return { models: shippedModels(embedderId) ?? { hybrid: UNCALIBRATED.hybrid, keyword }, taught: null };
}

/** Stores a calibration for an embedder, and gives it as it was stored. */
export async function saveCalibration(
  store: KnowledgeStore,
  embedderId: string,
  calibration: Calibration,
): Promise<string> {
  const text = printCalibration(calibration);
  await store.putSetting(settingKey(embedderId), text);
  return text;
}

/** A calibration as text, as it is stored and shipped. */
export function printCalibration({ models, units, taught }: Calibration): string {
  return `${JSON.stringify({ version: VERSION, models, units, taught } satisfies StoredCalibration, null, 2)}\n`;
}

/** What data/rag/calibration.<family>.json holds for an embedder, the family being the part before its first `-`. */
export function shippedModels(embedderId: string): ConfidenceModels | null {
  return shippedCalibration(embedderId)?.models ?? null;
}

/** What tells which sentence of an article answers, for any company: it was learned on articles of one and holds on unseen ones. */
export function shippedUnits(): UnitWeights {
  return shippedCalibration('local')?.units ?? {};
}

function shippedCalibration(embedderId: string): Calibration | null {
  const family = embedderId.split('-')[0] ?? '';
  if (!/^[a-z0-9]+$/u.test(family)) return null;
  const path = fileURLToPath(new URL(`calibration.${family}.json`, SHIPPED_DIR));
  return existsSync(path) ? parse(readFileSync(path, 'utf8')) : null;
}

function settingKey(embedderId: string): string {
  return `knowledge.calibration.${embedderId}`;
}

function parse(text: string | null): Calibration | null {
  if (text === null) return null;
  try {
    const { version, models, units, taught = null } = JSON.parse(text) as Partial<StoredCalibration>;
    if (version !== VERSION || !areModels(models)) return null;
    const isWhole = taught === null || (areModels(taught.confidence) && areModels(taught.order));
    return isWhole && areWeights(units) ? { models, taught, units } : null;
  } catch {
    return null;
  }
}

function areModels(models: ConfidenceModels | undefined): models is ConfidenceModels {
  return models !== undefined && isModel(models.hybrid) && isModel(models.keyword);
}

function areWeights(units: Calibration['units']): boolean {
  return units === undefined || Object.values(units).every(Number.isFinite);
}

function isModel(model: LogisticModel | undefined): model is LogisticModel {
  return (
    model !== undefined &&
    Number.isFinite(model.bias) &&
    FEATURE_NAMES.every((name) => Number.isFinite(model.weights[name] ?? 0))
  );
}
