import { type Measure, machine, table, writeJson } from './report.js';

export { a2a } from './a2a.js';
export { offlineBatch as batch, onlineBatch as online } from './batch.js';
export { callsAndTokens as calls } from './calls-and-tokens.js';
export { checkpointGrowth as checkpoints } from './checkpoint-growth.js';
export { coldStart } from './cold-start.js';
export { longThread as long } from './long-thread.js';
export { mcp } from './mcp.js';
export { mcpHttp } from './mcp-http.js';
export { server } from './server.js';
export { skills } from './skills.js';
export { turnTime as turn } from './turn-time.js';

export type Suite = (quick: boolean) => Promise<readonly Measure[]>;

/**
 * Runs the suites one after another, so that none disturbs another's figures.
 * @returns true where every bar was reached
 */
export async function run(suites: Readonly<Record<string, Suite>>, quick: boolean): Promise<boolean> {
  const about = { machine: machine(), quick };
  const measures: Measure[] = [];
  for (const [name, suite] of Object.entries(suites)) {
    process.stderr.write(`measuring: ${name}\n`);
    measures.push(...(await suite(quick)));
  }
  const path = writeJson(measures, { ...about, load_at_end: machine().load });
  const failed = measures.filter((measure) => measure.passed === false).length;
  process.stdout.write(`${table(measures)}\n\n${JSON.stringify(about.machine)}\n`);
  process.stdout.write(
    `${measures.length} figures in ${path}; ${failed === 0 ? 'every bar is reached' : `${failed} bars are missed`}\n`,
  );
  return failed === 0;
}
