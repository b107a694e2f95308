import { didYouMean } from '../../../core/spelling.js';
import type { Checked } from '../checked-file.js';
import type { Draft } from '../draft.js';
import type { DecisionTree } from '../file-schemas.js';
import type { NodePath } from '../text-file.js';
import { rawKeys } from './json-schema-at.js';

/** Where a step may lead, and where in the file that is said. */
interface Edge {
  readonly from: string;
  readonly to: string;
  readonly path: NodePath;
}

/** The shape of a tree: steps that exist, can be reached, and end. */
export function checkTree({ descriptor, tree }: Draft): void {
  if (tree === null || !tree.sound(['steps'])) return;
  const steps = new Set([...Object.keys(tree.data.steps), ...rawKeys(tree.file, ['steps'])]);
  if (steps.size === 0) {
    tree.note(
      ['steps'],
      'no_steps',
      'The tree has no steps. Write at least one, and name it in entry_point.',
    );
    return;
  }
  const known = (name: string, path: NodePath, what: string): boolean => {
    if (steps.has(name)) return true;
    tree.note(
      path,
      'unknown_step',
      `${what} names the step ${name}, which the tree does not have.${didYouMean(name, steps)}`,
    );
    return false;
  };
  const { entry_point: entry, parallel_checks: checks } = tree.data;
  known(entry, ['entry_point'], 'entry_point');
  const declared = descriptor?.data.decision_tree?.entry_point;
  if (declared !== undefined && declared !== entry && tree.sound(['entry_point'])) {
    const message = `decision_tree.entry_point is ${declared}, but ${tree.path} begins at ${entry}. Give both the same step, or leave this one out.`;
    descriptor?.note(['decision_tree', 'entry_point'], 'entry_point_mismatch', message);
  }
  checks.forEach((name, at) => {
    known(name, ['parallel_checks', at], 'parallel_checks');
    if (name === entry) {
      const message = `The step ${name} is the entry point and a parallel check too; it would run twice. Take it out of one.`;
      tree.note(['parallel_checks', at], 'entry_is_check', message);
    }
    if (tree.data.steps[name]?.action.type === 'ask') {
      const message = `The parallel check ${name} asks a person, which only a step of the main path can. Lead to it with next_step instead.`;
      tree.note(['parallel_checks', at], 'check_asks', message);
    }
    if (checks.indexOf(name) !== at) {
      tree.note(
        ['parallel_checks', at],
        'duplicate_check',
        `The parallel check ${name} is named twice; name it once.`,
      );
    }
  });
  const edges = edgesOf(tree.data).filter(({ to, path }) => known(to, path, String(path.at(-1))));
  checkReach(tree, edges);
  // An option is taken by a person, who may well try a step again.
  checkCycles(
    tree,
    edges.filter(({ path }) => path[2] === 'decisions'),
  );
  checkDecisions(tree);
}

function edgesOf(tree: DecisionTree): readonly Edge[] {
  return Object.entries(tree.steps).flatMap(([from, { decisions, options }]) => [
    ...Object.entries(decisions).flatMap(([name, { next_step: to }]): Edge[] =>
      typeof to === 'string' ? [{ from, to, path: ['steps', from, 'decisions', name, 'next_step'] }] : [],
    ),
    ...options.flatMap(({ next_step: to }, at): Edge[] =>
      typeof to === 'string' ? [{ from, to, path: ['steps', from, 'options', at, 'next_step'] }] : [],
    ),
  ]);
}

function checkReach(tree: Checked<DecisionTree>, edges: readonly Edge[]): void {
  const { entry_point: entry, parallel_checks: checks, steps } = tree.data;
  // Where a step could not be read, nobody knows what it leads to.
  if (!Object.hasOwn(steps, entry) || !isWhole(tree)) return;
  const reached = new Set([entry]);
  for (const step of reached) for (const edge of edges) if (edge.from === step) reached.add(edge.to);
  // A check runs alone: nothing follows its next_step.
  for (const check of checks) reached.add(check);
  for (const step of Object.keys(steps)) {
    if (reached.has(step)) continue;
    const message = `The step ${step} is never reached. Lead to it with next_step, name it in parallel_checks, or remove it.`;
    tree.note(['steps', step], 'unreachable_step', message);
  }
}

/** Whether every next_step is the author's own. */
function isWhole(tree: Checked<DecisionTree>): boolean {
  if (!tree.sound(['parallel_checks', 0])) return false;
  const raw = rawKeys(tree.file, ['steps']);
  return raw.every((step) => {
    const { decisions } = tree.data.steps[step] ?? {};
    if (decisions === undefined) return false;
    return (
      rawKeys(tree.file, ['steps', step, 'decisions']).length === Object.keys(decisions).length &&
      tree.sound(['steps', step]) &&
      Object.keys(decisions).every((name) => tree.sound(['steps', step, 'decisions', name, 'next_step'])) &&
      tree.sound(['steps', step, 'options', ''])
    );
  });
}

function checkCycles(tree: Checked<DecisionTree>, edges: readonly Edge[]): void {
  const done = new Set<string>();
  const reported = new Set<string>();
  for (const start of Object.keys(tree.data.steps)) walkFrom(start);

  function walkFrom(start: string): void {
    // A stack of its own: a chain of a thousand steps is no reason to run out of the program's.
    const path: string[] = [];
    const work: { readonly step: string; readonly via: Edge | null; readonly leave: boolean }[] = [
      { step: start, via: null, leave: false },
    ];
    for (let item = work.pop(); item !== undefined; item = work.pop()) {
      const { step, via, leave } = item;
      if (leave) {
        path.pop();
        done.add(step);
        continue;
      }
      const at = path.indexOf(step);
      if (at >= 0) {
        if (via !== null) report(path.slice(at), via);
        continue;
      }
      if (done.has(step)) continue;
      path.push(step);
      work.push({ step, via, leave: true });
      for (const edge of edges) if (edge.from === step) work.push({ step: edge.to, via: edge, leave: false });
    }
  }

  function report(cycle: readonly string[], via: Edge): void {
    const key = [...cycle].sort().join(' ');
    if (reported.has(key)) return;
    reported.add(key);
    const message = `The steps go round in a circle: ${[...cycle, cycle[0]].join(' -> ')}. Let one of them end (next_step: null) or lead on.`;
    tree.note(via.path, 'cycle', message);
  }
}

function checkDecisions(tree: Checked<DecisionTree>): void {
  for (const [id, step] of Object.entries(tree.data.steps)) {
    const at: NodePath = ['steps', id];
    if (rawKeys(tree.file, [...at, 'decisions']).length === 0 && step.options.length === 0) {
      const message = `The step ${id} has no decisions, so it is always stuck. Add at least one with a condition.`;
      tree.note(at, 'no_decisions', message);
    }
    for (const [name, { conclusion, next_step: next }] of Object.entries(step.decisions)) {
      const where: NodePath = [...at, 'decisions', name];
      // A check may well have nothing to say.
      const ends = (next === null || next === undefined) && !tree.data.parallel_checks.includes(id);
      if (ends && conclusion === undefined) {
        const message = `The decision ${name} of ${id} neither concludes nor leads on. Give it a conclusion or a next_step.`;
        tree.note(where, 'decision_without_end', message);
      }
    }
    const letters = step.options.map((option) => option.id);
    step.options.forEach(({ id: letter }, option) => {
      if ('ABC'.includes(letter)) {
        const message = `The option ${letter} of ${id} is one that every hand-off has (A accepts, B goes on, C takes over). Use D or a later letter.`;
        tree.note([...at, 'options', option, 'id'], 'option_taken', message);
      } else if (letters.indexOf(letter) !== option) {
        tree.note(
          [...at, 'options', option, 'id'],
          'duplicate_option',
          `The option ${letter} of ${id} is there twice; use another letter.`,
        );
      }
    });
  }
}
