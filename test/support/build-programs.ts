import { chmodSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';

/*
 * build-programs.ts FOLDER
 *
 * Puts the commands and the programs of the tests into few files of plain JavaScript, once a run: each of them
 * starts in half the time that loading a thousand modules by tsx takes. The tests start them, see child-process.ts.
 */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const [folder = ''] = process.argv.slice(2);

/** Commands that are not: they run tools of development, which look for themselves where they are installed. */
const TOOLS = /^(build-web|generate-api|studio|test.*|train)\.ts$/;
const COMMANDS = readdirSync(join(ROOT, 'scripts')).filter(
  (name) => name.endsWith('.ts') && !TOOLS.test(name),
);

/** Programs of the tests. */
const PROGRAMS = [
  ...readdirSync(join(ROOT, 'test/integration/data/children')).map(
    (name) => `integration/data/children/${name}`,
  ),
  'integration/rag/chroma-child.ts',
  'integration/safety/children/turn-and-die.ts',
  'support/a2a-process.ts',
  'support/capability-process.ts',
  'support/log-writer.ts',
  'support/turn-process.ts',
  'unit/skills/tree/killed-run.ts',
];

/** They have native code or files of their own beside them. */
const EXTERNAL = ['better-sqlite3', 'chromadb', 'esbuild', 'pg', 'pino', 'vite'];

/** The company is loaded by its path; the one that ships is put into the files. */
const BY_PATH = 'import(pathToFileURL(file).href)';
const SHIPPED = JSON.stringify(join(ROOT, 'companies/cultpass/company.ts'));
const SHIPPED_OR_BY_PATH = `(file === ${SHIPPED} ? import(${SHIPPED}) : ${BY_PATH})`;

/** What is found by the place of a file is found as if it were still there. */
const KEEP_PLACES: Plugin = {
  name: 'keep-places',
  setup({ onLoad }) {
    onLoad({ filter: /\.(ts|m?js)$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      // A command looks whether it is what Node was started with.
      if (path.startsWith(join(ROOT, 'scripts/'))) return undefined;
      if (path.endsWith('js') && !/import\.meta|__dirname|__filename/.test(text)) return undefined;
      const contents = text
        .replace(BY_PATH, SHIPPED_OR_BY_PATH)
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)))
        .replace(/\b__dirname\b/g, JSON.stringify(dirname(path)))
        .replace(/\b__filename\b/g, JSON.stringify(path));
      return { contents, loader: path.endsWith('ts') ? 'ts' : 'js' };
    });
  },
};

symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
// Some are started as another user.
chmodSync(folder, 0o755);
await build({
  entryPoints: [
    ...COMMANDS.map((name) => join(ROOT, 'scripts', name)),
    ...PROGRAMS.map((name) => join(ROOT, 'test', name)),
  ],
  ...{ outdir: folder, outbase: ROOT, outExtension: { '.js': '.mjs' }, splitting: true, bundle: true },
  ...{ platform: 'node', format: 'esm', target: 'node20', external: EXTERNAL, logLevel: 'error' },
  // What is read at each start: a third less of it. Names stay, errors are told by them.
  ...{ minifyWhitespace: true, legalComments: 'none' },
  // Modules of the older kind ask for Node's own by this name.
  banner: {
    js: "import { createRequire as __of } from 'node:module'; const require = __of(import.meta.url);",
  },
  plugins: [KEEP_PLACES],
});
