import { Counter, Gauge, Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import type { ToWorker } from '../../../src/surfaces/http/workers/figures.js';
import { SharedFigures } from '../../../src/surfaces/http/workers/figures.js';
import { NewestStreams, Restarts } from '../../../src/surfaces/http/workers/primary.js';

describe('the newest stream of several workers', () => {
  const watched = () => {
    const told: [number, ToWorker][] = [];
    return { told, streams: new NewestStreams((worker, message) => told.push([worker, message])) };
  };
  const replace = (token: string): ToWorker => ({ hub: 'replace', key: 'k', token });

  it('[WRK-01] wins, and of two at the same moment exactly one stays', () => {
    const { told, streams } = watched();
    streams.opened(1, 'k', 'a');
    streams.opened(2, 'k', 'b');
    expect(told).toEqual([[1, replace('a')]]);
    // The first worker says so only now: its stream is not the newest any more.
    streams.closed('k', 'a');
    streams.opened(1, 'k', 'c');
    expect(told.at(-1)).toEqual([2, replace('b')]);
    streams.opened(1, 'k', 'd');
    streams.opened(2, 'other', 'e');
    expect(told).toHaveLength(2);
  });

  it('[WRK-02] does not wait for a worker that is gone', () => {
    const { told, streams } = watched();
    streams.opened(1, 'k', 'a');
    streams.departed(1);
    streams.opened(2, 'k', 'b');
    expect(told).toEqual([]);
  });
});

describe('figures of several workers', () => {
  const snapshot = async (turns: number) => {
    const registry = new Registry();
    const registers = [registry];
    new Counter({ name: 'turns_total', help: 'h', labelNames: ['by'], registers }).inc({ by: 'x' }, turns);
    new Gauge({ name: 'open', help: 'h', registers }).set(1);
    new Gauge({ name: 'queue', help: 'h', registers, aggregator: 'first' }).set(7);
    new Gauge({ name: 'memory', help: 'h', registers, aggregator: 'omit' }).set(turns);
    // As it comes over the channel.
    return JSON.parse(JSON.stringify(await registry.getMetricsAsJSON())) as object[];
  };
  const lines = async (figures: SharedFigures) => (await figures.render()).text.split('\n');

  it('[WRK-01] are added up where that says something', async () => {
    const figures = new SharedFigures();
    figures.put(1, await snapshot(3));
    figures.put(2, await snapshot(4));
    expect(await lines(figures)).toEqual(
      expect.arrayContaining([
        'turns_total{by="x"} 7',
        'open 2',
        'queue 7',
        'memory{worker="1"} 3',
        'memory{worker="2"} 4',
      ]),
    );
  });

  it('[WRK-02] never fall because a worker dies', async () => {
    const figures = new SharedFigures();
    figures.put(1, await snapshot(3));
    figures.depart(1);
    figures.put(2, await snapshot(4));
    figures.depart(2);
    figures.depart(3);
    figures.put(4, await snapshot(1));
    const told = await lines(figures);
    expect(told).toEqual(
      expect.arrayContaining(['turns_total{by="x"} 8', 'open 1', 'hub_worker_restarts_total 3']),
    );
    expect(told.filter((line) => line.startsWith('memory{'))).toEqual(['memory{worker="4"} 1']);
  });
});

describe('workers that die', () => {
  it('[WRK-02] are replaced at once, ever later where they die in a row, and in the end not', () => {
    let now = 0;
    const restarts = new Restarts(() => now);
    const die = (worker: number, after: number): number | null => {
      restarts.served(worker);
      now += after;
      return restarts.died(worker);
    };
    expect([1, 2, 3, 4, 5, 6].map((worker) => die(worker, 10))).toEqual([
      100,
      500,
      2_000,
      8_000,
      30_000,
      null,
    ]);
    expect(die(7, 60_000)).toBe(100);
    expect(restarts.died(8)).toBe(500);
  });
});
