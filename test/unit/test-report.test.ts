import { describe, expect, test } from 'vitest';
import { countReport, summaryLine } from '../../scripts/test-report.js';

interface FileResult {
  readonly status: 'passed' | 'failed';
  readonly tests: readonly ('passed' | 'failed' | 'pending')[];
}

function report(files: readonly FileResult[]): string {
  const statuses = files.flatMap(({ tests }) => tests);
  const number = (status: string) => statuses.filter((one) => one === status).length;
  return JSON.stringify({
    success: files.every(({ status }) => status === 'passed'),
    numPassedTests: number('passed'),
    numFailedTests: number('failed'),
    numPendingTests: number('pending'),
    numTodoTests: 0,
    testResults: files.map(({ status, tests }) => ({
      status,
      assertionResults: tests.map((one) => ({ status: one })),
    })),
  });
}

const GOOD: FileResult = { status: 'passed', tests: ['passed', 'passed'] };

describe('[DONE-03] the result of npm test', () => {
  test('counts tests', () => {
    expect(countReport(report([GOOD]), true)).toEqual({ passed: 2, failed: 0, skipped: 0 });
    const bad: FileResult = { status: 'failed', tests: ['passed', 'failed', 'pending'] };
    expect(countReport(report([GOOD, bad]), false)).toEqual({ passed: 3, failed: 1, skipped: 1 });
  });

  test('counts a file that could not be loaded as a failure', () => {
    expect(countReport(report([GOOD, { status: 'failed', tests: [] }]), false).failed).toBe(1);
  });

  test.each([
    ['no report', null, false],
    ['no report although it ended well', null, true],
    ['half a report', '{"success": tr', true],
    ['another report', '{}', true],
    ['nothing ran', report([]), true],
    ['it crashed after the last test', report([GOOD]), false],
  ])('is a failure where %s', (_name, json, ended) => {
    expect(countReport(json, ended).failed).toBe(1);
  });

  test('is one plain line', () => {
    const passed = { passed: 2, failed: 0, skipped: 0 };
    expect(summaryLine([passed, { passed: 0, failed: 1, skipped: 0 }])).toBe('2 passed, 1 failed');
    expect(summaryLine([passed, { ...passed, skipped: 3 }])).toBe('4 passed, 0 failed, 3 skipped');
  });
});
