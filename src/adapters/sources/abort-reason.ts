import { HubError } from '../../core/errors.js';

/** Why a signal was aborted, as an error of the hub. */
export function abortReason(signal: AbortSignal): HubError {
  const reason: unknown = signal.reason;
  if (reason instanceof HubError) return reason;
  return new HubError(
    'skill_timeout',
    'The run was stopped before its source answered.',
    {},
    { cause: reason },
  );
}
