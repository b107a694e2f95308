import { spread } from '../report.js';
import {
  type Batch,
  batch,
  type Process,
  type Resource,
  randomNumbers,
  resource,
  Simulation,
  type Step,
} from './engine.js';

/** What was measured of one hub on PostgreSQL; times in milliseconds. */
export interface ServiceTimes {
  /** Processor time of a turn on its server. */
  readonly serverMs: number;
  /** Processor time of a turn in the database. */
  readonly databaseMs: number;
  /** Processor time of a turn in the program that asks, where it shares the machine. */
  readonly clientMs: number;
  /** What a turn says to the database, `BEGIN` and `COMMIT` among it. */
  readonly statements: number;
  /** Commits of a turn that wait for the disk. */
  readonly flushes: number;
  /** Those among them that store events, one at a time in the whole database, and notify all servers. */
  readonly notifying: number;
  readonly walBytes: number;
  readonly flushMs: number;
  /** Processor time of a server that hears of an event and reads it. */
  readonly hearingMs: number;
  /** Processor time of the database to tell one server. */
  readonly tellingMs: number;
  /** What a server says to the database in a second with nothing to do. */
  readonly idle: number;
}

/** What the hub stands on. */
export interface Installation {
  readonly servers: number;
  /** Processors of the database. */
  readonly databaseCores: number;
  /** Milliseconds to the database and back. */
  readonly roundTripMs: number;
  /** Where all, the program that asks too, share the processors of one machine: how many are free for them. */
  readonly sharedCores?: number;
  /** A server reads of events at most so often. */
  readonly hearEveryMs: number;
  /** Databases, each with its share of the servers and of the customers. Default: 1. */
  readonly shards?: number;
  /** False where events reach servers by another way than the database. Default: true. */
  readonly eventsByDatabase?: boolean;
}

/** What comes in: so many customers who ask again as soon as they are answered, or so many turns a second by chance. */
export type Load = { readonly customers: number } | { readonly perSecond: number };

/** What was seen. */
export interface Outcome {
  readonly perSecond: number;
  readonly median: number;
  readonly p95: number;
  /** Share of the time in which each was taken, from 0 to 1. */
  readonly busy: {
    readonly servers: number;
    readonly database: number;
    readonly events: number;
    readonly disk: number;
  };
}

/** Of one database. */
interface Hub {
  readonly threads: readonly Resource[];
  readonly cores: Resource | null;
  readonly client: Resource;
  readonly database: Resource;
  readonly events: Resource;
  readonly disk: Batch;
  /** Of how many commits each server has heard since it began to read. */
  readonly news: number[];
}

/** Turns before which nothing is counted. */
const WARM_UP = 0.25;
/** Statements that are played as one that takes as long as all of them. */
const TOGETHER = 4;
const SECOND = 1_000;
/** Of the commits that store events, the one with the answer is a transaction of more than one statement: lock, then commit. */
const WITH_ANSWER = 1;

/**
 * Plays turns against an installation until so many are answered.
 * @param seed the same one has the same outcome
 */
export function simulate(
  times: ServiceTimes,
  installation: Installation,
  load: Load,
  { turns, seed = 1 }: { readonly turns: number; readonly seed?: number },
): Outcome {
  const { servers, roundTripMs, sharedCores, shards = 1, eventsByDatabase = true } = installation;
  // Each shard is a hub of its own: what one does is what all do.
  const own = Math.max(1, Math.round(servers / shards));
  const simulation = new Simulation();
  const random = randomNumbers(seed);
  const cores = sharedCores === undefined ? null : resource(Math.max(1, Math.round(sharedCores)));
  /** A machine that others use too is slower by what they use. */
  const slower = cores === null ? 1 : cores.capacity / (sharedCores as number);
  const hub: Hub = {
    threads: Array.from({ length: own }, () => resource(1)),
    cores,
    client: resource(1),
    database: cores ?? resource(installation.databaseCores),
    events: resource(1),
    disk: batch(times.flushMs),
    news: Array.from({ length: own }, () => 0),
  };
  const perStatement = times.databaseMs / times.statements;
  const waited: number[] = [];
  const warmUp = Math.floor(turns * WARM_UP);
  const busyNow = () => ({
    servers: hub.threads.reduce((all, each) => all + simulation.busyMs(each), 0),
    database: simulation.busyMs(hub.database),
    events: simulation.busyMs(hub.events),
    disk: hub.disk.busyMs,
  });
  let [done, countedFrom, busyFrom] = [0, 0, busyNow()];

  function* on(thread: Resource, ms: number): Generator<Step, void> {
    if (hub.cores === null) return yield { use: thread, ms };
    yield { take: thread };
    yield { use: hub.cores, ms: ms * slower };
    simulation.give(thread);
  }
  function* ask(database = perStatement, together = 1): Generator<Step, void> {
    yield { wait: roundTripMs * together };
    yield { use: hub.database, ms: database * together * slower };
  }
  /** A server hears of events, and reads on; what comes while it reads is read at once after it. */
  function* hear(server: number): Process {
    hub.news[server] = (hub.news[server] ?? 0) + 1;
    if (hub.news[server] > 1) return;
    while (hub.news[server] > 0) {
      const heard: number = hub.news[server];
      const began = simulation.now;
      yield* ask(perStatement + times.tellingMs);
      yield* on(hub.threads[server] as Resource, times.hearingMs);
      yield { wait: Math.max(0, began + installation.hearEveryMs - simulation.now) };
      hub.news[server] = hub.news[server] > heard ? 1 : 0;
    }
  }
  function* storeEvents(server: number, scale: number, isAnswer: boolean): Generator<Step, void> {
    const thread = hub.threads[server] as Resource;
    yield* on(thread, scale * slice);
    yield { wait: roundTripMs };
    if (eventsByDatabase) yield { take: hub.events };
    yield { use: hub.database, ms: scale * perStatement * slower };
    if (isAnswer) {
      yield* on(thread, scale * slice);
      yield* ask(scale * perStatement);
    }
    yield { flush: hub.disk };
    if (!eventsByDatabase) return;
    simulation.give(hub.events);
    // The one that answers the customer reads them too.
    for (let other = 0; other < own; other += 1) simulation.start(hear(other));
  }
  const isNth = (at: number, of: number, count: number): boolean =>
    Math.floor(((at + 1) * count) / of) > Math.floor((at * count) / of);
  const slice = Math.max(0, times.serverMs - times.notifying * times.hearingMs) / times.statements;
  const statements = times.statements - times.notifying - WITH_ANSWER;
  const alone = Math.max(1, Math.round(statements / TOGETHER));
  const each = statements / alone;
  const plainFlushes = Math.max(0, times.flushes - times.notifying);

  function* turn(server: number): Process {
    const began = simulation.now;
    const thread = hub.threads[server] as Resource;
    // Some questions take more than others.
    const scale = 0.5 + random();
    if (hub.cores) yield* on(hub.client, times.clientMs);
    for (let at = 0; at < alone; at += 1) {
      yield* on(thread, scale * slice * each);
      yield* ask(scale * perStatement, each);
      if (isNth(at, alone, plainFlushes)) yield { flush: hub.disk };
      if (isNth(at, alone, times.notifying)) yield* storeEvents(server, scale, at + 1 === alone);
    }
    done += 1;
    if (done === warmUp) [countedFrom, busyFrom] = [simulation.now, busyNow()];
    if (done > warmUp) waited.push(simulation.now - began);
  }
  function* customer(server: number): Process {
    // Not all at once.
    yield { wait: random() * times.serverMs * 10 };
    for (;;) yield* turn(server);
  }
  function* arrivals(perSecond: number): Process {
    for (let at = 0; ; at += 1) {
      yield { wait: (-Math.log(1 - random()) * SECOND) / perSecond };
      simulation.start(turn(at % own));
    }
  }
  function* idle(): Process {
    yield { wait: (random() * SECOND) / times.idle };
    for (;;) {
      yield* ask();
      yield { wait: SECOND / times.idle };
    }
  }

  if (times.idle > 0) for (let each = 0; each < own; each += 1) simulation.start(idle());
  if ('customers' in load)
    for (let each = 0; each < load.customers / shards; each += 1) simulation.start(customer(each % own));
  else simulation.start(arrivals(load.perSecond / shards));
  simulation.run(() => done >= turns);

  const lasted = simulation.now - countedFrom;
  const busy = busyNow();
  const share = (kind: keyof typeof busy, units: number): number =>
    (busy[kind] - busyFrom[kind]) / lasted / units;
  const { median, p95 } = spread(waited);
  return {
    perSecond: ((waited.length * SECOND) / lasted) * shards,
    ...{ median, p95 },
    busy: {
      servers: share('servers', own),
      database: share('database', hub.database.capacity),
      events: share('events', 1),
      disk: share('disk', 1),
    },
  };
}
