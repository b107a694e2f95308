import { createHash } from 'node:crypto';
import type { SkillFault } from '../../core/workbench.js';
import { checkActions, checkComposite } from './checks/composite-checks.js';
import { checkKind, checkUnread } from './checks/kind-checks.js';
import { checkMappings, checkSources } from './checks/mapping-checks.js';
import { checkOutput, checkSchemas } from './checks/output-checks.js';
import { checkReferences, NO_SKILLS, type SkillFinder } from './checks/reference-checks.js';
import { checkFixtures, checkTestCases } from './checks/test-case-checks.js';
import { checkTemplate, checkTree } from './checks/tree-checks.js';
import { checkCondition, checkNames, treeNames } from './checks/variable-checks.js';
import type { Descriptor } from './descriptor-schema.js';
import { type Draft, readDraft, type Scope } from './draft.js';
import { isFault, type Pack, type PackFiles, type PackSummary } from './pack.js';
import { createRegistry, type Registry, registryFilesOf } from './registry.js';
import { FaultList } from './schema-faults.js';
import type { NodePath } from './text-file.js';

const ANYTHING = { problem: null };

/** Conditions of triggers and of a tree, and the texts that a tree fills in. */
function checkExpressions(draft: Draft): void {
  const { descriptor, tree } = draft;
  descriptor?.data.triggers.conditions.forEach((text, at) => {
    // They look at facts of a request, which no pack declares.
    checkCondition(descriptor, ['triggers', 'conditions', at], text, ANYTHING);
  });
  if (tree === null) return;
  const before = treeNames(draft, false);
  const after = treeNames(draft, true);
  for (const [id, step] of Object.entries(tree.data.steps)) {
    const at: NodePath = ['steps', id];
    step.pre_conditions.forEach((text, index) => {
      checkCondition(tree, [...at, 'pre_conditions', index], text, before);
    });
    for (const [name, { condition, conclusion }] of Object.entries(step.decisions)) {
      const where: NodePath = [...at, 'decisions', name];
      checkCondition(tree, [...where, 'condition'], condition, after);
      if (conclusion === undefined) continue;
      const { root_cause, partial_finding, explanation, customer_message, recommended_action } = conclusion;
      const texts = { root_cause, partial_finding, explanation, customer_message };
      checkNames(tree, [...where, 'conclusion'], texts, after);
      const advised =
        recommended_action && 'arguments' in recommended_action ? recommended_action.arguments : undefined;
      checkNames(tree, [...where, 'conclusion', 'recommended_action', 'arguments'], advised, after);
    }
  }
}

/** What a tree says in other languages: of steps and decisions that there are, all of them, with what they found. */
function checkTexts(draft: Draft): void {
  const { tree, texts } = draft;
  const decided = Object.entries(tree?.data.steps ?? {}).flatMap(([id, { decisions }]) =>
    Object.entries(decisions).flatMap(([name, { conclusion }]) =>
      conclusion === undefined ? [] : [`${id}.${name}`],
    ),
  );
  const names = treeNames(draft, true);
  for (const [, file] of texts) {
    const given = Object.entries(file.data.findings).flatMap(([id, by]) =>
      Object.keys(by).map((name) => [id, name]),
    );
    for (const [part, there, said] of [
      ['names', Object.keys(tree?.data.steps ?? {}), Object.keys(file.data.names).map((id) => [id])],
      ['findings', decided, given],
    ] as const) {
      for (const path of said)
        if (!there.includes(path.join('.')))
          file.note(
            [part, ...path],
            'unknown_name',
            `The tree has no ${path.join('.')}. Take it out, or mend the name.`,
          );
      const lacking = there.filter((id) => !said.some((path) => path.join('.') === id));
      if (lacking.length > 0)
        file.warn(
          [part],
          'unfinished',
          `It does not say ${lacking.join(', ')}; operators read English there.`,
        );
    }
    checkNames(file, ['findings'], file.data.findings, names);
  }
}

/** All rules that need no other pack. Notes what is wrong with a draft and with its nested ones. */
function checkDraft(draft: Draft, registry: Registry): void {
  for (const part of draft.parts.values()) checkDraft(part, registry);
  checkKind(draft);
  checkSchemas(draft);
  checkSources(draft);
  checkMappings(draft);
  checkTree(draft);
  checkActions(draft);
  checkExpressions(draft);
  checkTexts(draft);
  checkComposite(draft);
  checkTemplate(draft, registry);
  checkOutput(draft);
  checkTestCases(draft);
  checkUnread(draft);
}

/** The rules about skills that a pack refers to by id. */
export function checkAmongOthers(draft: Draft, finder: SkillFinder): void {
  checkReferences(draft, finder);
  checkFixtures(draft, finder);
}

/** A map that nobody can change. */
function frozenMap<K, V>(entries: Iterable<readonly [K, V]>): ReadonlyMap<K, V> {
  const refuse = (): never => {
    throw new TypeError('A pack cannot be changed.');
  };
  return Object.assign(new Map(entries), { set: refuse, delete: refuse, clear: refuse });
}

/** Freezes a value and all it holds, also the values of maps. */
function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  const inner: Iterable<unknown> = value instanceof Map ? value.values() : Object.values(value);
  for (const one of inner) deepFreeze(one);
  return value;
}

/** Makes the pack of a draft without faults; null where something it needs could not be read. */
function buildPack(draft: Draft): Pack | null {
  if (draft.descriptor === null) return null;
  const { inputSchema, outputSchema, prompt, rubric } = draft;
  const parts: [string, Pack][] = [];
  for (const [name, part] of draft.parts) {
    const built = buildPack(part);
    if (built === null) return null;
    parts.push([name, built]);
  }
  const descriptor = { ...draft.descriptor.data, input_schema: inputSchema, output_schema: outputSchema };
  const files = allFiles(draft);
  return deepFreeze({
    id: descriptor.id,
    version: descriptor.version,
    summary: summaryOf(descriptor),
    descriptor,
    folder: draft.folder,
    files,
    hash: hashOf(files),
    tree: descriptor.type === 'decision_tree' ? (draft.tree?.data ?? null) : null,
    mappings: frozenMap(Object.entries(draft.mappings?.data.mappings ?? {})),
    texts: frozenMap([...draft.texts].map(([language, { data }]) => [language, data] as const)),
    knowledge: files['knowledge_base.md'] ?? null,
    prompts: frozenMap(ownPrompts(files)),
    prompt: prompt?.data ? { ...prompt.data, version: prompt.version } : null,
    rubric: rubric?.data ?? null,
    parts: frozenMap(parts),
  });
}

function summaryOf(descriptor: Descriptor): PackSummary {
  const { id, version, title, titles, description, descriptions, owner, status, type, tags, policy } =
    descriptor;
  return {
    id,
    version,
    title,
    titles,
    description,
    descriptions,
    owner,
    status,
    type,
    tags,
    effect: policy.effect,
    approval: policy.approval,
    templateType: descriptor.template_type,
    inputSchema: descriptor.input_schema,
    outputSchema: descriptor.output_schema,
  };
}

/** The pack's own files and those of the registries that it or a nested one refers to, sorted. */
function allFiles(draft: Draft): PackFiles {
  const entries = [...Object.entries(draft.files), ...registryFiles(draft)];
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}

function registryFiles({ prompt, rubric, parts }: Draft): [string, string][] {
  const own = [prompt, rubric].flatMap((entry): [string, string][] =>
    entry === null ? [] : [[entry.file.key, entry.file.text]],
  );
  return [...own, ...[...parts.values()].flatMap(registryFiles)];
}

function hashOf(files: PackFiles): string {
  const hash = createHash('sha256');
  // With their lengths, so that no two sets of files give the same text.
  for (const [path, text] of Object.entries(files))
    hash.update(`${path.length}:${path}${text.length}:${text}`);
  return hash.digest('hex');
}

function ownPrompts(files: PackFiles): [string, string][] {
  return Object.entries(files).flatMap(([path, text]): [string, string][] => {
    const name = /^prompts\/([^/]+)\.(?:txt|mustache)$/.exec(path)?.[1];
    return name === undefined ? [] : [[name, text]];
  });
}

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
  readonly faults: readonly SkillFault[];
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
  const moreFaults = more.list();
  // Where something else is wrong, what refers to a file may be what is.
  const isOther = (fault: SkillFault): boolean => isFault(fault) && fault.code !== 'unread_file';
  const faults = moreFaults.some(isOther)
    ? moreFaults.filter(({ code }) => code !== 'unread_file')
    : moreFaults;
  return { pack: faults.some(isFault) ? null : buildPack(draft), faults };
}

function faultsOf(draft: Draft): readonly SkillFault[] {
  return [
    ...draft.faults.list(),
    ...(draft.prompt?.faults ?? []),
    ...(draft.rubric?.faults ?? []),
    ...[...draft.parts.values()].flatMap(faultsOf),
  ];
}
