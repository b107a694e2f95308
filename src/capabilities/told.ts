import type {
  CapabilityCall,
  CapabilityOutcome,
  ConfirmationAnswer,
  OutsideCaller,
} from '../core/capabilities.js';
import type { JsonValue } from '../core/domain/json.js';
import { toHubError } from '../core/errors.js';
import { withoutWords } from '../core/privacy-scrub.js';
import { callerName } from './caller-session.js';
import type { CapabilityDeps } from './capability-deps.js';

/** Tells the log of calls. */
export interface Teller {
  call(call: CapabilityCall, work: () => Promise<CapabilityOutcome>): Promise<CapabilityOutcome>;
  answer(answer: ConfirmationAnswer, work: () => Promise<CapabilityOutcome>): Promise<CapabilityOutcome>;
}

const PROGRAM_CHARS = 80;

/** One line a call, with the lengths of what was said and without its words. */
export function createTeller({ tools }: Pick<CapabilityDeps, 'tools'>): Teller {
  const told = async (
    caller: OutsideCaller,
    action: string,
    details: Readonly<Record<string, unknown>>,
    work: () => Promise<CapabilityOutcome>,
  ): Promise<CapabilityOutcome> => {
    const began = performance.now();
    const log = (outcome: string, code: string | null, ticketId: string | null): void => {
      const { channel, program } = caller;
      tools.log.info({
        agent: 'capabilities',
        action,
        ticketId,
        details: {
          ...details,
          ...{ channel, caller: callerName(caller), program: program?.slice(0, PROGRAM_CHARS) ?? null },
          ...{ outcome, code, ms: Math.round(performance.now() - began) },
        },
      });
    };
    try {
      const outcome = await work();
      const ticketId = 'ticketId' in outcome ? outcome.ticketId : null;
      log(outcome.kind, outcome.kind === 'refused' ? outcome.error.code : null, ticketId);
      return outcome;
    } catch (error) {
      log('error', toHubError(error).code, null);
      throw error;
    }
  };
  return {
    async call(call, work) {
      const { caller, name, input, idempotencyKey } = call;
      const args = withoutWords(input as JsonValue, (text) => `(${text.length} characters)`);
      const details = { name: name.slice(0, PROGRAM_CHARS), args, keyed: idempotencyKey !== undefined };
      return told(caller, 'capability_called', details, work);
    },
    answer: ({ caller, approved }, work) => told(caller, 'capability_confirmed', { approved }, work),
  };
}
