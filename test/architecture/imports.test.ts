import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Cruise, ROOT, readImports, rules } from './cruise.js';

/** Reading all imports takes seconds: once for all tests that ask. */
let cruise: Cruise;
beforeAll(async () => {
  cruise = await readImports();
});

describe('imports of the project', () => {
  test('are all seen: the check looked at the files and at the edges between them', () => {
    expect(cruise.files.length).toBeGreaterThan(60);
    for (const file of [
      'src/core/app.ts',
      'src/core/errors.ts',
      'tools/index.ts',
      'agents/index.ts',
      'src/config/config.ts',
    ]) {
      expect(cruise.files).toContain(file);
    }
    // One that exists at run time, one only for types, one into a package.
    expect(cruise.edges).toContain('src/triage-batch/read-tickets.ts -> src/triage-batch/text-lines.ts');
    expect(cruise.edges).toContain('src/core/app.ts -> src/core/domain/customer.ts');
    expect(
      [...cruise.edges].some((edge) => /^src\/triage-batch\/read-tickets\.ts -> .*csv-parse/.test(edge)),
    ).toBe(true);
  });

  test('follow the rules of who may import whom', () => {
    const told = cruise.violations.map(({ text }) => text).join('\n');
    expect(told, `${cruise.violations.length} forbidden imports:\n${told}\n`).toBe('');
  });

  test('have rules that teach', () => {
    for (const { name, comment } of rules()) expect(comment ?? '', name).toMatch(/^.{60,}\.\)?$/);
  });
});

describe('[DONE-06] the picture of the layers in docs/architecture.md', () => {
  const document = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');
  const picture = /^```mermaid\n([\s\S]*?)^```$/m.exec(document)?.[1] ?? '';
  const drawn = arrowsOf(picture);

  test('shows every room, and no arrow that no import runs along', () => {
    const imported = importsBetweenRooms(cruise);
    const rooms = new Set([...drawn, ...imported].flat());
    expect(imported.length).toBeGreaterThan(20);
    expect([...rooms].filter((room) => !picture.includes(room))).toEqual([]);
    for (const room of rooms) expect(existsSync(join(ROOT, room)), room).toBe(true);
    const below = reachable(imported);
    expect(
      drawn.filter(([from, to]) => to !== 'companies' && from !== 'companies' && !below(from, to)),
    ).toEqual([]);
  });

  test('shows the way of every import', () => {
    const below = reachable(drawn);
    const against = importsBetweenRooms(cruise).filter(([from, to]) => !below(from, to));
    expect(against).toEqual([]);
  });

  test('is read arrow by arrow', () => {
    const arrows = arrowsOf('a["src/app: x"] --> b["src/rag, src/nlu"] & c\n c["data"] -. "by path" .-> b');
    expect(arrows).toEqual([
      ['src/app', 'src/rag'],
      ['src/app', 'src/nlu'],
      ['src/app', 'data'],
      ['data', 'src/rag'],
      ['data', 'src/nlu'],
    ]);
    expect(
      reachable([
        ['a', 'b'],
        ['b', 'c'],
      ])('a', 'c'),
    ).toBe(true);
    expect(
      reachable([
        ['a', 'b'],
        ['b', 'c'],
      ])('c', 'a'),
    ).toBe(false);
  });
});

describe('the house', () => {
  test('[HOU-05] has at most 24 rooms and 70 arrows between them', () => {
    const arrows = new Set<string>();
    for (const edge of cruise.edges) {
      const [from = '', to = ''] = edge.split(' -> ').map(roomOf);
      if (from !== '' && to !== '' && from !== to) arrows.add(`${from} -> ${to}`);
    }
    const rooms = new Set([...arrows].flatMap((arrow) => arrow.split(' -> ')));
    expect(rooms).toContain('src/core');
    expect(rooms.size, [...rooms].sort().join('\n')).toBeLessThanOrEqual(24);
    expect(arrows.size, [...arrows].sort().join('\n')).toBeLessThanOrEqual(70);
  });
});

type Arrow = readonly [from: string, to: string];

/** The arrows of a Mermaid flowchart whose boxes begin with the paths of rooms; a box may stand for several. */
function arrowsOf(picture: string): readonly Arrow[] {
  const rooms = new Map<string, readonly string[]>();
  for (const [, id = '', label = ''] of picture.matchAll(/(\w+)\[\(?"([^":]+)/g))
    rooms.set(id, label.split(', '));
  const roomsOf = (ids: string): readonly string[] =>
    ids.split('&').flatMap((id) => rooms.get(id.trim()) ?? []);
  const bare = picture.replace(/\[\(?"[^"]*"\)?\]/g, '');
  return bare.split('\n').flatMap((line) => {
    const ends = line.split(/-->|-\..*?\.->/);
    return ends
      .slice(1)
      .flatMap((to, at) =>
        roomsOf(ends[at] ?? '').flatMap((from) => roomsOf(to).map((room): Arrow => [from, room])),
      );
  });
}

/** Imports between two rooms of the product; those of the core are left out, because everybody has them, and those of the benchmark. */
function importsBetweenRooms({ edges }: Cruise): readonly Arrow[] {
  const found = new Map<string, Arrow>();
  for (const edge of edges) {
    const [from = '', to = ''] = edge.split(' -> ').map(roomOf);
    if (from === '' || to === '' || from === to || to === 'src/core' || from === 'bench') continue;
    found.set(`${from} ${to}`, [from, to]);
  }
  return [...found.values()];
}

/** The room of a file; empty for packages, tests and files beside the rooms. */
function roomOf(path: string): string {
  return /^(src\/[a-z-]+|agents|tools|companies|data|scripts|bench)\//.exec(path)?.[1] ?? '';
}

/** Whether one gets from a room to another along arrows. */
function reachable(arrows: readonly Arrow[]): (from: string, to: string) => boolean {
  const from = (room: string, seen = new Set<string>()): ReadonlySet<string> => {
    for (const [start, end] of arrows) {
      if (start !== room || seen.has(end)) continue;
      seen.add(end);
      from(end, seen);
    }
    return seen;
  };
  return (start, end) => from(start).has(end);
}

/** One file that breaks each rule; the name of the rule, where it stands, what it says. */
const CRIMES: readonly (readonly [rule: string, file: string, code: string])[] = [
  ['core-imports-nothing', 'src/core/bad.ts', "import '../adapters/good.js';"],
  ['core-needs-no-package', 'src/core/bad.ts', "import { Command } from 'commander'; new Command();"],
  ['companies-import-the-seam', 'companies/one/bad.ts', "import '../../src/adapters/good.js';"],
  ['nobody-imports-a-company', 'src/rag/bad.ts', "import '../../companies/one/good.js';"],
  ['companies-stay-apart', 'companies/one/bad.ts', "import '../two/good.js';"],
  ['company-imports-core-and-the-seams-types', 'src/company/bad.ts', "import '../rag/good.js';"],
  ['company-names-types-only', 'src/company/bad.ts', "import { good } from '../../data/good.js'; good();"],
  ['low-layers-import-core', 'src/rag/bad.ts', "import '../adapters/good.js';"],
  ['dialogue-imports-core-and-nlu', 'src/dialogue/bad.ts', "import '../adapters/good.js';"],
  ['low-layers-stay-apart', 'src/rag/bad.ts', "import '../nlu/good.js';"],
  ['data-imports-core', 'data/bad.ts', "import '../src/adapters/good.js';"],
  ['adapters-import-core', 'src/adapters/bad.ts', "import '../../tools/good.js';"],
  ['runtime-imports-core', 'src/runtime/bad.ts', "import '../../tools/good.js';"],
  ['tools-import-core-and-runtime', 'tools/bad.ts', "import '../data/good.js';"],
  ['agents-import-core-runtime-and-tools', 'agents/bad.ts', "import '../src/adapters/good.js';"],
  ['nlu-only-in-offline-policies', 'agents/one/agent.ts', "import '../../src/nlu/good.js';"],
  ['capabilities-import-core-runtime-and-agents', 'src/capabilities/bad.ts', "import '../../data/good.js';"],
  ['graph-imports-core-runtime-and-agents', 'src/graph/bad.ts', "import '../../tools/good.js';"],
  ['turns-import-graph', 'src/turns/bad.ts', "import '../adapters/good.js';"],
  ['desk-imports-graph-and-turns', 'src/desk/bad.ts', "import '../../data/good.js';"],
  ['privacy-imports-core', 'src/privacy/bad.ts', "import '../adapters/good.js';"],
  ['config-imports-core', 'src/config/variables.ts', "import '../adapters/good.js';"],
  ['surfaces-call-the-app', 'src/surfaces/bad.ts', "import '../../data/good.js';"],
  ['web-stands-alone', 'src/surfaces/web/bad.ts', "import '../../adapters/good.js';"],
  ['web-names-core-only', 'src/surfaces/web/bad.ts', "import { good } from '../../core/good.js'; good();"],
  ['pages-are-built-not-imported', 'src/surfaces/bad.ts', "import './web/good.js';"],
  ['browser-packages-in-web', 'src/rag/bad.ts', "import { h } from 'preact'; h('p', null);"],
  ['scripts-parse-and-call', 'scripts/bad.ts', "import '../data/good.js';"],
  ['studio-shows-the-app', 'src/app/studio.ts', "import '../adapters/good.js';"],
  ['nothing-imports-the-top', 'tools/bad.ts', "import '../src/app/app.js';"],
  ['production-imports-no-test', 'src/rag/bad.ts', "import '../../test/good.js';"],
  ['databases-in-data', 'tools/bad.ts', "import Database from 'better-sqlite3'; new Database();"],
  ['providers-in-adapters', 'src/rag/bad.ts', "import { ChromaClient } from 'chromadb'; new ChromaClient();"],
  [
    'providers-in-adapters',
    'agents/bad.ts',
    "import type { ChatOpenAI } from '@langchain/openai'; export type A = ChatOpenAI;",
  ],
  [
    'supervisor-in-graph',
    'agents/bad.ts',
    "import { createSupervisor } from '@langchain/langgraph-supervisor'; createSupervisor;",
  ],
  [
    'mcp-in-surface-and-source',
    'src/surfaces/bad.ts',
    "import { Server } from '@modelcontextprotocol/server'; new Server();",
  ],
  [
    'a2a-in-surface-and-adapter',
    'src/surfaces/bad.ts',
    "import { Task } from '@a2a-js/sdk'; Task.fromJSON({});",
  ],
  ['command-line-in-scripts', 'src/rag/bad.ts', "import { Command } from 'commander'; new Command();"],
  ['sources-in-adapters', 'src/skills/bad.ts', "import pg from 'pg'; new pg.Pool();"],
  ['expressions-in-skills', 'tools/bad.ts', "import Mustache from 'mustache'; Mustache.render('', {});"],
  ['no-cycles', 'src/core/bad.ts', "import './worse.js';"],
  ['no-unresolved', 'src/core/bad.ts', "import './nowhere.js';"],
];

describe('a forbidden import', () => {
  const roots: string[] = [];
  afterAll(() => {
    for (const root of roots) rmSync(root, { recursive: true, force: true });
  });

  test('is caught by the rule that forbids it', async () => {
    for (const [rule, file, code] of CRIMES) {
      const root = makeHouse(file, code);
      roots.push(root);
      const { violations } = await readImports(root);
      expect(
        violations.map((violation) => violation.rule),
        `${file}: ${code}`,
      ).toContain(rule);
      expect(violations.find((violation) => violation.rule === rule)?.text).toContain(file);
    }
    expect(new Set(CRIMES.map(([rule]) => rule))).toEqual(new Set(rules().map(({ name }) => name)));
  });

  test('is not seen in a house that keeps the rules', async () => {
    const root = makeHouse('src/rag/fine.ts', "import '../core/good.js';");
    roots.push(root);
    expect((await readImports(root)).violations).toEqual([]);
  });
});

/** A small house with one good file in every layer, and one more. */
function makeHouse(file: string, code: string): string {
  const root = mkdtempSync(join(tmpdir(), 'uda-imports-'));
  const layers = [
    'src/core',
    'src/adapters',
    'src/rag',
    'src/nlu',
    'src/graph',
    'src/surfaces',
    'src/surfaces/web',
    'src/triage-batch',
  ];
  for (const layer of [
    ...layers,
    'companies/one',
    'companies/two',
    'data',
    'tools',
    'agents',
    'scripts',
    'bench',
    'test',
  ]) {
    write(root, `${layer}/good.ts`, 'export function good(): void {}');
  }
  write(root, 'src/app/app.ts', "import '../core/good.js';");
  write(root, 'src/config/config.ts', "import '../core/good.js'; export function parseConfig(): void {}");
  write(root, 'src/core/worse.ts', "import './bad.js';");
  if (!file.endsWith('core/bad.ts')) rmSync(join(root, 'src/core/worse.ts'));
  write(root, file, code);
  cpSync(join(ROOT, 'tsconfig.json'), join(root, 'tsconfig.json'));
  cpSync(join(ROOT, 'package.json'), join(root, 'package.json'));
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  return root;
}

function write(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), `${text}\n`);
}
