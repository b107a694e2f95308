import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from './child.js';
import { barred, type Measure, plain, spread } from './report.js';

/** From the start of the chat command to its first answer, on a directory that is prepared. */
export async function coldStart(quick: boolean): Promise<readonly Measure[]> {
  const dir = mkdtempSync(join(tmpdir(), 'hub-bench-'));
  const env = { HUB_DATA_DIR: dir, HUB_MODEL_PROVIDER: 'offline' };
  const times: number[] = [];
  let prepareMs = 0;
  for (let run = 0; run <= (quick ? 1 : 3); run += 1) {
    const { code, firstLineMs, stderr } = await runCommand('chat', [], env, 'How do I pause my plan?\n');
    if (code !== 0) throw new Error(`npm run chat ended with ${code}:\n${stderr.slice(-2_000)}`);
    if (run === 0) prepareMs = firstLineMs;
    else times.push(firstLineMs);
  }
  rmSync(dir, { recursive: true, force: true });
  return [
    plain('first start ever: first answer', prepareMs, 'ms', 'makes the databases and the index'),
    barred('cold start: first answer', spread(times).median, 'ms', { atMost: 3_000 }),
  ];
}
