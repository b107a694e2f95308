import { z } from 'zod';
import { parseJson } from '../src/core/domain/json.js';

/** Outcome of one part of a test run. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** The part of vitest's JSON report that is counted. */
const reportSchema = z.object({
  success: z.boolean(),
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
  testResults: z.array(
    z.object({ status: z.string(), assertionResults: z.array(z.object({ status: z.string() })) }),
  ),
});

/**
 * Counts what vitest ran. A file that could not be loaded counts as one failure, and so does a run that crashed, ran
 * nothing, or failed without saying which test.
 * @param json vitest's report; null where there is none
 * @param ended whether vitest ended with exit code 0
 */
export function countReport(json: string | null, ended: boolean): Tally {
  const report = json === null ? null : reportSchema.safeParse(parseJson(json, null)).data;
  if (!report) return { passed: 0, failed: 1, skipped: 0 };
  const broken = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  ).length;
  const passed = report.numPassedTests;
  const failed = report.numFailedTests + broken;
  const unexplained = failed === 0 && (!ended || !report.success || passed === 0);
  return { passed, failed: unexplained ? 1 : failed, skipped: report.numPendingTests + report.numTodoTests };
}

/** `N passed, N failed`; what was skipped is told only where something was. */
export function summaryLine(parts: readonly Tally[]): string {
  const sum = (key: keyof Tally): number => parts.reduce((total, part) => total + part[key], 0);
  const skipped = sum('skipped');
  return `${sum('passed')} passed, ${sum('failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
