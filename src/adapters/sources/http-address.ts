import { HubError } from '../../core/errors.js';
import type { HttpRequest } from '../../core/ports/data-source.js';

/** A segment that climbs, in any of the spellings that an address parser takes for dots. */
const CLIMBS = /^(?:\.|%2e){1,2}$/i;

/**
 * The address of a request below the endpoint of its source. What comes from an input cannot leave it: neither to another
 * host nor up the path.
 * @throws HubError `source_rejected`
 */
export function addressUnder(source: string, endpoint: URL, { path, query }: HttpRequest): URL {
  const refuse = (): HubError =>
    new HubError('source_rejected', `${source}: the path ${path} leads out of the source's endpoint.`, {
      source,
      path,
    });
  const [plain = '', own = ''] = splitOnce(path, '?');
  if (plain.split(/[/\\]/).some((segment) => CLIMBS.test(segment)) || /[\\\s]|^\/\//.test(plain))
    throw refuse();
  const base = endpoint.pathname.replace(/\/+$/, '');
  const url = new URL(endpoint);
  url.hash = '';
  url.pathname = `${base}/${plain.replace(/^\/+/, '')}`;
  for (const [name, value] of new URLSearchParams(own)) url.searchParams.append(name, value);
  for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value);
  if (url.origin !== endpoint.origin || !url.pathname.startsWith(`${base}/`)) throw refuse();
  return url;
}

function splitOnce(text: string, at: string): readonly [string, string] {
  const index = text.indexOf(at);
  return index < 0 ? [text, ''] : [text.slice(0, index), text.slice(index + 1)];
}
