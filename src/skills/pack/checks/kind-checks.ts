import { toHubError } from '../../../core/errors.js';
import { didYouMean, nearestName } from '../../../core/spelling.js';
import { placeholderNames } from '../../expressions/placeholders.js';
import { readDuration, readShare } from '../../goals.js';
import { HANDLERS } from '../../handlers/index.js';
import { parseMustache } from '../../templates/render.js';
import type { Checked } from '../checked-file.js';
import type { Descriptor } from '../descriptor-schema.js';
import { type Draft, TEXTS_FILE, testCaseFiles } from '../draft.js';
import { isRange, isVersion, OWN_PROMPTS } from '../pack.js';
import { safePath, unsafePathMessage } from '../read-files.js';
import { rawKeys } from './json-schema-at.js';
import { namesIn } from './mapping-checks.js';
import { checkNames, inputNames } from './variable-checks.js';

const PROMPT_FILE = /^prompts\/([^/]+)\.(?:txt|mustache)$/;
/** A page for people may lie beside what is read. */
const FOR_PEOPLE = /^(?:README|CHANGELOG|LICENSE)(?:\.\w+)?$/i;
const READ_FIRST = ['skill.yaml', 'skill_definition.yaml', 'skill_definition.yml', 'api_mappings.yaml'];
const KNOWN_FILES = ['skill.yaml', 'decision_tree.yaml', 'api_mappings.yaml', 'knowledge_base.md'];

/** More of them are one mistake. */
const MAX_REPORTED = 10;

/**
 * A file that nothing reads is a slip in its name, or in the name of what should read it. Reported where nothing else is wrong
 * with the pack.
 */
export function checkUnread({ descriptor, ...draft }: Draft): void {
  const { files, faults } = draft;
  if (descriptor === null) return;
  const { data } = descriptor;
  const prompts: readonly string[] = OWN_PROMPTS[data.type];
  const promptOf = (path: string) => PROMPT_FILE.exec(path)?.[1]?.replace(/\.small$/, '');
  const unread = Object.keys(files).filter((path) => {
    const prompt = promptOf(path);
    if (prompt !== undefined) return !prompts.includes(prompt);
    return path !== descriptor.path && !isRead(draft, data, path);
  });
  for (const path of unread.slice(0, MAX_REPORTED)) {
    const prompt = promptOf(path);
    const message = prompt === undefined ? unreadFile(path) : unreadPrompt(path, prompt, prompts);
    faults.add(path, 1, 'unread_file', message);
  }
}

function unreadFile(path: string): string {
  return `Nothing of the pack reads ${path}.${didYouMean(path, KNOWN_FILES)} Name it where it belongs, or take it out.`;
}

function unreadPrompt(path: string, name: string, prompts: readonly string[]): string {
  if (prompts.length > 0)
    return `Nothing reads the prompt ${name}; there are ${prompts.join(', ')}.${didYouMean(name, prompts)}`;
  return `A skill of this type reads no prompts of its own: that of a template stands in the registry. Take ${path} out.`;
}

function isRead(
  { files }: Pick<Draft, 'files'>,
  { decision_tree, sub_skills }: Descriptor,
  path: string,
): boolean {
  const cases = testCaseFiles(files);
  if (KNOWN_FILES.includes(path) || path === decision_tree?.path) return true;
  if (FOR_PEOPLE.test(path) || TEXTS_FILE.test(path) || cases.includes(path)) return true;
  // The files of a part are looked at with the part.
  if (sub_skills.some((part) => part.path !== undefined && path.startsWith(folderOf(part.path)))) return true;
  // Named by a `$ref`, as the file of a fixture, or a query by its name alone.
  const file = path.slice(path.lastIndexOf('/') + 1);
  const name = path.startsWith('queries/') ? file.replace(/\.sql$/, '') : file;
  const schemas = Object.keys(files).filter((other) => other.endsWith('.json') && other !== path);
  const readers = [...READ_FIRST, ...schemas, ...cases];
  return readers.some((reader) => files[reader]?.includes(name));
}

/** `./sub_skills/tone` as `sub_skills/tone/`. */
function folderOf(path: string): string {
  return `${path.replace(/^\.\//, '').replace(/\/$/, '')}/`;
}

/** What each type of skill needs, and what it cannot have. */
export function checkKind(draft: Draft): void {
  const { descriptor } = draft;
  if (descriptor === null) return;
  checkVersions(descriptor);
  checkMetrics(descriptor);
  checkOwnPrompts(draft);
  if (!descriptor.sound(['type'])) return;
  checkTreeFile(draft, descriptor);
  checkWork(descriptor);
  checkImplementation(draft, descriptor);
  checkCriticalActions(draft, descriptor);
}

function checkVersions(descriptor: Checked<Descriptor>): void {
  const { version, sub_skills: parts } = descriptor.data;
  if (!isVersion(version)) {
    descriptor.note(
      ['version'],
      'wrong_value',
      `"${version}" is no semantic version; write it such as 1.0.0, without leading zeros.`,
    );
  }
  parts.forEach((part, at) => {
    if (part.version === undefined || isRange(part.version)) return;
    const message = `"${part.version}" is neither a version nor a range; write it such as 1.2.0 or ^1.0.0.`;
    descriptor.note(['sub_skills', at, 'version'], 'wrong_value', message);
  });
}

/** Goals are compared with figures, so they must be readable. */
function checkMetrics(descriptor: Checked<Descriptor>): void {
  const { metrics = {} } = descriptor.data;
  for (const [key, text] of Object.entries(metrics)) {
    const isTime = key !== 'expected_accuracy';
    if (text === undefined || (isTime ? readDuration(text) : readShare(text)) !== null) continue;
    const form = isTime ? 'a time such as 30 seconds or 20 minutes' : 'a share such as 85%';
    descriptor.note(['metrics', key], 'wrong_value', `${key} must be ${form}, but is "${text}".`);
  }
}

function checkTreeFile(draft: Draft, descriptor: Checked<Descriptor>): void {
  const { type, decision_tree: declared } = descriptor.data;
  const path = declared?.path ?? 'decision_tree.yaml';
  const safe = safePath(path);
  if (safe === null) {
    descriptor.note(['decision_tree', 'path'], 'unsafe_path', unsafePathMessage(path));
    return;
  }
  const there = Object.hasOwn(draft.files, safe);
  if (type === 'decision_tree' && !there) {
    const message = `The file ${safe} is missing; a skill of type decision_tree has its steps there. Write it, or mend decision_tree.path.`;
    descriptor.note(
      declared?.path === undefined ? ['type'] : ['decision_tree', 'path'],
      'missing_tree',
      message,
    );
  }
  if (type !== 'decision_tree' && (there || declared !== undefined)) {
    const message = `The pack has a decision tree, but its type is ${type}. Write type: decision_tree, or take the tree out.`;
    descriptor.note(declared === undefined ? ['type'] : ['decision_tree'], 'tree_not_used', message);
  }
}

/** An atomic skill has exactly one way to do its work, the others none. */
function checkWork(descriptor: Checked<Descriptor>): void {
  const { type, template_type: template, template_config: config, implementation } = descriptor.data;
  if (type !== 'atomic') {
    for (const [key, value] of [
      ['implementation', implementation],
      ['template_type', template],
    ] as const) {
      if (value === undefined || value === null) continue;
      const message = `Only an atomic skill has ${key}, but type is ${type}. Write type: atomic, or remove it.`;
      descriptor.note([key], 'not_atomic', message);
    }
    return;
  }
  if (!descriptor.sound(['template_type']) || !descriptor.sound(['implementation'])) return;
  if (template !== null && implementation !== undefined) {
    const message =
      'The skill has a template_type and an implementation; it can do its work in one way only. Remove one.';
    descriptor.note(['implementation'], 'template_and_implementation', message);
  }
  if (template === null && implementation === undefined) {
    const message = config
      ? 'There is a template_config, but no template_type. Write template_type: LLM_JSON_GENERATION or LLM_REVIEW.'
      : 'An atomic skill needs a template_type (with template_config) or an implementation. Add one.';
    descriptor.note(
      [config ? 'template_config' : 'type'],
      config ? 'config_without_template' : 'nothing_to_run',
      message,
    );
  }
}

function checkImplementation(draft: Draft, descriptor: Checked<Descriptor>): void {
  const { implementation } = descriptor.data;
  if (implementation === undefined || !descriptor.sound(['implementation', 'type'])) return;
  const { type, handler, args, stdin } = implementation;
  if (type === 'ts_function' && !Object.hasOwn(HANDLERS, handler)) {
    const message = `There is no function ${handler} in src/skills/handlers.${didYouMean(handler, Object.keys(HANDLERS))}`;
    descriptor.note(['implementation', 'handler'], 'unknown_handler', message);
  }
  if (type === 'http_call') checkHttpCall(draft, descriptor, handler);
  for (const [key, value] of [
    ['args', args],
    ['stdin', stdin],
  ] as const) {
    if (value === undefined || type === 'cli_command') continue;
    descriptor.note(
      ['implementation', key],
      'unused_key',
      `Only a cli_command has ${key}; remove it, or write type: cli_command.`,
    );
  }
  if (type === 'cli_command') {
    if (!/^[\w.+-]{1,64}$/.test(handler)) {
      const message =
        'The handler of a cli_command is the name of an allowed program, such as jq: no path, no arguments. Put arguments into args.';
      descriptor.note(['implementation', 'handler'], 'wrong_handler', message);
    }
    checkNames(descriptor, ['implementation', 'args'], args, inputNames(draft));
  }
}

function checkHttpCall(draft: Draft, descriptor: Checked<Descriptor>, handler: string): void {
  const mappings = draft.mappings?.data.mappings ?? {};
  const mapping = Object.hasOwn(mappings, handler) ? mappings[handler] : undefined;
  const path = ['implementation', 'handler'];
  if (mapping === undefined) {
    if (draft.mappings?.sound(['mappings']) === false) return;
    const known = draft.mappings === null ? [] : rawKeys(draft.mappings.file, ['mappings']);
    if (known.includes(handler) || (draft.mappings === null && 'api_mappings.yaml' in draft.files)) return;
    const message = `The handler of an http_call is a mapping, and api_mappings.yaml has no ${handler}.${didYouMean(handler, known)}`;
    descriptor.note(path, 'unknown_mapping', message);
    return;
  }
  const kind = descriptor.data.data_sources[mapping.source]?.kind;
  const isSound = descriptor.sound(['data_sources', mapping.source, 'kind']);
  if (isSound && kind !== undefined && kind !== 'http') {
    const message = `An http_call needs a mapping of an http source; ${handler} asks ${mapping.source}, which is ${kind}.`;
    descriptor.note(path, 'query_on_http', message);
  }
  const { problem } = inputNames(draft);
  const { required, optional } = mapping.params;
  const needed = required.length + optional.length > 0 ? required : namesIn(mapping);
  for (const param of needed) {
    if (problem === null || problem(param) === null) continue;
    const message = `The mapping ${handler} needs ${param}, which input_schema does not have. Add it to its properties.`;
    descriptor.note(path, 'missing_param', message);
  }
}

/** A slip in the name of a critical action would let it pass without a question. */
function checkCriticalActions({ tree }: Draft, descriptor: Checked<Descriptor>): void {
  const actions = descriptor.data.human_handoff?.triggers.critical_decision?.actions ?? [];
  if (tree === null || actions.length === 0) return;
  const advised = Object.values(tree.data.steps).flatMap(({ decisions }) =>
    Object.values(decisions).flatMap(({ conclusion }) => conclusion?.recommended_action?.action ?? []),
  );
  actions.forEach((action, at) => {
    if (advised.includes(action) || advised.some((one) => placeholderNames(one).length > 0)) return;
    const near = nearestName(action, advised);
    if (near === undefined) return;
    const message = `No decision recommends the critical action ${action}; did you mean "${near}"?`;
    descriptor.note(
      ['human_handoff', 'triggers', 'critical_decision', 'actions', at],
      'unknown_action',
      message,
    );
  });
}

function checkOwnPrompts({ files, faults }: Draft): void {
  for (const [path, text] of Object.entries(files)) {
    if (!PROMPT_FILE.test(path)) continue;
    try {
      parseMustache(text);
    } catch (error) {
      faults.add(path, 1, 'invalid_template', `${toHubError(error).message}.`);
    }
  }
}
