import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { ROOT } from './cruise.js';

/** A source file with its syntax tree. */
export interface SourceFile {
  /** Relative to the project, with forward slashes. */
  readonly path: string;
  readonly text: string;
  readonly tree: ts.SourceFile;
}

/** A place where something stands, for a message a person can click on. */
export interface Finding {
  readonly path: string;
  readonly line: number;
  readonly code: string;
}

/** All TypeScript files of some folders. */
export function sourceFiles(folders: readonly string[]): readonly SourceFile[] {
  return folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
      .filter((path) => /\.(ts|tsx|mts|mjs)$/.test(path) && !path.includes('node_modules'))
      .sort()
      .map((path) => parseSource(path, readFileSync(join(ROOT, path), 'utf8'))),
  );
}

/** One text as if it stood at `path`; it is parsed where somebody looks at its tree, since most rules find nothing to look at. */
export function parseSource(path: string, text: string): SourceFile {
  let tree: ts.SourceFile | undefined;
  return {
    path,
    text,
    get tree() {
      tree ??= ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
      return tree;
    },
  };
}

/**
 * The nodes of a file that a test picks.
 * @param written what stands in every text with such a node
 */
export function findNodes(
  file: SourceFile,
  written: RegExp,
  picks: (node: ts.Node) => boolean,
): readonly Finding[] {
  if (!written.test(file.text)) return [];
  const found: Finding[] = [];
  const visit = (node: ts.Node): void => {
    if (picks(node)) found.push(findingAt(file, node.getStart(file.tree)));
    ts.forEachChild(node, visit);
  };
  visit(file.tree);
  return found;
}

/** The lines of a file, comments included, that match. */
export function findText(file: SourceFile, pattern: RegExp): readonly Finding[] {
  return file.text
    .split('\n')
    .flatMap((code, at) =>
      pattern.test(code) ? [{ path: file.path, line: at + 1, code: code.trim() }] : [],
    );
}

function findingAt(file: SourceFile, position: number): Finding {
  const { line } = file.tree.getLineAndCharacterOfPosition(position);
  return { path: file.path, line: line + 1, code: (file.text.split('\n')[line] ?? '').trim().slice(0, 120) };
}
