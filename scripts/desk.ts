import { Command } from 'commander';
import {
  argsOf,
  changeTicket,
  choose,
  type DeskOptions,
  decide,
  operatorOf,
  showApprovals,
  showQueue,
  showTicket,
  writeOn,
} from '../src/surfaces/cli/desk/desk.js';
import {
  type CommandContext,
  type CommandHost,
  isProgram,
  runCommand,
  wholeNumber,
  withApp,
} from '../src/surfaces/command.js';

/** The command. @param host what it runs in */
export function deskCommand(host: CommandHost): Command {
  // What waits was left by the server or a chat that has ended: the desk works on what is on disk.
  const run = (work: (context: CommandContext) => Promise<number>) =>
    withApp(host, work, { checkpointer: 'sqlite' });

  const command = new Command('desk').description(
    "The operator's side: tickets that wait for a person, and actions that wait for a yes.",
  );

  command
    .command('queue')
    .description('tickets that wait for an operator, most pressing first')
    .option('--limit <N>', 'at most so many', wholeNumber('--limit', 1, 10_000), 200)
    .option('--json', 'as a JSON array')
    .action((options: DeskOptions & { limit: number }) =>
      run((context) => showQueue(context, options, options.limit)),
    );

  command
    .command('show')
    .description('one ticket: triage, messages, what was tried, what remains')
    .argument('<TICKET>')
    .option('--json', 'as a JSON object')
    .action((ticket: string, options: DeskOptions) => run((context) => showTicket(context, ticket, options)));

  command
    .command('approvals')
    .description('actions that wait for a decision')
    .option('--json', 'as a JSON array')
    .action((options: DeskOptions) => run((context) => showApprovals(context, options)));

  /** A command of an operator who says who they are. */
  const act = (name: string, description: string) =>
    command
      .command(name)
      .description(description)
      .option('--as <NAME>', 'who acts (default: Terminal operator)')
      .option('--json', 'the outcome as a JSON object');

  act('approve', 'allow an action; it is carried out at once and the customer is told')
    .argument('<ID>')
    .action((id: string, options: DeskOptions) =>
      run((context) => decide(context, options, (desk, operator) => desk.approve(id, operator))),
    );

  act('reject', 'refuse an action; the customer is told the reason')
    .argument('<ID>')
    .requiredOption('--reason <TEXT>', 'why, in words for the customer')
    .action((id: string, { reason, ...options }: DeskOptions & { reason: string }) =>
      run((context) => decide(context, options, (desk, operator) => desk.reject(id, operator, reason))),
    );

  act('edit', 'allow an action with other arguments; they pass the rules like any call')
    .argument('<ID>')
    .requiredOption('--args <JSON>', 'the arguments, as a JSON object')
    .option('--reason <TEXT>', 'why, for the record')
    .action((id: string, { args, reason, ...options }: DeskOptions & { args: string; reason?: string }) =>
      run((context) =>
        decide(context, options, (desk, operator) => desk.edit(id, operator, argsOf(args), reason)),
      ),
    );

  act('choose', 'answer the question of an investigation that waits: A, B, C, ...')
    .argument('<TICKET>')
    .argument('<OPTION>')
    .action((ticket: string, option: string, options: DeskOptions) =>
      run((context) => choose(context, ticket, option, options)),
    );

  const change = (
    named: string,
    options: DeskOptions,
    said: string,
    work: Parameters<typeof changeTicket>[3],
  ) => run((context) => changeTicket(context, options, { named, said }, work));
  const write = (named: string, options: DeskOptions, said: string, work: Parameters<typeof writeOn>[3]) =>
    run((context) => writeOn(context, options, { named, said }, work));

  act('claim', 'take the conversation of a ticket; the hub is silent there from now on')
    .argument('<TICKET>')
    .action((ticket: string, options: DeskOptions) =>
      change(ticket, options, `claimed by ${operatorOf(options).name}`, (desk, id, operator) =>
        desk.claim(id, operator),
      ),
    );

  act('release', 'put a ticket back into the queue')
    .argument('<TICKET>')
    .action((ticket: string, options: DeskOptions) =>
      change(ticket, options, 'back in the queue', (desk, id, operator) => desk.release(id, operator)),
    );

  act('reply', 'say something to the customer of a ticket that you have claimed')
    .argument('<TICKET>')
    .argument('<TEXT>')
    .action((ticket: string, text: string, options: DeskOptions) =>
      write(ticket, options, 'The customer is told', (desk, id, operator) => desk.reply(id, operator, text)),
    );

  act('note', 'keep a note that only operators see')
    .argument('<TICKET>')
    .argument('<TEXT>')
    .action((ticket: string, text: string, options: DeskOptions) =>
      write(ticket, options, 'Noted', (desk, id, operator) => desk.note(id, operator, text)),
    );

  act('resolve', 'end a ticket that you have claimed')
    .argument('<TICKET>')
    .option('--text <TEXT>', 'a last word to the customer')
    .option('--summary <TEXT>', 'how it ended, for the long-term memory')
    .action(
      (ticket: string, { text, summary, ...options }: DeskOptions & { text?: string; summary?: string }) =>
        change(ticket, options, 'resolved', (desk, id, operator) =>
          desk.resolve(id, operator, { text, summary }),
        ),
    );

  act('return', 'give the conversation back to the hub, which answers what is open')
    .argument('<TICKET>')
    .option('--note <TEXT>', 'what the hub should know')
    .action((ticket: string, { note, ...options }: DeskOptions & { note?: string }) =>
      change(ticket, options, 'back with the hub', (desk, id, operator) =>
        desk.returnToHub(id, operator, note),
      ),
    );

  return command;
}

if (isProgram(import.meta.url)) await runCommand(deskCommand(process), process.argv);
