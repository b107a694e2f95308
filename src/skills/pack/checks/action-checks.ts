import { didYouMean } from '../../../core/spelling.js';
import type { Checked } from '../checked-file.js';
import type { Draft } from '../draft.js';
import type { DecisionTree, Mapping, TreeAction } from '../file-schemas.js';
import type { NodePath } from '../text-file.js';
import { rawKeys } from './json-schema-at.js';
import { checkRequest, checkStatement, kindOf, namesIn } from './mapping-checks.js';
import { checkNames, treeNames } from './variable-checks.js';

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
