import { Command } from 'commander';
import { a2a } from './a2a.js';
import { articles } from './articles.js';
import { offlineBatch, onlineBatch } from './batch.js';
import { callsAndTokens } from './calls-and-tokens.js';
import { checkpointGrowth } from './checkpoint-growth.js';
import { coldStart } from './cold-start.js';
import { desk } from './desk.js';
import { engines } from './engines.js';
import { guardrail } from './guardrail.js';
import { longThread } from './long-thread.js';
import { manyTools } from './many-tools.js';
import { mcp } from './mcp.js';
import { mcpHttp } from './mcp-http.js';
import { type Measure, machine, table, writeJson } from './report.js';
import { server } from './server.js';
import { shift } from './shift.js';
import { serviceTimes, simulated } from './simulate/index.js';
import { skills } from './skills.js';
import { turnTime } from './turn-time.js';

interface Suite {
  readonly measure: (quick: boolean) => Promise<readonly Measure[]>;
  readonly requirements: readonly string[];
}

/** Each measurement, and the clauses of test/e2e/requirements.ts it proves. */
const SUITES: Readonly<Record<string, Suite>> = {
  calls: { measure: callsAndTokens, requirements: ['PERF-01', 'PERF-02', 'PERF-03'] },
  turn: { measure: turnTime, requirements: ['PERF-04'] },
  skills: { measure: skills, requirements: ['SKX-06'] },
  batch: { measure: offlineBatch, requirements: ['PERF-05'] },
  online: { measure: onlineBatch, requirements: ['PERF-06'] },
  checkpoints: { measure: checkpointGrowth, requirements: ['OPS-10'] },
  long: { measure: longThread, requirements: ['ATK-18'] },
  engines: { measure: engines, requirements: [] },
  server: { measure: server, requirements: ['OPS-11', 'OPS-12', 'OPS-13', 'OPS-14'] },
  desk: { measure: desk, requirements: ['SHF-62', 'SHF-63'] },
  shift: { measure: shift, requirements: ['SHF-64'] },
  mcp: { measure: mcp, requirements: ['MCP-17'] },
  a2a: { measure: a2a, requirements: ['A2T-35'] },
  mcp_http: { measure: mcpHttp, requirements: ['MCH-12'] },
  guardrail: { measure: guardrail, requirements: ['GRD-10'] },
  tools: { measure: manyTools, requirements: ['BYO-23'] },
  articles: { measure: articles, requirements: ['BYO-34'] },
  service: { measure: serviceTimes, requirements: [] },
  simulate: { measure: simulated, requirements: [] },
  cold: { measure: coldStart, requirements: ['PERF-07'] },
};

/**
 * Runs the suites one after another, so that none disturbs another's figures.
 * @returns true where every bar was reached
 */
async function run(suites: readonly (readonly [name: string, suite: Suite])[], quick: boolean) {
  const about = { machine: machine(), quick };
  const measures: Measure[] = [];
  for (const [name, { measure }] of suites) {
    process.stderr.write(`measuring: ${name}\n`);
    measures.push(...(await measure(quick)));
  }
  const path = writeJson(measures, { ...about, load_at_end: machine().load });
  const failed = measures.filter((measure) => measure.passed === false).length;
  process.stdout.write(`${table(measures)}\n\n${JSON.stringify(about.machine)}\n`);
  process.stdout.write(
    `${measures.length} figures in ${path}; ${failed === 0 ? 'every bar is reached' : `${failed} bars are missed`}\n`,
  );
  return failed === 0;
}

const command = new Command('bench')
  .description(
    'Measures the hub against what it must reach: prints a table, writes bench-results/bench.json.',
  )
  .option('--only <NAME...>', `some of: ${Object.keys(SUITES).join(', ')}`)
  .option(
    '--quick',
    'fewer repetitions, under a minute: tells that the benchmark works, not how fast the hub is',
  )
  .action(async ({ only, quick }: { only?: string[]; quick?: boolean }) => {
    const unknown = only?.find((name) => !(name in SUITES));
    if (unknown !== undefined) command.error(`there is no measurement named ${unknown}`, { exitCode: 2 });
    const chosen = Object.entries(SUITES).filter(([name]) => only?.includes(name) ?? true);
    process.exitCode = (await run(chosen, quick ?? false)) ? 0 : 1;
  });

await command.parseAsync();
// The measured parts leave timers of libraries behind.
process.exit();
