import { resolve } from 'node:path';
import { type CommandContext, EXIT } from '../command.js';
import { printable } from '../printable.js';
import { toSkillRunJson } from '../skill-run-json.js';
import { toRouteJson, toSkillJson, toStatsJson, toTestJson } from './skill-json.js';
import {
  formatFaults,
  formatRoute,
  formatSkills,
  formatStats,
  formatTests,
  formatWaiting,
} from './skill-text.js';

export { type RunOptions, runSkill, showRun } from './run-skill.js';

export interface JsonOption {
  readonly json?: boolean;
}

/** All skills, newest versions. */
export async function listSkills({ app, io }: CommandContext, options: JsonOption): Promise<number> {
  const skills = app.skills.list();
  print(
    io,
    options,
    () => skills.map(toSkillJson),
    () => formatSkills(skills, widthOf(io)),
  );
  return EXIT.done;
}

/** Every fault of the packs at once; exit code 1 where there is one. */
export async function validateSkills(
  { app, io }: CommandContext,
  path: string | undefined,
  options: JsonOption,
): Promise<number> {
  const { packs, faults } = await app.workbench.validate(path === undefined ? undefined : resolve(path));
  print(
    io,
    options,
    () => ({ packs, faults }),
    () => formatFaults(faults),
  );
  const found = faults.length === 1 ? '1 fault' : `${faults.length} faults`;
  io.err.write(`${packs === 1 ? '1 pack' : `${packs} packs`}, ${faults.length === 0 ? 'no fault' : found}\n`);
  return faults.length === 0 ? EXIT.done : EXIT.failed;
}

/** Runs test cases; exit code 1 where one fails. @throws HubError `skill_unknown` */
export async function testSkills(
  { app, io }: CommandContext,
  skillId: string | undefined,
  options: JsonOption & { readonly online?: boolean },
): Promise<number> {
  const reports = await app.workbench.test(skillId, { online: options.online ?? false });
  print(
    io,
    options,
    () => reports.map(toTestJson),
    () => formatTests(reports),
  );
  if (reports.length === 0) io.err.write('No test case: a pack has them in test_cases/*.yaml.\n');
  return reports.every(({ passed }) => passed) ? EXIT.done : EXIT.failed;
}

/** A tree or composite as Mermaid. @throws HubError `skill_unknown` */
export async function graphSkill(
  { app, io }: CommandContext,
  skillId: string,
  version: string | undefined,
): Promise<number> {
  io.out.write(`${printable(app.workbench.graph(skillId, version)).trimEnd()}\n`);
  return EXIT.done;
}

/** Where a request would go. */
export async function routeText(
  { app, io }: CommandContext,
  text: string,
  options: JsonOption & { readonly category?: string },
): Promise<number> {
  const route = await app.workbench.route({
    text,
    ...(options.category === undefined ? {} : { issueCategory: options.category }),
  });
  print(
    io,
    options,
    () => toRouteJson(route),
    () => formatRoute(route),
  );
  return EXIT.done;
}

/** Writes a new pack that validates and whose first test passes. @throws HubError `input_invalid`, `already_done` */
export async function newSkill(
  { app, io }: CommandContext,
  id: string,
  options: { readonly type: string; readonly dir?: string },
): Promise<number> {
  const { files } = await app.workbench.create({
    id,
    type: options.type,
    ...(options.dir === undefined ? {} : { dir: resolve(options.dir) }),
  });
  io.out.write(files.map((file) => `${printable(file)}\n`).join(''));
  io.err.write(
    `Next: edit skill.yaml, then npm run skill -- validate, npm run skill -- test ${id}, npm run skill -- graph ${id}\n`,
  );
  return EXIT.done;
}

/** What skills took and how right they were. */
export async function showStats({ app, io }: CommandContext, options: JsonOption): Promise<number> {
  const stats = await app.workbench.stats();
  print(
    io,
    options,
    () => stats.map(toStatsJson),
    () => formatStats(stats, widthOf(io)),
  );
  return EXIT.done;
}

/** Runs that wait for a person, oldest first. */
export async function showWaiting({ app, io }: CommandContext, options: JsonOption): Promise<number> {
  const runs = await app.workbench.waiting();
  print(
    io,
    options,
    () => runs.map(toSkillRunJson),
    () => formatWaiting(runs, widthOf(io)),
  );
  return EXIT.done;
}

function widthOf(io: CommandContext['io']): { readonly width?: number } {
  return io.out.columns === undefined ? {} : { width: io.out.columns };
}

function print(
  io: CommandContext['io'],
  { json }: JsonOption,
  value: () => unknown,
  text: () => string,
): void {
  io.out.write(json ? `${JSON.stringify(value(), null, 2)}\n` : text());
}
