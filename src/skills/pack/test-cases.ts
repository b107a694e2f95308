import { readChecked } from './checked-file.js';
import { FaultList } from './fault-list.js';
import type { Pack, PackFault, PackFiles } from './pack.js';
import { type TestCase, testCaseSchema } from './test-case-schema.js';

/** A test case of a pack. */
export interface PackTestCase {
  readonly file: string;
  /** Null where it cannot be used because of its faults. */
  readonly case: TestCase | null;
  readonly faults: readonly PackFault[];
}

/** The test cases of a pack, read now: a pack is loaded to be run far more often than to be tested. */
export function testCasesOf({ files, folder }: Pick<Pack, 'files' | 'folder'>): readonly PackTestCase[] {
  return testCaseFiles(files).map((file) => {
    const list = new FaultList(folder);
    const read = readChecked(testCaseSchema, file, files[file] ?? '', list);
    const faults = list.list();
    return { file, case: faults.length > 0 ? null : (read?.data ?? null), faults };
  });
}

/** Where the test cases of a pack stand. */
export function testCaseFiles(files: PackFiles): readonly string[] {
  return Object.keys(files).filter((path) => /^test_cases\/[^/]+\.ya?ml$/.test(path));
}
