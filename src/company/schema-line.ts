import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const SCHEMAS = fileURLToPath(new URL('../../docs/schemas', import.meta.url));

/** The line by which editors complete a file of a company and mark what is wrong in it. @param kind name of its schema */
export function schemaLine(file: string, kind: string): string {
  return `# yaml-language-server: $schema=${relative(dirname(file), join(SCHEMAS, `${kind}.schema.json`))}\n`;
}
