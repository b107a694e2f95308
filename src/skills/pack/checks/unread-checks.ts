import { didYouMean } from '../../../core/nearest.js';
import type { Descriptor } from '../descriptor-schema.js';
import { type Draft, testCaseFiles } from '../draft.js';
import { OWN_PROMPTS } from '../pack.js';

export const PROMPT_FILE = /^prompts\/([^/]+)\.(?:txt|mustache)$/;
/** A page for people may lie beside what is read. */
const FOR_PEOPLE = /^(?:README|CHANGELOG|LICENSE)(?:\.\w+)?$/i;
const READ_FIRST = ['skill.yaml', 'skill_definition.yaml', 'skill_definition.yml', 'api_mappings.yaml'];
const KNOWN_FILES = ['skill.yaml', 'decision_tree.yaml', 'api_mappings.yaml', 'knowledge_base.md'];

/** More of them are one mistake. */
const MAX_TOLD = 10;

/**
 * A file that nothing reads is a slip in its name, or in the name of what should read it. Told where nothing else is wrong
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
  for (const path of unread.slice(0, MAX_TOLD)) {
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
  if (FOR_PEOPLE.test(path) || cases.includes(path)) return true;
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
