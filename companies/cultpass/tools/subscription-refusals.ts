import type { ActionPlan, SessionView, ToolDeps } from '../../../src/runtime/define-tool.js';
import { SAO_PAULO_OFFSET_MS } from '../data/calendar-month.js';
import type { Subscription } from '../data/records.js';
import type { denied } from '../policy/policy.js';
import type { CultpassDeps } from './cultpass-deps.js';

type Deps = Pick<ToolDeps, 'clock' | 'time' | 'texts'>;
type Refusal = Extract<ActionPlan, { kind: 'denied' }>;

/** A change of the subscription as it was asked for. */
interface WantedChange {
  readonly action: 'pause' | 'resume' | 'cancel';
  readonly days?: number | undefined;
  /** ISO day on which it is to begin. */
  readonly from?: string | undefined;
}

const DAY_MS = 86_400_000;

/** When a pause that begins now is over. */
export function pauseEnd(now: Date, days: number): Date {
  return new Date(now.getTime() + days * DAY_MS);
}

/** What is said where the subscription is not in a state for it: why, and what the customer can do instead. */
export function refusedChange(
  { policy }: CultpassDeps,
  { time, texts }: Deps,
  { code }: ReturnType<typeof denied>,
  { action: change }: WantedChange,
  subscription: Subscription | null,
  language: SessionView['language'],
): Refusal {
  const refusal = { kind: 'denied', code } as const;
  const own = texts.for(language);
  if (code === 'policy_denied') {
    const longest = policy.subscription.pause_max_days;
    const offer = { tool: 'update_subscription', args: { action: 'pause', days: longest } };
    return { ...refusal, said: own.sayOwn('pause_too_long', { longest }), offer };
  }
  if (!subscription || (code !== 'already_done' && code !== 'wrong_status')) return refusal;
  const { status, endedAt } = subscription;
  const date = endedAt === null ? null : time.date(endedAt, language);
  const said = own.sayOwn('subscription_refused', { change, status, date });
  const offer = { tool: 'update_subscription', args: { action: 'resume' } };
  return { ...refusal, said, ...(change === 'pause' && status === 'paused' ? { offer } : {}) };
}

/**
 * What is said where a pause is to begin, or to end, on a later day: neither is planned ahead. It may begin or end at once.
 * @returns null where it is to be today, or no day is named
 */
export function laterChange(
  { policy }: CultpassDeps,
  { clock, time, texts }: Deps,
  { action, days, from }: WantedChange,
  language: SessionView['language'],
): Refusal | null {
  const now = clock.now();
  const begins =
    action !== 'cancel' && from !== undefined ? new Date(Date.parse(from) + SAO_PAULO_OFFSET_MS) : now;
  if (begins.getTime() <= now.getTime()) return null;
  const own = texts.for(language);
  const day = time.date(begins.toISOString(), language);
  if (action === 'resume') {
    const offer = { tool: 'update_subscription', args: { action } };
    return { kind: 'denied', code: 'policy_denied', said: own.sayOwn('resume_later', { from: day }), offer };
  }
  const length = days ?? policy.subscription.pause_default_days;
  const ends = pauseEnd(begins, length);
  const whole = Math.ceil((ends.getTime() - now.getTime()) / DAY_MS);
  const isShort = whole <= policy.subscription.pause_max_days;
  const said = own.sayOwn('pause_later', {
    from: day,
    until: time.date(ends.toISOString(), language),
    days: whole,
    longest: policy.subscription.pause_max_days,
    fits: isShort,
  });
  const offer = { tool: 'update_subscription', args: { action: 'pause', days: whole } };
  return { kind: 'denied', code: 'policy_denied', said, ...(isShort ? { offer } : {}) };
}
