import { runCommand } from './child.js';
import type { LongThreadResult } from './long-thread-child.js';
import { barred, type Measure, plain } from './report.js';
import { load, withServer } from './server.js';
import { openConversations } from './server-client.js';
import type { ServerProcess } from './server-process.js';

const CONNECTIONS = 8;

/**
 * What a turn costs in a conversation that is long already, beside one of a short conversation at the same moment, and
 * what a serving process holds after very many turns.
 */
export async function longThread(quick: boolean): Promise<readonly Measure[]> {
  return [
    ...(await costs(quick ? [10, 200] : [10, 200, 1_000, 5_000])),
    ...(await withServer((hub) => memory(hub, quick ? 700 : 20_000))),
  ];
}

async function costs(points: readonly number[]): Promise<readonly Measure[]> {
  const { code, stdout, stderr } = await runCommand('../bench/long-thread-child', [points.join(',')], {});
  if (code !== 0) throw new Error(`The long conversation broke off: ${stderr}`);
  const result = JSON.parse(stdout) as LongThreadResult;
  return result.points.flatMap(({ turns, long, short }) => [
    plain(`turn after ${turns} turns: median processor time`, long, 'ms'),
    plain(`turn of a short conversation meanwhile: median processor time`, short, 'ms'),
    // To two places: the bar lies between two tenths.
    barred(`turn after ${turns} turns / short conversation`, (100 * long) / short, '%', { atMost: 115 }),
  ]);
}

/** The real server over HTTP; of one process, so that all turns are its own. */
async function memory(hub: ServerProcess, total: number): Promise<readonly Measure[]> {
  const conversations = await openConversations(hub.url, CONNECTIONS);
  const started = hub.memoryMb();
  const { errors, timeouts, non2xx, requests } = await load(hub.url, conversations, { amount: total });
  return [
    barred(
      'server: turns that failed',
      errors + timeouts + non2xx,
      '',
      { atMost: 0 },
      `${requests.total} turns`,
    ),
    plain('server: resident memory when it has started', started, 'MB'),
    barred(`server: resident memory after ${total} turns`, hub.memoryMb(), 'MB', { atMost: 600 }),
    barred(`server: resident memory within ${total} turns, at most`, hub.peakMb(), 'MB', { atMost: 600 }),
  ];
}
