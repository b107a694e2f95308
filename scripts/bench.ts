import { Command } from 'commander';
import {
  a2a,
  batch,
  calls,
  checkpoints,
  coldStart,
  long,
  mcp,
  mcpHttp,
  online,
  run,
  server,
  skills,
  turn,
} from '../bench/index.js';

/** Each measurement, and the clauses of test/e2e/requirements.ts it proves. */
const SUITES = {
  calls: { measure: calls, requirements: ['PERF-01', 'PERF-02', 'PERF-03'] },
  turn: { measure: turn, requirements: ['PERF-04'] },
  skills: { measure: skills, requirements: ['SKX-06'] },
  batch: { measure: batch, requirements: ['PERF-05'] },
  online: { measure: online, requirements: ['PERF-06'] },
  checkpoints: { measure: checkpoints, requirements: ['OPS-10'] },
  long: { measure: long, requirements: ['ATK-18'] },
  server: { measure: server, requirements: ['OPS-11', 'OPS-12', 'OPS-13', 'OPS-14'] },
  mcp: { measure: mcp, requirements: ['MCP-17'] },
  a2a: { measure: a2a, requirements: ['A2T-35'] },
  mcp_http: { measure: mcpHttp, requirements: ['MCH-12'] },
  cold: { measure: coldStart, requirements: ['PERF-07'] },
} as const;

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
    const chosen = Object.entries(SUITES)
      .filter(([name]) => only?.includes(name) ?? true)
      .map(([name, { measure }]) => [name, measure] as const);
    process.exitCode = (await run(Object.fromEntries(chosen), quick ?? false)) ? 0 : 1;
  });

await command.parseAsync();
// The measured parts leave timers of libraries behind.
process.exit();
