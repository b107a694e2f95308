import type { Clock } from '../../core/ports/clock.js';
import type { Log } from '../../core/ports/log.js';
import type { Metrics } from '../../core/ports/metrics.js';
import type { Spend, SpendLedger, SpendMonth } from '../../core/ports/operations.js';

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
const MAX_TOLD = 10_000;
/** Sums of fractions of a cent are a little off. */
const SLACK_USD = 1e-9;

/** Holds model calls back once as much was spent as was allowed, and says so: once a ticket and once a month in the log. */
export function createSpendCeiling(options: SpendCeilingOptions): Spend {
  const { ledger, perTicketUsd, perMonthUsd, clock, log, metrics } = options;
  const monthOf = months(options.timeZone);
  const told = new Set<string>();
  const reach = (
    scope: 'ticket' | 'month',
    name: string,
    ticketId: string | null,
    spent: number,
    limit: number,
  ) => {
    metrics.ceiling(scope);
    const key = `${scope}:${name}`;
    if (!told.has(key)) {
      if (told.size >= MAX_TOLD) told.delete([...told][0] ?? '');
      told.add(key);
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
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  const wallClock = (at: Date): number => {
    const read = Object.fromEntries(parts.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = read;
    return Date.UTC(year, month - 1, day, hour, minute, second);
  };
  /** The moment whose wall clock reads so; twice, because the offset at the guess may be another one. */
  const moment = (wall: number): Date => {
    let at = new Date(wall);
    for (let pass = 0; pass < 2; pass += 1) at = new Date(at.getTime() + wall - wallClock(at));
    return at;
  };
  return (now) => {
    const local = new Date(wallClock(now));
    const [year, month] = [local.getUTCFullYear(), local.getUTCMonth()];
    return {
      name: `${year}-${String(month + 1).padStart(2, '0')}`,
      from: moment(Date.UTC(year, month, 1)).toISOString(),
      to: moment(Date.UTC(year, month + 1, 1)).toISOString(),
    };
  };
}
