import { z } from 'zod';
import type { Focus, ToolTrace } from '../../src/core/domain/session.js';
import type { ErrorCode } from '../../src/core/errors.js';
import { declinedText } from '../../src/core/i18n/index.js';
import type { OfflinePolicy, OfflineStep } from '../../src/core/ports/offline-policy.js';
import { findDays } from '../../src/nlu/slots/index.js';
import type { AgentContext } from '../../src/runtime/agent-state.js';
import { preferenceStep } from '../account/offline.js';
import { call, contextIn, focusOn, lastCall, type OfflineDeps, say, sayWhy } from '../offline-support.js';
import { namesReservation, nextReservation, reservationStep } from './offline-choose-reservation.js';

const SUBSCRIPTION_CHANGES: Readonly<Record<string, 'pause' | 'resume' | 'cancel'>> = {
  pause_subscription: 'pause',
  resume_subscription: 'resume',
  cancel_subscription: 'cancel',
};

const RESERVATION_TOOLS: Readonly<Record<string, 'cancel_reservation' | 'process_refund'>> = {
  cancel_reservation: 'cancel_reservation',
  request_refund: 'process_refund',
  missing_refund: 'process_refund',
  process_refund: 'process_refund',
};

/** The action agent without a model: finds out what exactly is meant, calls the tool, reports what came of it. */
export function actionPolicy(deps: OfflineDeps): OfflinePolicy {
  return (turn) => {
    const context = contextIn(turn);
    const done = context.trace.filter((entry) => deps.roster.findAction(entry.tool) !== null);
    if (context.task.proposal && done.length > 0) return report(deps, context, done);
    if (done.length > 0) return nextReservation(deps, context, done) ?? report(deps, context, done);
    const { text } = context.task;
    const { language } = context.session;
    const { intent: guess, confidence } = deps.nlu.classifyIntent(text, language);
    const preference = preferenceStep(deps, context, guess);
    if (preference) return preference;
    if (context.focus && deps.nlu.slots.readYesNo(text, language).kind === 'no')
      return say(deps.texts.for(language).say('nothing_changed'));
    const intent = intentOf(guess, confidence, context.focus);
    const change = namesReservation(deps, context) ? undefined : SUBSCRIPTION_CHANGES[intent];
    if (change) {
      const days = change === 'pause' ? findDays(text) : null;
      return call('update_subscription', { action: change, ...(days === null ? {} : { days }) });
    }
    const tool =
      intent === 'cancel_subscription' && !change ? 'cancel_reservation' : RESERVATION_TOOLS[intent];
    if (!tool)
      return say(deps.texts.for(language).say('clarify'), {
        focus: focusOn(context, 'action', 'unknown', []),
      });
    const listed = lastCall(context, 'get_reservations');
    if (!listed) return call('get_reservations');
    // One that is named by its id goes to the tool, also where the list may not be seen.
    if (!listed.ok && deps.nlu.slots.ids.find(text).length === 0) return sayWhy(deps, context, listed);
    return reservationStep(deps, context, tool);
  };
}

/** From here on a guess is taken for a wish of its own. */
const OWN_WISH = 0.6;
/** What replies to a question look like to the classifier. */
const REPLY_LIKE: ReadonlySet<string> = new Set([
  'affirm',
  'deny',
  'greeting',
  'thanks',
  'goodbye',
  'out_of_scope',
]);

/** A reply keeps the intent of the question it answers, unless it clearly asks for something else. */
function intentOf(guess: string, confidence: number, open: Focus | null): string {
  if (!open || open.intent === 'unknown' || RESERVATION_TOOLS[guess] === open.intent) return guess;
  const wish = guess in SUBSCRIPTION_CHANGES || guess in RESERVATION_TOOLS || confidence >= OWN_WISH;
  return wish && !REPLY_LIKE.has(guess) ? guess : open.intent;
}

const errorSchema = z.object({ code: z.string(), message: z.string(), reason: z.string().optional() });

/** What came of each change, one under the other. */
function report(deps: OfflineDeps, context: AgentContext, done: readonly ToolTrace[]): OfflineStep {
  const lines = done.map((entry) => {
    const tool = deps.roster.findAction(entry.tool);
    if (!entry.ok || !tool) return refusal(deps, context, entry);
    return tool.describe(
      tool.output.parse(entry.result),
      deps.texts.for(context.session.language),
      deps.time,
    );
  });
  return say([...new Set(lines)].join('\n'));
}

function refusal(deps: OfflineDeps, context: AgentContext, done: ToolTrace): string {
  const texts = deps.texts.for(context.session.language);
  const error = errorSchema.safeParse(done.result);
  const code = (error.success ? error.data.code : 'internal') as ErrorCode;
  if (code === 'confirmation_rejected') return texts.say('nothing_changed');
  if (code === 'pending_withdrawn' && error.success) return error.data.message;
  if (code === 'approval_rejected') {
    return declinedText(texts, (error.success && error.data.reason) || null);
  }
  if (code === 'not_found' && done.tool === 'update_subscription') return texts.sayOwn('no_subscription');
  if (code === 'not_found' && typeof done.args.reservation_id === 'string') {
    return texts.sayOwn('no_such_reservation', { mentioned: done.args.reservation_id, list: null });
  }
  return texts.sayOf('refusal', code);
}
