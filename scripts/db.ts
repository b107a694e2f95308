import { Command } from 'commander';
import { copy, migrate, showStatus } from '../src/surfaces/cli/database/database.js';
import { type CommandHost, isProgram, runCommand } from '../src/surfaces/command.js';

/** The command. @param host what it runs in */
export function databaseCommand(host: CommandHost): Command {
  const command = new Command('db').description('Looks after the database on PostgreSQL.');
  command
    .command('status')
    .description('which migrations it has seen, and which are missing; changes nothing')
    .option('--json', 'as a JSON object; null where the hub keeps everything in HUB_DATA_DIR')
    .action((options: { json?: boolean }) => showStatus(host, options));
  command
    .command('migrate')
    .description('applies what is missing; every start does so too')
    .action(() => migrate(host));
  command
    .command('copy')
    .description(
      'takes the conversations of a directory, with what waits, to an empty database on PostgreSQL, or back',
    )
    .requiredOption('--from <dir or url>', 'what is copied; no hub may run on it')
    .requiredOption(
      '--to <url or dir>',
      'postgres://user:password@host:5432/database; back: a data directory',
    )
    .option('--verify', 'compares everything once more at the end, before it may be used')
    .action((options: { from: string; to: string; verify?: boolean }) => copy(host, options));
  return command;
}

if (isProgram(import.meta.url)) await runCommand(databaseCommand(process), process.argv);
