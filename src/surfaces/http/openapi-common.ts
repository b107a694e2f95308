import { PROBLEM_JSON } from './problem.js';

/** As much of an operation as is completed here. */
interface Operation {
  security?: object[];
  readonly requestBody?: unknown;
  readonly responses: Record<string, unknown>;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
/** What a program's token may ask; everything else of the API refuses it. */
const FOR_PROGRAMS = 'get /api/session';
/** Keeps no answer, so an `Idempotency-Key` says nothing there. */
const MAKES_SECRETS = 'post /api/session/tokens';

/** What stands before every route, and so is refused for all of them alike. */
const PROBLEMS: readonly {
  readonly status: number;
  readonly description: string;
  readonly of: (name: string, operation: Operation) => boolean;
}[] = [
  {
    status: 400,
    description: 'input_invalid: the body is no JSON, no UTF-8 text, or nested too deeply',
    of: (_, { requestBody }) => requestBody !== undefined,
  },
  {
    status: 403,
    description: 'token_not_for_api, forbidden',
    of: (name, { security }) => name.includes(' /api/') && isGuarded(security) && name !== FOR_PROGRAMS,
  },
  {
    status: 406,
    description: 'not_acceptable: answers are application/json',
    of: (name) => name.includes(' /api/'),
  },
  {
    status: 409,
    description: 'idempotency_conflict, thread_busy: the Idempotency-Key was used for another request',
    of: (name, { security }) =>
      /^(?!get )\w+ \/api\//.test(name) && isGuarded(security) && name !== MAKES_SECRETS,
  },
  {
    status: 413,
    description: 'input_too_large',
    of: (_, { requestBody }) => requestBody !== undefined,
  },
  {
    status: 415,
    description: 'unsupported_media_type: bodies are application/json',
    of: (_, { requestBody }) => requestBody !== undefined,
  },
];

const content = { [PROBLEM_JSON]: { schema: { $ref: '#/components/schemas/Problem' } } };

/**
 * Completes a document in place with what no route declares by itself: what is refused before a route is reached, and that
 * an operation is open to everybody.
 */
export function completeOperations(paths: Readonly<Record<string, object>>): void {
  for (const [path, item] of Object.entries(paths))
    for (const method of METHODS) {
      const operation = (item as Readonly<Record<string, Operation>>)[method];
      if (operation === undefined) continue;
      operation.security ??= [];
      for (const { status, description, of } of PROBLEMS)
        if (of(`${method} ${path}`, operation)) operation.responses[status] ??= { description, content };
    }
}

function isGuarded(security: readonly object[] | undefined): boolean {
  return security !== undefined && security.length > 0;
}
