import { type CompanyProfile, issueTypeIds } from '../../core/domain/company.js';
import { PROBLEM_JSON } from './problem.js';
import type { HubRouter } from './router.js';
import {
  COMPANY_ISSUE_TYPES,
  citationSchema,
  classificationSchema,
  escalationSchema,
  pendingSchema,
  replySchema,
  threadSchema,
} from './schemas.js';

/** As much of an operation as is completed here. */
interface Operation {
  security?: object[];
  readonly requestBody?: unknown;
  readonly responses: Record<string, { readonly description?: string; readonly content?: object }>;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
/** What a program's token may ask; everything else of the API refuses it. */
const FOR_PROGRAMS = 'get /api/session';
/** Keeps no answer, so an `Idempotency-Key` says nothing there. */
const MAKES_SECRETS = 'post /api/session/tokens';

/** Takes a file as it is, and makes another one each time. */
const isUpload = (name: string): boolean => /^post .*\/files$/.test(name);

/** What stands before every route, and so is refused for all of them alike. */
const PROBLEMS: readonly {
  readonly status: number;
  readonly description: string;
  readonly of: (name: string, operation: Operation) => boolean;
}[] = [
  {
    status: 400,
    description: 'input_invalid: the body is no JSON, no UTF-8 text, or nested too deeply',
    of: (name, { requestBody }) => requestBody !== undefined && !isUpload(name),
  },
  {
    status: 401,
    description: 'not_signed_in, token_invalid, token_expired',
    of: (name, { security }) => name.includes(' /api/') && isGuarded(security),
  },
  {
    status: 403,
    description: 'token_not_for_api, forbidden',
    of: (name, { security }) => name.includes(' /api/') && isGuarded(security) && name !== FOR_PROGRAMS,
  },
  {
    status: 404,
    description: 'not_found',
    of: (name) => / \/api\/.*\{/.test(name),
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
      /^(?!get )\w+ \/api\//.test(name) && isGuarded(security) && name !== MAKES_SECRETS && !isUpload(name),
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
  { status: 422, description: 'input_invalid', of: isOurs },
  { status: 503, description: 'database_failed, database_busy', of: isOurs },
];

const content = { [PROBLEM_JSON]: { schema: { $ref: '#/components/schemas/Problem' } } };

/**
 * Completes a document in place with what no route declares by itself: what is refused before a route is reached, and that
 * an operation is open to everybody.
 */
function completeOperations(paths: Readonly<Record<string, object>>): void {
  for (const [path, item] of Object.entries(paths))
    for (const method of METHODS) {
      const operation = (item as Readonly<Record<string, Operation>>)[method];
      if (operation === undefined) continue;
      operation.security ??= [];
      for (const { status, description: all, of } of PROBLEMS) {
        if (!of(`${method} ${path}`, operation)) continue;
        // What the route refuses by itself comes before what is refused for all.
        const own = operation.responses[status]?.description?.split(', ') ?? [];
        const description = [...own.filter((code) => !all.includes(code)), all].join(', ');
        operation.responses[status] = { description, content };
      }
    }
}

/** True of what has no protocol of its own. */
function isOurs(name: string): boolean {
  return / \/(?:api|agents)\//.test(name);
}

function isGuarded(security: readonly object[] | undefined): boolean {
  return security !== undefined && security.length > 0;
}

const info = ({ name }: CompanyProfile) => ({
  openapi: '3.1.0',
  info: {
    title: 'UDA-Hub',
    version: '1.0.0',
    license: { name: 'MIT', identifier: 'MIT' },
    description: `Customer support for ${name}. Errors are problem details (RFC 9457) with a \`code\` for programs. Every write takes an \`Idempotency-Key\`: the same key and request again get the same answer, done once. Times are ISO 8601 UTC.`,
  },
  tags: [
    { name: 'Sign-in', description: 'A session is a signed token, sent as `Authorization: Bearer`.' },
    { name: 'Conversations', description: 'For customers.' },
    ...['tickets', 'approvals', 'customers', 'knowledge', 'teamwork', 'overview', 'company'].map((part) => ({
      name: `Desk: ${part}`,
      description: 'For operators.',
    })),
    { name: 'Agents', description: 'For other programs: agents and skills, beside the A2A protocol.' },
    { name: 'Pages', description: 'What the web pages ask for.' },
    { name: 'Operations', description: 'For operating the hub.' },
  ],
});

const NAMED = {
  Pending: pendingSchema,
  Classification: classificationSchema,
  Escalation: escalationSchema,
  Citation: citationSchema,
  Reply: replySchema,
  Thread: threadSchema,
};

/**
 * JSON Schema writes a pattern without the flags of a regular expression; `u` is what it means anyway. An issue type is
 * one of the company's.
 */
const completed = (company: CompanyProfile) => (key: string, value: unknown) => {
  if (key === 'pattern' && typeof value === 'string') return value.replace(/\/u$/, '');
  if (typeof value !== 'object' || value === null || !(COMPANY_ISSUE_TYPES in value)) return value;
  const { [COMPANY_ISSUE_TYPES]: _marked, ...schema } = value;
  return { ...schema, enum: issueTypeIds(company) };
};

/**
 * Answers /openapi.json with what the routes declare; made once.
 * @param publicUrl where others reach the server; else wherever the document was read
 */
export function serveDocument(
  router: HubRouter,
  company: CompanyProfile,
  publicUrl: string | undefined,
): void {
  router.openAPIRegistry.registerComponent('securitySchemes', 'session', {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
  });
  // Where one of these may be null, the document says so at that place, not of the thing itself.
  for (const [name, schema] of Object.entries(NAMED)) router.openAPIRegistry.register(name, schema);
  let document: string | undefined;
  router.get('/openapi.json', (c) => {
    document ??= documentOf(router, company, publicUrl);
    return c.body(document, 200, { 'content-type': 'application/json', 'cache-control': 'no-cache' });
  });
}

function documentOf(router: HubRouter, company: CompanyProfile, publicUrl: string | undefined): string {
  const servers = [{ url: publicUrl ?? '/', description: 'This hub.' }];
  const whole = router.getOpenAPI31Document({ ...info(company), servers });
  completeOperations(whole.paths ?? {});
  return JSON.stringify(whole, completed(company));
}
