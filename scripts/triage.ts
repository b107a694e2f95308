import { availableParallelism } from 'node:os';
import { Command, Option } from 'commander';
import { planTriage, type TriageOptions, triage } from '../src/surfaces/cli/triage/triage.js';
import { type CommandHost, isProgram, runCommand, wholeNumber, withApp } from '../src/surfaces/command.js';

/** The command. @param host what it runs in */
export const triageCommand = (host: CommandHost): Command =>
  new Command('triage')
    .description('Classifies a batch of tickets: one result row a ticket, in the order of the input.')
    .argument('<INPUT>', 'a .jsonl, .ndjson or .csv file (CSV with a header line), or - for standard input')
    .option('--out <FILE>', 'where the results go (default: standard output)')
    .addOption(
      new Option(
        '--format <FORMAT>',
        'form of the results (default: by the ending of FILE, else jsonl)',
      ).choices(['jsonl', 'csv']),
    )
    .option(
      '--concurrency <N>',
      'tickets that a model works on at once',
      wholeNumber('--concurrency', 1, 256),
      16,
    )
    .option(
      '--workers <N>',
      'processes that classify where no model does (default: one a core)',
      wholeNumber('--workers', 1, 256),
      availableParallelism(),
    )
    .option(
      '--distributed',
      'have all servers and workers of HUB_DATABASE_URL classify; this command does its share',
    )
    .option('--resume', 'do the rest of an interrupted batch; needs --out')
    .option('--limit <N>', 'read only the first N rows', wholeNumber('--limit', 1, 1_000_000_000))
    .option(
      '--labels',
      'compare with expected_issue_type, expected_priority, expected_sentiment, expected_route, expected_escalate',
    )
    .addHelpText(
      'after',
      `
A ticket has an id (made from the line number where absent) and its text in message, text, body or description;
subject or title is put in front. Rows that cannot be triaged go to FILE.errors.jsonl (INPUT.errors.jsonl without
--out) with line and reason, are shown on standard error, and make the exit code 1.

Examples:
  npm run triage -- tickets.csv --out result.jsonl
  npm run triage -- tickets.csv --out result.jsonl --resume
  npm run triage -- tickets.csv --out result.jsonl --distributed
  cat tickets.jsonl | npm run -s triage -- - --format csv`,
    )
    .action(async (input: string, options: TriageOptions) => {
      const plan = planTriage(input, options);
      await withApp(host, (context) => triage(context, plan, () => performance.now()));
    });

if (isProgram(import.meta.url)) await runCommand(triageCommand(process), process.argv);
