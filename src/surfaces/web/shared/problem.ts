import type { Problem } from './api-types.js';

/** A request that the server refused, or that never reached it (`code` is `network` then, `status` 0). */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  /** Details by field, where the server gave them. */
  readonly fields: readonly { readonly field: string; readonly message: string }[];
  /** The colleague who has it in hand, or who decided it before; null where none was faster. */
  readonly operator: string | null;
  /** What that colleague decided. */
  readonly decision: Problem['decision'] | null;
  /** Seconds to wait before the next try, where the server said so. */
  readonly retryAfter: number | null;

  constructor(status: number, problem: Partial<Problem>, retryAfter: number | null = null) {
    super(problem.detail ?? problem.title ?? `The request failed (${status}).`);
    this.status = status;
    this.code = problem.code ?? (status === 0 ? 'network' : 'internal');
    this.fields = problem.errors ?? [];
    this.operator = problem.operator ?? null;
    this.decision = problem.decision ?? null;
    this.retryAfter = retryAfter;
  }

  /** True where the same request may work a little later. */
  get passing(): boolean {
    // A server under load may not come to read a request in time (408), and has done nothing with it then.
    const isLate = this.status === 0 || this.status === 408;
    return isLate || this.status >= 500 || this.status === 429 || this.code === 'thread_busy';
  }

  /** True where the session has to be opened again. */
  get signedOut(): boolean {
    return this.status === 401 && this.code !== 'code_invalid';
  }
}

/** Reads what a response with an error status says. */
export async function toApiError(response: Response): Promise<ApiError> {
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  const problem = await response.json().catch(() => ({}));
  return new ApiError(
    response.status,
    typeof problem === 'object' && problem !== null ? (problem as Problem) : {},
    Number.isFinite(retryAfter) ? retryAfter : null,
  );
}

/** Any thrown thing as an error of the API; a failed `fetch` is one of the network. */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError(0, { detail: error instanceof Error ? error.message : String(error), code: 'network' });
}
