import { didYouMean } from '../../../core/spelling.js';
import { requiredOf } from '../../composite/step-records.js';
import type { Checked } from '../checked-file.js';
import type { Descriptor } from '../descriptor-schema.js';
import type { Draft } from '../draft.js';
import type { NodePath } from '../text-file.js';
import { checkCondition, checkNames, compositeNames, namesAreSound } from './variable-checks.js';

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
    const circle = circleFrom(name, needs);
    if (circle === null || circle.some((one) => reported.has(one))) continue;
    for (const one of circle) reported.add(one);
    const message = `The sub-skills wait for each other in a circle: ${[...circle, circle[0]].join(' -> ')}. Remove one of the dependencies.`;
    descriptor.note(['sub_skills', names.indexOf(name), 'dependencies'], 'dependency_cycle', message);
  }
}

/** A way from a name back to itself. */
function circleFrom(start: string, needs: ReadonlyMap<string, readonly string[]>): readonly string[] | null {
  const cameFrom = new Map<string, string | null>([[start, null]]);
  const queue = [start];
  for (const at of queue) {
    for (const next of needs.get(at) ?? []) {
      if (next === start) {
        const path: string[] = [];
        for (let step: string | null = at; step !== null; step = cameFrom.get(step) ?? null)
          path.unshift(step);
        return path;
      }
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, at);
      queue.push(next);
    }
  }
  return null;
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
