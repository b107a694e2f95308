import { existsSync, readFileSync } from 'node:fs';
import { LineCounter, parseDocument } from 'yaml';
import type { z } from 'zod';

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
  const lineOf = (path: readonly PropertyKey[]): number => {
    for (let length = path.length; length > 0; length -= 1) {
      const node = document.getIn(path.slice(0, length).map(String), true) as { range?: readonly number[] };
      if (node?.range?.[0] !== undefined) return lines.linePos(node.range[0]).line;
    }
    return 1;
  };
  const fault = (path: readonly PropertyKey[], problem: string, remedy: string): Finding => {
    const where = path.map(String).join('.');
    return faultIn(file, lineOf(path), where === '' ? `It ${problem}.` : `${where} ${problem}.`, remedy);
  };
  const raw: unknown = document.toJS();
  const parsed = schema.safeParse(raw);
  return parsed.success
    ? { value: parsed.data, findings: [], raw, fault }
    : { value: null, findings: parsed.error.issues.map((issue) => ofIssue(issue, fault)), raw, fault };
}

function ofIssue(issue: z.core.$ZodIssue, fault: CheckedYaml<unknown>['fault']): Finding {
  if (issue.code === 'unrecognized_keys')
    return fault(
      [...issue.path, issue.keys[0] ?? ''],
      'is a key that nothing reads',
      `Delete it, or correct its spelling: ${issue.keys.join(', ')}.`,
    );
  if (issue.code === 'custom' || issue.code === 'invalid_format')
    return fault(issue.path, issue.message, 'Write it there.');
  if (issue.code === 'invalid_type' && /received undefined/.test(issue.message))
    return fault(issue.path, 'is missing', 'Add it.');
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
