import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HubError } from '../../core/errors.js';
import { didYouMean } from '../../core/spelling.js';
import type { SkillSubject } from '../../core/workbench.js';
import { idSchema } from '../pack/descriptor-schema.js';
import type { Asking } from '../routing/ask-model.js';
import { forCompany, treeFor } from './company-pack.js';
import { keywordsOf } from './keywords.js';
import { askForProcedure, type DraftFiles, draftPack } from './model-draft.js';
import { type Procedure, readProcedure, readTickets } from './procedure.js';

/** What a new pack is made of. */
interface NewPack {
  /** Snake_case; also the name of its folder. */
  readonly id: string;
  /** One of {@link PACK_TYPES}, or another name for one (`atomic`, `LLM_REVIEW`). */
  readonly type: string;
  /** The skills folder it is written to; made where it does not exist. */
  readonly dir: string;
  /** Of a company's own skill: what it starts from. */
  readonly subject?: SkillSubject | null;
}

/** A written procedure, or resolved tickets, that a draft is made of. */
interface PackSource {
  readonly kind: 'procedure' | 'tickets';
  readonly text: string;
}

/** What was written, and who read it: a model, or rules and why it was them. */
interface Drafted {
  readonly files: readonly string[];
  readonly draftedBy: 'model' | 'rules';
  /** Why no model did; null where one did. */
  readonly reason: string | null;
}

/**
 * Writes the draft of a decision tree: as {@link newPack} does, from what people wrote down, read by rules.
 * @throws HubError as {@link newPack}, and `input_invalid` where nothing can be read from it
 */
export function draftFrom(
  { id, dir, subject }: Omit<NewPack, 'type'>,
  { kind, text }: PackSource,
): { readonly files: readonly string[] } {
  const folder = freeFolder(id, dir);
  const procedure = kind === 'procedure' ? readProcedure(text) : readTickets(text, titleOf(id));
  return writeDraft(dir, folder, draftOf(id, procedure, subject));
}

/**
 * The same, read by the model where there is one. By rules where there is none, it fails, or what it gives does not validate.
 * @throws HubError as {@link draftFrom}
 */
export async function draftWithModel(
  target: Omit<NewPack, 'type'>,
  source: PackSource,
  asking: Asking,
): Promise<Drafted> {
  const { id, dir, subject } = target;
  const folder = freeFolder(id, dir);
  const asked = await askForProcedure(
    { ...source, draftOf: (procedure) => draftOf(id, procedure, subject) },
    asking,
  );
  if (!asked.ok) return { ...draftFrom(target, source), draftedBy: 'rules', reason: asked.reason };
  return { ...writeDraft(dir, folder, draftOf(id, asked.answer, subject)), draftedBy: 'model', reason: null };
}

function draftOf(id: string, procedure: Procedure, subject: SkillSubject | null = null): DraftFiles {
  const title = procedure.title === '' ? titleOf(id) : procedure.title;
  return draftPack(id, title, keywordsOf(id, subject).join(', '), procedure);
}

/** The folder of a pack that is to be written. */
function freeFolder(id: string, dir: string): string {
  checkId(id);
  const folder = join(dir, id);
  if (isThere(folder)) throw alreadyThere(folder);
  return folder;
}

function writeDraft(dir: string, folder: string, files: DraftFiles): { readonly files: readonly string[] } {
  const entries = Object.entries(files).map(([path, own]) => ({ target: join(folder, path), text: own }));
  write(dir, [folder], entries);
  return { files: entries.map(({ target }) => target) };
}

/** The kinds of packs that can be begun, each with its scaffold. */
export const PACK_TYPES = [
  'decision_tree',
  'composite',
  'ts_function',
  'http_call',
  'generation',
  'review',
] as const;
type PackType = (typeof PACK_TYPES)[number];

const OTHER_NAMES: Readonly<Record<string, PackType>> = {
  tree: 'decision_tree',
  investigation: 'decision_tree',
  atomic: 'ts_function',
  implementation: 'ts_function',
  llm_json_generation: 'generation',
  llm_generation: 'generation',
  llm_review: 'review',
};
const SCAFFOLDS = fileURLToPath(new URL('./scaffolds/', import.meta.url));
/** Folders of the registries; a pack there would not be found. */
const RESERVED = new Set(['prompts', 'rubrics']);

/**
 * Writes a pack that validates and whose test cases pass, with comments that explain the format, for its author to change.
 * Nothing is ever overwritten, and nothing is left behind where it fails.
 * @returns the files written, as paths that begin with `dir`
 * @throws HubError `input_invalid` (id, type or folder), `already_done` (there is such a pack), `disk_full`
 */
export function newPack({ id, type, dir, subject = null }: NewPack): { readonly files: readonly string[] } {
  const kind = typeOf(type);
  const scaffold = join(SCAFFOLDS, subject && kind === 'decision_tree' ? treeFor(subject) : kind);
  checkId(id);
  const entries = filesUnder(scaffold).map((path) => {
    const text = readFileSync(join(scaffold, path), 'utf8')
      .replaceAll('SKILL_ID', id)
      .replaceAll('SKILL_TITLE', titleOf(id))
      .replaceAll('SKILL_KEYWORDS', keywordsOf(id, subject).join(', '));
    const isYaml = subject !== null && path.endsWith('.yaml');
    return {
      target: join(dir, path.replaceAll('SKILL_ID', id)),
      text: isYaml ? forCompany(text, subject) : text,
    };
  });
  // The folders a pack brings: its own, and that of its prompt or rubric.
  const folders = [...new Set(filesUnder(scaffold).map((path) => topFolder(path)))].map((path) =>
    join(dir, path.replaceAll('SKILL_ID', id)),
  );
  const taken = folders.find(isThere);
  if (taken !== undefined) throw alreadyThere(taken);
  write(dir, folders, entries);
  return { files: entries.map(({ target }) => target) };
}

function typeOf(type: string): PackType {
  const wanted = type.trim().toLowerCase();
  const known: readonly string[] = PACK_TYPES;
  if (known.includes(wanted)) return wanted as PackType;
  const other = Object.hasOwn(OTHER_NAMES, wanted) ? OTHER_NAMES[wanted] : undefined;
  if (other !== undefined) return other;
  const hint =
    wanted === 'cli_command'
      ? ' Begin with ts_function and change its implementation: the program is one that HUB_SKILL_COMMANDS allows.'
      : didYouMean(wanted, [...known, 'atomic']);
  throw new HubError(
    'input_invalid',
    `There is no scaffold for a skill of type "${type.slice(0, 60)}".${hint}`,
    { field: 'type', known },
  );
}

function checkId(id: string): void {
  const parsed = idSchema.safeParse(id);
  if (!parsed.success) {
    const why = parsed.error.issues[0]?.message ?? 'is no id';
    throw new HubError('input_invalid', `The id "${id.slice(0, 80)}" ${why}; at most 64 characters.`, {
      field: 'id',
    });
  }
  if (!RESERVED.has(id)) return;
  const message = `A pack cannot be called ${id}: that is the folder of the registry. Choose another id.`;
  throw new HubError('input_invalid', message, { field: 'id' });
}

/** `lost_parcel` as `Lost parcel`. */
function titleOf(id: string): string {
  const words = id
    .split('_')
    .filter((word) => word !== '')
    .join(' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Paths relative to the folder, in order, with forward slashes. */
function filesUnder(folder: string, within = ''): readonly string[] {
  return readdirSync(join(folder, within), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = within === '' ? entry.name : `${within}/${entry.name}`;
      return entry.isDirectory() ? filesUnder(folder, path) : [path];
    });
}

/** `SKILL_ID`, `prompts/SKILL_ID`. */
function topFolder(path: string): string {
  const parts = path.split('/');
  return parts.slice(0, parts.indexOf('SKILL_ID') + 1).join('/');
}

function write(
  dir: string,
  folders: readonly string[],
  entries: readonly { readonly target: string; readonly text: string }[],
): void {
  const made: string[] = [];
  try {
    for (const folder of folders) {
      mkdirSync(dirname(folder), { recursive: true });
      // Fails where another process was quicker, so two authors never write into one pack.
      mkdirSync(folder);
      made.push(folder);
    }
    for (const { target, text } of entries) {
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, text, { flag: 'wx' });
    }
  } catch (error) {
    for (const folder of made) rmSync(folder, { recursive: true, force: true });
    throw unwritable(dir, folders, error);
  }
}

function unwritable(dir: string, folders: readonly string[], error: unknown): HubError {
  const { code, message, path } = error as NodeJS.ErrnoException;
  if (code === 'EEXIST' && path !== undefined && folders.includes(path)) return alreadyThere(path, error);
  if (code === 'ENOSPC')
    return new HubError(
      'disk_full',
      `The disk is full; nothing was written to ${dir}.`,
      { dir },
      { cause: error },
    );
  const text = `The pack cannot be written to ${resolve(dir)}: ${message}. Choose another folder with --dir.`;
  return new HubError('input_invalid', text, { field: 'dir' }, { cause: error });
}

function alreadyThere(path: string, cause?: unknown): HubError {
  const message = `${path} is there already and is left as it is. Choose another id, or delete it first.`;
  return new HubError('already_done', message, { path }, { cause });
}

/** True also for a link that leads nowhere. */
function isThere(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch {
    return false;
  }
}
