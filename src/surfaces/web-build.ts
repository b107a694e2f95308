import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HubError, toHubError } from '../core/errors.js';
import { oneLine } from './printable.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SOURCES = join(ROOT, 'src/surfaces/web');
const OUT = join(ROOT, 'dist/web');
/** Says which sources the files were made from. */
const STAMP = '.built-from';
const LONGEST_MS = 120_000;

/** Where the built pages are, and whether they had to be built now. */
interface WebBuild {
  /** Absolute path of the folder that is served. */
  readonly dir: string;
  readonly built: boolean;
}

/**
 * Builds the pages where dist/web is missing or was made from other sources. Whole folders are exchanged, so that
 * several processes may do this at once, and one that is killed leaves nothing half done.
 * @throws HubError `internal` where the build fails; the last lines of its output are in the fields
 */
export async function ensureWebBuilt(): Promise<WebBuild> {
  const wanted = await fingerprint();
  if ((await stampOf(OUT)) === wanted) return { dir: OUT, built: false };
  const fresh = join(ROOT, 'dist', `.web-${randomUUID()}`);
  try {
    await mkdir(fresh, { recursive: true });
    await runVite(fresh);
    await writeFile(join(fresh, STAMP), wanted);
    await exchange(fresh, wanted);
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
  return { dir: OUT, built: true };
}

/** A hash over everything the pages are made from. */
async function fingerprint(): Promise<string> {
  const names = await readdir(SOURCES, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const hash = createHash('sha256');
  for (const file of [...files.sort(), join(ROOT, 'vite.config.ts'), join(ROOT, 'package.json')]) {
    hash
      .update(`${file.slice(ROOT.length)}\0`)
      .update(await readFile(file))
      .update('\0');
  }
  return hash.digest('hex');
}

function stampOf(dir: string): Promise<string | null> {
  return readFile(join(dir, STAMP), 'utf8').catch(() => null);
}

/** Puts the fresh folder where the old one was. Another process that came first with the same files has won. */
async function exchange(fresh: string, wanted: string): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    const old = join(ROOT, 'dist', `.web-${randomUUID()}`);
    await rename(OUT, old).catch(() => {});
    try {
      await rename(fresh, OUT);
      return;
    } catch (error) {
      if ((await stampOf(OUT)) === wanted) return;
      if (attempt >= 5) throw error;
    } finally {
      await rm(old, { recursive: true, force: true });
    }
  }
}

/** In a process of its own: the compiler's memory goes when it is done. */
function runVite(outDir: string): Promise<void> {
  const vite = join(dirname(createRequire(import.meta.url).resolve('vite/package.json')), 'bin/vite.js');
  const args = [
    vite,
    'build',
    '--config',
    join(ROOT, 'vite.config.ts'),
    '--outDir',
    outDir,
    '--logLevel',
    'warn',
  ];
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: LONGEST_MS,
    });
    let output = '';
    const collect = (piece: Buffer): void => {
      output = `${output}${piece.toString()}`.slice(-4_000);
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    const fail = (why: string): void => {
      reject(new HubError('internal', `The pages could not be built: ${why}`, { output }));
    };
    child.on('error', (error) => fail(error.message));
    child.on('close', (code) => (code === 0 ? resolve() : fail(`vite ended with code ${code}.`)));
  });
}

/** What is said when the server listens. */
export function startLine(url: string): string {
  return `UDA-Hub: chat ${url}/  desk ${url}/desk  API ${url}/docs`;
}

/**
 * Customers of the API need no pages: where they cannot be built, the rest is served.
 * @param say told in words what was done
 * @returns where they are; null where they could not be built
 */
export async function builtPages(
  say: (line: string) => void,
  onFault: (error: unknown) => void = () => {},
): Promise<string | null> {
  try {
    const { dir, built } = await ensureWebBuilt();
    if (built) say('Built the web pages.');
    return dir;
  } catch (error) {
    onFault(error);
    say(`Without web pages: ${oneLine(toHubError(error).message)}`);
    return null;
  }
}
