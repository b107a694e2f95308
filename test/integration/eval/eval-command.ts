import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { stringify } from 'yaml';
import { parseConfig } from '../../../src/config/config.js';
import { type EvalOptions, evaluate } from '../../../src/surfaces/cli/eval/eval.js';

/** A report as programs read it, as far as tests look at it. */
export interface ReportJson {
  readonly company: string;
  readonly scenarios: readonly { readonly id: string; readonly passed: number; readonly runs: number }[];
  readonly figures: Readonly<Record<string, unknown>>;
  readonly skipped: readonly string[];
  readonly baseline: { readonly undercut: readonly string[]; readonly worse: readonly string[] } | null;
  readonly failed: readonly {
    readonly id: string;
    readonly blame: { readonly step: string; readonly turn: number };
    readonly failures: readonly string[];
    readonly turns: readonly { readonly reply: string }[];
  }[];
}

/** What the command came to. */
interface Evaluated {
  /** 2 where it was refused. */
  readonly code: number | undefined;
  readonly out: string;
  readonly err: string;
  /** With `--json`. */
  report(): ReportJson;
}

/** A folder for suites and reports, and the command `eval` over them, in this process. */
export function evalFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'uda-eval-'));
  const file = (name: string): string => join(folder, name);
  return {
    file,
    write: (name: string, content: string): string => {
      writeFileSync(file(name), content);
      return file(name);
    },
    /** A suite of scenarios; each gets what it does not say. */
    suite(name: string, scenarios: Readonly<Record<string, Readonly<Record<string, unknown>>>>): string {
      const all = Object.entries(scenarios).map(([id, one]) => ({
        ...{ id, category: 'any', language: 'en', about: 'A test.' },
        ...one,
      }));
      writeFileSync(
        file(`${name}.yaml`),
        stringify({ suite: name, scenarios: all }, { aliasDuplicateObjects: false }),
      );
      return file(`${name}.yaml`);
    },
    async run(
      suites: readonly string[],
      options: Partial<EvalOptions> = {},
      env: Readonly<Record<string, string>> = {},
    ): Promise<Evaluated> {
      const [out, err] = [sink(), sink()];
      const config = parseConfig({ HUB_MODEL_PROVIDER: 'offline', HUB_DATA_DIR: file('unused'), ...env });
      const io = { in: Readable.from([]), out: out.stream, err: err.stream };
      const stop = new AbortController().signal;
      const given = { k: 1, concurrency: 2, json: true, ...options };
      const code = await evaluate({ config, io, stop }, suites, given, () => performance.now()).catch(
        (error) => {
          err.stream.write(String(error));
          return 2;
        },
      );
      return { code, out: out.text(), err: err.text(), report: () => JSON.parse(out.text()) as ReportJson };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function sink() {
  const pieces: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      pieces.push(String(chunk));
      done();
    },
  });
  return { stream, text: () => pieces.join('') };
}
