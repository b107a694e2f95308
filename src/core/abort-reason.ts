import { HubError } from './errors.js';

/** Why a signal was aborted, as an error of the hub: its reason where that is one, else `skill_timeout`. */
export function abortReason(signal: AbortSignal): HubError {
  const reason: unknown = signal.reason;
  if (reason instanceof HubError) return reason;
  return new HubError(
    'skill_timeout',
    'The run was stopped before the work was done.',
    {},
    { cause: reason },
  );
}
