import type { JsonValue } from '../../../core/domain/json.js';
import type { Checked } from '../checked-file.js';
import type { Draft } from '../draft.js';
import { sqlFaults } from '../sql-rules.js';
import type { NodePath } from '../text-file.js';

/** The parts of a request that a pack writes. */
export interface RequestTexts {
  readonly method?: string | undefined;
  readonly path?: string | undefined;
  readonly query?: Readonly<Record<string, JsonValue | undefined>> | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: JsonValue | undefined;
}

/** A SQL text: read only, with its values bound. */
export function checkStatement(
  { descriptor }: Draft,
  where: Checked<unknown>,
  path: NodePath,
  sql: string,
  source: string,
): void {
  const declared = descriptor?.data.data_sources[source];
  if (declared === undefined || declared.kind === 'http') return;
  const { kind } = declared;
  const tables = descriptor?.sound(['data_sources', source, 'tables', 0]) ? declared.tables : undefined;
  for (const { code, message } of sqlFaults(sql, { kind, ...(tables === undefined ? {} : { tables }) })) {
    where.note(path, code, message);
  }
}

/** A request: a path beneath the endpoint, and a body only where there can be one. */
export function checkRequest(where: Checked<unknown>, at: NodePath, request: RequestTexts): void {
  const { method = 'GET', path, headers = {}, body } = request;
  if (path !== undefined) checkPath(where, [...at, 'path'], path);
  if (body !== undefined && (method === 'GET' || method === 'HEAD') && where.sound([...at, 'method'])) {
    const message = `A ${method} request has no body. Write method: POST, or put the values into query.`;
    where.note([...at, 'body'], 'body_on_get', message);
  }
  for (const name of Object.keys(headers)) {
    if (/^(authorization|cookie|x-api-key|proxy-authorization)$/i.test(name)) {
      const message = `The header ${name} carries a secret. Declare it in data_sources with auth and credentials: env:NAME.`;
      where.note([...at, 'headers', name], 'secret_in_pack', message);
    } else if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) {
      where.note(
        [...at, 'headers', name],
        'wrong_name',
        `"${name}" is no name of a header; use letters, digits and -.`,
      );
    }
  }
}

function checkPath(where: Checked<unknown>, at: NodePath, path: string): void {
  const refuse = (message: string): void => where.note(at, 'unsafe_path', message);
  if (/^[a-z][a-z0-9+.-]*:/i.test(path) || path.startsWith('//')) {
    refuse('A path begins after the endpoint of its source; leave scheme and host out.');
  } else if (path.split(/[/?#\\]/).some((part) => /^(?:\.|%2e){1,2}$/i.test(part))) {
    refuse('A path may not lead up with "..", out of the endpoint of its source.');
  } else if (/\{\{|\$\{/.test(path)) {
    where.note(
      at,
      'pasted_placeholder',
      'Write a placeholder as {name}, with one pair of braces; its value is then encoded.',
    );
  } else if (/\s/.test(path)) refuse('A path has no spaces; write %20, or use a placeholder.');
}
