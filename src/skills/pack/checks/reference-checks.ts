import type { JsonObject } from '../../../core/domain/json.js';
import { didYouMean } from '../../../core/spelling.js';
import { circleFrom } from '../../graph-walk.js';
import type { Checked } from '../checked-file.js';
import type { Draft } from '../draft.js';
import { isRange } from '../pack.js';
import type { NodePath } from '../text-file.js';
import { propertiesOf, requiredOf, takesOthers } from './json-schema-at.js';

/** Looks up skills of the catalog that is being made. */
export interface SkillFinder {
  ids(): readonly string[];
  /** Newest first. */
  versions(id: string): readonly string[];
  /** The newest that fits; null where none does. */
  find(id: string, range?: string): Draft | null;
}

/** Finds nothing and knows of nothing: for a pack that is read alone, whose references are not looked at. */
export const NO_SKILLS: SkillFinder = { ids: () => [], versions: () => [], find: () => null };

/** The rules about skills that a pack and its nested ones refer to by id, and about what they are given. */
export function checkReferences(draft: Draft, finder: SkillFinder): void {
  for (const part of draft.parts.values()) checkReferences(part, finder);
  const { descriptor, tree } = draft;
  descriptor?.data.sub_skills.forEach(({ name, skill, version, inputs }, at) => {
    const where: NodePath = ['sub_skills', at];
    if (skill !== undefined) checkSkill(descriptor, where, skill, version, finder);
    const part = partOf(draft, name, skill, version, finder);
    if (part !== null) checkInputs(descriptor, [...where, 'inputs'], inputs, part);
  });
  for (const [id, { action }] of Object.entries(tree?.data.steps ?? {})) {
    if (tree === null || action.type !== 'skill') continue;
    const at: NodePath = ['steps', id, 'action'];
    checkSkill(tree, at, action.skill, action.version, finder);
    const part = finder.find(action.skill, action.version);
    if (part === null || action.input === undefined) continue;
    checkInputs(tree, [...at, 'input'], action.input, part);
    for (const field of requiredOf(part.inputSchema)) {
      if (Object.hasOwn(action.input, field)) continue;
      const message = `The skill ${action.skill} needs ${field}, which input does not give. Add it.`;
      tree.note([...at, 'input'], 'missing_input', message);
    }
  }
  checkDepth(draft, finder);
}

function checkSkill(
  where: Checked<unknown>,
  at: NodePath,
  skill: string,
  version: string | undefined,
  finder: SkillFinder,
): void {
  if (finder === NO_SKILLS) return;
  const versions = finder.versions(skill);
  if (versions.length === 0) {
    const message = `There is no skill ${skill} in the skills folders.${didYouMean(skill, finder.ids())}`;
    where.note([...at, 'skill'], 'unknown_skill', message);
  } else if (version !== undefined && isRange(version) && finder.find(skill, version) === null) {
    const message = `The skill ${skill} has no version ${version}. There is: ${versions.join(', ')}.`;
    where.note([...at, 'version'], 'unknown_version', message);
  }
}

function partOf(
  draft: Draft,
  name: string,
  skill: string | undefined,
  version: string | undefined,
  finder: SkillFinder,
): Draft | null {
  return draft.parts.get(name) ?? (skill === undefined ? null : finder.find(skill, version));
}

function checkInputs(where: Checked<unknown>, at: NodePath, inputs: JsonObject, part: Draft): void {
  const { descriptor, inputSchema } = part;
  if (descriptor === null || !descriptor.sound(['input_schema'])) return;
  const fields = propertiesOf(inputSchema);
  if (fields === null || takesOthers(inputSchema)) return;
  for (const name of Object.keys(inputs)) {
    if (Object.hasOwn(fields, name)) continue;
    const message = `The input_schema of ${descriptor.data.id} has no ${name}.${didYouMean(name, Object.keys(fields))}`;
    where.note([...at, name], 'unknown_input', message);
  }
}

function checkDepth(draft: Draft, finder: SkillFinder): void {
  const { descriptor } = draft;
  if (descriptor === null) return;
  const circle = circleFrom(draft, (one) => partsOf(one, finder).filter((part) => part !== null));
  if (circle !== null) {
    const ids = [...circle, draft].map((one) => one.descriptor?.data.id ?? one.folder);
    const message = `The skill contains itself: ${ids.join(' -> ')}. Take one of them out.`;
    const path = descriptor.data.type === 'composite' ? ['sub_skills'] : ['id'];
    descriptor.note(path, 'skill_cycle', message);
    return;
  }
  const max = descriptor.data.routing?.max_depth ?? 3;
  descriptor.data.sub_skills.forEach(({ name, skill, version }, at) => {
    const part = partOf(draft, name, skill, version, finder);
    const height = part === null ? 0 : heightOf(part, finder, new Map());
    if (height <= max) return;
    const message = `The sub-skill ${name} has skills nested ${height} deep; routing.max_depth allows ${max}. Raise it, or make the nesting flatter.`;
    descriptor.note(['sub_skills', at], 'too_deep', message);
  });
}

/** The skills that a composite has as parts. */
function subSkillsOf(draft: Draft, finder: SkillFinder): readonly (Draft | null)[] {
  return (draft.descriptor?.data.sub_skills ?? []).map(({ name, skill, version }) =>
    partOf(draft, name, skill, version, finder),
  );
}

/** The skills that a pack runs; null for each that cannot be found. */
export function partsOf(draft: Draft, finder: SkillFinder): readonly (Draft | null)[] {
  const called = Object.values(draft.tree?.data.steps ?? {}).flatMap(({ action }) =>
    action.type === 'skill' ? [finder.find(action.skill, action.version)] : [],
  );
  return [...subSkillsOf(draft, finder), ...called];
}

/** Levels of composites, as the engine counts them: 1 for a skill without parts. Each skill is counted once. */
function heightOf(draft: Draft, finder: SkillFinder, known: Map<Draft, number>): number {
  const before = known.get(draft);
  if (before !== undefined) return before;
  // A pack that is met again while its parts are walked is part of a circle, which is reported where it begins.
  known.set(draft, 0);
  const heights = subSkillsOf(draft, finder).map((part) => (part ? heightOf(part, finder, known) : 0));
  const height = 1 + Math.max(0, ...heights);
  known.set(draft, height);
  return height;
}
