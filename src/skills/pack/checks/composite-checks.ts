import { didYouMean } from '../../../core/spelling.js';
import { circleFrom } from '../../graph-walk.js';
import type { Checked } from '../checked-file.js';
import type { Descriptor } from '../descriptor-schema.js';
import type { Draft } from '../draft.js';
import type { DecisionTree, Mapping, TreeAction } from '../file-schemas.js';
import type { NodePath } from '../text-file.js';
import { rawKeys, requiredOf } from './json-schema-at.js';
import { checkRequest, checkStatement, kindOf, namesIn } from './mapping-checks.js';
import { checkCondition, checkNames, compositeNames, namesAreSound, treeNames } from './variable-checks.js';

/** Names that conditions and inputs of a composite have another meaning for. */
const RESERVED = /^(?:input|steps|now|result|step_\d+)$/;

/** The parts of a composite and the routing between them. */
export function checkComposite(draft: Draft): void {
  const { descriptor } = draft;
  if (descriptor === null || !descriptor.sound(['type'])) return;
  const { type, sub_skills: parts, routing } = descriptor.data;
  if (type !== 'composite') {
    const extra = parts.length > 0 ? 'sub_skills' : routing === undefined ? null : 'routing';
    if (extra === null) return;
    const message = `Only a composite has ${extra}, but type is ${type}. Write type: composite, or remove it.`;
    descriptor.note([extra], 'not_a_composite', message);
    return;
  }
  if (routing?.catalog === true) {
    checkCatalog(descriptor);
    return;
  }
  if (parts.length === 0) {
    const message = 'A composite needs sub_skills: at least one, with a name and a path (or skill).';
    descriptor.note(['sub_skills'], 'no_sub_skills', message);
    return;
  }
  checkParts(draft, descriptor);
  checkDependencies(descriptor);
  checkRouting(draft, descriptor);
}

/** What chooses among all skills has no parts of its own, and reads in `text` what is asked. */
function checkCatalog(descriptor: Checked<Descriptor>): void {
  const { sub_skills: parts, routing, input_schema } = descriptor.data;
  if (parts.length > 0) {
    const message =
      'With routing.catalog every skill is a part. Remove sub_skills, or write catalog: false and name the parts.';
    descriptor.note(['sub_skills'], 'catalog_has_parts', message);
  }
  if (routing?.strategy !== 'dynamic') {
    const message = 'With routing.catalog the request chooses the parts. Write strategy: dynamic.';
    descriptor.note(['routing', 'strategy'], 'catalog_not_dynamic', message);
  }
  if (requiredOf(input_schema).includes('text')) return;
  const message = 'With routing.catalog the request is read in text. Name text in required of input_schema.';
  descriptor.note(['input_schema'], 'catalog_without_text', message);
}

function checkParts(draft: Draft, descriptor: Checked<Descriptor>): void {
  const { sub_skills: parts } = descriptor.data;
  const names = parts.map(({ name }) => name);
  const known = compositeNames(draft);
  parts.forEach(({ name, path, skill, inputs }, at) => {
    const where: NodePath = ['sub_skills', at];
    if (names.indexOf(name) !== at) {
      descriptor.note(
        [...where, 'name'],
        'duplicate_sub_skill',
        `Two sub-skills are called ${name}; rename one.`,
      );
    }
    if (RESERVED.test(name)) {
      const message = `${name} means something else in conditions; give the sub-skill another name.`;
      descriptor.note([...where, 'name'], 'reserved_name', message);
    }
    const sound = descriptor.sound([...where, 'path']) && descriptor.sound([...where, 'skill']);
    if (sound && (path === undefined) === (skill === undefined)) {
      const has = path === undefined ? 'neither path nor skill' : 'both path and skill';
      const message = `The sub-skill ${name} has ${has}. Give it one: path (a folder of this pack) or skill (the id of another).`;
      descriptor.note([...where, path === undefined ? 'name' : 'skill'], 'path_or_skill', message);
    }
    checkNames(descriptor, [...where, 'inputs'], inputs, known);
  });
}

function checkDependencies(descriptor: Checked<Descriptor>): void {
  const { sub_skills: parts } = descriptor.data;
  const names = parts.map(({ name }) => name);
  parts.forEach(({ name, dependencies }, at) => {
    dependencies.forEach((dependency, index) => {
      const path: NodePath = ['sub_skills', at, 'dependencies', index];
      if (!names.includes(dependency) && namesAreSound(descriptor)) {
        const message = `${name} depends on ${dependency}, which is no sub-skill here.${didYouMean(dependency, names)}`;
        descriptor.note(path, 'unknown_dependency', message);
      }
    });
  });
  const needs = new Map(parts.map(({ name, dependencies }) => [name, dependencies]));
  const reported = new Set<string>();
  for (const name of needs.keys()) {
    const circle = circleFrom(name, (one) => needs.get(one) ?? []);
    if (circle === null || circle.some((one) => reported.has(one))) continue;
    for (const one of circle) reported.add(one);
    const message = `The sub-skills wait for each other in a circle: ${[...circle, circle[0]].join(' -> ')}. Remove one of the dependencies.`;
    descriptor.note(['sub_skills', names.indexOf(name), 'dependencies'], 'dependency_cycle', message);
  }
}

function checkRouting(draft: Draft, descriptor: Checked<Descriptor>): void {
  const { routing, sub_skills: parts } = descriptor.data;
  if (routing === undefined) return;
  const names = parts.map(({ name }) => name);
  const known = compositeNames(draft);
  const isPart = (name: string, path: NodePath): void => {
    if (names.includes(name) || !namesAreSound(descriptor)) return;
    const message = `The routing names ${name}, which is no sub-skill here.${didYouMean(name, names)}`;
    descriptor.note(path, 'unknown_sub_skill', message);
  };
  const chooses = routing.conditions.length > 0 || !descriptor.sound(['routing', 'conditions']);
  if (routing.strategy === 'conditional' && !chooses) {
    const message =
      'The strategy is conditional, but there are no routing.conditions. Add one, or take another strategy.';
    descriptor.note(['routing', 'strategy'], 'missing_conditions', message);
  }
  routing.conditions.forEach((condition, at) => {
    const where: NodePath = ['routing', 'conditions', at];
    checkCondition(descriptor, [...where, 'if'], condition.if, known);
    condition.then.forEach((name, index) => {
      isPart(name, [...where, 'then', index]);
    });
    condition.else.forEach((name, index) => {
      isPart(name, [...where, 'else', index]);
    });
    if (condition.then.length + condition.else.length === 0) {
      const message = 'This condition chooses nothing. Name sub-skills in then, in else, or in both.';
      descriptor.note(where, 'empty_condition', message);
    }
  });
  routing.loops.forEach(({ when, after, back_to: back }, at) => {
    const where: NodePath = ['routing', 'loops', at];
    checkCondition(descriptor, [...where, 'when'], when, known);
    isPart(after, [...where, 'after']);
    isPart(back, [...where, 'back_to']);
  });
}

type Call = Extract<TreeAction, { type: 'query' | 'api' }>;

/** The actions of a tree: each asks a source or a mapping that is there, and gives it all it needs. */
export function checkActions(draft: Draft): void {
  const { tree } = draft;
  if (tree === null) return;
  for (const [id, { action }] of Object.entries(tree.data.steps)) {
    const at: NodePath = ['steps', id, 'action'];
    if (action.type === 'query' || action.type === 'api') checkCall(draft, tree, at, action);
    else if (action.type === 'ask')
      checkNames(tree, [...at, 'question'], action.question, treeNames(draft, false));
    else checkNames(tree, [...at, 'input'], action.input, treeNames(draft, false));
  }
}

function checkCall(draft: Draft, tree: Checked<DecisionTree>, at: NodePath, action: Call): void {
  checkNames(tree, [...at, 'params'], action.params, treeNames(draft, false));
  const own = action.type === 'query' ? action.query_template : action.path;
  const ownKey = action.type === 'query' ? 'query_template' : 'path';
  if (action.mapping !== undefined) {
    for (const key of ['source', ownKey] as const) {
      if ((key === 'source' ? action.source : own) === undefined) continue;
      const message = `The action names the mapping ${action.mapping} and has a ${key} too. Keep one: the mapping, or source and ${ownKey}.`;
      tree.note([...at, key], 'mapping_and_source', message);
    }
    checkMappingCall(draft, tree, at, action, action.mapping);
    return;
  }
  if (action.source === undefined || own === undefined) {
    const lacks =
      action.source === undefined && own === undefined ? `mapping, and no source and ${ownKey}` : null;
    const message = `The action has no ${lacks ?? (action.source === undefined ? 'source' : ownKey)}. Name a mapping of api_mappings.yaml, or give source and ${ownKey}.`;
    tree.note(at, 'missing_call', message);
  }
  if (action.source === undefined) return;
  const kind = kindOf(draft, action.source, tree, [...at, 'source']);
  if (kind === null || wrongKind(tree, [...at, 'type'], action.type, kind, action.source)) return;
  if (action.type === 'query') {
    if (own === undefined) return;
    checkStatement(draft, tree, [...at, 'query_template'], own, action.source);
    checkNames(tree, [...at, 'query_template'], own, treeNames(draft, false, action.params));
  } else {
    checkRequest(tree, at, action);
    for (const key of ['path', 'query', 'body'] as const) {
      checkNames(tree, [...at, key], action[key], treeNames(draft, false, action.params));
    }
  }
}

function wrongKind(
  tree: Checked<DecisionTree>,
  path: NodePath,
  type: Call['type'],
  kind: string,
  source: string,
): boolean {
  if ((kind === 'http') === (type === 'api')) return false;
  const message =
    kind === 'http'
      ? `The action queries ${source}, which is an http source. Write type: api with a path, or name a SQL source.`
      : `The action calls ${source} as an API, but it is a SQL source (${kind}). Write type: query, or name an http source.`;
  tree.note(path, kind === 'http' ? 'query_on_http' : 'api_on_sql', message);
  return true;
}

function checkMappingCall(
  draft: Draft,
  tree: Checked<DecisionTree>,
  at: NodePath,
  action: Call,
  name: string,
): void {
  const mappings = draft.mappings?.data.mappings ?? {};
  const mapping = Object.hasOwn(mappings, name) ? mappings[name] : undefined;
  if (mapping === undefined) {
    if (draft.mappings?.sound(['mappings']) === false) return;
    const written = draft.mappings === null ? [] : rawKeys(draft.mappings.file, ['mappings']);
    if (written.includes(name) || (draft.mappings === null && 'api_mappings.yaml' in draft.files)) return;
    const message = `api_mappings.yaml has no mapping ${name}.${didYouMean(name, written)}`;
    tree.note([...at, 'mapping'], 'unknown_mapping', message);
    return;
  }
  const kind = draft.descriptor?.data.data_sources[mapping.source]?.kind;
  if (kind !== undefined && wrongKind(tree, [...at, 'type'], action.type, kind, mapping.source)) return;
  checkGivenParams(draft, tree, at, action, { name, mapping });
}

function checkGivenParams(
  draft: Draft,
  tree: Checked<DecisionTree>,
  at: NodePath,
  action: Call,
  { name, mapping }: { readonly name: string; readonly mapping: Mapping },
): void {
  if (draft.mappings?.sound(['mappings', name, 'params', 'required']) === false) return;
  const { required, optional } = mapping.params;
  const given = Object.keys(action.params ?? {});
  const declared = [...required, ...optional];
  const heads = new Set(
    [...declared, ...namesIn(mapping)].flatMap((param) => [param, param.split('.')[0] ?? param]),
  );
  for (const param of given) {
    if (heads.has(param)) continue;
    const message = `The mapping ${name} has no parameter ${param}.${didYouMean(param, declared)}`;
    tree.note([...at, 'params', param], 'unknown_param', message);
  }
  const names = treeNames(draft, false, action.params);
  if (names.problem === null) return;
  // What is not declared must be there by itself; what is optional may be absent.
  const needed = declared.length > 0 ? required : namesIn(mapping);
  for (const param of needed) {
    if (given.includes(param) || names.problem(param) === null) continue;
    const message = `The mapping ${name} needs ${param}, which neither params nor the input has. Give it: params: { ${param}: "{...}" }.`;
    tree.note([...at, 'params'], 'missing_param', message);
  }
}
