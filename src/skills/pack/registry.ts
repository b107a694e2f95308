import type { z } from 'zod';
import type { SkillFault } from '../../core/workbench.js';
import { type Checked, readChecked } from './checked-file.js';
import { checkPrompt, checkRubric } from './checks/registry-checks.js';
import { type Prompt, promptSchema, type Rubric, rubricSchema } from './file-schemas.js';
import { fitting, isVersion, type PackFiles } from './pack.js';
import { FaultList } from './schema-faults.js';

/** A file of a registry: where a pack keeps its copy, and what people call it. */
export interface RegistryFile {
  /** `@prompts/draft_reply/1.0.0.yaml` */
  readonly key: string;
  readonly text: string;
  /** What faults name. */
  readonly shown: string;
}

/** One version of a prompt or a rubric. */
export interface RegistryEntry<T> {
  readonly file: RegistryFile;
  readonly version: string;
  /** Null where it has faults. */
  readonly data: T | null;
  readonly faults: readonly SkillFault[];
}

/** What was found for a reference. */
export type Reference<T> =
  | { readonly kind: 'found'; readonly entry: RegistryEntry<T> }
  | { readonly kind: 'unknown'; readonly ids: readonly string[] }
  | { readonly kind: 'no_version'; readonly versions: readonly string[] };

/** The prompts and rubrics that packs may name; each file is read when the first pack asks for it. */
export interface Registry {
  /** The newest version that fits. */
  prompt(id: string, range?: string): Reference<Prompt>;
  rubric(id: string, range?: string): Reference<Rubric>;
  /** What is wrong with all of its files, whether a pack names them or not. */
  faults(): readonly SkillFault[];
}

type Shelf<T> = Map<string, Map<string, () => RegistryEntry<T>>>;

const KEY = /^@(prompts|rubrics)\/([^/]+)\/([^/]+)\.(ya?ml|json)$/;

/** A registry over files in memory. */
export function createRegistry(files: readonly RegistryFile[]): Registry {
  const misplaced = new FaultList('');
  const prompts: Shelf<Prompt> = new Map();
  const rubrics: Shelf<Rubric> = new Map();
  const entries: (() => RegistryEntry<unknown>)[] = [];
  for (const file of files) {
    const [, kind, id = '', version = ''] = KEY.exec(file.key) ?? [];
    if (kind === undefined || !isVersion(version)) {
      if (/\.(ya?ml|json)$/.test(file.key))
        misplaced.add(file.shown, 1, 'wrong_name', misplacedMessage(file.key));
      continue;
    }
    const put = <T>(shelf: Shelf<T>, read: () => RegistryEntry<T>): void => {
      const versions = shelf.get(id) ?? new Map<string, () => RegistryEntry<T>>();
      if (versions.has(version)) {
        const message = `${id} ${version} is there twice; give one of the two files another version.`;
        misplaced.add(file.shown, 1, 'duplicate_version', message);
        return;
      }
      versions.set(version, read);
      shelf.set(id, versions);
      entries.push(read);
    };
    if (kind === 'prompts')
      put(
        prompts,
        once(() => readEntry(promptSchema, checkPrompt, file, id, version, {})),
      );
    else {
      const fallbacks = { rubric_id: id, version };
      put(
        rubrics,
        once(() => readEntry(rubricSchema, checkRubric, file, id, version, fallbacks)),
      );
    }
  }
  return {
    prompt: (id, range) => pick(prompts, id, range),
    rubric: (id, range) => pick(rubrics, id, range),
    faults: () => [...misplaced.list(), ...entries.flatMap((entry) => entry().faults)],
  };
}

/** The registry files that a pack carries with it. */
export function registryFilesOf(files: PackFiles): readonly RegistryFile[] {
  return Object.entries(files)
    .filter(([key]) => key.startsWith('@'))
    .map(([key, text]) => ({ key, text, shown: key }));
}

function pick<T>(shelf: Shelf<T>, id: string, range: string | undefined): Reference<T> {
  const versions = shelf.get(id);
  if (versions === undefined) return { kind: 'unknown', ids: [...shelf.keys()] };
  const [best] = fitting([...versions.keys()], range);
  const read = best === undefined ? undefined : versions.get(best);
  return read
    ? { kind: 'found', entry: read() }
    : { kind: 'no_version', versions: fitting([...versions.keys()]) };
}

function readEntry<T>(
  schema: z.ZodType<T>,
  check: (checked: Checked<T>, id: string, version: string) => void,
  file: RegistryFile,
  id: string,
  version: string,
  fallbacks: Readonly<Record<string, unknown>>,
): RegistryEntry<T> {
  const faults = new FaultList('');
  const checked = readChecked(schema, file.shown, file.text, faults, fallbacks);
  if (checked !== null) check(checked, id, version);
  const data = faults.count === 0 ? (checked?.data ?? null) : null;
  return { file, version, data, faults: faults.list() };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function misplacedMessage(key: string): string {
  const form = key.startsWith('@prompts')
    ? 'prompts/<prompt_id>/<version>.yaml'
    : 'rubrics/<rubric_id>/<version>.json';
  return `The file must be called ${form}, with a version such as 1.0.0; move or rename it.`;
}
