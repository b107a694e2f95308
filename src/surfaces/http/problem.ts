import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { ErrorCode, FieldError, HubError } from '../../core/errors.js';

/** The media type of an error. */
export const PROBLEM_JSON = 'application/problem+json';

/** An error as RFC 9457 writes it, with the hub's code for programs. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: string;
  readonly instance?: string;
  /** Which fields of the request are wrong. */
  readonly errors?: readonly FieldError[];
  /** The company's name for the rule that denies it. */
  readonly rule?: string;
  /** The operator who has it in hand, or who decided it before, where a colleague was faster. */
  readonly operator?: string;
  /** What that operator decided. */
  readonly decision?: Decision;
  /** Those there are, where the agent of the path is none. */
  readonly agents?: readonly string[];
}

/** What was decided on a request that waited for an operator. */
export type Decision = 'approved' | 'rejected';

const STATUS: Partial<Record<ErrorCode, ContentfulStatusCode>> = {
  input_too_large: 413,
  file_too_large: 413,
  files_full: 413,
  file_type_refused: 415,
  not_signed_in: 401,
  token_invalid: 401,
  token_expired: 401,
  code_invalid: 401,
  forbidden: 403,
  scope_missing: 403,
  token_not_for_api: 403,
  confirmation_invalid: 403,
  not_claimed: 403,
  not_found: 404,
  pending_not_found: 404,
  not_owner: 404,
  run_unknown: 404,
  already_claimed: 409,
  pending_decided: 409,
  pending_withdrawn: 409,
  pending_expired: 409,
  pending_mismatch: 409,
  wrong_status: 409,
  constraint_failed: 409,
  idempotency_conflict: 409,
  thread_busy: 409,
  taken_over: 409,
  run_not_waiting: 409,
  rate_limited: 429,
  disk_full: 503,
  database_failed: 503,
  database_busy: 503,
  data_dir_unusable: 503,
  index_unavailable: 503,
  embedding_failed: 503,
  model_unavailable: 503,
  source_unavailable: 503,
  source_rejected: 503,
  source_bad_answer: 503,
  source_misconfigured: 503,
  outcome_unknown: 503,
  remote_unreachable: 503,
  mail_failed: 503,
  internal: 500,
};

const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad request',
  401: 'Sign in needed',
  403: 'Not allowed',
  404: 'Not found',
  405: 'Method not allowed',
  406: 'Not acceptable',
  409: 'Conflict',
  413: 'Too large',
  415: 'Unsupported media type',
  422: 'Not understood',
  429: 'Too many requests',
  431: 'Request header too large',
  500: 'Internal error',
  503: 'Unavailable',
};

/** The log says which system, and what it answered: that may name addresses of the company's own network. */
const NO_ANSWER =
  'The systems of the company do not answer as they should at the moment. Please try again a little later.';

/** The sentence a client gets where the one of the error is about the inside of the hub. */
const QUIET: Partial<Record<ErrorCode, string>> = {
  internal: 'Something went wrong in the hub. Nothing more can be said here; its log has the details.',
  not_owner: 'There is no such conversation.',
  database_failed: 'The hub cannot reach its database at the moment. Please try again.',
  data_dir_unusable: 'The hub cannot reach its database at the moment. Please try again.',
  source_unavailable: NO_ANSWER,
  source_rejected: NO_ANSWER,
  source_bad_answer: NO_ANSWER,
  source_misconfigured: NO_ANSWER,
};

/** Seconds after which trying again makes sense, where the error does not say. */
const RETRY_AFTER: Partial<Record<ErrorCode, number>> = { thread_busy: 2, rate_limited: 30 };

/** The HTTP status of an error code; 422 where none is listed. */
export function statusOf(code: ErrorCode): ContentfulStatusCode {
  return STATUS[code] ?? 422;
}

/** A problem that has no code of the hub's own vocabulary. */
export function problemOf(status: number, code: string, detail: string, instance?: string): Problem {
  return {
    type: `urn:uda-hub:problem:${code}`,
    title: TITLES[status] ?? 'Error',
    status,
    detail,
    code,
    ...(instance === undefined ? {} : { instance }),
  };
}

/** The problem that an error becomes. Its sentence is for people; what is inside the hub stays inside. */
export function toProblem(error: HubError, instance?: string): Problem {
  // Whose conversation it is must not show.
  const code: ErrorCode = error.code === 'not_owner' ? 'not_found' : error.code;
  const problem = problemOf(statusOf(code), code, QUIET[error.code] ?? error.message, instance);
  const { errors } = error.fields as { readonly errors?: readonly FieldError[] };
  return { ...problem, ...(errors && { errors }), ...colleagueOf(error) };
}

/** Refusals to an operator that name the colleague who was faster. */
const COLLEAGUES: ReadonlySet<ErrorCode> = new Set(['already_claimed', 'not_claimed', 'pending_decided']);

function colleagueOf({ code, fields: { operator, decision } }: HubError): Partial<Problem> {
  if (!COLLEAGUES.has(code) || typeof operator !== 'string') return {};
  return decision === 'approved' || decision === 'rejected' ? { operator, decision } : { operator };
}

/** Headers that go with a problem. */
export function problemHeaders(error: HubError): Record<string, string> {
  const status = statusOf(error.code);
  const seconds = error.fields.retryAfterSeconds;
  const retry =
    typeof seconds === 'number' ? seconds : (RETRY_AFTER[error.code] ?? (status === 503 ? 5 : null));
  const { limit } = error.fields;
  return {
    ...(typeof limit === 'number'
      ? { ratelimit: `"default";r=0;t=${retry ?? 1}`, 'ratelimit-policy': `"default";q=${limit};w=60` }
      : {}),
    ...(retry === null ? {} : { 'retry-after': String(Math.max(1, Math.ceil(retry))) }),
    ...(status === 401 ? { 'www-authenticate': challenge(error.code) } : {}),
    ...(error.code === 'scope_missing' ? { 'www-authenticate': scopeChallenge(error) } : {}),
  };
}

/** What a token would have to allow (RFC 6750, 3.1). */
function scopeChallenge({ fields: { scope } }: HubError): string {
  const named = typeof scope === 'string' ? `, scope="${scope}"` : '';
  return `Bearer realm="uda-hub", error="insufficient_scope"${named}`;
}

function challenge(code: ErrorCode): string {
  return code === 'token_invalid' || code === 'token_expired'
    ? 'Bearer realm="uda-hub", error="invalid_token"'
    : 'Bearer realm="uda-hub"';
}

/** The answer that carries a problem. */
export function sendProblem(problem: Problem, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(JSON.stringify(problem), {
    status: problem.status,
    headers: { 'content-type': PROBLEM_JSON, 'cache-control': 'no-store', ...headers },
  });
}
