import { Command } from 'commander';
import { runCommand, withConfig } from '../src/surfaces/command.js';

const command = new Command('company').description(
  'The company whose hub this is, as its folder describes it.',
);

command
  .command('check')
  .description(
    'every fault of its files and code and every gap, each with its file, its place and what to do',
  )
  .argument('[NAME|PATH]', 'another company than that of HUB_COMPANY')
  .option('--json', 'as one line of JSON')
  .addHelpText('after', '\nExit code 1 where there is a fault; warnings alone are 0.')
  .action((company: string | undefined, options: { json?: boolean }) =>
    withConfig(
      process,
      async (context) => {
        const { checkCommand } = await import('../src/surfaces/cli/company/company.js');
        return checkCommand(context, options);
      },
      { set: company === undefined ? {} : { HUB_COMPANY: company } },
    ),
  );

await runCommand(command, process.argv);
