import { buildPack } from './build-pack.js';
import { checkAmongOthers, checkDraft } from './checks/check-draft.js';
import { NO_SKILLS } from './checks/reference-checks.js';
import { type Draft, readDraft, type Scope } from './draft.js';
import { FaultList } from './fault-list.js';
import { isFault, type Pack, type PackFault, type PackFiles } from './pack.js';
import { createRegistry, type Registry, registryFilesOf } from './registry.js';

export interface LoadOptions {
  /** What messages call the pack's folder; file names alone where absent. */
  readonly folder?: string;
  /** Where prompts and rubrics come from that `files` does not hold (`@prompts/...`, `@rubrics/...`). */
  readonly registry?: Registry;
  /** Everything, test cases too, where absent. */
  readonly scope?: Scope;
}

/** A pack, or what is wrong with it. */
export interface LoadedPack {
  /** Null where there are faults; warnings keep it from nothing. */
  readonly pack: Pack | null;
  readonly faults: readonly PackFault[];
}

/**
 * Makes a pack of its files, from memory alone: `files` of a pack that was loaded before gives that very pack again. Skills
 * that it refers to by id (`skill:`) are not looked for. Never throws.
 */
export function loadPackFromFiles(files: PackFiles, options: LoadOptions = {}): LoadedPack {
  const { draft, faults } = draftOf(files, options);
  checkAmongOthers(draft, NO_SKILLS);
  return finish(draft, faults);
}

/** The first half: everything read, and all checked that needs no other pack. */
export function draftOf(
  files: PackFiles,
  { folder = '', registry = createRegistry(registryFilesOf(files)), scope = 'all' }: LoadOptions,
): { readonly draft: Draft; readonly faults: FaultList } {
  const draft = readDraft(files, folder, registry, scope);
  checkDraft(draft, registry);
  return { draft, faults: new FaultList('') };
}

/** The second half. */
export function finish(draft: Draft, more: FaultList): LoadedPack {
  more.addAll(faultsOf(draft));
  const told = more.list();
  // Where something else is wrong, what refers to a file may be what is.
  const isOther = (fault: PackFault): boolean => isFault(fault) && fault.code !== 'unread_file';
  const faults = told.some(isOther) ? told.filter(({ code }) => code !== 'unread_file') : told;
  return { pack: faults.some(isFault) ? null : buildPack(draft), faults };
}

function faultsOf(draft: Draft): readonly PackFault[] {
  return [
    ...draft.faults.list(),
    ...(draft.prompt?.faults ?? []),
    ...(draft.rubric?.faults ?? []),
    ...[...draft.parts.values()].flatMap(faultsOf),
  ];
}
