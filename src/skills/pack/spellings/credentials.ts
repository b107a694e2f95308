import type { YAMLMap } from 'yaml';
import { pairOf, type Respelling, setText, textAt } from './respelling.js';

/** `env:A,B` and `env:A, env:B` for user and password. */
export function respellCredentials(page: Respelling, source: YAMLMap, name: string): void {
  const pair = pairOf(source, 'credentials');
  const text = textAt(source, 'credentials');
  if (pair === undefined || text === undefined) return;
  if (/^aws_iam$/i.test(text)) {
    const variable = `env:${name.toUpperCase()}_CREDENTIALS`;
    const message = `The hub does not sign in with aws_iam. Make a database user that only reads, put user:password into a variable, and write credentials: ${variable}.`;
    page.warn(pair, 'unusable_credentials', message);
    setText(pair, variable);
    return;
  }
  const [first = '', ...others] = text.split(',').map((part) => part.trim());
  if (others.length === 0 || !/^env:/.test(first) || others.every((part) => /^env:/.test(part))) return;
  const pairOfNames = [first, ...others.map((part) => (/^env:/.test(part) ? part : `env:${part}`))].join(',');
  const message = `Each variable has its own env: today; write credentials: ${pairOfNames}.`;
  page.warn(pair, 'older_spelling', message);
  setText(pair, pairOfNames);
}
