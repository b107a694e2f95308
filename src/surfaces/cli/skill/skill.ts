import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, resolve, sep } from 'node:path';
import { snaked } from '../../../core/domain/json.js';
import { HubError, messageOf } from '../../../core/errors.js';
import type { NewSkill } from '../../../core/workbench.js';
import { type CommandContext, EXIT, type PacksContext } from '../../command.js';
import { print, printable } from '../../printable.js';
import { toSkillRunJson } from '../../reply-json.js';
import { readFacts } from './run-skill.js';
import {
  formatFaults,
  formatRoute,
  formatSkills,
  formatStats,
  formatTests,
  formatWaiting,
  toRouteJson,
  toStatsJson,
  toTestJson,
} from './skill-text.js';

export { type RunOptions, readRun, runSkill, showRun } from './run-skill.js';

export interface JsonOption {
  readonly json?: boolean;
}

/** All skills, newest versions. */
export async function listSkills({ packs, io }: PacksContext, options: JsonOption): Promise<number> {
  const skills = packs.list();
  print(io, options, skills.map(snaked), formatSkills(skills, widthOf(io)));
  return EXIT.done;
}

/** Every fault and warning of the packs at once; exit code 1 where there is a fault. */
export async function validateSkills(
  { packs: tools, io }: PacksContext,
  path: string | undefined,
  options: JsonOption,
): Promise<number> {
  const { packs, faults } = await tools.validate(path === undefined ? undefined : resolve(path));
  const looked = packs === 1 ? '1 pack' : `${packs} packs`;
  print(io, options, { packs, faults }, faults.length === 0 ? `${looked}, no fault\n` : formatFaults(faults));
  if (faults.length === 0) return EXIT.done;
  const warnings = faults.filter(({ severity }) => severity === 'warning').length;
  const wrong = faults.length - warnings;
  const parts = [count(wrong, 'fault'), ...(warnings === 0 ? [] : [count(warnings, 'warning')])];
  io.err.write(`${looked}, ${parts.join(', ')}\n`);
  return wrong === 0 ? EXIT.done : EXIT.failed;
}

function count(number: number, what: string): string {
  if (number === 0) return `no ${what}`;
  return number === 1 ? `1 ${what}` : `${number} ${what}s`;
}

/** Rewrites older spellings of a pack, or of a folder of packs. @throws HubError `input_invalid` where there is no pack */
export async function migrateSkills({ packs, io }: PacksContext, path: string): Promise<number> {
  const { files } = await packs.migrate(resolve(path));
  io.out.write(files.map((file) => `${printable(file)}\n`).join(''));
  const said =
    files.length === 0 ? "Everything is in today's spelling." : `${count(files.length, 'file')} rewritten.`;
  io.err.write(`${said}\n`);
  return EXIT.done;
}

/** Runs test cases; exit code 1 where one fails. @throws HubError `skill_unknown` */
export async function testSkills(
  { app, io }: CommandContext,
  skillId: string | undefined,
  options: JsonOption & { readonly online?: boolean },
): Promise<number> {
  const reports = await app.workbench.test(skillId, { online: options.online ?? false });
  print(io, options, reports.map(toTestJson), formatTests(reports));
  if (reports.length === 0) io.err.write('No test case: a pack has them in test_cases/*.yaml.\n');
  return reports.every(({ passed }) => passed) ? EXIT.done : EXIT.failed;
}

/** A tree or composite as Mermaid. @throws HubError `skill_unknown` */
export async function graphSkill(
  { packs, io }: PacksContext,
  skillId: string | undefined,
  version: string | undefined,
): Promise<number> {
  if (skillId === undefined)
    throw new HubError('usage', 'graph needs the ID of a skill, or --run with the id of a run');
  io.out.write(`${printable(packs.graph(skillId, version)).trimEnd()}\n`);
  return EXIT.done;
}

/** One run as Mermaid. @throws HubError `run_unknown`, `input_invalid` */
export async function graphRun({ app, io }: CommandContext, runId: string): Promise<number> {
  io.out.write(`${printable(await app.workbench.graphRun(runId)).trimEnd()}\n`);
  return EXIT.done;
}

/** Where a request would go. */
export async function routeText(
  { app, io }: CommandContext,
  text: string,
  options: JsonOption & { readonly category?: string; readonly fact?: readonly string[] },
): Promise<number> {
  const route = await app.workbench.route({
    text,
    ...(options.fact === undefined ? {} : { facts: readFacts(options.fact) }),
    ...(options.category === undefined ? {} : { issueCategory: options.category }),
  });
  print(io, options, toRouteJson(route), formatRoute(route));
  return EXIT.done;
}

interface NewOptions {
  readonly type?: string;
  readonly dir?: string;
  readonly from?: string;
  readonly fromTickets?: string;
}

async function sourceOf({ from, fromTickets }: NewOptions): Promise<NewSkill['from']> {
  const path = from ?? fromTickets;
  if (path === undefined) return undefined;
  try {
    return { kind: from === undefined ? 'tickets' : 'procedure', text: await readFile(path, 'utf8') };
  } catch (error) {
    throw new HubError('usage', `${path} cannot be read: ${messageOf(error)}`);
  }
}

/** Writes a new pack that validates and whose first test passes. @throws HubError `input_invalid`, `already_done` */
export async function newSkill(
  { packs, io }: { readonly packs: Pick<PacksContext['packs'], 'create'>; readonly io: CommandContext['io'] },
  id: string,
  options: NewOptions,
): Promise<number> {
  const from = await sourceOf(options);
  if (options.type === undefined && from === undefined)
    throw new HubError('usage', 'new needs --type, or --from with a written procedure, or --from-tickets');
  const { files, draftedBy, reason } = await packs.create({
    id,
    type: options.type ?? 'decision_tree',
    ...(from === undefined ? {} : { from }),
    ...(options.dir === undefined ? {} : { dir: resolve(options.dir) }),
  });
  io.out.write(files.map((file) => `${printable(file)}\n`).join(''));
  if (draftedBy === 'model')
    io.err.write('The model drafted it; what it doubts stands as comments in decision_tree.yaml.\n');
  if (draftedBy === 'rules') io.err.write(`Rules drafted it, and not the model: ${reason}.\n`);
  const [first = ''] = files;
  const dir = options.dir ?? dirname(first.slice(0, first.lastIndexOf(`${sep}${id}${sep}`) + 1 + id.length));
  // A company's own skills are tried as its own, over its database.
  const isCompanys = existsSync(resolve(dir, '..', 'company.yaml'));
  const folder = options.dir === undefined && !isCompanys ? '' : ` ${dir}`;
  const setting = isCompanys
    ? `HUB_COMPANY=${dirname(dir)} HUB_DATA_DIR=./var-${basename(dirname(resolve(dir)))} `
    : folder && `HUB_SKILLS_DIR=${dir} `;
  const check = isCompanys ? `company -- check ${dirname(dir)}` : `skill -- validate${folder}`;
  io.err.write(
    `Next: edit skill.yaml, then npm run ${check}, ${setting}npm run skill -- test ${id}, ${setting}npm run skill -- graph ${id}\n`,
  );
  return EXIT.done;
}

/** What skills took and how right they were. */
export async function showStats({ app, io }: CommandContext, options: JsonOption): Promise<number> {
  const stats = await app.workbench.stats();
  print(io, options, stats.map(toStatsJson), formatStats(stats, widthOf(io)));
  return EXIT.done;
}

/** Runs that wait for a person, oldest first. */
export async function showWaiting({ app, io }: CommandContext, options: JsonOption): Promise<number> {
  const runs = await app.workbench.waiting();
  print(io, options, runs.map(toSkillRunJson), formatWaiting(runs, widthOf(io)));
  return EXIT.done;
}

function widthOf(io: CommandContext['io']): { readonly width?: number } {
  return io.out.columns === undefined ? {} : { width: io.out.columns };
}
