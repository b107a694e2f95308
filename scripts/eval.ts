import { Command, Option } from 'commander';
import type { EvalOptions } from '../src/surfaces/cli/eval/eval.js';
import { runCommand, wholeNumber, withConfig } from '../src/surfaces/command.js';

const command = new Command('eval')
  .description('Holds the conversations of the scenarios with the hub, and says how many of them were good.')
  .argument(
    '[SUITE...]',
    "names of files in the company's folder eval/, or paths (default: all of that folder)",
  )
  .option(
    '--k <N>',
    'how often each scenario is played, each time on fresh data',
    wholeNumber('--k', 1, 100),
    1,
  )
  .addOption(
    new Option('--provider <NAME>', 'whom the hub asks (default: as HUB_MODEL_PROVIDER)').choices([
      'offline',
      'openai',
    ]),
  )
  .option(
    '--baseline <FILE>',
    "report.json or baseline.json of another run to compare with (default offline: the company's eval/baseline.json)",
  )
  .option('--out <DIR>', 'where report.html, report.json and baseline.json go (default: nowhere)')
  .option('--concurrency <N>', 'conversations held at once', wholeNumber('--concurrency', 1, 64), 4)
  .option('--filter <TEXT>', 'only scenarios with this in id, category or sentence')
  .option('--real-sources', 'systems of sources.yaml without a stand_in may be asked and changed in earnest')
  .option('--json', 'the report as one line of JSON instead of the table')
  .addHelpText(
    'after',
    `
Exit code 1 where the pass rate of all, of a category or of a language is below that of the baseline.

Examples:
  npm run eval
  npm run eval -- withdrawal --filter pt --out eval-results
  npm run eval -- --provider openai --k 4 --baseline eval-results/report.json`,
  )
  .action(async (suites: string[], { provider, ...options }: EvalOptions & { provider?: string }) => {
    const set: Record<string, string> = provider === undefined ? {} : { HUB_MODEL_PROVIDER: provider };
    await withConfig(
      process,
      async (context) => {
        const { evaluate } = await import('../src/surfaces/cli/eval/eval.js');
        return evaluate(context, suites, options, () => performance.now());
      },
      { set },
    );
  });

await runCommand(command, process.argv);
