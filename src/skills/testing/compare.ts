import type { JsonValue } from '../../core/domain/json.js';
import type { SkillRun } from '../../core/domain/skill.js';
import type { TestCase } from '../pack/test-case-schema.js';
import type { DecisionTree } from '../pack/tree-schema.js';

/**
 * What differs between a run and what its case expects, in words; empty where the case passes.
 * @param asked how often a person was asked
 * @param tree the skill's, where it is one: tells its path from the checks beside it
 */
export function compare(
  run: SkillRun,
  expected: TestCase['expect'],
  asked: number,
  tree: DecisionTree | null = null,
): readonly string[] {
  const differences: string[] = [];
  const same = (what: string, wanted: unknown, got: unknown): void => {
    if (wanted === undefined || equal(wanted, got)) return;
    differences.push(`${what}: expected ${show(wanted)}, got ${show(got)}`);
  };
  const found = run.result?.kind === 'investigation' ? run.result.value : null;
  const proposed = run.handoff?.proposal ?? null;
  const status = expected.status ?? (run.status === 'failed' ? 'done' : undefined);
  same('status', status, run.status);
  if (run.error && expected.status !== 'failed')
    differences.push(`the run failed: ${run.error.code}, ${run.error.message}`);
  same('root_cause', expected.root_cause, found?.root_cause ?? proposed?.root_cause ?? null);
  const action = found ? found.recommended_action : (proposed?.recommended_action ?? null);
  same('recommended_action', expected.recommended_action, action?.action ?? null);
  same('path', expected.path, found?.path ?? pathTo(run.handoff?.tried ?? [], tree));
  same('handoff', expected.handoff, asked > 0);
  const confidence = found?.confidence_score ?? proposed?.confidence ?? 0;
  if (expected.confidence_at_least !== undefined && confidence < expected.confidence_at_least) {
    differences.push(`confidence: expected at least ${expected.confidence_at_least}, got ${confidence}`);
  }
  if (expected.confidence_below !== undefined && confidence >= expected.confidence_below) {
    differences.push(`confidence: expected below ${expected.confidence_below}, got ${confidence}`);
  }
  if (expected.output !== undefined) differences.push(...missing(expected.output, outputOf(run), 'output'));
  return differences;
}

/** The main path of a run that waits: what was tried, without the checks beside it. */
function pathTo(tried: readonly string[], tree: DecisionTree | null): readonly string[] {
  return tried.filter((step) => !tree?.parallel_checks.includes(step));
}

/** What `output` is compared with: the data of a generation, the result of anything else. */
function outputOf({ result }: SkillRun): unknown {
  if (result === null) return null;
  return result.kind === 'generation' && result.value.data
    ? { ...result.value, ...result.value.data }
    : result.value;
}

/** Everything that is expected must be there with that value; what else is there does not matter. */
function missing(wanted: JsonValue, got: unknown, at: string): readonly string[] {
  if (Array.isArray(wanted)) {
    if (!Array.isArray(got)) return [`${at}: expected a list, got ${show(got)}`];
    if (got.length !== wanted.length) return [`${at}: expected ${wanted.length} entries, got ${got.length}`];
    return wanted.flatMap((item: JsonValue, index) => missing(item, got[index], `${at}[${index}]`));
  }
  if (typeof wanted === 'object' && wanted !== null) {
    if (typeof got !== 'object' || got === null) return [`${at}: expected an object, got ${show(got)}`];
    return Object.entries(wanted).flatMap(([name, value]) =>
      missing(value ?? null, (got as Record<string, unknown>)[name], `${at}.${name}`),
    );
  }
  return equal(wanted, got) ? [] : [`${at}: expected ${show(wanted)}, got ${show(got)}`];
}

function equal(wanted: unknown, got: unknown): boolean {
  return JSON.stringify(wanted ?? null) === JSON.stringify(got ?? null);
}

function show(value: unknown): string {
  const text = JSON.stringify(value ?? null);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
