import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { packed, programsOf, trainCompany, unpacked } from '../../../app/company.js';
import { checkCompany, type Finding } from '../../../app/company-check.js';
import {
  companyOverview,
  companySchemas,
  importMcp,
  importOpenApi,
  importSitemap,
} from '../../../app/company-commands.js';
import { openEvaluation } from '../../../app/eval.js';
import { HubError } from '../../../core/errors.js';
import { replay } from '../../../eval/replay.js';
import { type ConfigContext, EXIT } from '../../command.js';
import { formatTable } from '../../printable.js';

/** One line a finding: where, what, and what to do. */
function lineOf({ severity, file, line, problem, remedy }: Finding): string {
  const path = relative('', file);
  const where = path.startsWith('..') ? file : path;
  return `${where}${line === null ? '' : `:${line}`} ${severity}: ${problem} ${remedy}`;
}

/** Says what is wrong with the company of the configuration. @returns exit code 1 where there is a fault */
export async function checkCommand(
  { config, io }: ConfigContext,
  { json = false }: { readonly json?: boolean },
): Promise<number> {
  const findings = await checkCompany(config);
  const faults = findings.filter(({ severity }) => severity === 'fault').length;
  const sorted = [...findings].sort((a, b) => a.severity.localeCompare(b.severity));
  if (json) io.out.write(`${JSON.stringify({ company: config.company.folder, findings: sorted })}\n`);
  else {
    for (const finding of sorted) io.out.write(`${lineOf(finding)}\n`);
    io.err.write(`${count(faults, 'fault')}, ${count(findings.length - faults, 'warning')}\n`);
  }
  return faults > 0 ? EXIT.failed : EXIT.done;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** What a company is called by its folder. */
export function nameOf(folder: string): string {
  return folder.split(/[\\/]/).at(-1) ?? folder;
}

/** Writes the company as one archive. */
export async function packCommand({ config, io }: ConfigContext, file: string | undefined): Promise<number> {
  const to = file ?? `${nameOf(config.company.folder)}.company.tgz`;
  io.err.write(`${count(await packed(config, to), 'file')} packed.\n`);
  io.out.write(`${to}\n`);
  return EXIT.done;
}

/** Writes an archive to a new company, and says what is wrong with it. */
export async function unpackCommand(
  context: ConfigContext,
  file: string,
  { withCode = false }: { readonly withCode?: boolean },
): Promise<number> {
  const { config, io } = context;
  const files = await unpacked(config, file, withCode);
  io.err.write(`${count(files, 'file')} written to ${config.company.folder}.\n`);
  for (const { name, command } of programsOf(config))
    io.err.write(`Its source ${name} starts a program: ${command.join(' ')}\n`);
  return checkCommand(context, {});
}

/** Drafts tools from what the company's systems say of themselves, and names what is left to decide. */
export async function importCommand(
  { config, io }: ConfigContext,
  kind: string,
  where: string | undefined,
  options: {
    readonly source: string;
    readonly identity?: string;
    readonly only?: string;
    readonly json?: boolean;
  },
): Promise<number> {
  const { source, json = false } = options;
  if (kind === 'sitemap' && where !== undefined) return importPages({ config, io }, where, json);
  if (kind !== 'mcp' && (kind !== 'openapi' || where === undefined))
    throw new HubError(
      'usage',
      'It imports openapi FILE or URL, mcp URL, mcp --source NAME, or sitemap FOLDER.',
    );
  const listed = (text = ''): readonly string[] => text.split(',').flatMap((one) => one.trim() || []);
  const how = { source, identity: listed(options.identity), only: listed(options.only) };
  const drafts =
    kind === 'mcp'
      ? await importMcp(config, where ?? null, how)
      : await importOpenApi(config, where ?? '', how);
  if (json) {
    const rows = drafts.map(({ content: _content, ...draft }) => draft);
    io.out.write(`${JSON.stringify({ company: config.company.folder, drafts: rows })}\n`);
    return EXIT.done;
  }
  const rows = drafts.map(({ tool, kind: made, identity, repeatable, undecided, file }) => [
    tool,
    made,
    identity.join(', ') || '-',
    repeatable === null ? '-' : repeatable ? 'yes' : 'no',
    file === null
      ? 'there already'
      : undecided === null
        ? relative(config.company.folder, file)
        : 'to decide',
  ]);
  io.out.write(`${formatTable(['TOOL', 'KIND', 'THE CUSTOMER', 'REPEATABLE', 'FILE'], rows)}\n`);
  for (const { file, undecided } of drafts)
    if (file !== null && undecided !== null) io.err.write(`${file}: ${undecided}\n`);
  io.err.write('Look them over, then run npm run company -- check.\n');
  return EXIT.done;
}

/** Why a page became no article. */
const SKIPPED = {
  not_in_folder: 'it is not in the folder',
  no_text: 'it has no title or no text',
  other_language: 'the company does not speak its language',
  there_already: 'its article is there already',
} as const;

function importPages(
  { config, io }: Pick<ConfigContext, 'config' | 'io'>,
  site: string,
  json: boolean,
): number {
  const pages = importSitemap(config, site);
  const { folder } = config.company;
  if (json) io.out.write(`${JSON.stringify({ company: folder, pages })}\n`);
  else
    for (const { address, file, skipped } of pages)
      io.out.write(
        `${address}: ${skipped === null ? relative(folder, file ?? '') : `left out, ${SKIPPED[skipped]}`}\n`,
      );
  const written = pages.filter(({ file }) => file !== null).length;
  io.err.write(
    `${count(written, 'article')} of ${count(pages.length, 'page')}. Look them over, then run npm run company -- check.\n`,
  );
  return EXIT.done;
}

/** Prints what the hub understands of the company. */
export async function showCommand(
  { config, io }: ConfigContext,
  { json = false }: { readonly json?: boolean },
): Promise<number> {
  const overview = await companyOverview(config);
  if (json) {
    io.out.write(`${JSON.stringify(overview)}\n`);
    return EXIT.done;
  }
  const { name, languages, currency, time_zone, entities, tools, intents, gaps, off } = overview;
  const print = (head: readonly string[], rows: readonly (readonly string[])[]) =>
    io.out.write(`\n${formatTable(head, rows)}\n`);
  io.out.write(`${name}: ${languages.join(', ')}; ${currency}; ${time_zone}\n`);
  const idle = [...off.agents, ...off.tools];
  if (idle.length > 0) io.out.write(`Off: ${idle.join(', ')}\n`);
  print(
    ['ENTITY', 'LISTED BY', 'ASKED ABOUT'],
    entities.map((one) => [one.id, one.listed_by ?? '-', one.attributes.join(', ') || '-']),
  );
  print(
    ['TOOL', 'EFFECT', 'GATE', 'AGENTS', 'INPUT'],
    tools.map((one) => [one.name, one.effect, one.gate, one.agents.join(', '), one.input.join(', ') || '-']),
  );
  print(
    ['INTENT', 'ROUTE', 'TOOL', ...languages.map((one) => one.toUpperCase())],
    intents.map((one) => [
      one.name,
      one.route,
      one.tool ?? '-',
      ...languages.map((language) => String(one.sentences[language] || 'gap')),
    ]),
  );
  for (const [language, names] of Object.entries(gaps))
    if (names.length > 0)
      io.err.write(
        `${language} has no sentence for ${names.join(', ')}: without a model it is not understood there.\n`,
      );
  return EXIT.done;
}

/** Fits the language layer anew. */
export async function trainCommand({ config, io }: ConfigContext): Promise<number> {
  io.out.write(`${await trainCompany(config, (line) => io.err.write(`${line}\n`))}\n`);
  return EXIT.done;
}

/** Writes the JSON Schemas of a company's files. */
export async function schemasCommand({ io }: ConfigContext, folder: string): Promise<number> {
  mkdirSync(folder, { recursive: true });
  for (const [name, schema] of Object.entries(companySchemas())) {
    writeFileSync(join(folder, name), `${JSON.stringify(schema, null, 2)}\n`);
    io.out.write(`${join(folder, name)}\n`);
  }
  return EXIT.done;
}

/** Replays the calls of a file on fresh data. @returns exit code 1 where one came otherwise than expected */
export async function replayCommand(
  { config, io }: ConfigContext,
  file: string,
  {
    json = false,
    now,
    realSources = false,
  }: { readonly json?: boolean; readonly now?: string; readonly realSources?: boolean },
): Promise<number> {
  if (!existsSync(file)) throw new HubError('usage', `There is no file ${file}.`);
  if (now !== undefined && Number.isNaN(Date.parse(now)))
    throw new HubError('usage', '--now must be a time such as 2026-03-11T15:00:00Z.');
  const world = await openEvaluation(config, now, realSources);
  try {
    const replayed = await replay(world, file, ({ line, name, problem }) => {
      if (problem !== null) io.err.write(`${file}:${line} ${name}: ${problem}\n`);
    });
    const failed = replayed.filter(({ problem }) => problem !== null).length;
    if (json) io.out.write(`${JSON.stringify({ lines: replayed.length, failed, replayed })}\n`);
    else io.out.write(`${count(replayed.length - failed, 'line')} of ${replayed.length} as expected\n`);
    return failed > 0 ? EXIT.failed : EXIT.done;
  } finally {
    await world.close();
  }
}
