import { Command } from 'commander';
import { eraseCustomer, exportCustomer, withPrivacy } from '../src/surfaces/cli/privacy/privacy.js';
import { type CommandHost, isProgram, runCommand } from '../src/surfaces/command.js';

/** The command. @param host what it runs in */
export function privacyCommand(host: CommandHost): Command {
  const command = new Command('privacy').description(
    'Exports or erases everything that is held about one customer.',
  );

  command
    .command('export')
    .description('everything about a customer as one JSON')
    .argument('<EMAIL>')
    .option('--out <FILE>', 'into a file instead of standard output')
    .action((email: string, options: { out?: string }) =>
      withPrivacy(host, (context) => exportCustomer(context, email, options.out)),
    );

  command
    .command('erase')
    .description(
      'remove a customer everywhere, keep the books without a person, and search all files for what is left',
    )
    .argument('<EMAIL>')
    .option('--yes', 'do not ask; it cannot be undone')
    .option('--json', 'the report as a JSON object')
    .action((email: string, options: { yes?: boolean; json?: boolean }) =>
      withPrivacy(host, (context) => eraseCustomer(context, email, options)),
    );

  return command;
}

if (isProgram(import.meta.url)) await runCommand(privacyCommand(process), process.argv);
