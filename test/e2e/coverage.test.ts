import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { parseSource, type SourceFile, sourceFiles } from '../architecture/source-files.js';
import { REQUIREMENTS } from './requirements.js';

const KNOWN: ReadonlySet<string> = new Set(Object.keys(REQUIREMENTS));
const TAG = /\[([A-Z0-9]{2,8}-\d{2,3}(?:[ ,]+[A-Z0-9]{2,8}-\d{2,3})*)\]/g;
const ID = /[A-Z0-9]{2,8}-\d{2,3}/g;
const TITLED = /^(test|it|describe)\b/;

/** A clause and the place that claims to prove it. */
interface Citation {
  readonly id: string;
  readonly place: string;
}

/** Ids in titles of tests, in calls of `verifies`, and in a `requirements: [...]` of the benchmark. */
function citationsOf(file: SourceFile): readonly Citation[] {
  const found: Citation[] = [];
  const cite = (node: ts.Node, texts: Iterable<string | undefined>): void => {
    const line = file.tree.getLineAndCharacterOfPosition(node.getStart(file.tree)).line + 1;
    for (const text of texts) {
      for (const id of text?.match(ID) ?? []) found.push({ id, place: `${file.path}:${line}` });
    }
  };
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const callee = node.expression.getText(file.tree);
      const title = node.arguments[0];
      if (callee === 'verifies') {
        cite(
          node,
          node.arguments.map((argument) => argument.getText(file.tree)),
        );
      } else if (title && TITLED.test(callee)) {
        cite(
          title,
          [...title.getText(file.tree).matchAll(TAG)].map((match) => match[1]),
        );
      }
    } else if (ts.isPropertyAssignment(node) && node.name.getText(file.tree) === 'requirements') {
      cite(node, [node.initializer.getText(file.tree)]);
    }
    ts.forEachChild(node, visit);
  };
  visit(file.tree);
  return found;
}

const files = [
  ...sourceFiles(['test']).filter(({ path }) => !path.startsWith('test/live/')),
  ...sourceFiles(['bench', 'scripts']).filter(({ path }) => !path.startsWith('scripts/test')),
];
const citations = files.flatMap(citationsOf);

describe('requirements', () => {
  test('the check sees titles, tags made by code, and the benchmark', () => {
    const code = `
      test('[CONF-01, CONF-02] one', () => {});
      describe('[GRAPH-01] many', () => { it.each([1])('[KB-01 KB-02] each %s', () => {}); });
      test(verifies('LOG-01') + title, () => {});
      const measure = { requirements: ['PERF-01'] };
      // [BAD-01] in a comment proves nothing
    `;
    expect(citationsOf(parseSource('test/seen.test.ts', code)).map(({ id }) => id)).toEqual([
      'CONF-01',
      'CONF-02',
      'GRAPH-01',
      'KB-01',
      'KB-02',
      'LOG-01',
      'PERF-01',
    ]);
  });

  test('the check looked at files and clauses', () => {
    expect(files.filter(({ path }) => path.endsWith('.test.ts')).length).toBeGreaterThan(30);
    expect(KNOWN.size).toBeGreaterThan(70);
    expect(citations.length).toBeGreaterThan(70);
    for (const text of Object.values(REQUIREMENTS)) expect(text).toMatch(/^.{20,140}$/);
  });

  test('no test cites a clause that does not exist', () => {
    const unknown = citations.filter(({ id }) => !KNOWN.has(id));
    expect(unknown.map(({ id, place }) => `${place} cites ${id}`)).toEqual([]);
  });

  test('[DONE-05] every clause is cited by a test or a measurement', () => {
    const cited = new Set(citations.map(({ id }) => id));
    const uncited = Object.entries(REQUIREMENTS).filter(([id]) => !cited.has(id));
    const told = uncited.map(([id, text]) => `  ${id}  ${text}`).join('\n');
    expect(
      told,
      `Nothing proves these clauses. Write a test, or begin the title of the one that does with [ID]:\n${told}\n`,
    ).toBe('');
  });
});
