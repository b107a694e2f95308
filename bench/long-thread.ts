import { runCommand } from './child.js';
import type { LongThreadResult } from './long-thread-child.js';
import { barred, type Measure, plain } from './report.js';

/**
 * What a turn costs in a conversation that is long already, beside one of a short conversation at the same moment, and
 * what a process holds after very many turns.
 */
export async function longThread(quick: boolean): Promise<readonly Measure[]> {
  const points = quick ? [10, 200] : [10, 200, 1_000, 5_000];
  const total = quick ? 700 : 20_000;
  const { code, stdout, stderr, peakMb } = await runCommand(
    '../bench/long-thread-child',
    [points.join(','), String(total)],
    {},
  );
  if (code !== 0) throw new Error(`The long conversation broke off: ${stderr}`);
  const result = JSON.parse(stdout) as LongThreadResult;
  return [
    ...result.points.flatMap(({ turns, long, short }) => [
      plain(`turn after ${turns} turns: median processor time`, long, 'ms'),
      plain(`turn of a short conversation meanwhile: median processor time`, short, 'ms'),
      // To two places: the bar lies between two tenths.
      barred(`turn after ${turns} turns / short conversation`, (100 * long) / short, '%', { atMost: 115 }),
    ]),
    barred(`resident memory after ${total} turns`, result.rssMb, 'MB', { atMost: 600 }),
    plain(`resident memory within ${total} turns, at most`, peakMb, 'MB'),
  ];
}
