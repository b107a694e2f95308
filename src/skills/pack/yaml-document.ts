import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';

/** A key or an index for each level, from the top of a file. */
export type FilePath = readonly PropertyKey[];

export interface YamlProblem {
  readonly line: number;
  readonly code: string;
  readonly message: string;
}

/** A YAML (or JSON) file that was read, and where in it everything stands. */
export interface YamlDocument {
  /** Null where it could not be read at all. */
  readonly value: unknown;
  readonly problems: readonly YamlProblem[];
  /** The line of a key or entry, from 1; of the innermost one there is, where it is missing. */
  lineOf(path: FilePath): number;
}

const MAX_PROBLEMS = 5;
const MAX_ALIASES = 50;
/** Deeper than any pack, and shallow enough for everything that walks through a value. */
const MAX_NESTING = 60;

/** Reads a file. Never throws; what is wrong is in `problems`. */
export function readYaml(text: string): YamlDocument {
  const lines = new LineCounter();
  try {
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: 'silent' });
    const lineAt = (offset: number): number => Math.max(1, lines.linePos(offset).line);
    const problems = document.errors.slice(0, MAX_PROBLEMS).map((error) => ({
      line: lineAt(error.pos[0]),
      code: error.code === 'DUPLICATE_KEY' ? 'duplicate_key' : 'yaml_error',
      message: sentence(error.code, error.message, text.slice(error.pos[0], error.pos[1])),
    }));
    const broken = problems.some(({ code }) => code === 'yaml_error');
    const value = broken ? null : (document.toJS({ maxAliasCount: MAX_ALIASES }) as unknown);
    if (tooDeep(value)) throw new Error(`it is nested deeper than ${MAX_NESTING} levels`);
    return {
      value,
      problems,
      lineOf: (path) => lineAt(offsetOf(document.contents, path, (node) => resolved(node, document))),
    };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const problem = { line: 1, code: 'yaml_error', message: `This is not YAML that can be used: ${why}.` };
    return { value: null, problems: [problem], lineOf: () => 1 };
  }
}

function resolved(node: unknown, document: ReturnType<typeof parseDocument>): unknown {
  return isAlias(node) ? node.resolve(document) : node;
}

function offsetOf(contents: Node | null, path: FilePath, resolve: (node: unknown) => unknown): number {
  let node: unknown = contents;
  let offset = 0;
  for (const part of path) {
    const at = resolve(node);
    if (isMap(at)) {
      const pair = at.items.find(({ key }) => String(isScalar(key) ? key.value : key) === String(part));
      if (pair === undefined) return offset;
      offset = startOf(pair.key) ?? offset;
      node = pair.value;
    } else if (isSeq(at)) {
      const item = at.items[Number(part)];
      if (item === undefined) return offset;
      offset = startOf(item) ?? offset;
      node = item;
    } else return offset;
  }
  return offset;
}

function startOf(node: unknown): number | undefined {
  return (node as Node | null)?.range?.[0];
}

function sentence(code: string, message: string, at: string): string {
  const why = (message.split('\n')[0] ?? '').replace(/[.:]$/, '');
  switch (code) {
    case 'DUPLICATE_KEY':
      return `The key ${at.slice(0, 60)} is given twice; keep one of the two.`;
    case 'TAB_AS_INDENT':
      return 'A tab stands where YAML wants spaces; indent with spaces.';
    case 'MULTIPLE_DOCS':
      return 'The file holds several YAML documents; leave one, without a line of ---.';
    default:
      return `This is not YAML: ${why}. Mend the line; a text with : or # in it needs quotes.`;
  }
}

/** Whether a value goes deeper than anything that reads it later can follow. */
function tooDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_NESTING) return true;
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []));
  }
  return false;
}
