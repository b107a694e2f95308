import { posix } from 'node:path';
import { HubError } from '../../core/errors.js';
import type { BoundStatement } from '../../core/ports/data-source.js';
import type { Fixture, FixturePack } from './fixture-types.js';

/** `CREATE TABLE schema.name`: SQLite knows such a name only where a database of that name is attached. */
const QUALIFIED = /\bcreate\s+(?:table|view)\s+(?:if\s+not\s+exists\s+)?["`[]?([a-z_]\w*)["`\]]?\s*\./gi;
const BUILT_IN = new Set(['main', 'temp']);
/** SQLite attaches ten at most. */
const MAX_SCHEMAS = 10;
/** Texts, quoted names and comments, which are left as they are; or what is written otherwise for SQLite. */
const FOREIGN =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|::\s*[a-z_]\w*(?:\s*\(\s*\d+(?:\s*,\s*\d+)?\s*\))?(?:\[\])?|\bilike\b|\bfinal\b/gi;

/**
 * The scripts that make the database of a source, in the order of the fixtures.
 * @throws HubError `skill_invalid` where the pack has no such file
 */
export function fixtureScript(
  source: string,
  fixtures: readonly Fixture[],
  pack: FixturePack,
): { readonly script: readonly string[]; readonly schemas: readonly string[] } {
  const script = fixtures.flatMap((fixture) => {
    if ('sql' in fixture) return [fixture.sql];
    return 'file' in fixture ? [fileOf(source, fixture.file, pack)] : [];
  });
  const named = [...script.join('\n').matchAll(QUALIFIED)].map((match) => (match[1] ?? '').toLowerCase());
  const schemas = [...new Set(named)].filter((name) => !BUILT_IN.has(name)).slice(0, MAX_SCHEMAS);
  return { script, schemas };
}

/**
 * A statement of PostgreSQL or ClickHouse for the SQLite of a test case: `ILIKE` is `LIKE` (which knows no case there),
 * `x::type` is `x`, `FINAL` is left out. What SQLite cannot say otherwise has `mapping` and `rows` for a fixture.
 */
export function portableSql({ segments, values }: BoundStatement): BoundStatement {
  const translate = (piece: string): string => {
    if (piece.startsWith('::')) return '';
    const word = piece.toLowerCase();
    if (word === 'ilike') return 'LIKE';
    return word === 'final' ? '' : piece;
  };
  return { segments: segments.map((segment) => segment.replace(FOREIGN, translate)), values };
}

/** Test cases lie in test_cases/, so a path may be meant from there or from the pack. */
function fileOf(source: string, file: string, pack: FixturePack): string {
  for (const path of [posix.normalize(file), posix.join('test_cases', file)]) {
    const text = Object.hasOwn(pack.files, path) ? pack.files[path] : undefined;
    if (text !== undefined) return text;
  }
  throw new HubError(
    'skill_invalid',
    `The pack ${pack.id} has no file ${file}, which fixtures.${source} names.`,
    {
      skill: pack.id,
      file,
    },
  );
}
