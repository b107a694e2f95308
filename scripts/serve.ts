import { Command } from 'commander';
import { runCommand, withApp } from '../src/surfaces/command.js';
import { serve } from '../src/surfaces/http/serve.js';

/** For what is left to do when the last turn has ended. */
const PUT_AWAY_MS = 5_000;

const command = new Command('start')
  .description(
    'The server: web chat (/), desk (/desk), HTTP API (/docs). PORT and HUB_HOST say where; SIGTERM stops it in good order.',
  )
  .action(() =>
    withApp(process.env, serve, {
      checkpointer: 'sqlite',
      measure: true,
      graceMs: ({ server }) => server.stopSeconds * 1_000 + PUT_AWAY_MS,
    }),
  );

await runCommand(command, process.argv);
