import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { setPriority, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { CompanyTrials } from '../../core/company-changes.js';
import { HubError } from '../../core/errors.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** Nets for what hangs: a trial that steps back behind everything else may wait long for its turn on a busy machine. */
const LIMIT_MS = { check: 900_000, eval: 3_600_000 } as const;
/** How nice a trial is: customers get two and a half times its share of a busy core, and a trial still ends within minutes. */
const BEHIND_CUSTOMERS = 4;
/** What is kept of its last words. */
const KEPT = 2_000;

const findings = z.object({
  findings: z.array(
    z.object({
      severity: z.enum(['fault', 'warning']),
      file: z.string(),
      line: z.number().nullable(),
      problem: z.string(),
      remedy: z.string(),
    }),
  ),
});
const passed = z.object({ scenarios: z.number(), pass_at_1: z.number() });
const groups = z.object({ all: passed, by_category: z.record(z.string(), passed) });
const report = z.object({
  figures: groups,
  baseline: z.object({ before: groups, worse: z.array(z.string()), better: z.array(z.string()) }).nullable(),
});

interface TrialOptions {
  /** Makes a copy of the company with one file changed. */
  readonly copy: (path: string, text: string) => { readonly folder: string; close(): void };
  /** False where playing conversations would ask systems that are not a copy. */
  readonly mayPlay: () => boolean;
  /** Beside the folder of the copy and an empty data directory it is all that a process gets: no address and no secret. */
  readonly settings: Readonly<Record<string, string>>;
}

/** The commands `company check` and `eval` over a copy of the company, each in a process that steps back behind the hub. */
export function createCompanyTrials({ copy, mayPlay, settings }: TrialOptions): CompanyTrials {
  const closed = new AbortController();
  const run = async <T>(
    command: keyof typeof LIMIT_MS,
    [path, text]: readonly [string, string],
    read: (answer: unknown, folder: string) => T,
  ): Promise<T> => {
    const trial = copy(path, text);
    const dataDir = mkdtempSync(join(tmpdir(), 'hub-trial-data-'));
    try {
      const env = {
        ...settings,
        ...{
          HUB_COMPANY: trial.folder,
          HUB_DATA_DIR: dataDir,
          HUB_MODEL_PROVIDER: 'offline',
          HUB_ENV_FILE: 'none',
        },
      };
      const args = command === 'check' ? ['company', 'check', '--json'] : ['eval', '--json'];
      return read(await answerOf(args, env, LIMIT_MS[command], closed.signal), trial.folder);
    } finally {
      trial.close();
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
    }
  };
  return {
    check: (path, text) =>
      run('check', [path, text], (answer, folder) =>
        findings.parse(answer).findings.map((one) => ({ ...one, file: relative(folder, one.file) })),
      ),
    async evaluate(path, text) {
      if (!mayPlay())
        throw new HubError(
          'source_misconfigured',
          'No conversation can be tried: a system in sources.yaml has nothing that stands in for it (stand_in).',
        );
      return run('eval', [path, text], (answer) => {
        const { figures, baseline } = report.parse(answer);
        const of = (
          group: string,
          now: z.infer<typeof passed>,
          then: z.infer<typeof passed> | undefined,
        ) => ({
          ...{ group, scenarios: now.scenarios, passed: now.pass_at_1 },
          standing: then?.pass_at_1 ?? null,
        });
        const { before, worse = [], better = [] } = baseline ?? {};
        return {
          figures: [
            of('all', figures.all, before?.all),
            ...Object.entries(figures.by_category).map(([name, now]) =>
              of(name, now, before?.by_category[name]),
            ),
          ],
          worse,
          better,
        };
      });
    },
    close: () => closed.abort(),
  };
}

/** What a command writes as JSON, whatever its exit code. @throws HubError `internal` with its last words where it writes none */
async function answerOf(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  limitMs: number,
  signal: AbortSignal,
): Promise<unknown> {
  const child = spawn(process.execPath, ['scripts/run.mjs', ...args], {
    ...{ cwd: ROOT, env: { ...env }, signal, timeout: limitMs, killSignal: 'SIGKILL' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (child.pid !== undefined) {
    try {
      setPriority(child.pid, BEHIND_CUSTOMERS);
    } catch {
      // It works at the priority of the hub then, or is gone already.
    }
  }
  let [out, last] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    out += piece;
  });
  child.stderr.setEncoding('utf8').on('data', (piece: string) => {
    last = `${last}${piece}`.slice(-KEPT);
  });
  await new Promise<void>((resolve, reject) => child.once('error', reject).once('close', () => resolve()));
  try {
    return JSON.parse(out);
  } catch (error) {
    const line =
      last
        .trim()
        .split('\n')
        .at(-1)
        ?.replace(/^error: /, '') ?? '';
    throw new HubError('internal', line === '' ? 'The trial was stopped.' : line, {}, { cause: error });
  }
}
