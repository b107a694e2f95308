import { Command } from 'commander';
import { type ChatOptions, chat } from '../src/surfaces/cli/chat/chat.js';
import { type CommandHost, isProgram, runCommand, withApp } from '../src/surfaces/command.js';

/** The command. @param host what it runs in */
export function chatCommand(host: CommandHost): Command {
  return new Command('chat')
    .description(
      'Talks to a customer: at a prompt, or one message a line where standard input is no terminal.',
    )
    .option('--as <EMAIL>', 'the customer who is speaking; without it the session is anonymous')
    .option('--thread <ID>', 'continue a conversation')
    .option('--json', 'one JSON object an answer, on one line')
    .addHelpText(
      'after',
      `
Without a terminal, blank lines are skipped, /approve ID and /reject ID REASON decide what waits for an operator, and
the exit code is 1 where a line could not be answered.

Examples:
  npm run chat -- --as ana.souza@example.com
  echo "How do I pause my plan?" | npm run -s chat -- --json`,
    )
    .action((options: ChatOptions) =>
      withApp(host, (context) => chat(context, options), { asksIndex: true }),
    );
}

if (isProgram(import.meta.url)) await runCommand(chatCommand(process), process.argv);
