import { cultpassPolicySchema } from '../../../companies/cultpass/policy/policy.js';
import { readPolicy } from '../../../src/company/company.js';
import type { Session, ToolTrace } from '../../../src/core/domain/session.js';
import { TimeFormat } from '../../../src/core/i18n/index.js';
import { unsupportedIn } from '../../../src/graph/claims/check.js';
import { TurnEvidence } from '../../../src/graph/claims/turn-evidence.js';
import { createStatementReader } from '../../../src/nlu/index.js';
import { createAnalyzer } from '../../../src/rag/index.js';
import { CULTPASS } from '../../support/company.js';
import { ROSTER } from '../../support/roster.js';

const statements = await createStatementReader(createAnalyzer());
const policy = readPolicy(
  new URL('../../../companies/cultpass/policy.yaml', import.meta.url).pathname,
  cultpassPolicySchema,
);
const session: Session = {
  turnId: 't1',
  ticketId: 'k1',
  threadId: 'h1',
  graphThreadId: 'h1',
  channel: 'chat',
  identity: { kind: 'anonymous' },
  customerName: null,
  language: 'en',
  unsupportedLanguage: null,
  memory: null,
  lastReply: null,
  previousMessage: null,
};
/** One call of a tool. */
export const call = (tool: string, result: unknown, ok = true): ToolTrace => ({
  ...{ callId: tool, agent: 'action', task: 0, tool, args: {}, ok, result, paused: false },
});
/** A customer with two bookings, of which one is to come. */
export const RECORD = call('get_customer_context', {
  subscription: {
    status: 'active',
    tier: 'basic',
    monthly_quota: 2,
    started_at: '2026-01-05T12:00:00Z',
    ended_at: null,
  },
  quota: { monthly_quota: 2, used: 1, remaining: 1, resets_at: '2026-12-01T03:00:00Z' },
  reservations: [
    {
      reservation_id: 'r1',
      title: 'Lisbon Fado Hour',
      starts_at: '2026-11-28T22:00:00Z',
      status: 'reserved',
      upcoming: true,
      paid_cents: 8_500,
      refund: null,
    },
    {
      ...{
        reservation_id: 'r2',
        title: 'Tango Matinee',
        starts_at: '2026-11-20T22:00:00Z',
        status: 'cancelled',
        upcoming: false,
      },
      ...{
        paid_cents: 4_200,
        refund: { amount_cents: 4_200, status: 'completed', created_at: '2026-11-18T12:00:00Z' },
      },
    },
  ],
});
/** The one to come, cancelled in this turn. */
export const CANCELLED = call('cancel_reservation', {
  reservation_id: 'r1',
  title: 'Lisbon Fado Hour',
  status: 'cancelled',
  refund_cents: 8_500,
});

const evidenceFor = (
  trace: readonly ToolTrace[],
  asked: string,
  { company, roster }: { company: typeof CULTPASS; roster: typeof ROSTER },
  language = 'en',
) =>
  new TurnEvidence({
    ...{ trace, session: { ...session, language }, asked, policy, company, roster, statements, ending: '' },
    ...{ now: new Date('2026-11-22T10:31:00Z'), time: new TimeFormat('America/Sao_Paulo') },
  });
/** A small word that only its sentences have. */
const PORTUGUESE = /(?<!\p{L})(?:foi|uma?|seu|sua|há|às|você)(?!\p{L})/iu;
const CULT = { company: CULTPASS, roster: ROSTER };

/** What the guardrail says of an answer; null where it may be sent. */
export const fault = (
  text: string,
  trace: readonly ToolTrace[],
  asked = 'And my bookings?',
  company: { company: typeof CULTPASS; roster: typeof ROSTER } = CULT,
) => unsupportedIn(text, evidenceFor(trace, asked, company))?.kind ?? null;

/** The words of an answer on a record that are wrong; null where it may be sent. */
export const wrong = (text: string, trace: readonly ToolTrace[], asked = 'And?') =>
  unsupportedIn(text, evidenceFor(trace, asked, CULT, PORTUGUESE.test(text) ? 'pt-BR' : 'en'))?.what ?? null;
