import type { YAMLMap } from 'yaml';
import { sqlTokens } from '../../../core/sql/tokens.js';
import { pairOf, type Respelling, setText, textAt } from './respelling.js';

const WHOLE = /^'(\{[A-Za-z_]\w*(?:\.\w+)*\})'$/;

/**
 * `'{name}'` in a statement: designs that paste values quote them. The quotes are dropped, so that the value is bound. A
 * placeholder in a longer text is left, since it cannot be bound.
 */
export function unquote(page: Respelling, map: YAMLMap, key: string): void {
  const pair = pairOf(map, key);
  const sql = textAt(map, key);
  if (pair === undefined || sql === undefined) return;
  const quoted = sqlTokens(sql, 'standard').filter(({ kind, text }) => kind === 'text' && WHOLE.test(text));
  if (quoted.length === 0) return;
  let bound = sql;
  for (const { text, start, end } of [...quoted].reverse()) {
    bound = `${bound.slice(0, start)}${text.slice(1, -1)}${bound.slice(end)}`;
  }
  const names = [...new Set(quoted.map(({ text }) => text.slice(1, -1)))];
  const message = `${names.join(' and ')} in quotes would be pasted; the quotes are dropped and the value is bound. Write ${names.join(' and ')} without the quotes.`;
  page.warn(pair, 'quoted_placeholder', message);
  setText(pair, bound);
}
