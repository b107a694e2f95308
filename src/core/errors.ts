/**
 * Codes programs can act on. Words for people are made at the surfaces.
 * Tool errors use the same codes, so that the model and the tests read one vocabulary.
 */
export const ERROR_CODES = [
  'config_invalid',
  'data_dir_unusable',
  'database_newer',
  'database_failed',
  'database_busy',
  'disk_full',
  'input_invalid',
  'input_too_large',
  'file_too_large',
  'file_type_refused',
  'too_many_files',
  'files_full',
  'usage',
  'not_found',
  'not_signed_in',
  'not_owner',
  'customer_unknown',
  'customer_blocked',
  'policy_denied',
  'already_done',
  'already_requested',
  'already_refunded',
  'not_upcoming',
  'attended',
  'nothing_paid',
  'wrong_status',
  'constraint_failed',
  'confirmation_rejected',
  'approval_rejected',
  'pending_not_found',
  'pending_decided',
  'pending_withdrawn',
  'pending_expired',
  'pending_mismatch',
  'index_unavailable',
  'embedding_failed',
  'model_unavailable',
  'model_bad_output',
  'thread_busy',
  'skill_unknown',
  'skill_invalid',
  'skill_failed',
  'skill_timeout',
  'skill_too_deep',
  'run_unknown',
  'run_not_waiting',
  'choice_unknown',
  'expression_invalid',
  'source_misconfigured',
  'source_unavailable',
  'source_rejected',
  'source_bad_answer',
  'outcome_unknown',
  'command_not_allowed',
  'command_failed',
  'taken_over',
  'already_claimed',
  'not_claimed',
  'forbidden',
  'token_invalid',
  'token_expired',
  'code_invalid',
  'mail_failed',
  'idempotency_conflict',
  'rate_limited',
  'customer_erased',
  'scope_missing',
  'token_not_for_api',
  'confirmation_invalid',
  'cancelled',
  'remote_unreachable',
  'remote_refused',
  'remote_failed',
  'remote_bad_answer',
  'remote_forbidden_address',
  'internal',
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

/** Every error the hub throws on purpose: a code for programs, fields for the log, one sentence for the person. */
export class HubError extends Error {
  override readonly name = 'HubError';
  readonly code: ErrorCode;
  readonly fields: Readonly<Record<string, unknown>>;

  /**
   * @param code what went wrong, for programs
   * @param message one sentence for a person, without secrets or a stack
   * @param fields details for the log
   */
  constructor(
    code: ErrorCode,
    message: string,
    fields: Record<string, unknown> = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.code = code;
    this.fields = fields;
  }
}

/** One thing that is wrong with an input. */
export interface FieldError {
  /** With dots where it lies deeper; empty for the input as a whole. */
  readonly field: string;
  readonly message: string;
}

/** The refusal of one input, for forms too. @param message what it must be, after its name and without a full stop */
export function wrongField(field: string, message: string): HubError {
  return new HubError('input_invalid', `${field} ${message}.`, { errors: [{ field, message }] });
}

/**
 * Narrows anything caught to a HubError, keeping an existing one, also where a library has wrapped it, and wrapping the
 * rest as `internal`.
 */
export function toHubError(error: unknown): HubError {
  for (let at = error; at instanceof Error; at = at.cause) if (at instanceof HubError) return at;
  return new HubError('internal', messageOf(error), {}, { cause: error });
}

/** What anything caught says. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** True of an error of Node or of a library that carries this code, e.g. `ENOENT`. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
