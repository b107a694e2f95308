import type {
  CapabilityCall,
  CapabilityOutcome,
  ConfirmationAnswer,
  OutsideCaller,
} from '../core/capabilities.js';
import type { JsonObject, JsonValue } from '../core/domain/json.js';
import { toHubError } from '../core/errors.js';
import { isFieldName, withoutWords } from '../core/privacy.js';
import { type CapabilityDeps, callerName } from './caller-session.js';

/** Logs the calls of other software. */
interface CallLog {
  call(call: CapabilityCall, work: () => Promise<CapabilityOutcome>): Promise<CapabilityOutcome>;
  answer(answer: ConfirmationAnswer, work: () => Promise<CapabilityOutcome>): Promise<CapabilityOutcome>;
}

const PROGRAM_CHARS = 80;
/** Arguments that are ids and choices. Under any other name a text is somebody's own, also where it is one word. */
const CODED = /^(?:action|key|language|\w*_(?:ids?|type))$/;
/** Longer numbers are nobody's days or counts, but may be those of a card or a person. */
const MOST = 1_000_000;

/** One line a call, with the lengths of what was said and without its words. */
export function createCallLog({ tools }: Pick<CapabilityDeps, 'tools'>): CallLog {
  const logged = async (
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
      const keyed = idempotencyKey !== undefined;
      const details = { name: name.slice(0, PROGRAM_CHARS), args: argumentsOf(input), keyed };
      return logged(caller, 'capability_called', details, work);
    },
    answer: ({ caller, approved }, work) => logged(caller, 'capability_confirmed', { approved }, work),
  };
}

/** Objects inside are left out: which names they have is up to whoever wrote them. */
function argumentsOf(input: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      isFieldName(name) ? name : lengthOf(name),
      shownAs(value, CODED.test(name)),
    ]),
  );
}

function shownAs(value: JsonValue | undefined, isCoded: boolean): JsonValue {
  if (Array.isArray(value)) return value.map((item) => shownAs(item, isCoded));
  if (typeof value === 'string') return isCoded ? withoutWords(value, lengthOf) : lengthOf(value);
  if (typeof value === 'number') return Math.abs(value) > MOST ? '(a number)' : value;
  return typeof value === 'object' && value !== null ? '(an object)' : (value ?? null);
}

function lengthOf(text: string): string {
  return `(${text.length} characters)`;
}
