import { posix } from 'node:path';
import type { JsonObject } from '../../core/domain/json.js';
import type { SkillFault } from '../../core/workbench.js';
import { type Checked, readChecked } from './checked-file.js';
import { type Descriptor, descriptorSchema } from './descriptor-schema.js';
import {
  type DecisionTree,
  type Mapping,
  mappingsSchema,
  type PackTexts,
  type Prompt,
  packTextsSchema,
  type Rubric,
  type TestCase,
  testCaseSchema,
  treeSchema,
} from './file-schemas.js';
import type { Pack, PackFiles } from './pack.js';
import { safePath, unsafePathMessage } from './read-files.js';
import type { Registry, RegistryEntry } from './registry.js';
import { FaultList } from './schema-faults.js';
import { inlineSchema } from './schema-refs.js';
import { DESCRIPTOR_FILES, type SpelledFile } from './spellings/index.js';

/** A test case of a pack. */
interface PackTestCase {
  readonly file: string;
  /** Null where it cannot be used because of its faults. */
  readonly case: TestCase | null;
  readonly faults: readonly SkillFault[];
}

/** The test cases of a pack, read now: a pack is loaded to be run far more often than to be tested. */
export function testCasesOf({ files, folder }: Pick<Pack, 'files' | 'folder'>): readonly PackTestCase[] {
  return testCaseFiles(files).map((file) => {
    const list = new FaultList(folder);
    const read = readChecked(testCaseSchema, file, files[file] ?? '', list);
    const faults = list.list();
    return { file, case: faults.length > 0 ? null : (read?.data ?? null), faults };
  });
}

/** Where the test cases of a pack stand. */
export function testCaseFiles(files: PackFiles): readonly string[] {
  return Object.keys(files).filter((path) => /^test_cases\/[^/]+\.ya?ml$/.test(path));
}

/** What is read of a pack: `all`, or only what is needed to run it, which its test cases are not. */
export type Scope = 'all' | 'to_run';

/** A pack on its way: everything that could be read of it, however much is wrong. */
export interface Draft {
  /** What faults name, e.g. `skills/entry_denied`. */
  readonly folder: string;
  /** Of the pack itself and its nested ones, without registry files. */
  readonly files: PackFiles;
  readonly faults: FaultList;
  readonly descriptor: Checked<Descriptor> | null;
  readonly inputSchema: JsonObject;
  readonly outputSchema: JsonObject;
  readonly tree: Checked<DecisionTree> | null;
  readonly mappings: Checked<{ readonly mappings: Readonly<Record<string, Mapping>> }> | null;
  /** By language. */
  readonly texts: ReadonlyMap<string, Checked<PackTexts>>;
  /** None where they are left alone. */
  readonly testCases: readonly Checked<TestCase>[];
  readonly prompt: RegistryEntry<Prompt> | null;
  readonly rubric: RegistryEntry<Rubric> | null;
  /** Nested packs by the name of the part. */
  readonly parts: ReadonlyMap<string, Draft>;
}

const MAPPINGS = 'api_mappings.yaml';

/** Reads all files of a pack and of its nested ones. What does not fit its keys is noted; nothing else is checked yet. */
export function readDraft(all: PackFiles, folder: string, registry: Registry, scope: Scope): Draft {
  const faults = new FaultList(folder);
  const files = Object.fromEntries(Object.entries(all).filter(([path]) => !path.startsWith('@')));
  const descriptor = readDescriptor(files, faults);
  const treePath = safePath(descriptor?.data.decision_tree?.path ?? 'decision_tree.yaml');
  const schemas = (key: 'input_schema' | 'output_schema'): JsonObject =>
    descriptor === null ? {} : inlineSchema(descriptor, [key], descriptor.data[key], files, faults);
  return {
    folder,
    files,
    faults,
    descriptor,
    inputSchema: schemas('input_schema'),
    outputSchema: schemas('output_schema'),
    tree: treePath === null ? null : readOptional('tree', treeSchema, files, treePath, faults, { steps: {} }),
    mappings: readMappings(files, faults),
    texts: readTexts(files, faults),
    testCases: (scope === 'all' ? testCaseFiles(files) : []).flatMap(
      (path) => readChecked(testCaseSchema, path, files[path] ?? '', faults) ?? [],
    ),
    ...templates(descriptor, registry),
    parts: readParts(descriptor, files, folder, registry, scope),
  };
}

function readDescriptor(files: PackFiles, faults: FaultList): Checked<Descriptor> | null {
  const path = descriptorFile(files);
  const text = path === undefined ? undefined : files[path];
  if (path !== undefined && text !== undefined) {
    if (path !== DESCRIPTOR_FILES[0])
      faults.warn(
        path,
        1,
        'older_spelling',
        `${path} is an older name; call the file ${DESCRIPTOR_FILES[0]}.`,
      );
    const fallbacks = { type: 'atomic', version: '0.0.0', id: 'unknown' };
    return readChecked(descriptorSchema, path, text, faults, fallbacks, { as: 'descriptor', files });
  }
  const hint =
    'skill.yml' in files
      ? 'Rename skill.yml to skill.yaml.'
      : 'Write one, or begin with `npm run skill -- new`.';
  faults.add('skill.yaml', 1, 'missing_descriptor', `The pack has no skill.yaml. ${hint}`);
  return null;
}

/** The file that describes the pack of these files, by whichever name; undefined where there is none. */
export function descriptorFile(files: PackFiles): string | undefined {
  return DESCRIPTOR_FILES.find((name) => Object.hasOwn(files, name));
}

function readOptional<T>(
  as: SpelledFile,
  schema: Parameters<typeof readChecked<T>>[0],
  files: PackFiles,
  path: string,
  faults: FaultList,
  fallbacks: Readonly<Record<string, unknown>>,
): Checked<T> | null {
  const text = Object.hasOwn(files, path) ? files[path] : undefined;
  return text === undefined ? null : readChecked(schema, path, text, faults, fallbacks, { as, files });
}

function readMappings(files: PackFiles, faults: FaultList): Draft['mappings'] {
  const checked = readOptional('mappings', mappingsSchema, files, MAPPINGS, faults, { mappings: {} });
  if (checked === null) return null;
  const mappings = Object.entries(checked.data.mappings).map(([name, mapping]) => {
    const { response_schema: schema } = mapping;
    if (schema === undefined) return [name, mapping] as const;
    const path = ['mappings', name, 'response_schema'];
    return [
      name,
      { ...mapping, response_schema: inlineSchema(checked, path, schema, files, faults) },
    ] as const;
  });
  return { ...checked, data: { mappings: Object.fromEntries(mappings) } };
}

/** Where what a tree says in a language stands. */
export const TEXTS_FILE = /^texts\/([A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*)\.yaml$/;

function readTexts(files: PackFiles, faults: FaultList): Draft['texts'] {
  return new Map(
    Object.entries(files).flatMap(([path, text]) => {
      const language = TEXTS_FILE.exec(path)?.[1];
      if (language === undefined) return [];
      const read = readChecked(packTextsSchema, path, text, faults, { names: {}, findings: {} });
      return read === null ? [] : [[language, read] as const];
    }),
  );
}

function templates(
  descriptor: Checked<Descriptor> | null,
  registry: Registry,
): Pick<Draft, 'prompt' | 'rubric'> {
  const { template_type: type, template_config: config = {} } = descriptor?.data ?? {};
  if (type === 'LLM_JSON_GENERATION' && config.prompt_id !== undefined) {
    const found = registry.prompt(config.prompt_id, config.prompt_version);
    return { prompt: found.kind === 'found' ? found.entry : null, rubric: null };
  }
  if (type === 'LLM_REVIEW' && config.rubric_id !== undefined) {
    const found = registry.rubric(config.rubric_id, config.rubric_version);
    return { prompt: null, rubric: found.kind === 'found' ? found.entry : null };
  }
  return { prompt: null, rubric: null };
}

function readParts(
  descriptor: Checked<Descriptor> | null,
  files: PackFiles,
  folder: string,
  registry: Registry,
  scope: Scope,
): ReadonlyMap<string, Draft> {
  const parts = new Map<string, Draft>();
  descriptor?.data.sub_skills.forEach(({ name, path }, at) => {
    if (path === undefined || parts.has(name)) return;
    const inside = safePath(path);
    if (inside === null) {
      descriptor.note(['sub_skills', at, 'path'], 'unsafe_path', unsafePathMessage(path));
      return;
    }
    const nested = filesUnder(files, `${inside}/`);
    if (descriptorFile(nested) === undefined) {
      const message = `The sub-skill ${name} has no ${inside}/skill.yaml. Write it, or mend the path.`;
      const place = ['sub_skills', at, 'path'];
      // A design announces parts before they are written; such a part fails when it is asked.
      if (descriptor.isOlder) descriptor.warn(place, 'unfinished', message);
      else descriptor.note(place, 'missing_sub_skill', message);
      return;
    }
    parts.set(name, readDraft(nested, folder === '' ? inside : posix.join(folder, inside), registry, scope));
  });
  return parts;
}

function filesUnder(files: PackFiles, prefix: string): PackFiles {
  const inside = Object.entries(files).filter(([path]) => path.startsWith(prefix));
  return Object.fromEntries(inside.map(([path, text]) => [path.slice(prefix.length), text]));
}
