import { posix } from 'node:path';
import { z } from 'zod';
import { didYouMean, nearestName } from '../../core/spelling.js';
import type { SkillFault } from '../../core/workbench.js';
import { type NodePath, readTextFile, type Spelled, type TextFile } from './text-file.js';

/** A broken file can have a fault in every line; nobody reads more than these. */
const MAX_PER_FILE = 100;

/** Faults of a pack as they are found, in any order; each once. */
export class FaultList {
  readonly #found = new Map<string, SkillFault>();
  readonly #perFile = new Map<string, number>();

  /** @param folder what file names are relative to */
  constructor(private readonly folder: string) {}

  /** @param path where in the file; its line is looked up */
  at(file: TextFile, path: NodePath, code: string, message: string): void {
    this.add(file.path, file.lineOf(path), code, message);
  }

  add(file: string, line: number, code: string, message: string): void {
    this.#put({ file: this.#shown(file), line, code, message });
  }

  /** Notes what a pack works in spite of. */
  warn(file: string, line: number, code: string, message: string): void {
    this.#put({ file: this.#shown(file), line, code, message, severity: 'warning' });
  }

  /** Takes over faults that name their file already. */
  addAll(faults: readonly SkillFault[]): void {
    for (const fault of faults) this.#put(fault);
  }

  #put(fault: SkillFault): void {
    const key = JSON.stringify([fault.file, fault.line, fault.message]);
    const count = this.#perFile.get(fault.file) ?? 0;
    if (this.#found.has(key) || count >= MAX_PER_FILE) return;
    this.#perFile.set(fault.file, count + 1);
    this.#found.set(key, fault);
  }

  /** Reads a file; what keeps it from being read is noted, and as a warning what is written in an older way. */
  read(path: string, text: string, spelled?: Spelled): TextFile {
    const { file, faults, notes } = readTextFile(path, text, spelled);
    for (const { line, code, message } of faults) this.add(path, line, code, message);
    for (const { line, code, message } of notes) this.warn(path, line, code, message);
    return file;
  }

  #shown(file: string): string {
    return this.folder === '' ? file : posix.join(this.folder, file);
  }

  get count(): number {
    return this.#found.size;
  }

  /** How many of them are warnings. */
  get warnings(): number {
    return [...this.#found.values()].filter(({ severity }) => severity === 'warning').length;
  }

  /** By file and line. */
  list(): readonly SkillFault[] {
    return [...this.#found.values()].sort((a, b) =>
      a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line,
    );
  }
}

/**
 * The keys that the objects at a path may have, so that an unknown one can name the nearest. Of alternatives all keys count.
 */
function knownKeys(schema: z.core.$ZodType, path: NodePath, value: unknown): readonly string[] {
  let level: readonly z.core.$ZodType[] = [schema];
  let at = value;
  for (const key of path) {
    level = level.flatMap((one) => children(plain(one, at), key));
    at = typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined;
  }
  return [...new Set(level.flatMap((one) => plain(one, at)).flatMap(keysOf))];
}

function keysOf(schema: z.core.$ZodType): readonly string[] {
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

function children(schemas: readonly z.core.$ZodType[], key: PropertyKey): readonly z.core.$ZodType[] {
  return schemas.flatMap((schema): readonly z.core.$ZodType[] => {
    if (schema instanceof z.ZodObject) {
      const child: unknown = Reflect.get(schema.shape, key);
      return child instanceof z.ZodType ? [child] : [];
    }
    if (schema instanceof z.ZodRecord) return [schema.valueType];
    if (schema instanceof z.ZodArray) return [schema.element];
    return [];
  });
}

/** What is behind optional, default and the like; of alternatives those that the value chooses, else all. */
function plain(schema: z.core.$ZodType, value: unknown): readonly z.core.$ZodType[] {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault
  )
    return plain(schema.unwrap(), value);
  if (schema instanceof z.ZodPipe) return plain(schema.in, value);
  if (schema instanceof z.ZodUnion) {
    const all = schema.options.flatMap((option) => plain(option, value));
    const chosen = all.filter((option) => isChosen(option, value));
    return chosen.length > 0 ? chosen : all;
  }
  return [schema];
}

/** True where a literal of the object (`type: query`) is the value's own. */
function isChosen(schema: z.core.$ZodType, value: unknown): boolean {
  if (!(schema instanceof z.ZodObject) || typeof value !== 'object' || value === null) return false;
  return Object.entries(schema.shape).some(
    ([key, field]) => field instanceof z.ZodLiteral && field.values.has(Reflect.get(value, key)),
  );
}

type Issue = z.core.$ZodIssue;

/** Notes what a schema of ours says about a file, each fault with its line and what to do. */
export function noteIssues(
  issues: readonly Issue[],
  schema: z.core.$ZodType,
  file: TextFile,
  faults: FaultList,
): void {
  for (const issue of issues) noteIssue(issue, [], schema, file, faults);
}

function noteIssue(
  issue: Issue,
  above: NodePath,
  schema: z.core.$ZodType,
  file: TextFile,
  faults: FaultList,
): void {
  const path = [...above, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    const known = knownKeys(schema, path, file.value);
    for (const key of issue.keys)
      faults.at(file, [...path, key], 'unknown_key', unknownKey(key, path, known, file));
    return;
  }
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    for (const inner of likeliest(issue.errors)) noteIssue(inner, path, schema, file, faults);
    return;
  }
  const value = valueAt(file.value, path);
  const name = nameOf(path);
  if (issue.code === 'invalid_key') {
    const why = issue.issues.map(({ message }) => message).join('; ');
    faults.at(file, path, 'wrong_name', `The name ${name} ${why}. Rename it.`);
  } else if (issue.code === 'invalid_type' && value === undefined) {
    const where = path.length <= 1 ? '' : ` in ${nameOf(path.slice(0, -1))}`;
    const message = `The key "${String(path.at(-1) ?? '')}" is missing${where}. Add it; it must be ${kindOf(issue.expected)}.`;
    faults.at(file, path, 'missing_key', path.length === 0 ? emptyFile(file) : message);
  } else if (issue.code === 'invalid_type') {
    const hint = issue.expected === 'string' ? quotesHint(value) : '';
    const message = `${name} must be ${kindOf(issue.expected)}, but is ${describe(value)}.${hint}`;
    faults.at(file, path, 'wrong_type', path.length === 0 ? emptyFile(file) : message);
  } else faults.at(file, path, 'wrong_value', wrongValue(issue, name, value));
}

function unknownKey(key: string, path: NodePath, known: readonly string[], file: TextFile): string {
  const where = path.length === 0 ? '' : ` in ${nameOf(path)}`;
  // In { a: one, two } YAML reads a key `two` that has no value.
  if (/\s/.test(key) && valueAt(file.value, [...path, key]) === null)
    return `Unknown key "${key}"${where}. If it is part of a text with a comma inside { }, put that text in quotes.`;
  const near = nearestName(key, known);
  if (near !== undefined) return `Unknown key "${key}"${where}; did you mean "${near}"?`;
  const help = known.length === 0 ? '' : ` Known keys are: ${known.join(', ')}.`;
  return `Unknown key "${key}"${where}; remove it.${help}`;
}

/** What YAML reads as a number, as a date or, of a placeholder, as keys and values. */
function quotesHint(value: unknown): string {
  const bare = bareName(value);
  if (bare !== null) return ` Put it in quotes: "{${bare}}".`;
  return typeof value === 'number' || typeof value === 'boolean' ? ' Put it in quotes.' : '';
}

/** The name of a placeholder that lacks its quotes: `{order_id}` is a key without a value. */
export function bareName(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const [[name, content] = ['', ''], ...more] = Object.entries(value);
  return more.length === 0 && content === null && /^[A-Za-z_]\w*(?:\.\w+)*$/.test(name) ? name : null;
}

function wrongValue(issue: Issue, name: string, value: unknown): string {
  if (issue.code === 'invalid_value') {
    const values = issue.values.map(String);
    if (value === undefined) return `${name} is missing. Set it to one of: ${values.join(', ')}.`;
    const hint = typeof value === 'string' && nearestName(value, values) ? didYouMean(value, values) : '';
    return `${name} is ${describe(value)}, but must be one of: ${values.join(', ')}.${hint}`;
  }
  if (issue.code === 'invalid_union') {
    const { options } = issue as { readonly options?: readonly unknown[] };
    const list = options ? ` It must be one of: ${options.map(String).join(', ')}.` : '';
    return value === undefined ? `${name} is missing.${list}` : `${name} is ${describe(value)}.${list}`;
  }
  if (issue.code === 'too_small' || issue.code === 'too_big') {
    if (typeof value === 'string') return `${name} must not be empty. Write something, or remove the key.`;
    const bound = issue.code === 'too_small' ? `at least ${issue.minimum}` : `at most ${issue.maximum}`;
    const what = Array.isArray(value) ? `must have ${bound} entries` : `must be ${bound}`;
    const strict = issue.inclusive === false ? ' and not that number itself' : '';
    return `${name} ${what}${strict}, but is ${describe(value)}.`;
  }
  return `${name} ${issue.message}, but is ${describe(value)}.`;
}

/** Of alternatives the one that the author most likely meant: of the right kind, with the fewest faults. */
function likeliest(alternatives: readonly (readonly Issue[])[]): readonly Issue[] {
  const cost = (issues: readonly Issue[]): number =>
    issues.reduce(
      (sum, issue) => sum + (issue.code === 'invalid_type' && issue.path.length === 0 ? 100 : weight(issue)),
      0,
    );
  return [...alternatives].sort((a, b) => cost(a) - cost(b))[0] ?? [];
}

function weight(issue: Issue): number {
  return issue.code === 'unrecognized_keys' ? issue.keys.length : 1;
}

function emptyFile(file: TextFile): string {
  return `${file.path} must hold keys and values, but is ${describe(file.value)}.`;
}

function valueAt(value: unknown, path: NodePath): unknown {
  let at = value;
  for (const key of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    at = Reflect.get(at, key);
  }
  return at;
}

/** `steps.step_1.action`, as an author would say it. */
function nameOf(path: NodePath): string {
  return path
    .map((key, at) => (typeof key === 'number' ? `[${key}]` : `${at === 0 ? '' : '.'}${String(key)}`))
    .join('');
}

function kindOf(expected: string): string {
  const kinds: Record<string, string> = {
    string: 'text',
    number: 'a number',
    int: 'a whole number',
    boolean: 'true or false',
    array: 'a list',
    object: 'keys and values',
    record: 'keys and values',
  };
  return kinds[expected] ?? expected;
}

function describe(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'empty';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'keys and values';
  if (typeof value === 'string') return value === '' ? 'empty' : `"${value.slice(0, 60)}"`;
  return String(value);
}
