import type { JsonObject } from '../../core/domain/json.js';
import { HubError } from '../../core/errors.js';
import type { Exchange, HttpRequest, RequestSource, SourceSpec } from '../../core/ports/data-source.js';
import { abortReason } from '../../core/signals.js';

/** One fixture of a source, as a test case has it. */
export type Fixture =
  | { readonly sql: string }
  | { readonly file: string }
  | { readonly mapping: string; readonly rows: readonly JsonObject[] }
  | Exchange
  | { readonly down: true };

/** What of a pack is needed to make its fixtures. */
export interface FixturePack {
  readonly id: string;
  /** Texts of its files by path relative to its folder. */
  readonly files: Readonly<Record<string, string>>;
}

/** An API that knows the requests of a test case and no other. The first fixture that fits answers. */
export function fixtureRequests(spec: SourceSpec, fixtures: readonly Fixture[]): RequestSource {
  const exchanges = fixtures.filter((fixture): fixture is Exchange => 'request' in fixture);
  return {
    answers: 'request',
    async request(request, { signal }) {
      if (signal.aborted) throw abortReason(signal);
      const { path, query } = asked(request);
      const found = exchanges.find((exchange) => fits(exchange, request.method, path, query));
      if (found === undefined) throw unknown(spec, request.method, path, query, exchanges);
      const { status, body } = found.response;
      if (status < 500 && status !== 429) return { status, body: body ?? null };
      throw new HubError('source_unavailable', `${spec.name} cannot be reached: it answers HTTP ${status}.`, {
        source: spec.name,
        status,
      });
    },
    close: async () => undefined,
  };
}

/** Every name a fixture gives in its query, or after `?` in its path, must be asked for with that value; others may be. */
function fits({ request }: Exchange, method: string, path: string, query: URLSearchParams): boolean {
  const wanted = asked({
    method: request.method,
    path: request.path,
    ...(request.query && { query: request.query }),
  });
  if (request.method.toUpperCase() !== method || !sameWay(wanted.path, path)) return false;
  return [...wanted.query].every(([name, value]) => query.get(name) === value);
}

/** Segment by segment; `*` is any one. */
function sameWay(wanted: string, path: string): boolean {
  const [expected, given] = [wanted, path].map((way) => way.split('/'));
  if (expected === undefined || given === undefined || expected.length !== given.length) return false;
  return expected.every((segment, at) => segment === '*' || segment === given[at]);
}

/** Path and query of a request as a server reads them: decoded, and the query wherever it was given. */
function asked({ path, query }: HttpRequest): { readonly path: string; readonly query: URLSearchParams } {
  const mark = path.indexOf('?');
  const parameters = new URLSearchParams(mark < 0 ? '' : path.slice(mark + 1));
  for (const [name, value] of Object.entries(query ?? {})) parameters.set(name, value);
  return {
    path: decoded(`/${(mark < 0 ? path : path.slice(0, mark)).replace(/^\/+|\/+$/g, '')}`),
    query: parameters,
  };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function unknown(
  spec: SourceSpec,
  method: string,
  path: string,
  query: URLSearchParams,
  exchanges: readonly Exchange[],
): HubError {
  const text = query.size === 0 ? '' : `?${query.toString()}`;
  const known = exchanges.map(({ request }) => `${request.method} ${request.path}`).join(', ') || 'none';
  return new HubError(
    'source_unavailable',
    `The test case has no answer of ${spec.name} to ${method} ${path}${text}; it has answers to: ${known}.`,
    { source: spec.name, method, path },
  );
}
