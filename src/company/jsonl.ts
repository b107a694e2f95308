import { existsSync, readFileSync } from 'node:fs';
import type { z } from 'zod';
import { type Finding, faultIn } from './yaml-file.js';

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
