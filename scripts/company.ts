import { Command } from 'commander';
import { type ConfigContext, runCommand, withConfig } from '../src/surfaces/command.js';

const command = new Command('company').description(
  'The company whose hub this is, as its folder describes it.',
);
const load = () => import('../src/surfaces/cli/company/company.js');
/** Does something with a company: that of HUB_COMPANY, or the one that is named. */
const run = (
  company: string | undefined,
  work: (context: ConfigContext, commands: Awaited<ReturnType<typeof load>>) => Promise<number | undefined>,
): Promise<void> =>
  withConfig(process, async (context) => work(context, await load()), {
    set: company === undefined ? {} : { HUB_COMPANY: company },
  });

command
  .command('new')
  .description('a company in YAML that works as it stands: customers, orders, a look-up, a change, articles')
  .argument('<NAME|PATH>', 'its folder in companies/, or a path')
  .option('--name <TEXT>', 'as customers know it')
  .option('--about <TEXT>', 'what it is, after its name and a comma')
  .option('--languages <TAGS>', 'en, pt-BR, es, separated by commas; the first is the usual one')
  .option('--time-zone <ZONE>', 'IANA name')
  .option('--time-zone-name <TEXT>', 'how people call it')
  .option('--currency <CODE>', 'ISO 4217')
  .option('--color <COLOR>', 'of its pages, such as #2a6f97')
  .option(
    '--customers <WHERE>',
    'own (a database of the hub), sqlite:FILE, postgres:VARIABLE, the address of a service, or token',
  )
  .option('--tools <WHAT>', 'sample, none, openapi:FILE or mcp:URL')
  .option('--from <FILE>', 'all of that as YAML')
  .addHelpText('after', '\nOn a terminal it asks for what is not given.')
  .action((company: string, options: Record<string, string>) =>
    run(company, async (context) =>
      (await import('../src/surfaces/cli/company/new-company.js')).newCommand(context, company, options),
    ),
  );

command
  .command('check')
  .description(
    'every fault of its files and code and every gap, each with its file, its place and what to do',
  )
  .argument('[NAME|PATH]', 'another company than that of HUB_COMPANY')
  .option('--json', 'as one line of JSON')
  .addHelpText('after', '\nExit code 1 where there is a fault; warnings alone are 0.')
  .action((company: string | undefined, options: { json?: boolean }) =>
    run(company, (context, { checkCommand }) => checkCommand(context, options)),
  );

command
  .command('show')
  .description(
    'what the hub understands of it: languages, entities, agents with their tools, intents with their sentences',
  )
  .argument('[NAME|PATH]', 'another company than that of HUB_COMPANY')
  .option('--json', 'as one line of JSON')
  .action((company: string | undefined, options: { json?: boolean }) =>
    run(company, (context, { showCommand }) => showCommand(context, options)),
  );

command
  .command('train')
  .description('fits the language layer of a company in YAML; it runs by itself where its files have changed')
  .argument('[NAME|PATH]', 'another company than that of HUB_COMPANY')
  .action((company: string | undefined) =>
    run(company, (context, { trainCommand }) => trainCommand(context)),
  );

command
  .command('call')
  .description('calls one tool as a customer, through the gate: a change is asked about first')
  .argument('<TOOL>', 'its name')
  .requiredOption('--as <EMAIL>', 'the customer')
  .option('--input <JSON>', 'its input', '{}')
  .option('--dry-run', 'of a change, only what would be asked, agreed to and done; nothing is stored')
  .option('--yes', 'of a change, agrees without asking')
  .option('--company <NAME|PATH>', 'another company than that of HUB_COMPANY')
  .action(
    (
      tool: string,
      options: { as: string; input: string; dryRun?: boolean; yes?: boolean; company?: string },
    ) =>
      run(options.company, async (context) => {
        const { callCommand } = await import('../src/surfaces/cli/company/call-tool.js');
        return callCommand(context, tool, options);
      }),
  );

command
  .command('replay')
  .description(
    'calls the tools of a file one after the other, each agreed to, and says what came otherwise than expected',
  )
  .argument('<FILE>', 'JSONL: {"as", "action", "input", "expect"} or {"table", "where", "has"} a line')
  .option('--company <NAME|PATH>', 'another company than that of HUB_COMPANY')
  .option('--now <TIME>', 'where the clock stands, such as 2026-03-11T15:00:00Z')
  .option('--real-sources', 'systems of sources.yaml without a stand_in may be asked and changed in earnest')
  .option('--json', 'as one line of JSON')
  .addHelpText(
    'after',
    '\nIt is played on fresh demo data, each "task" on its own. Exit code 1 where a line came otherwise.',
  )
  .action(
    (file: string, options: { company?: string; now?: string; realSources?: boolean; json?: boolean }) =>
      run(options.company, (context, { replayCommand }) => replayCommand(context, file, options)),
  );

command
  .command('import')
  .description(
    'drafts look-ups and changes from an OpenAPI document or an MCP server, and writes articles from a saved site',
  )
  .argument('<KIND>', 'openapi, mcp or sitemap')
  .argument(
    '[FILE|URL]',
    'the document; the server, where sources.yaml does not name it; the folder with sitemap.xml',
  )
  .requiredOption('--company <NAME|PATH>', 'into which company')
  .option('--source <NAME>', 'what its system is called in sources.yaml', 'api')
  .option('--identity <NAMES>', 'inputs that say who the customer is, separated by commas')
  .option('--only <NAMES>', 'operations, separated by commas; all of them where absent')
  .option('--json', 'as one line of JSON')
  .addHelpText(
    'after',
    '\nWhat says who the customer is comes from the session and can no longer be given by anybody. Drafts that need a decision\nare written to drafts/, which the hub does not read. A file that is there is left as it is.',
  )
  .action(
    (
      kind: string,
      where: string | undefined,
      options: { company: string; source: string; identity?: string; only?: string; json?: boolean },
    ) => run(options.company, (context, { importCommand }) => importCommand(context, kind, where, options)),
  );

command
  .command('pack')
  .description('writes a company as one archive')
  .argument('<NAME|PATH>', 'the company')
  .argument('[FILE]', 'NAME.company.tgz where absent')
  .action((company: string, file: string | undefined) =>
    run(company, (context, { packCommand }) => packCommand(context, file)),
  );

command
  .command('unpack')
  .description('writes the company of an archive to a new folder, whole or not at all, and checks it')
  .argument('<FILE>', 'the archive')
  .argument('<NAME|PATH>', 'its folder in companies/, or a path')
  .option('--with-code', 'also one that brings programs, which run with the rights of the hub')
  .action((file: string, company: string, options: { withCode?: boolean }) =>
    run(company, (context, { unpackCommand }) => unpackCommand(context, file, options)),
  );

command
  .command('schemas')
  .description('writes the JSON Schemas of the files of a company, by which editors complete and check them')
  .argument('[FOLDER]', 'where to', 'docs/schemas')
  .action((folder: string) =>
    run(undefined, (context, { schemasCommand }) => schemasCommand(context, folder)),
  );

await runCommand(command, process.argv);
