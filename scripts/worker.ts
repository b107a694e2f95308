import { availableParallelism } from 'node:os';
import { Command } from 'commander';
import { runCommand, wholeNumber } from '../src/surfaces/command.js';
import { runWorker } from '../src/surfaces/worker.js';

const command = new Command('worker')
  .description(
    'Does work that need not answer at once (parts of triage batches, mail, webhooks, what has expired) for all servers of HUB_DATABASE_URL, and serves nobody. SIGTERM stops it in good order.',
  )
  .option(
    '--processes <N>',
    'processes that classify where no model does (default: one a core)',
    wholeNumber('--processes', 1, 256),
    availableParallelism(),
  )
  .action(({ processes }: { readonly processes: number }) => runWorker(process, processes));

await runCommand(command, process.argv);
