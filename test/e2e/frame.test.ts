import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { VARIABLE_NAMES } from '../../src/config/variables.js';
import { ROOT } from '../architecture/cruise.js';
import { sourceFiles } from '../architecture/source-files.js';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const versions = z.record(z.string(), z.string()).default({});
const manifest = z
  .object({ scripts: versions, dependencies: versions, devDependencies: versions })
  .parse(JSON.parse(read('package.json')));
const DOCUMENTS = [
  'README.md',
  'AGENTS.md',
  'skills/README.md',
  ...readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];
/** What users read. */
const manual = DOCUMENTS.filter((path) => path !== 'AGENTS.md')
  .map(read)
  .join('\n');

/** Packages that are used without being imported, and what for. */
const NOT_IMPORTED: Readonly<Record<string, string>> = {
  '@biomejs/biome': 'npm run lint',
  '@langchain/langgraph-checkpoint': 'peer of the checkpointers, pinned to fit them',
  '@langchain/langgraph-cli': 'npm run studio',
  '@types/better-sqlite3': 'types',
  '@types/html-to-text': 'types',
  '@types/mdast': 'types',
  '@types/mustache': 'types',
  '@types/node': 'types',
  '@types/nodemailer': 'types',
  '@types/pg': 'types',
  '@types/semver': 'types',
  tsx: 'runs the scripts',
  'typescript-7': 'checks the types in half the time; tools read code with typescript 5',
};

/** What a reader is told to make. */
const EXAMPLES = /get-payments|agents\/loyalty|loyalty-agent|late_parcel|companies\/mine/;

/** The names by which GitHub links to the headings of a document. */
function anchorsOf(markdown: string): ReadonlySet<string> {
  const prose = markdown.replace(/^```[\s\S]*?^```$/gm, '');
  const headings = [...prose.matchAll(/^#{1,6} (.+)$/gm)].map(([, text = '']) => text);
  return new Set(
    headings.map((text) =>
      text
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

/** Where the relative links of a document lead that lead nowhere. */
function brokenLinks(path: string, markdown: string): readonly string[] {
  const links = [...markdown.matchAll(/\]\((?!\w+:)([^)\s]+)\)/g)].map(([, link = '']) => link);
  return links.filter((link) => {
    const [file = '', anchor] = link.split('#');
    const target = file === '' ? path : posix.join(dirname(path), file);
    if (!existsSync(join(ROOT, target))) return true;
    return anchor !== undefined && !anchorsOf(read(target)).has(anchor);
  });
}

/** The paths of the repository that a document names in code spans and that are not there. */
function missingPaths(markdown: string): readonly string[] {
  const quoted = /`((?:src|agents|tools|companies|data|docs|scripts|bench|test|skills|\.ci)\/[^`\s]*)`/g;
  const paths = [...markdown.matchAll(quoted)].map(([, path = '']) => path);
  return paths
    .filter((path) => !/[<>*{}A-Z]/.test(path) && !EXAMPLES.test(path))
    .filter((path) => !existsSync(join(ROOT, path)));
}

describe('[DONE-01] the documentation', () => {
  test('names every command there is', () => {
    // npm runs `prepare` by itself.
    for (const name of Object.keys(manifest.scripts).filter((script) => script !== 'prepare')) {
      const shown = ['test', 'start'].includes(name) ? `npm ${name}` : `npm run ${name}`;
      expect(manual, `README.md and docs/ do not name ${shown}`).toContain(shown);
    }
  });

  test.each(DOCUMENTS)('%s names no command that there is not', (path) => {
    const named = [...read(path).matchAll(/npm run (?:-s )?([a-z][a-z:]*)/g)].map(([, name = '']) => name);
    expect(named.filter((name) => !(name in manifest.scripts))).toEqual([]);
  });

  test('explains every variable, and no other', () => {
    for (const name of VARIABLE_NAMES)
      expect(manual, `README.md and docs/ do not name ${name}`).toContain(`\`${name}\``);
    const known = new Set<string>([...VARIABLE_NAMES, 'HUB_ENV_FILE']);
    const named = manual.match(/\b(?:HUB|OPENAI|CHROMA)_[A-Z_]+\b/g) ?? [];
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });

  test.each(DOCUMENTS)('%s speaks of files and headings that are there', (path) => {
    const text = read(path);
    expect(brokenLinks(path, text)).toEqual([]);
    expect(missingPaths(text)).toEqual([]);
  });

  test('is seen by these checks', () => {
    expect(DOCUMENTS.length).toBeGreaterThan(10);
    expect(manual.match(/npm run /g)?.length).toBeGreaterThan(40);
    const wrong =
      '[a](docs/none.md) [b](README.md#none) [c](docs/api.md) [d](https://example.com) `src/none.ts` `src/app/`';
    expect(brokenLinks('README.md', wrong)).toEqual(['docs/none.md', 'README.md#none']);
    expect(brokenLinks('docs/api.md', '[a](README.md) [b](../README.md)')).toEqual(['README.md']);
    expect(missingPaths(wrong)).toEqual(['src/none.ts']);
  });
});

describe('[DONE-06] the way of one message in docs/architecture.md', () => {
  const text = read('docs/architecture.md');
  const section = text.split('## One message, by file and function\n')[1]?.split(/^## /m)[0] ?? '';
  const steps = section.split(/^\d+\. /m).slice(1);
  const spans = [...section.matchAll(/`([^`]+)`/g)].map(([, span = '']) => span);
  const all = sourceFiles(['src', 'agents', 'tools', 'companies', 'data']);

  test('has at most twelve steps, each with a function', () => {
    expect(steps.length).toBeGreaterThan(8);
    expect(steps.length).toBeLessThanOrEqual(12);
    for (const step of steps) expect(step).toMatch(/`(?!\S+\.ts`)[^`/]+`/);
  });

  test('names functions that stand in the files it names', () => {
    const files = spans.filter((span) => span.endsWith('.ts'));
    const named = all.filter(({ path }) => files.some((file) => path === file || path.endsWith(`/${file}`)));
    expect(named.length).toBeGreaterThan(10);
    const code = named.map((file) => file.text).join('\n');
    const functions = spans.filter((span) => /^[\w#.]+$/.test(span) && !span.endsWith('.ts'));
    const last = (name: string): string => name.split('.').at(-1) ?? '';
    const missing = functions.filter((name) => !new RegExp(`(?<![\\w#])${last(name)}\\b`).test(code));
    expect(functions.length).toBeGreaterThan(20);
    expect(missing).toEqual([]);
  });
});

describe('[DONE-02] npm ci', () => {
  const lockfile = z.object({
    packages: z.record(
      z.string(),
      z.object({
        resolved: z.string().optional(),
        dependencies: versions,
        devDependencies: versions,
        link: z.boolean().optional(),
      }),
    ),
  });
  const { packages } = lockfile.parse(JSON.parse(read('package-lock.json')));

  test('has a lock that fits package.json', () => {
    const { '': root } = packages;
    expect(root?.dependencies).toEqual(manifest.dependencies);
    expect(root?.devDependencies).toEqual(manifest.devDependencies);
  });

  test('is told no address to download from', () => {
    expect(Object.keys(packages).length).toBeGreaterThan(200);
    const told = Object.entries(packages).filter(([, { resolved }]) => resolved !== undefined);
    expect(told.map(([path]) => path)).toEqual([]);
    expect(read('.npmrc')).toContain('omit-lockfile-registry-resolved=true');
  });

  test('installs exact versions, and nothing that is not used', () => {
    const all = { ...manifest.dependencies, ...manifest.devDependencies };
    for (const [name, version] of Object.entries(all))
      expect(version, name).toMatch(/^(?:npm:[a-z]+@)?\d+\.\d+\.\d+(?:-beta\.\d+)?$/);
    const files = sourceFiles(['src', 'agents', 'tools', 'data', 'scripts', 'bench', 'test']);
    const text = [
      ...files.map((file) => file.text),
      read('vitest.config.ts'),
      read('drizzle.udahub.config.ts'),
    ].join('\n');
    const imported = (name: string) => text.includes(`'${name}'`) || text.includes(`'${name}/`);
    expect(Object.keys(all).filter((name) => !imported(name) && !(name in NOT_IMPORTED))).toEqual([]);
  });
});

describe('[DEP-01] the files for containers', () => {
  const text = (path: string) => ({ path, text: read(path) });
  const image = text('Dockerfile');
  const files = [
    image,
    ...['compose.yaml', 'deploy/compose.servers.yaml', 'deploy/nginx.conf'].map(text),
    ...['deploy/kubernetes/hub.yaml', 'deploy/kubernetes/metrics.yaml'].map(text),
  ];
  const all = files.map((file) => file.text).join('\n');

  test('are YAML, and set what the hub reads', () => {
    for (const file of files.filter(({ path }) => path.endsWith('.yaml')))
      for (const document of parseAllDocuments(file.text, { merge: true }))
        expect(document.errors, file.path).toEqual([]);
    const known = new Set<string>([...VARIABLE_NAMES, 'HUB_ENV_FILE']);
    const named = all.match(/\b(?:HUB|OPENAI|CHROMA)_[A-Z_]+\b/g) ?? [];
    expect(named.length).toBeGreaterThan(15);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });

  test('start programs, ask addresses and count what there is', () => {
    const args = [...all.matchAll(/^ *(?:args|command|CMD):? \["(\w+)"\]/gm)].map(([, name = '']) => name);
    expect(args).toEqual(expect.arrayContaining(['serve', 'worker']));
    for (const name of args) expect(existsSync(join(ROOT, `scripts/${name}.ts`)), name).toBe(true);
    for (const path of ['/healthz', '/readyz', '/metrics']) expect(all).toContain(path);
    const counted = read('src/adapters/telemetry/prometheus-metrics.ts');
    for (const [, name = ''] of read('deploy/kubernetes/metrics.yaml').matchAll(
      /seriesQuery: (hub_\w+?)(?:_bucket)?\{/g,
    ))
      expect(counted, name).toContain(`'${name}'`);
    // The image is not asked to run anything that it leaves out.
    for (const [, path = ''] of image.text.matchAll(/\b(scripts\/[\w-]+\.mjs)/g))
      expect(existsSync(join(ROOT, path)), path).toBe(true);
  });

  test.each(files)('$path says what could not be tried', ({ path, text: said }) => {
    if (!/nginx|metrics/.test(path)) expect(said).toMatch(/Not run where this file was written/);
  });
});

describe('[DONE-04] npm test', () => {
  test('checks types, lint and format, and import rules', () => {
    const script = read('scripts/test.ts');
    for (const tool of ['typescript-7/bin/tsc', '@biomejs/biome/bin/biome', 'vitest/vitest.mjs']) {
      expect(script).toContain(tool);
    }
    expect(existsSync(join(ROOT, 'test/architecture/imports.test.ts'))).toBe(true);
  });

  test('is what .ci/run runs', () => {
    expect(statSync(join(ROOT, '.ci/run')).mode & 0o111).not.toBe(0);
    expect(read('.ci/run')).toMatch(/^npm ci$[\s\S]*^npm test\b/m);
  });
});
