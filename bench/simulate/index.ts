import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Measure, machine, plain } from '../report.js';
import { type Installation, type Outcome, type ServiceTimes, simulate } from './model.js';
import { measureServiceTimes, type Seen } from './service-times.js';

const KEPT = fileURLToPath(new URL('service-times.json', import.meta.url));
/** The servers of what is predicted, each with a processor of its own, beside a database with these. */
const DATABASE_CORES = 8;
const ROUND_TRIP_MS = 0.3;
/** As the product has it, see RemoteLiveEvents. */
const HEAR_EVERY_MS = 25;
const USUAL_INSTALLATION = {
  databaseCores: DATABASE_CORES,
  roundTripMs: ROUND_TRIP_MS,
  hearEveryMs: HEAR_EVERY_MS,
};
/** On one machine: through the loopback interface. */
const LOCAL_ROUND_TRIP_MS = 0.05;
/** Share of what is possible at which waiting is looked at. */
const USUAL = 0.7;
/** Those of the measurement. */
const CUSTOMERS = 6;
/** Customers that keep as many servers busy. */
const AT_ONCE = 16;
const AT_ONCE_IN_ALL = 200;
const SERVERS = [1, 2, 10, 50, 100, 200];
/** What one server makes where it has a processor to itself, see docs/limits.md. */
const QUIET_PER_SECOND = 56;

/** What was measured, and where. */
interface Kept {
  readonly measured: string;
  readonly machine: Readonly<Record<string, unknown>>;
  readonly times: ServiceTimes;
  readonly seen: readonly Seen[];
}

/**
 * Measures what a turn takes, see `measureServiceTimes`, and compares what one and two servers did with what the simulation
 * says of them. Writes bench-results/service-times.json.
 */
export async function serviceTimes(quick: boolean): Promise<readonly Measure[]> {
  const { times, seen } = await measureServiceTimes(quick ? 24 : 300, CUSTOMERS, quick ? 24 : 600);
  const kept: Kept = { measured: new Date().toISOString(), machine: machine(), times, seen };
  mkdirSync('bench-results', { recursive: true });
  writeFileSync('bench-results/service-times.json', `${JSON.stringify(kept, null, 2)}\n`);
  return [
    plain('a turn: processor time of its server', times.serverMs, 'ms'),
    plain('a turn: processor time of the database', times.databaseMs, 'ms'),
    plain('a turn: statements, BEGIN and COMMIT among them', times.statements, ''),
    plain('a turn: commits that wait for the disk', times.flushes, ''),
    plain('a turn: commits that notify all servers', times.notifying, ''),
    plain('a turn: write-ahead log', times.walBytes / 1_000, 'kB'),
    plain('the disk: one flush', times.flushMs, 'ms'),
    plain('a server that hears of events: processor time for each commit', times.hearingMs, 'ms'),
    plain('the database: processor time to tell one server of a commit', times.tellingMs, 'ms'),
    plain('a server with nothing to do: statements', times.idle, 'in a second'),
    ...compared(kept),
  ];
}

/**
 * From the figures that are kept in service-times.json: the same every time, without a database. Processor times as they were
 * measured, and as they are where a server has a processor to itself.
 */
export async function simulated(quick: boolean): Promise<readonly Measure[]> {
  const kept = JSON.parse(readFileSync(KEPT, 'utf8')) as Kept;
  const turns = quick ? 200 : 600;
  const quiet = faster(kept.times, kept.times.serverMs / (1_000 / QUIET_PER_SECOND));
  const predict = (times: ServiceTimes, name: string, given: Partial<Installation> & { servers: number }) => {
    const installation: Installation = { ...USUAL_INSTALLATION, ...given };
    const customers = Math.min(AT_ONCE * given.servers, AT_ONCE_IN_ALL);
    const most = simulate(times, installation, { customers }, { turns: turns + 3 * customers });
    const usual = simulate(times, installation, { perSecond: USUAL * most.perSecond }, { turns });
    return [
      plain(`${name}: most`, most.perSecond, 'turns/s', takenBy(most)),
      plain(
        `${name}: median, p95 at ${USUAL * 100} % of it`,
        usual.median,
        'ms',
        `p95 ${round(usual.p95)} ms`,
      ),
    ];
  };
  const servers = quick ? [1, 10] : SERVERS;
  const fifty = (name: string, more: Partial<Installation>) =>
    predict(quiet, `50 servers, ${name}`, { servers: 50, ...more });
  return [
    ...compared(kept),
    ...servers.flatMap((count) => predict(kept.times, `as measured, ${count} servers`, { servers: count })),
    ...servers.flatMap((count) => predict(quiet, `${count} servers`, { servers: count })),
    ...fifty('32 processors for the database', { databaseCores: 32 }),
    ...fifty('that read for each event', { hearEveryMs: 0 }),
    ...fifty('events by another way', { eventsByDatabase: false }),
    ...fifty('four databases', { shards: 4 }),
  ];
}

/** The same work on faster processors. */
function faster(times: ServiceTimes, by: number): ServiceTimes {
  const { serverMs, databaseMs, clientMs, hearingMs, tellingMs } = times;
  const processor = { serverMs, databaseMs, clientMs, hearingMs, tellingMs };
  return {
    ...times,
    ...(Object.fromEntries(
      Object.entries(processor).map(([name, ms]) => [name, ms / by]),
    ) as typeof processor),
  };
}

/** What was measured on one machine, beside what the simulation says of that machine. */
function compared({ times, seen }: Kept): readonly Measure[] {
  return seen.flatMap(({ servers, customers, perSecond, median, p95, freeCores }) => {
    const machine = { databaseCores: 0, roundTripMs: LOCAL_ROUND_TRIP_MS, sharedCores: freeCores };
    const installation = { servers, hearEveryMs: HEAR_EVERY_MS, ...machine };
    const said = simulate(times, installation, { customers }, { turns: 400 });
    const name = `${servers} ${servers === 1 ? 'server' : 'servers'}, ${customers} at once`;
    return [
      plain(`${name}: measured`, perSecond, 'turns/s', `${round(freeCores)} processors were free`),
      plain(`${name}: simulated against measured`, said.perSecond / perSecond, 'times'),
      plain(`${name}: median, measured`, median, 'ms'),
      plain(`${name}: median, simulated against measured`, said.median / median, 'times'),
      plain(`${name}: p95, measured`, p95, 'ms'),
      plain(`${name}: p95, simulated against measured`, said.p95 / p95, 'times'),
    ];
  });
}

/** How much of the time each was taken; a disk that is always taken writes for the more turns at once. */
function takenBy({ busy }: Outcome): string {
  const share = (value: number): string => `${Math.round(100 * value)} %`;
  const { servers, database, events, disk } = busy;
  return `servers ${share(servers)}, database ${share(database)}, events ${share(events)}, disk ${share(disk)}`;
}

const round = (value: number): number => Math.round(value * 100) / 100;
