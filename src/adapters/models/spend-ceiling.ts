import type { Metrics, Spend, SpendLedger, SpendMonth } from '../../core/ports/metrics.js';
import type { Clock, Log } from '../../core/ports/system.js';
import { wallClockOf } from '../../core/wall-clock.js';

interface SpendCeilingOptions {
  readonly ledger: SpendLedger;
  /** US dollars; undefined: no ceiling. */
  readonly perTicketUsd: number | undefined;
  readonly perMonthUsd: number | undefined;
  /** IANA name; where a month begins. */
  readonly timeZone: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'ceiling'>;
}

/** Tickets whose ceiling was told; beyond that the oldest is told again. */
const MAX_REPORTED = 10_000;
/** Sums of fractions of a cent are a little off. */
const SLACK_USD = 1e-9;

/** Holds model calls back once as much was spent as was allowed, and says so: once a ticket and once a month in the log. */
export function createSpendCeiling(options: SpendCeilingOptions): Spend {
  const { ledger, perTicketUsd, perMonthUsd, clock, log, metrics } = options;
  const monthOf = months(options.timeZone);
  const logged = new Set<string>();
  const reach = (
    scope: 'ticket' | 'month',
    name: string,
    ticketId: string | null,
    spent: number,
    limit: number,
  ) => {
    metrics.ceiling(scope);
    const key = `${scope}:${name}`;
    if (!logged.has(key)) {
      if (logged.size >= MAX_REPORTED) logged.delete([...logged][0] ?? '');
      logged.add(key);
      const details = {
        scope,
        name,
        spent_usd: spent,
        ceiling_usd: limit,
        effect: 'answers are written offline',
      };
      log.warn({ agent: 'models', action: 'spend_ceiling_reached', ticketId, details });
    }
    return scope;
  };
  return {
    async reached(ticketId) {
      if (perTicketUsd !== undefined && ticketId !== null) {
        const spent = await ledger.ticket(ticketId);
        if (spent >= perTicketUsd - SLACK_USD)
          return reach('ticket', ticketId, ticketId, spent, perTicketUsd);
      }
      if (perMonthUsd !== undefined) {
        const month = monthOf(clock.now());
        const spent = await ledger.month(month);
        if (spent >= perMonthUsd - SLACK_USD) return reach('month', month.name, ticketId, spent, perMonthUsd);
      }
      return null;
    },
    add(ticketId, costUsd) {
      if (!(costUsd > 0)) return;
      ledger.add(monthOf(clock.now()), ticketId, costUsd).catch((error: unknown) => {
        log.error(
          { agent: 'models', action: 'spend_not_kept', ticketId, details: { cost_usd: costUsd } },
          error,
        );
      });
    },
  };
}

/** The calendar month a moment lies in, by the clocks of a time zone. */
function months(timeZone: string): (now: Date) => SpendMonth {
  const clock = wallClockOf(timeZone);
  return (now) => {
    const local = new Date(clock.shown(now.getTime()));
    const [year, month] = [local.getUTCFullYear(), local.getUTCMonth()];
    const startOf = (at: number): string => new Date(clock.instant(Date.UTC(year, at, 1))).toISOString();
    return {
      name: `${year}-${String(month + 1).padStart(2, '0')}`,
      from: startOf(month),
      to: startOf(month + 1),
    };
  };
}
