import { describe, expect, it } from 'vitest';
import { spread } from '../../../bench/report.js';
import { batch, type Process, randomNumbers, resource, Simulation } from '../../../bench/simulate/engine.js';
import { type Installation, type ServiceTimes, simulate } from '../../../bench/simulate/model.js';

/** Customers by chance at desks that take a time by chance, as the textbooks have them. */
function queue(desks: number, perSecond: number, serviceMs: number): readonly number[] {
  const simulation = new Simulation();
  const random = randomNumbers(7);
  const chance = (mean: number): number => -Math.log(1 - random()) * mean;
  const desk = resource(desks);
  const waited: number[] = [];
  function* one(): Process {
    const began = simulation.now;
    yield { use: desk, ms: chance(serviceMs) };
    waited.push(simulation.now - began);
  }
  function* all(): Process {
    for (;;) {
      yield { wait: chance(1_000 / perSecond) };
      simulation.start(one());
    }
  }
  simulation.start(all());
  simulation.run(() => waited.length >= 100_000);
  return waited;
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, each) => sum + each, 0) / values.length;

const TIMES: ServiceTimes = {
  ...{ serverMs: 20, databaseMs: 10, clientMs: 0, statements: 60, flushes: 6, notifying: 3 },
  ...{ walBytes: 30_000, flushMs: 0.5, hearingMs: 0.2, tellingMs: 0.02, idle: 4 },
};
const ALONE: Installation = { servers: 1, databaseCores: 8, roundTripMs: 0.3, hearEveryMs: 0 };

describe('[PERF-12] the simulation of several servers', () => {
  it('waits as queues with one and with three desks wait by the formulas', () => {
    // M/M/1 at 80 %: 10 ms / (1 - 0.8). M/M/3 at 80 %, by Erlang C: 10 ms * (1 + 0.6472 / (3 * 0.2)).
    const [one, three] = [queue(1, 80, 10), queue(3, 240, 10)];
    expect(mean(one) / 50).toBeGreaterThan(0.95);
    expect(mean(one) / 50).toBeLessThan(1.05);
    expect(spread(one).p95 / (50 * Math.log(20))).toBeGreaterThan(0.93);
    expect(spread(one).p95 / (50 * Math.log(20))).toBeLessThan(1.07);
    expect(mean(three) / 20.79).toBeGreaterThan(0.95);
    expect(mean(three) / 20.79).toBeLessThan(1.05);
  });

  it('writes to the disk once for all that came while it was writing', () => {
    const simulation = new Simulation();
    const disk = batch(10);
    const ended: number[] = [];
    function* write(after: number): Process {
      yield { wait: after };
      yield { flush: disk };
      ended.push(simulation.now);
    }
    for (const after of [0, 1, 2, 9]) simulation.start(write(after));
    simulation.run(() => false);
    expect(ended).toEqual([10, 20, 20, 20]);
  });

  it('has the same outcome for the same seed', () => {
    const once = () => simulate(TIMES, ALONE, { perSecond: 30 }, { turns: 200, seed: 3 });
    expect(once()).toEqual(once());
  });

  it('answers a lone turn in the sum of what it takes', () => {
    const { median } = simulate({ ...TIMES, idle: 0 }, ALONE, { customers: 1 }, { turns: 400 });
    const sum = 20 + 10 + 60 * 0.3 + 6 * 0.5;
    expect(median / sum).toBeGreaterThan(0.95);
    expect(median / sum).toBeLessThan(1.1);
  });

  it('says what is at its end first: a server, the database, the lock of the events', () => {
    const most = (times: Partial<ServiceTimes>, installation: Partial<Installation>) =>
      simulate({ ...TIMES, ...times }, { ...ALONE, ...installation }, { customers: 60 }, { turns: 1_500 });
    const server = most({}, {});
    expect(server.busy.servers).toBeGreaterThan(0.97);
    // All of a turn but the reading of events, which comes once for several where there is much to do.
    expect(server.perSecond).toBeLessThan(53);
    const database = most({}, { servers: 20, databaseCores: 1 });
    expect(database.busy.database).toBeGreaterThan(0.9);
    expect(database.perSecond).toBeLessThan(100);
    const events = most({ flushMs: 5 }, { servers: 20 });
    expect(events.busy.events).toBeGreaterThan(0.97);
    // Three commits a turn, each of which has the lock while the disk writes.
    expect(events.perSecond).toBeLessThan(1_000 / (3 * 5));
    const often = most({}, { servers: 40, databaseCores: 2 });
    // Each server reads for each event of all of them, unless it waits a moment for the next ones.
    const seldom = most({}, { servers: 40, databaseCores: 2, hearEveryMs: 25 });
    expect(seldom.perSecond / often.perSecond).toBeGreaterThan(1.2);
    const elsewhere = most({ flushMs: 5 }, { servers: 20, eventsByDatabase: false });
    expect(elsewhere.perSecond).toBeGreaterThan(2 * events.perSecond);
  });

  it('is as slow as what other programs leave of a machine', () => {
    const shared = (sharedCores: number) =>
      simulate(TIMES, { ...ALONE, databaseCores: 0, sharedCores }, { customers: 12 }, { turns: 300 });
    expect(shared(1).perSecond / shared(0.5).perSecond).toBeGreaterThan(1.7);
    expect(shared(2).perSecond / shared(1).perSecond).toBeGreaterThan(1.2);
  });
});
