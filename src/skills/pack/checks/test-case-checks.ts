import type { JsonObject, JsonValue } from '../../../core/domain/json.js';
import { toHubError } from '../../../core/errors.js';
import { didYouMean } from '../../../core/spelling.js';
import { reachedFrom } from '../../graph-walk.js';
import { compileJsonSchema } from '../../json-schema.js';
import type { Checked } from '../checked-file.js';
import type { SourceDeclaration } from '../descriptor-schema.js';
import type { Draft } from '../draft.js';
import type { Fixture, TestCase } from '../file-schemas.js';
import { safePath, unsafePathMessage } from '../read-files.js';
import type { NodePath } from '../text-file.js';
import { rawKeys } from './json-schema-at.js';
import { isInputSchema } from './output-checks.js';
import { partsOf, type SkillFinder } from './reference-checks.js';

/** What is wrong with a value by a JSON Schema: one message a fault, also where the schema itself cannot be used. */
function schemaFaults(schema: JsonObject, value: JsonValue): readonly string[] {
  try {
    return compileJsonSchema(schema)(value);
  } catch (error) {
    return [toHubError(error).message];
  }
}

/** Test cases: an input that the skill takes, fixtures for what it asks, steps that are there. */
export function checkTestCases(draft: Draft): void {
  for (const testCase of draft.testCases) {
    checkInput(draft, testCase);
    checkSteps(draft, testCase);
    checkFiles(draft, testCase);
    if (testCase.data.now !== undefined && !/^\d{4}-\d\d-\d\d/.test(testCase.data.now)) noteTime(testCase);
    else if (Number.isNaN(Date.parse(testCase.data.now ?? '2026-01-01'))) noteTime(testCase);
  }
}

function noteTime(testCase: Checked<TestCase>): void {
  const message = 'now must be a time in ISO 8601, such as 2026-03-14T20:00:00Z.';
  testCase.note(['now'], 'wrong_value', message);
}

function checkInput({ descriptor, inputSchema }: Draft, testCase: Checked<TestCase>): void {
  const { input, expect } = testCase.data;
  // A case may be there to show that such an input is refused.
  if (descriptor === null || !descriptor.sound(['input_schema']) || expect.status === 'failed') return;
  const faults = schemaFaults(inputSchema, input);
  // An invalid schema is reported where it stands.
  if (faults.length === 0 || !isInputSchema(inputSchema)) return;
  for (const fault of faults.slice(0, 5)) {
    const pointer = /^\/\S*/.exec(fault)?.[0] ?? '';
    const inside = pointer.split('/').slice(1);
    const message = `The input breaks input_schema: ${fault.replace(/\.$/, '')}. Mend the input, or expect status: failed.`;
    testCase.note(['input', ...inside], 'input_breaks_schema', message);
  }
}

function checkSteps({ descriptor, tree }: Draft, testCase: Checked<TestCase>): void {
  if (tree === null || descriptor?.data.type !== 'decision_tree' || !tree.sound(['steps'])) return;
  const steps = rawKeys(tree.file, ['steps']);
  const check = (name: string, path: NodePath): void => {
    if (steps.includes(name)) return;
    testCase.note(path, 'unknown_step', `The tree has no step ${name}.${didYouMean(name, steps)}`);
  };
  testCase.data.expect.path?.forEach((name, at) => {
    check(name, ['expect', 'path', at]);
  });
  testCase.data.human.forEach(({ at: name }, at) => {
    if (name !== undefined) check(name, ['human', at, 'at']);
  });
}

function checkFiles({ files }: Draft, testCase: Checked<TestCase>): void {
  for (const { path, fixture } of fixturesOf(testCase)) {
    if (!('file' in fixture)) continue;
    const file = safePath(fixture.file);
    if (file === null) testCase.note([...path, 'file'], 'unsafe_path', unsafePathMessage(fixture.file));
    else if (!Object.hasOwn(files, file)) {
      const known = Object.keys(files).filter((name) => name.endsWith('.sql'));
      testCase.note(
        [...path, 'file'],
        'missing_fixture',
        `The pack has no file ${file}.${didYouMean(file, known)}`,
      );
    }
  }
}

/** The rules for which all skills must be known: fixtures are for the sources of a skill and of all that it runs. */
export function checkFixtures(draft: Draft, finder: SkillFinder): void {
  for (const part of draft.parts.values()) checkFixtures(part, finder);
  if (draft.testCases.length === 0) return;
  const reached = reach(draft, finder);
  if (reached === null) return;
  const sources = new Map<string, SourceDeclaration['kind'][]>();
  const mappings = new Set<string>();
  for (const { descriptor, mappings: own } of reached) {
    if (own !== null) for (const name of rawKeys(own.file, ['mappings'])) mappings.add(name);
    if (descriptor === null || !descriptor.sound(['data_sources'])) return;
    for (const name of rawKeys(descriptor.file, ['data_sources'])) {
      const isSound = descriptor.sound(['data_sources', name, 'kind']);
      const kind = isSound ? descriptor.data.data_sources[name]?.kind : undefined;
      sources.set(name, [...(sources.get(name) ?? []), ...(kind === undefined ? [] : [kind])]);
    }
  }
  for (const testCase of draft.testCases) {
    for (const { source, path, fixture } of fixturesOf(testCase)) {
      const kinds = sources.get(source);
      if (kinds === undefined) {
        const message = `The skill has no source ${source} in data_sources.${didYouMean(source, sources.keys())}`;
        testCase.note(['fixtures', source], 'unknown_source', message);
        continue;
      }
      if ('mapping' in fixture && !mappings.has(fixture.mapping)) {
        const message = `There is no mapping ${fixture.mapping} in api_mappings.yaml.${didYouMean(fixture.mapping, mappings)}`;
        testCase.note([...path, 'mapping'], 'unknown_mapping', message);
      }
      checkKind(testCase, path, fixture, source, kinds);
    }
  }
}

function checkKind(
  testCase: Checked<TestCase>,
  path: NodePath,
  fixture: Fixture,
  source: string,
  kinds: readonly string[],
): void {
  if (kinds.length === 0) return;
  const http = kinds.every((kind) => kind === 'http');
  const sql = kinds.every((kind) => kind !== 'http');
  if (http && ('sql' in fixture || 'file' in fixture)) {
    const message = `${source} is an http source, so its fixtures are request and response, not SQL.`;
    testCase.note(path, 'wrong_fixture', message);
  }
  if (sql && 'request' in fixture) {
    const message = `${source} is a SQL source, so its fixtures are sql, file, or mapping with rows; not a request.`;
    testCase.note(path, 'wrong_fixture', message);
  }
}

function fixturesOf(
  testCase: Checked<TestCase>,
): readonly { readonly source: string; readonly path: NodePath; readonly fixture: Fixture }[] {
  return Object.entries(testCase.data.fixtures).flatMap(([source, fixtures]) =>
    fixtures.map((fixture, at) => ({ source, path: ['fixtures', source, at], fixture })),
  );
}

/** A skill with all it may run; null where one of them cannot be found. */
function reach(start: Draft, finder: SkillFinder): ReadonlySet<Draft> | null {
  const found = reachedFrom<Draft | null>(start, (draft) => (draft === null ? [] : partsOf(draft, finder)));
  return found.has(null) ? null : new Set([start, ...(found as ReadonlySet<Draft>)]);
}
