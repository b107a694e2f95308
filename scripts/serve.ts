import { Command } from 'commander';
import { runCommand } from '../src/surfaces/command.js';
import { runServer } from '../src/surfaces/http/run-server.js';

const command = new Command('start')
  .description(
    'The server: web chat (/), desk (/desk), HTTP API (/docs). PORT and HUB_HOST say where; SIGTERM stops it in good order.',
  )
  .action(() => runServer(process));

await runCommand(command, process.argv);
