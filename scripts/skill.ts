import { Command } from 'commander';
import {
  graphRun,
  graphSkill,
  type JsonOption,
  listSkills,
  migrateSkills,
  newSkill,
  type RunOptions,
  readRun,
  routeText,
  runSkill,
  showRun,
  showStats,
  showWaiting,
  testSkills,
  validateSkills,
} from '../src/surfaces/cli/skill/skill.js';
import {
  type CommandContext,
  type CommandHost,
  isProgram,
  type PacksContext,
  runCommand,
  withApp,
  withPacks,
} from '../src/surfaces/command.js';

/** The command. @param host what it runs in */
export function skillCommand(host: CommandHost): Command {
  const run = (work: (context: CommandContext) => Promise<number | undefined>) => withApp(host, work);
  const onPacks = (work: (context: PacksContext) => Promise<number>) => withPacks(host, work);

  const command = new Command('skill').description(
    'Skills: investigations, composite skills and model templates, as folders of YAML.',
  );

  command
    .command('list')
    .description('the newest version of each skill')
    .option('--json', 'as a JSON array')
    .action((options: JsonOption) => onPacks((context) => listSkills(context, options)));

  command
    .command('validate')
    .description('every fault of the packs, each as file:line code message')
    .argument('[PATH]', 'a pack or a folder of packs (default: the folders of HUB_SKILLS_DIR)')
    .option('--json', 'as a JSON object')
    .action((path: string | undefined, options: JsonOption) =>
      onPacks((context) => validateSkills(context, path, options)),
    );

  command
    .command('migrate')
    .description("rewrite older spellings of a pack in today's; comments stay")
    .argument('<PATH>', 'a pack or a folder of packs')
    .action((path: string) => onPacks((context) => migrateSkills(context, path)));

  command
    .command('run')
    .description('run a skill, or answer the question of a run that waits for a person')
    .argument('[ID]', 'the skill; may be left out with --text and --resume')
    .option('--text <REQUEST>', 'instead of an ID: run the skills that this request in plain words needs')
    .option(
      '--fact <NAME=VALUE>',
      'what is known of the request, such as load.mode=OCEAN; may be given several times',
      (fact: string, before: readonly string[] = []) => [...before, fact],
    )
    .option('--input <JSON>', 'its input as a JSON object; @FILE reads a file, - standard input')
    .option('--version <V>', 'a version or range such as ^1.0.0 (default: the newest active one)')
    .option('--json', 'as a JSON object')
    .option(
      '--as <EMAIL>',
      "on a customer's behalf, who sees only their own data; fills in customer and language",
    )
    .option('--resume <RUN_ID>', 'answer this run')
    .option('--choose <OPTION>', 'the answer: A, B, C, ...')
    .action(async (id: string | undefined, options: RunOptions) => {
      const request = await readRun(id, options, host.stdin);
      await run((context) => runSkill(context, request));
    });

  command
    .command('show')
    .description('one run: what it found, or what it asks')
    .argument('<RUN_ID>')
    .option('--json', 'as a JSON object')
    .action((runId: string, options: JsonOption) => run((context) => showRun(context, runId, options)));

  command
    .command('runs')
    .description('runs that wait for a person, oldest first')
    .option('--json', 'as a JSON array')
    .action((options: JsonOption) => run((context) => showWaiting(context, options)));

  command
    .command('test')
    .description('run the test cases of one skill, or of all')
    .argument('[ID]')
    .option('--online', 'templates ask the configured model (default: their rules)')
    .option('--json', 'as a JSON array')
    .action((id: string | undefined, options: JsonOption & { online?: boolean }) =>
      run((context) => testSkills(context, id, options)),
    );

  command
    .command('graph')
    .description('a tree or composite as Mermaid, or what one run did')
    .argument('[ID]')
    .option('--version <V>', 'a version or range')
    .option('--run <RUN_ID>', 'draw this run')
    .action(async (id: string | undefined, options: { version?: string; run?: string }) => {
      const { version, run: runId } = options;
      if (runId !== undefined) await run((context) => graphRun(context, runId));
      else await onPacks((context) => graphSkill(context, id, version));
    });

  command
    .command('route')
    .description('which skill a request would go to, and why')
    .argument('<TEXT>')
    .option('--category <C>', 'the issue type that triage gave it')
    .option(
      '--fact <NAME=VALUE>',
      'what is known of the matter, such as load.mode=OCEAN; may be given several times',
      (fact: string, before: readonly string[] = []) => [...before, fact],
    )
    .option('--json', 'as a JSON object')
    .action((text: string, options: JsonOption & { category?: string; fact?: readonly string[] }) =>
      run((context) => routeText(context, text, options)),
    );

  command
    .command('new')
    .description("write a new pack that validates and whose tests pass, a company's over its own records")
    .argument('<ID>', 'snake_case')
    .option('--type <TYPE>', 'decision_tree, composite, ts_function, http_call, generation or review')
    .option(
      '--from <FILE.md>',
      'draft a decision tree from a written procedure, with the model where there is one',
    )
    .option(
      '--from-tickets <FILE.jsonl>',
      'draft one from resolved tickets: root_cause and resolution a line',
    )
    .option(
      '--dir <DIR>',
      'where to (default: skills/ of a company in YAML, else the first folder of HUB_SKILLS_DIR)',
    )
    .action((id: string, options: { type?: string; dir?: string; from?: string; fromTickets?: string }) =>
      // What people wrote is read by the model of the application; a scaffold needs none.
      options.from === undefined && options.fromTickets === undefined
        ? onPacks((context) => newSkill(context, id, options))
        : run(({ app, io }) => newSkill({ packs: app.workbench, io }, id, options)),
    );

  command
    .command('stats')
    .description('uses, time, steps, calls, tokens, cost, pauses and accuracy of each skill and version')
    .option('--json', 'as a JSON array')
    .action((options: JsonOption) => run((context) => showStats(context, options)));

  return command;
}

if (isProgram(import.meta.url)) await runCommand(skillCommand(process), process.argv);
