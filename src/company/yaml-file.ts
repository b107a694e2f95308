import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMap, isNode, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';
import { HubError } from '../core/errors.js';
import { nearestName } from '../core/spelling.js';
import { parseYaml } from './yaml-text.js';

/** Something of a company that is wrong, or that its customers will miss. */
export interface Finding {
  /** A fault keeps the hub from starting, or from saying something; a warning is a gap. */
  readonly severity: 'fault' | 'warning';
  /** Absolute path. */
  readonly file: string;
  /** Counted from 1; null where it is about the file as a whole. */
  readonly line: number | null;
  /** What is wrong, as a sentence. */
  readonly problem: string;
  /** What to do about it, as a sentence. */
  readonly remedy: string;
}

/** A YAML file as it could be read. */
export interface CheckedYaml<Value> {
  readonly value: Value;
  readonly findings: readonly Finding[];
  readonly raw: unknown;
  /** A fault at a place of the file. */
  fault(path: readonly PropertyKey[], problem: string, remedy: string): Finding;
}

/** Reads a YAML file and says all that is wrong with it; null where it does not fit. */
export function readChecked<Value>(file: string, schema: z.ZodType<Value>): CheckedYaml<Value | null> {
  const none = { value: null, raw: null, fault: () => faultIn(file, null, '', '') };
  if (!existsSync(file))
    return {
      ...none,
      findings: [
        faultIn(file, null, 'There is no such file.', 'Write it; docs/extending.md says what it holds.'),
      ],
    };
  const lines = new LineCounter();
  const document = parseDocument(readFileSync(file, 'utf8'), { lineCounter: lines });
  const [broken] = document.errors;
  if (broken !== undefined) {
    const [problem = ''] = broken.message.split('\n');
    return {
      ...none,
      findings: [
        faultIn(file, lines.linePos(broken.pos[0]).line, `It is no YAML: ${problem}`, 'Mend the YAML.'),
      ],
    };
  }
  const lineOf = lineFinder(document, lines);
  const fault = (path: readonly PropertyKey[], problem: string, remedy: string): Finding => {
    const where = path.map(String).join('.');
    return faultIn(file, lineOf(path), where === '' ? `It ${problem}.` : `${where} ${problem}.`, remedy);
  };
  const raw: unknown = document.toJS();
  const parsed = schema.safeParse(raw);
  return parsed.success
    ? { value: parsed.data, findings: [], raw, fault }
    : {
        value: null,
        findings: parsed.error.issues.flatMap((issue) => ofIssue(issue, fault, schema)),
        raw,
        fault,
      };
}

/** The line of a key of a YAML file, or of what is nearest above it. */
export function lineAt(file: string, path: readonly string[]): number {
  const lines = new LineCounter();
  return lineFinder(parseDocument(readFileSync(file, 'utf8'), { lineCounter: lines }), lines)(path);
}

/** That of the key where one is written, else that of the entry. */
function lineFinder(document: ReturnType<typeof parseDocument>, lines: LineCounter) {
  return (path: readonly PropertyKey[]): number => {
    let node: unknown = document.contents;
    let line = 1;
    for (const key of path.map(String)) {
      const pair = isMap(node)
        ? node.items.find((one) => isScalar(one.key) && String(one.key.value) === key)
        : null;
      const next = isSeq(node) ? node.items[Number(key)] : pair?.value;
      const at = (isNode(pair?.key) ? pair.key : isNode(next) ? next : null)?.range?.[0];
      if (at === undefined) break;
      line = lines.linePos(at).line;
      node = next;
    }
    return line;
  };
}

function ofIssue(
  issue: z.core.$ZodIssue,
  fault: CheckedYaml<unknown>['fault'],
  schema: z.ZodType,
): readonly Finding[] {
  if (issue.code !== 'unrecognized_keys') return [ofValue(issue, fault)];
  const known = keysAt(schema, issue.path);
  return issue.keys.map((key) => {
    const near = nearestName(key, known);
    const remedy =
      near === undefined
        ? `Delete it${known.length === 0 ? '' : `; known here are: ${known.join(', ')}`}.`
        : `Did you mean "${near}"? Else delete it.`;
    return fault([...issue.path, key], 'is a key that nothing reads', remedy);
  });
}

/** The parts of a JSON Schema that lead to keys. */
interface KeysSchema {
  readonly properties?: Readonly<Record<string, KeysSchema>>;
  readonly additionalProperties?: KeysSchema | boolean;
  readonly items?: KeysSchema | boolean;
  readonly anyOf?: readonly KeysSchema[];
  readonly oneOf?: readonly KeysSchema[];
  readonly allOf?: readonly KeysSchema[];
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, KeysSchema>>;
}

/** The keys that a schema takes at a place. */
function keysAt(schema: z.ZodType, path: readonly PropertyKey[]): readonly string[] {
  const root = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as KeysSchema;
  const branches = (node: KeysSchema): readonly KeysSchema[] => {
    const named = node.$ref === '#' ? root : root.$defs?.[node.$ref?.split('/').at(-1) ?? ''];
    const inner = [
      ...(node.anyOf ?? []),
      ...(node.oneOf ?? []),
      ...(node.allOf ?? []),
      ...(named ? [named] : []),
    ];
    return [node, ...inner.flatMap(branches)];
  };
  let nodes = branches(root);
  for (const key of path)
    nodes = nodes.flatMap(({ properties, additionalProperties, items }) => {
      const next = properties?.[String(key)] ?? (typeof key === 'number' ? items : additionalProperties);
      return typeof next === 'object' ? branches(next) : [];
    });
  return [...new Set(nodes.flatMap(({ properties }) => Object.keys(properties ?? {})))];
}

function ofValue(issue: z.core.$ZodIssue, fault: CheckedYaml<unknown>['fault']): Finding {
  if (issue.code === 'custom' || issue.code === 'invalid_format')
    return fault(issue.path, issue.message, 'Write it there.');
  if (issue.code === 'invalid_type' && /received undefined/.test(issue.message))
    return fault(issue.path, 'is missing', 'Add it.');
  // What follows a comma in braces is a key of its own to YAML: "{ en: Not today, sorry }".
  if (issue.code === 'invalid_key' && /[^\w-]/.test(String(issue.path.at(-1))))
    return fault(issue.path, 'is no name', 'Put a text that has a comma or a colon in quotation marks.');
  return fault(issue.path, `is not understood (${issue.message})`, 'Correct the value.');
}

/** A fault at a line of a file. */
export function faultIn(file: string, line: number | null, problem: string, remedy: string): Finding {
  return { severity: 'fault', file, line, problem, remedy };
}

/** A gap at a line of a file. */
export function warningIn(file: string, line: number | null, problem: string, remedy: string): Finding {
  return { severity: 'warning', file, line, problem, remedy };
}

/** A name in YAML. */
export const NAME = /^[a-z][a-z0-9_]{0,39}$/;

/**
 * Reads a file of the company and freezes it.
 * @param what it is, for the error
 * @param otherwise what stands for a file that need not be there
 * @throws HubError `config_invalid` with one line that names the file, the key and what is wrong
 */
export function readYaml<Value extends object>(
  what: string,
  file: string,
  schema: z.ZodType<Value>,
  otherwise?: unknown,
): Value {
  let raw: unknown;
  try {
    raw = otherwise !== undefined && !existsSync(file) ? otherwise : parseYaml(readFileSync(file, 'utf8'));
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
    throw new HubError('config_invalid', `The ${what} file ${file} cannot be read: ${reason}`, { file });
  }
  const parsed = schema.safeParse(raw);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw wrongAt(what, file, issue?.path.join('.') || 'the file', issue?.message ?? 'not understood');
  }
  for (const section of Object.values(parsed.data)) Object.freeze(section);
  return Object.freeze(parsed.data);
}

/** The error of a file whose value at `where` is wrong. */
export function wrongAt(what: string, file: string, where: string, message: string): HubError {
  return new HubError('config_invalid', `The ${what} file ${file} is wrong at ${where}: ${message}`, {
    file,
    where,
  });
}

/** True of a company that says in YAML where its customers are and what its tools do, and so needs no code. */
export function isDeclared(folder: string): boolean {
  return !existsSync(join(folder, 'company.ts'));
}

/** Rows of a JSONL file that fit, and a fault for each that does not. */
export function readLines<Row>(file: string, schema: z.ZodType<Row>) {
  const rows: { readonly line: number; readonly value: Row }[] = [];
  const findings: Finding[] = [];
  if (!existsSync(file)) return { rows, findings };
  for (const [at, text] of readFileSync(file, 'utf8').split('\n').entries()) {
    if (text.trim() === '') continue;
    const line = at + 1;
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      findings.push(faultIn(file, line, 'It is no JSON.', 'Write one JSON object in the line.'));
      continue;
    }
    const parsed = schema.safeParse(value);
    if (parsed.success) rows.push({ line, value: parsed.data });
    else {
      const [issue] = parsed.error.issues;
      const where = issue?.path.join('.') || 'The row';
      findings.push(
        faultIn(file, line, `${where} is missing or wrong.`, 'Write it as docs/extending.md says.'),
      );
    }
  }
  return { rows, findings };
}
