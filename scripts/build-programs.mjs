import { randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/*
 * Puts the TypeScript of a command into few files of plain JavaScript (esbuild): loading them takes less than half as long as
 * loading a thousand modules by tsx. Nothing else changes: what is found by the place of a file is found as if it were still
 * there, and the stack of an error names the sources.
 */

export const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BUILDS = join(ROOT, 'dist/programs');
/** Says which of the builds is the newest, and what it was made from. */
const NEWEST = join(BUILDS, 'newest.json');
/** A process of an older build may still load a part of it. */
const KEPT_SECONDS = 7 * 24 * 3_600;

/** Commands that stay TypeScript: they run tools of development, which look for themselves where they are installed. */
const TOOLS = /^(build-web|generate-api|studio|test.*|train)\.ts$/;
/** Not a command, but what one starts. */
const STARTED = ['src/app/classifier-process.ts'];
/** They have native code or files of their own beside them. */
const APART = ['better-sqlite3', 'chromadb', 'esbuild', 'pg', 'pino', 'tsx', 'vite'];
/** How src/company loads a company's code: by its path. */
const BY_PATH = 'import(pathToFileURL(file).href)';

/** Commands and what they start, from the root of the project. @returns {string[]} */
function programs() {
  const commands = readdirSync(join(ROOT, 'scripts')).filter(
    (name) => name.endsWith('.ts') && !TOOLS.test(name),
  );
  return [...commands.map((name) => `scripts/${name}`), ...STARTED];
}

/** The companies of this folder that bring code: it becomes a part of the programs. @returns {string[]} absolute paths */
function companies() {
  const folder = join(ROOT, 'companies');
  return readdirSync(folder)
    .map((name) => join(folder, name, 'company.ts'))
    .filter((file) => existsSync(file));
}

/** @returns {import('esbuild').Plugin} */
function keepPlaces() {
  const inside = companies().map((file) => JSON.stringify(file));
  const load = inside.reduce((others, file) => `(file === ${file} ? import(${file}) : ${others})`, BY_PATH);
  return {
    name: 'keep-places',
    setup({ onLoad }) {
      onLoad({ filter: /\.(ts|m?js)$/ }, ({ path }) => {
        const text = readFileSync(path, 'utf8');
        // A command looks whether it is what Node was started with.
        if (path.startsWith(join(ROOT, 'scripts/'))) return undefined;
        if (path.endsWith('js') && !/import\.meta|__dirname|__filename/.test(text)) return undefined;
        const contents = text
          .replace(BY_PATH, () => load)
          .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
          .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)))
          .replace(/\b__dirname\b/g, JSON.stringify(dirname(path)))
          .replace(/\b__filename\b/g, JSON.stringify(path));
        return { contents, loader: path.endsWith('ts') ? 'ts' : 'js' };
      });
    },
  };
}

/**
 * Builds programs into a folder, each at its place from the root of the project, ending in `.mjs`.
 * @param {string} folder absolute; it exists
 * @param {{ more?: string[], packages?: 'within' | 'apart' }} [how] programs beside the commands, from the root; whether packages
 *   become a part of them: loading takes a third less, building five times as long
 * @returns {Promise<string[]>} what they were made from, absolute paths
 */
export async function buildPrograms(folder, { more = [], packages = 'apart' } = {}) {
  const { build } = await import('esbuild');
  const { metafile } = await build({
    entryPoints: [...programs(), ...more].map((path) => join(ROOT, path)),
    ...{ outdir: folder, outbase: ROOT, outExtension: { '.js': '.mjs' }, splitting: true, bundle: true },
    ...{ platform: 'node', format: 'esm', target: 'node20', logLevel: 'error', metafile: true },
    ...{ absWorkingDir: ROOT, legalComments: 'none' },
    ...(packages === 'within'
      ? {
          ...{ external: APART, minifyWhitespace: true },
          // Modules of the older kind ask for Node's own by this name.
          banner: {
            js: "import { createRequire as __of } from 'node:module'; const require = __of(import.meta.url);",
          },
        }
      : { packages: 'external', sourcemap: true, sourcesContent: false }),
    plugins: [keepPlaces()],
  });
  return Object.keys(metafile.inputs).map((path) => join(ROOT, path));
}

/** @param {string} file @returns {number} when it was written to, s: layers of images keep no more; 0 where there is none */
const stampOf = (file) => Math.floor((statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) / 1_000);

/** @returns {{ folder: string, companies: string[], files: Record<string, number> } | null} null where there is none */
function newest() {
  try {
    return JSON.parse(readFileSync(NEWEST, 'utf8'));
  } catch {
    return null;
  }
}

/** @returns {boolean} true where it was made from the sources as they are now */
function isCurrent({ folder, companies: known, files }) {
  return (
    existsSync(folder) &&
    companies().join() === known.join() &&
    Object.entries(files).every(([file, stamp]) => stampOf(file) === stamp)
  );
}

/**
 * The programs as the sources are now. Where they were built before that is all; else they are built, and put where the next
 * command finds them. Several processes may do this at once, and one that is killed leaves nothing half done.
 * @returns {Promise<string>} absolute path of their folder
 * @throws Error where a source is wrong, or nothing may be written there
 */
export async function currentPrograms() {
  const before = newest();
  if (before && isCurrent(before)) return before.folder;
  const folder = join(BUILDS, randomUUID());
  mkdirSync(folder, { recursive: true });
  const begun = stampOf(folder);
  const sources = await buildPrograms(folder).catch((error) => {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  });
  const made = [...sources, fileURLToPath(import.meta.url), join(ROOT, 'package-lock.json')];
  // What was written to meanwhile may have been read before: it counts as changed.
  const files = Object.fromEntries(
    made.map((file) => [file, stampOf(file)]).filter(([, stamp]) => stamp !== 0),
  );
  for (const [file, stamp] of Object.entries(files)) if (stamp >= begun) files[file] = 1;
  const draft = join(BUILDS, `${randomUUID()}.json`);
  writeFileSync(draft, JSON.stringify({ folder, companies: companies(), files }));
  renameSync(draft, NEWEST);
  for (const name of readdirSync(BUILDS)) {
    const old = join(BUILDS, name);
    if (old !== folder && old !== NEWEST && begun - stampOf(old) > KEPT_SECONDS)
      rmSync(old, { recursive: true, force: true });
  }
  return folder;
}

/** @param {string} program from the root, ending in `.ts` @param {string} folder of a build @returns {string} */
export const builtFile = (program, folder) => join(folder, relative('.', program).replace(/\.ts$/, '.mjs'));

// Asked for by the tests, which start many: build-programs.mjs FOLDER PROGRAM...
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder, ...more] = process.argv.slice(2);
  if (folder === undefined) await currentPrograms();
  else await buildPrograms(folder, { more, packages: 'within' });
}
