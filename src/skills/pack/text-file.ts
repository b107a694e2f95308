import { LRUCache } from 'lru-cache';
import {
  type Document,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  type YAMLError,
} from 'yaml';
import type { JsonValue } from '../../core/domain/json.js';
import {
  RESPELLERS,
  Respelling,
  type SpelledFile,
  type SpellingContext,
  type SpellingWarning,
} from './spellings/index.js';

const PIECE =
  /\s*(?:([{}[\],:])|("(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/y;

/** What may come next: `first` is an entry or the end of an empty object or list. */
type Expected = 'value' | 'key' | 'first_key' | 'first_value' | 'colon' | 'comma' | 'end';

/** Where a text stops being JSON, as an offset. The errors of JSON.parse do not always say so. */
function jsonFaultOffset(text: string): number {
  const open: ('{' | '[')[] = [];
  let expected: Expected = 'value';
  PIECE.lastIndex = 0;
  for (;;) {
    const from = PIECE.lastIndex;
    const match = PIECE.exec(text);
    const start = from + (/^\s*/.exec(text.slice(from, from + 10_000))?.[0].length ?? 0);
    if (!match) return start;
    const next = follow(match[1] ?? '', match[2] !== undefined, expected, open);
    if (next === null) return start;
    expected = next;
  }
}

/** What is expected after a piece; null where the piece may not stand there. Changes `open`. */
function follow(sign: string, isText: boolean, expected: Expected, open: ('{' | '[')[]): Expected | null {
  const inValue = expected === 'value' || expected === 'first_value';
  const done = (): Expected => (open.length === 0 ? 'end' : 'comma');
  if (sign === '{' || sign === '[') {
    if (!inValue) return null;
    open.push(sign);
    return sign === '{' ? 'first_key' : 'first_value';
  }
  if (sign === '}' || sign === ']') {
    const first = sign === '}' ? 'first_key' : 'first_value';
    const fits = open.at(-1) === (sign === '}' ? '{' : '[');
    if (!fits || (expected !== 'comma' && expected !== first)) return null;
    open.pop();
    return done();
  }
  if (sign === ',') {
    if (expected !== 'comma') return null;
    return open.at(-1) === '{' ? 'key' : 'value';
  }
  if (sign === ':') return expected === 'colon' ? 'value' : null;
  if (inValue) return done();
  return isText && (expected === 'key' || expected === 'first_key') ? 'colon' : null;
}

/** Where something is in a document: keys and positions from its root. */
export type NodePath = readonly PropertyKey[];

/** A YAML or JSON file of a pack that was read, with the places of its values. */
export interface TextFile {
  /** Within the pack, or as the registry names it. */
  readonly path: string;
  /** Frozen. Undefined where the file could not be read. */
  readonly value: JsonValue | undefined;
  /** The line of the key or entry at a path, or of the nearest one above it that is there. From 1. */
  lineOf(path: NodePath): number;
}

/** Something that keeps a file from being read. */
interface SyntaxFault {
  readonly line: number;
  readonly code: 'yaml_syntax' | 'json_syntax' | 'duplicate_key' | 'value_not_json';
  readonly message: string;
}

/** Aliases (`*name`) may make a document this many times larger; more is an attack or a mistake. */
const MAX_ALIASES = 100;
const MAX_DEPTH = 60;
const MAX_REPORTED = 5;

// What was read of a text does not depend on where it came from. Bounded by characters.
const values = new LRUCache<string, { readonly value: JsonValue }>({
  maxSize: 8_000_000,
  sizeCalculation: (_, text) => text.length + 1,
});

/** Which of a pack's files a text is, so that its older spellings are read in today's. */
export interface Spelled extends SpellingContext {
  readonly as: SpelledFile;
}

/** An older spelling, and its line. */
type SpellingNote = Pick<SpellingWarning, 'code' | 'message'> & { readonly line: number };

/** What was read of a text. */
interface ReadText {
  readonly file: TextFile;
  readonly faults: readonly SyntaxFault[];
  readonly notes: readonly SpellingNote[];
}

/** Reads YAML 1.2, and JSON where the name ends in `.json`. Never throws. */
export function readTextFile(path: string, text: string, spelled?: Spelled): ReadText {
  const lineOf = lineFinder(text, spelled);
  const json = path.endsWith('.json');
  const key = `${json ? 'json' : 'yaml'}:${spelled === undefined ? '' : spelledKey(spelled)}:${text}`;
  const known = values.get(key);
  if (known) return { file: { path, value: known.value, lineOf }, faults: [], notes: [] };
  const { value, faults, notes = [] } = json ? readJson(text, lineOf) : readYaml(text, lineOf, spelled);
  if (value !== undefined && faults.length === 0 && notes.length === 0) values.set(key, { value });
  return { file: { path, value, lineOf }, faults, notes };
}

/** The text in today's spelling, its comments kept; the text itself where it is that already or cannot be read. */
export function modernText(text: string, spelled: Spelled): string {
  const document = parse(text, new LineCounter());
  if (document.errors.length > 0) return text;
  return respell(document, spelled).length === 0 ? text : document.toString({ lineWidth: 0 });
}

function respell(document: Document.Parsed, spelled: Spelled): readonly SpellingWarning[] {
  const page = new Respelling(document);
  RESPELLERS[spelled.as](page, spelled);
  return page.warnings;
}

/** Queries of mappings may stand in files of their own. */
function spelledKey({ as, files }: Spelled): string {
  const queries =
    as === 'mappings' ? Object.entries(files).filter(([path]) => path.startsWith('queries/')) : [];
  return queries.length === 0 ? as : `${as}${JSON.stringify(queries)}`;
}

interface Read {
  readonly value?: JsonValue;
  readonly faults: readonly SyntaxFault[];
  readonly notes?: readonly SpellingNote[];
}

function readYaml(text: string, lineOf: TextFile['lineOf'], spelled?: Spelled): Read {
  try {
    const counter = new LineCounter();
    const document = parse(text, counter);
    const problems = [...document.errors, ...document.warnings];
    const faults = problems.slice(0, MAX_REPORTED).map((problem) => toFault(problem, counter));
    // A key that stands twice hides none of the other faults of the file.
    if (problems.some(({ code }) => code !== 'DUPLICATE_KEY')) return { faults };
    const older = spelled === undefined ? [] : respell(document, spelled);
    const notes = older.map(({ offset, code, message }) => ({
      line: Math.max(1, counter.linePos(offset).line),
      code,
      message,
    }));
    const read = checked(document.toJS({ maxAliasCount: MAX_ALIASES }), lineOf);
    return { ...read, faults: [...faults, ...read.faults], notes };
  } catch (error) {
    // The parser gives up on aliases that multiply, and on nesting that exhausts the stack.
    const message =
      error instanceof RangeError
        ? 'This is nested too deeply to be read. Make it flatter.'
        : `This cannot be read: ${sentence(error)}`;
    return { faults: [{ line: 1, code: 'yaml_syntax', message }] };
  }
}

function readJson(text: string, lineOf: TextFile['lineOf']): Read {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    const counter = new LineCounter();
    // JSON.parse keeps the last of two equal keys and says nothing.
    const twice = parse(text, counter).errors.filter(({ code }) => code === 'DUPLICATE_KEY');
    if (twice.length > 0)
      return { faults: twice.slice(0, MAX_REPORTED).map((problem) => toFault(problem, counter)) };
    return checked(value, lineOf);
  } catch (error) {
    const line = text.slice(0, jsonFaultOffset(text.replace(/^\uFEFF/, ' '))).split('\n').length;
    return { faults: [{ line, code: 'json_syntax', message: `This is no JSON: ${sentence(error)}` }] };
  }
}

function checked(value: unknown, lineOf: TextFile['lineOf']): Read {
  const problem = freezeJson(value, []);
  if (!problem) return { value: (value ?? null) as JsonValue, faults: [] };
  return { faults: [{ line: lineOf(problem.path), code: 'value_not_json', message: problem.message }] };
}

function toFault(problem: YAMLError, counter: LineCounter): SyntaxFault {
  const line = Math.max(1, counter.linePos(problem.pos[0]).line);
  const code = problem.code === 'DUPLICATE_KEY' ? 'duplicate_key' : 'yaml_syntax';
  return { line, code, message: yamlMessage(problem) };
}

function parse(text: string, counter: LineCounter): Document.Parsed {
  return parseDocument(text, {
    version: '1.2',
    merge: false,
    stringKeys: true,
    uniqueKeys: true,
    prettyErrors: false,
    // Silent would also keep quiet about several documents; nothing is ever printed by this call.
    logLevel: 'error',
    resolveKnownTags: false,
    lineCounter: counter,
  });
}

function yamlMessage(problem: YAMLError): string {
  if (problem.code === 'DUPLICATE_KEY')
    return 'This key stands here twice in the same place; keep one of them.';
  if (problem.code === 'MULTIPLE_DOCS')
    return 'The file holds several documents (a line "---"); keep one document in a file.';
  if (problem.code === 'TAG_RESOLVE_FAILED') return `${sentence(problem)} Leave custom tags (!name) out.`;
  return `This is no YAML: ${sentence(problem)}`;
}

function sentence(problem: unknown): string {
  const message = problem instanceof Error ? problem.message : String(problem);
  const line = (message.split('\n')[0] ?? '').replace(/[.:\s]+$/, '');
  return `${line.slice(0, 200)}.`;
}

/** Makes a value unchangeable, and finds what JSON cannot carry. */
function freezeJson(value: unknown, path: string[]): { path: string[]; message: string } | undefined {
  if (typeof value === 'number' && !Number.isFinite(value))
    return { path, message: 'Numbers must be finite; .nan and .inf cannot be used.' };
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return undefined;
  if (path.length > MAX_DEPTH)
    return { path, message: `This is nested more than ${MAX_DEPTH} levels deep. Make it flatter.` };
  Object.freeze(value);
  for (const [key, child] of Object.entries(value)) {
    path.push(key);
    if (key === '__proto__')
      return { path, message: 'The key "__proto__" cannot be used; give it another name.' };
    const found = freezeJson(child, path);
    if (found) return found;
    path.pop();
  }
  return undefined;
}

/** Positions are needed for faults only, so the text is read for them when the first one is asked for. */
function lineFinder(text: string, spelled?: Spelled): TextFile['lineOf'] {
  let place: { readonly document: Document.Parsed; readonly counter: LineCounter } | undefined;
  return (path) => {
    try {
      if (!place) {
        const counter = new LineCounter();
        place = { counter, document: parse(text, counter) };
        if (spelled !== undefined) respell(place.document, spelled);
      }
      return Math.max(1, place.counter.linePos(offsetOf(place.document.contents, path)).line);
    } catch {
      return 1;
    }
  };
}

function offsetOf(root: unknown, path: NodePath): number {
  let node: unknown = root;
  let offset = startOf(root);
  for (const key of path) {
    if (isMap(node)) {
      const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === String(key));
      if (!pair) return offset;
      offset = startOf(pair.key) || offset;
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(key)];
      if (node === undefined) return offset;
      offset = startOf(node) || offset;
    } else return offset;
  }
  return offset;
}

function startOf(node: unknown): number {
  return isNode(node) ? (node.range?.[0] ?? 0) : 0;
}
