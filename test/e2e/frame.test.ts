import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { VARIABLE_NAMES } from '../../src/config/variables.js';
import { ROOT } from '../architecture/cruise.js';
import { sourceFiles } from '../architecture/source-files.js';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const versions = z.record(z.string(), z.string()).default({});
const manifest = z
  .object({ scripts: versions, dependencies: versions, devDependencies: versions })
  .parse(JSON.parse(read('package.json')));
const readme = read('README.md');

/** Packages that are used without being imported, and what for. */
const NOT_IMPORTED: Readonly<Record<string, string>> = {
  '@biomejs/biome': 'npm run lint',
  '@langchain/langgraph-checkpoint': 'peer of the checkpointers, pinned to fit them',
  '@langchain/langgraph-cli': 'npm run studio',
  '@types/better-sqlite3': 'types',
  '@types/mdast': 'types',
  '@types/mustache': 'types',
  '@types/node': 'types',
  '@types/nodemailer': 'types',
  '@types/pg': 'types',
  '@types/semver': 'types',
  tsx: 'runs the scripts',
};

describe('[DONE-01] the README', () => {
  test('names every command there is', () => {
    // npm runs `prepare` by itself.
    for (const name of Object.keys(manifest.scripts).filter((script) => script !== 'prepare')) {
      const shown = ['test', 'start'].includes(name) ? `npm ${name}` : `npm run ${name}`;
      expect(readme, `README.md does not name ${shown}`).toContain(shown);
    }
  });

  test('names no command that there is not', () => {
    const named = [...`${readme}\n${read('AGENTS.md')}`.matchAll(/npm run (?:-s )?([a-z:]+)/g)];
    expect(named.length).toBeGreaterThan(20);
    for (const [, name = ''] of named) expect(Object.keys(manifest.scripts)).toContain(name);
  });

  test('explains every variable, and no other', () => {
    for (const name of VARIABLE_NAMES)
      expect(readme, `README.md does not name ${name}`).toContain(`\`${name}\``);
    const known = new Set<string>([...VARIABLE_NAMES, 'HUB_ENV_FILE']);
    const named = readme.match(/\b(?:HUB|OPENAI|CHROMA)_[A-Z_]+\b/g) ?? [];
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });

  test('speaks of files that are there', () => {
    const links = [...readme.matchAll(/\]\(([^)#:]+)\)/g)].map(([, path = '']) => path);
    const quoted = [...readme.matchAll(/`((?:src|agents|tools|data|scripts|test|\.ci)\/[\w./-]*)`/g)];
    const examples = /get-payments|agents\/loyalty|skills\/late_parcel/;
    const paths = [...links, ...quoted.map(([, path = '']) => path)].filter((path) => !examples.test(path));
    expect(paths.length).toBeGreaterThan(15);
    for (const path of paths) expect(existsSync(join(ROOT, path)), `README.md names ${path}`).toBe(true);
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
      expect(version, name).toMatch(/^\d+\.\d+\.\d+(?:-beta\.\d+)?$/);
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

describe('[DONE-04] npm test', () => {
  test('checks types, lint and format, and import rules', () => {
    const script = read('scripts/test.ts');
    for (const tool of ['typescript/bin/tsc', '@biomejs/biome/bin/biome', 'vitest/vitest.mjs']) {
      expect(script).toContain(tool);
    }
    expect(existsSync(join(ROOT, 'test/architecture/imports.test.ts'))).toBe(true);
  });

  test('is what .ci/run runs', () => {
    expect(statSync(join(ROOT, '.ci/run')).mode & 0o111).not.toBe(0);
    expect(read('.ci/run')).toMatch(/^npm ci$[\s\S]*^npm test\b/m);
  });
});
