import { HubError } from '../../core/errors.js';
import type { Log, WriteContext } from '../../core/ports/index.js';

/**
 * Makes an effect in the company's own database. What its tables forbid (CHECK, UNIQUE, NOT NULL, foreign keys, a trigger) is a
 * refusal and no fault that passes: it would be forbidden again. Which rule it was, only the log says, to who writes the files.
 * @throws HubError `constraint_failed`, and what `work` throws
 */
export function withinConstraints<Value>(
  log: Log,
  { tool, ticketId }: { readonly tool: string } & Pick<WriteContext, 'ticketId'>,
  work: () => Value,
): Value {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof HubError) || !isConstraint(error.fields)) throw error;
    const { code, reason } = error.fields;
    log.error(
      { agent: 'action', action: 'constraint_failed', ticketId, details: { tool, code, reason } },
      error,
    );
    throw new HubError(
      'constraint_failed',
      'The tables do not allow what was asked.',
      { tool },
      { cause: error },
    );
  }
}

/** The hub's own ledger is not the company's. */
function isConstraint({ code, reason }: HubError['fields']): boolean {
  return String(code).startsWith('SQLITE_CONSTRAINT') && !String(reason).includes('action_ledger');
}
