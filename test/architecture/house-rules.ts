import ts from 'typescript';
import { type Finding, findNodes, findText, type SourceFile } from './source-files.js';

/** A rule of the house that a program can check. */
interface HouseRule {
  readonly name: string;
  /** What to do instead. */
  readonly advice: string;
  /** Files it holds for. */
  readonly holds: (path: string) => boolean;
  readonly find: (file: SourceFile) => readonly Finding[];
  /** Code that breaks it, which proves that the check sees it. */
  readonly crime: { readonly path: string; readonly code: string };
}

const production = (path: string): boolean => !path.startsWith('test/');
const outside =
  (...allowed: readonly RegExp[]) =>
  (path: string): boolean =>
    production(path) && !allowed.some((pattern) => pattern.test(path));

const isProperty = (node: ts.Node, object: string, name?: string): boolean =>
  ts.isPropertyAccessExpression(node) &&
  ts.isIdentifier(node.expression) &&
  node.expression.text === object &&
  (name === undefined || node.name.text === name);

const isCallOf = (node: ts.Node, object: string, names: readonly string[]): boolean =>
  ts.isCallExpression(node) && names.some((name) => isProperty(node.expression, object, name));

const isEnvironment = (node: ts.Node): boolean => isProperty(node, 'process', 'env');

/** `process.env.NAME`, `process.env[name]`, `const { NAME } = process.env`: anything but passing it on. */
const readsEnvironment = (node: ts.Node): boolean =>
  isEnvironment(node) &&
  (ts.isPropertyAccessExpression(node.parent) ||
    ts.isElementAccessExpression(node.parent) ||
    (ts.isVariableDeclaration(node.parent) && ts.isObjectBindingPattern(node.parent.name)));

const isTestModifier = (node: ts.Node, names: readonly string[]): boolean =>
  ts.isPropertyAccessExpression(node) &&
  names.includes(node.name.text) &&
  /^(test|it|describe)\b/.test(node.expression.getText());

const hasModifier = (node: ts.Node, kind: ts.SyntaxKind): boolean =>
  ts.canHaveModifiers(node) && (ts.getModifiers(node)?.some((modifier) => modifier.kind === kind) ?? false);

/** A call of `interrupt` below this node, but not in a function of its own. */
function callsInterrupt(node: ts.Node): boolean {
  if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 'interrupt')
    return true;
  return ts.forEachChild(node, (child) => !ts.isFunctionLike(child) && callsInterrupt(child)) ?? false;
}

/** Files of the tests that may call a timer, and why none of them lets a test depend on the machine's speed. */
export const TIMERS: Readonly<Record<string, string>> = {
  'test/support/until.ts': 'looks again, with minutes of patience; everybody else calls it',
  'test/support/sse.ts': 'looks again at what a stream has brought, with minutes of patience',
  'test/support/openai-server.ts': 'plays a provider that takes its time, which no assertion measures',
  'test/integration/rag/indexing.test.ts': 'plays a vector index that takes its time for each batch',
  'test/integration/data/children/race.ts': 'looks again for the sign to start, as often as it can',
  'test/unit/skills/tree/handoff.test.ts':
    'lets time pass that must not be counted, as long as the work took here',
};

/** What is made from a whole tree, where a node is held against it at all. */
function whereAsked(make: () => (node: ts.Node) => boolean): (node: ts.Node) => boolean {
  let made: ((node: ts.Node) => boolean) | undefined;
  return (node) => {
    made ??= make();
    return made(node);
  };
}

const CLOCK = /\b(performance|Date)\.now\(\)|\bhrtime\b/;

/** `setTimeout(...)`, or what a file has imported it as from Node's timers. */
function callsTimer({ tree }: SourceFile): (node: ts.Node) => boolean {
  const names = new Set(['setTimeout']);
  for (const statement of tree.statements) {
    if (
      !ts.isImportDeclaration(statement) ||
      !/timers(\/promises)?'$/.test(statement.moduleSpecifier.getText())
    )
      continue;
    const bindings = statement.importClause?.namedBindings;
    if (bindings && ts.isNamedImports(bindings))
      for (const { name } of bindings.elements) names.add(name.text);
  }
  return (node) =>
    ts.isCallExpression(node) && ts.isIdentifier(node.expression) && names.has(node.expression.text);
}

/** Names of variables that hold a time that was measured: a clock read, less something, or a list of such. */
function measured({ tree }: SourceFile): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && node.initializer && CLOCK.test(node.initializer.getText()))
      names.add(node.name.getText());
    if (ts.isCallExpression(node) && /\.push$/.test(node.expression.getText()) && CLOCK.test(node.getText()))
      names.add(node.expression.getText().replace(/\.push$/, ''));
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return names;
}

/** An upper bar on measured time: a slow machine crosses it. A lower one holds on every machine. */
function boundsTime(file: SourceFile): (node: ts.Node) => boolean {
  const names = measured(file);
  return (node) => {
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false;
    if (!/^toBeLessThan(OrEqual)?$/.test(node.expression.name.text)) return false;
    const text = node.expression.expression.getText();
    return CLOCK.test(text) || [...names].some((name) => new RegExp(`\\b${name}\\b`).test(text));
  };
}

/** Types of what others wrote, or what was generated: they hold no code. */
const DECLARATIONS = /\.d\.ts$/;

/** Below this a time-out of a test is a bar on the machine, not a net for what hangs. */
const SHORTEST_NET_MS = 300_000;

/** A time-out by its name, or a number at the end of a call. */
const NET = /timeout|,\s*[\d_.]+\s*,?\s*\)/;

/** `test('...', { timeout: 20_000 }, ...)`, `beforeAll(..., 60_000)`, `expect.poll(..., { timeout: 3_000 })`. */
function setsShortNet(node: ts.Node): boolean {
  if (!ts.isNumericLiteral(node) || Number(node.text) >= SHORTEST_NET_MS) return false;
  const option = ts.isPropertyAssignment(node.parent) && node.parent.name.getText() === 'timeout';
  const call = option ? node.parent.parent.parent : node.parent;
  if (!ts.isCallExpression(call)) return false;
  const name = call.expression.getText();
  const isTest = /^(test|it|describe)\b/.test(name);
  if (option) return isTest || /^expect\s*\.poll$/.test(name);
  const isHook = /^(before|after)(All|Each)$/.test(name);
  return (isTest || isHook) && call.arguments.length > 1 && call.arguments.at(-1) === node;
}

/** The rules of design.md ("Rules of the house") that can be read off a syntax tree. */
export const HOUSE_RULES: readonly HouseRule[] = [
  {
    name: 'console',
    advice: 'Results are written to the streams a command was given; everything else goes to the Log port.',
    holds: outside(
      /^src\/surfaces\/cli\/chat\//,
      /^scripts\//,
      /^src\/adapters\/telemetry\/pino-log[a-z-]*\.ts$/,
    ),
    find: (file) => findNodes(file, /console/, (node) => isProperty(node, 'console')),
    crime: { path: 'src/graph/bad.ts', code: "console.log('here');" },
  },
  {
    name: 'environment',
    advice:
      'Add the variable to src/config/variables.ts and take the value from the Config that is handed to you.',
    holds: outside(/^src\/config\//, /^(scripts\/|src\/app\/studio\.ts$)/),
    find: (file) => findNodes(file, /process/, isEnvironment),
    crime: { path: 'src/adapters/bad.ts', code: 'start({ env: process.env });' },
  },
  {
    name: 'environment-whole',
    advice: 'A script hands process.env to parseConfig as a whole; only src/config/config.ts looks into it.',
    // What starts a command looks which company it is for before there is anything to look with.
    holds: (path) => /^(scripts\/(?!run\.mjs$)|src\/app\/studio\.ts$)/.test(path),
    find: (file) => findNodes(file, /process/, readsEnvironment),
    crime: { path: 'scripts/bad.ts', code: 'const key = process.env.OPENAI_API_KEY;' },
  },
  {
    name: 'clock-and-chance',
    advice:
      'Time comes from the Clock port and ids from the Ids port, so that a test can give them; in the pages from shared/clock.ts and shared/ids.ts.',
    holds: outside(/^src\/adapters\//, /^src\/surfaces\/web\/shared\/clock\.ts$/),
    find: (file) =>
      findNodes(
        file,
        /Date|Math/,
        (node) =>
          (ts.isNewExpression(node) &&
            node.expression.getText() === 'Date' &&
            (node.arguments?.length ?? 0) === 0) ||
          isCallOf(node, 'Date', ['now']) ||
          isCallOf(node, 'Math', ['random']),
      ),
    crime: { path: 'src/graph/bad.ts', code: 'const now = new Date();' },
  },
  {
    name: 'no-any',
    advice: 'Say what it is; for something foreign use unknown and narrow it with zod.',
    holds: () => true,
    find: (file) => findNodes(file, /\bany\b/, (node) => node.kind === ts.SyntaxKind.AnyKeyword),
    crime: { path: 'src/core/bad.ts', code: 'export const state: any[] = [];' },
  },
  {
    name: 'no-silenced-compiler',
    advice: 'Mend the type instead of hiding the error.',
    holds: () => true,
    find: (file) => findText(file, new RegExp(`@ts-${'(ignore|nocheck|expect-error)'}`)),
    crime: { path: 'src/core/bad.ts', code: `// @ts-${'ignore'}\nexport const one: string = 1;` },
  },
  {
    name: 'no-unfinished-work',
    advice:
      'Finish it, or say in the note what falls short; a reader can do nothing with a reminder in the code.',
    holds: () => true,
    find: (file) =>
      findText(
        file,
        new RegExp(`\\b(${['TO', 'DO'].join('')}|${['FIX', 'ME'].join('')}|${['XX', 'X'].join('')})\\b`),
      ),
    crime: { path: 'src/core/bad.ts', code: `// ${['TO', 'DO'].join('')}: later` },
  },
  {
    name: 'no-skipped-tests',
    advice:
      'A test that does not run proves nothing: mend it or delete it. Only test/live may depend on a key.',
    holds: (path) => path.startsWith('test/'),
    find: (file) =>
      findNodes(file, /skip|only|todo|runIf/, (node) =>
        isTestModifier(node, [
          'skip',
          'only',
          'todo',
          ...(file.path.startsWith('test/live/') ? [] : ['skipIf', 'runIf']),
        ]),
      ),
    crime: { path: 'test/unit/bad.test.ts', code: "test.only('one', () => {});" },
  },
  {
    name: 'no-mocked-modules',
    advice:
      'Tests run the product: hand in another implementation of the port through createApp(config, overrides).',
    holds: (path) => path.startsWith('test/'),
    find: (file) =>
      findNodes(file, /mock|hoisted/i, (node) => isCallOf(node, 'vi', ['mock', 'doMock', 'hoisted'])),
    crime: { path: 'test/unit/bad.test.ts', code: "vi.mock('../src/app.js');" },
  },
  {
    name: 'no-fixed-sleeps',
    advice:
      'Wait for what is to happen: `until` of test/support/until.ts, a door, or a timer or clock that the test hands in.',
    holds: (path) => path.startsWith('test/') && TIMERS[path] === undefined,
    find: (file) =>
      findNodes(
        file,
        /setTimeout|timers/,
        whereAsked(() => callsTimer(file)),
      ),
    crime: {
      path: 'test/unit/bad.test.ts',
      code: "import { setTimeout as nap } from 'node:timers/promises';\nawait nap(500);",
    },
  },
  {
    name: 'no-bars-on-time',
    advice:
      'Assert the cause (what was asked, in which order, that a signal ended it) or the processor time of what may explode; a figure belongs to bench/.',
    holds: (path) => path.startsWith('test/') && path !== 'test/unit/skills/tree/handoff.test.ts',
    find: (file) =>
      findNodes(
        file,
        /toBeLessThan/,
        whereAsked(() => boundsTime(file)),
      ),
    crime: {
      path: 'test/unit/bad.test.ts',
      code: 'const began = performance.now();\nwork();\nconst took = performance.now() - began;\nexpect(took).toBeLessThan(1_000);',
    },
  },
  {
    name: 'no-short-time-outs',
    advice:
      'Leave it to vitest.config.ts: a time-out of a test is a net for what hangs. What the product ends itself has its own limit.',
    holds: (path) => path.startsWith('test/'),
    find: (file) => findNodes(file, NET, setsShortNet),
    crime: { path: 'test/unit/bad.test.ts', code: "test('one', { timeout: 20_000 }, async () => {});" },
  },
  {
    name: 'short-files',
    advice: 'A file has at most 300 lines (about 80 is better): split it by what changes together.',
    holds: (path) => production(path) && !DECLARATIONS.test(path),
    find: (file) => {
      const lines = file.text.split('\n').length - 1;
      return lines > 300 ? [{ path: file.path, line: lines, code: `${lines} lines` }] : [];
    },
    crime: { path: 'src/core/bad.ts', code: '\n'.repeat(301) },
  },
  {
    name: 'no-default-exports',
    advice: 'Export by name, so that a thing is called the same everywhere.',
    holds: (path) => production(path) && !DECLARATIONS.test(path),
    find: (file) =>
      findNodes(
        file,
        /default|export\s*=/,
        (node) => ts.isExportAssignment(node) || hasModifier(node, ts.SyntaxKind.DefaultKeyword),
      ),
    crime: { path: 'src/core/bad.ts', code: 'export default function one(): void {}' },
  },
  {
    name: 'kebab-case-names',
    advice: 'Files are named in kebab-case.',
    holds: () => true,
    find: (file) =>
      /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+)*$/.test(file.path.split('/').at(-1) ?? '')
        ? []
        : [{ path: file.path, line: 1, code: file.path }],
    crime: { path: 'src/core/BadName.ts', code: '' },
  },
  {
    name: 'no-try-around-interrupt',
    advice: 'interrupt() pauses by throwing; a try around it swallows the pause. Call it outside of the try.',
    holds: production,
    find: (file) =>
      findNodes(file, /interrupt/, (node) => ts.isTryStatement(node) && callsInterrupt(node.tryBlock)),
    crime: { path: 'tools/bad.ts', code: 'try { if (one) interrupt({}); } catch {}' },
  },
];
