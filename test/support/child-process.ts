import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** How a process ended, and what it wrote. */
export interface Ended {
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The company is loaded by its path, which one file cannot: the one that ships is put into the file. */
const BY_PATH = 'import(pathToFileURL(file).href)';
const SHIPPED = join(ROOT, 'companies/cultpass/company.ts');

/** What is found by the place of a file is found as if it were still there. */
const KEEP_PLACES: Plugin = {
  name: 'keep-places',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8').replace(BY_PATH, `import(${JSON.stringify(SHIPPED)})`);
      const url = JSON.stringify(pathToFileURL(path).href);
      const place = JSON.stringify(dirname(path));
      const contents = text.replaceAll('import.meta.url', url).replaceAll('import.meta.dirname', place);
      return { contents, loader: 'ts' };
    });
  },
};

let folder: string | undefined;
const programs = new Map<string, Promise<string>>();

async function putIntoOneFile(path: string): Promise<string> {
  if (folder === undefined) {
    const made = mkdtempSync(join(tmpdir(), 'hub-programs-'));
    symlinkSync(join(ROOT, 'node_modules'), join(made, 'node_modules'));
    process.once('exit', () => rmSync(made, { recursive: true, force: true }));
    folder = made;
  }
  const outfile = join(folder, `${basename(path, '.ts')}.mjs`);
  await build({
    ...{ entryPoints: [path], outfile, bundle: true, platform: 'node', format: 'esm', target: 'node20' },
    ...{ packages: 'external', plugins: [KEEP_PLACES], logLevel: 'error' },
  });
  return outfile;
}

/**
 * Puts a TypeScript program into one file, once a test process: it starts in half the time that loading each of its
 * modules by tsx takes. It cannot load TypeScript while it runs.
 * @param program its address; the names of all programs differ
 * @returns what Node can be started with
 */
export function inOneFile(program: URL): Promise<string> {
  const path = fileURLToPath(program);
  const made = programs.get(path) ?? putIntoOneFile(path);
  programs.set(path, made);
  return made;
}

/** Runs a TypeScript program of the tests in a process of its own, to its end, see {@link inOneFile}. */
export async function runChild(
  program: URL,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const child = spawn(process.execPath, [await inOneFile(program), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, ...env },
  });
  const [out, err]: [string[], string[]] = [[], []];
  child.stdout.setEncoding('utf8').on('data', (text: string) => out.push(text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => err.push(text));
  const signal = await new Promise<NodeJS.Signals | null>((resolve) =>
    child.once('close', (_code, by) => resolve(by)),
  );
  return { signal, stdout: out.join(''), stderr: err.join('') };
}
