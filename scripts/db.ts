import { Command } from 'commander';
import { showStatus } from '../src/surfaces/cli/database/database.js';
import { type CommandHost, isProgram, runCommand } from '../src/surfaces/command.js';

/** The command. @param host what it runs in */
export function databaseCommand(host: CommandHost): Command {
  const command = new Command('db').description('Looks at the database of HUB_DATABASE_URL.');
  command
    .command('status')
    .description('which migrations it has seen, and which are missing; changes nothing')
    .option('--json', 'as a JSON object; null where the hub keeps everything in HUB_DATA_DIR')
    .action((options: { json?: boolean }) => showStatus(host, options));
  return command;
}

if (isProgram(import.meta.url)) await runCommand(databaseCommand(process), process.argv);
