import type { HubError } from '../../core/errors.js';

/** What happens after a structured call that did not work. */
export type AfterFailure =
  | { readonly kind: 'reword'; readonly reason: string }
  | {
      readonly kind: 'give_up';
      readonly reason: string;
      /** True where the other side may have done it all the same. */
      readonly uncertain: boolean;
    };

/** What is known when a structured call has failed. */
export interface Failure {
  readonly error: HubError;
  /** True where the card says that the skill changes nothing. */
  readonly readOnly: boolean;
  /** True where the other agent takes plain messages. */
  readonly generic: boolean;
}

/** The skill is not there, whatever the card says: nothing was looked at, so nothing was refused. */
const GONE = new Set([404, 405, 410]);

/**
 * Looks at the goal again by rules. What was refused is not asked again in other words; what may have been done already
 * is not sent another way; an agent that cannot be reached by its skill may still answer a message.
 */
export function reconsider({ error, readOnly, generic }: Failure): AfterFailure {
  const stop = (reason: string, uncertain = false): AfterFailure => ({ kind: 'give_up', reason, uncertain });
  const { code, fields } = error;
  const uncertain = !readOnly && isUncertain(error);
  if (uncertain) return stop('it_may_have_been_done', true);
  if (code === 'remote_forbidden_address') return stop('forbidden_address');
  if (code === 'remote_refused' && !GONE.has(Number(fields.status))) return stop('refused');
  if (code === 'remote_failed' && !readOnly) return stop('failed_there');
  if (!generic) return stop('no_other_way');
  return { kind: 'reword', reason: code };
}

/** True where the call may have been carried out although it failed. */
export function isUncertain({ code, fields }: HubError): boolean {
  return code === 'remote_bad_answer' || (code === 'remote_unreachable' && fields.certain !== true);
}
