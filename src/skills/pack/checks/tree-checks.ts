import { didYouMean } from '../../../core/spelling.js';
import { circleFrom, reachedFrom } from '../../graph-walk.js';
import type { Checked } from '../checked-file.js';
import type { Descriptor } from '../descriptor-schema.js';
import type { Draft } from '../draft.js';
import type { DecisionTree, Prompt } from '../file-schemas.js';
import { isRange } from '../pack.js';
import type { Reference, Registry } from '../registry.js';
import type { NodePath } from '../text-file.js';
import { propertiesOf, rawKeys, requiredOf, takesOthers } from './json-schema-at.js';
import { isInputSchema } from './output-checks.js';

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
  const reached = reachedFrom(entry, nextIn(edges));
  for (const step of Object.keys(steps)) {
    // A check runs alone: nothing follows its next_step.
    if (step === entry || reached.has(step) || checks.includes(step)) continue;
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

/** The steps that edges lead to, by the step they begin at. */
function nextIn(edges: readonly Edge[]): (step: string) => readonly string[] {
  const next = new Map<string, string[]>();
  for (const { from, to } of edges) next.set(from, [...(next.get(from) ?? []), to]);
  return (step) => next.get(step) ?? [];
}

function checkCycles(tree: Checked<DecisionTree>, edges: readonly Edge[]): void {
  const reported = new Set<string>();
  const next = nextIn(edges);
  for (const start of Object.keys(tree.data.steps)) {
    const cycle = circleFrom(start, next);
    const back = edges.find(({ from, to }) => from === cycle?.at(-1) && to === start);
    if (cycle === null || back === undefined || cycle.some((step) => reported.has(step))) continue;
    for (const step of cycle) reported.add(step);
    const message = `The steps go round in a circle: ${[...cycle, start].join(' -> ')}. Let one of them end (next_step: null) or lead on.`;
    tree.note(back.path, 'cycle', message);
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

const KEYS = {
  LLM_JSON_GENERATION: [
    'prompt_id',
    'prompt_version',
    'model',
    'temperature',
    'max_tokens',
    'retry_on_validation_failure',
  ],
  LLM_REVIEW: ['rubric_id', 'rubric_version', 'evaluation_model', 'include_criteria_details'],
} as const;

/** A template with its config, the prompt or rubric that this names, and an input that fits it. */
export function checkTemplate(draft: Draft, registry: Registry): void {
  const { descriptor } = draft;
  const type = descriptor?.data.template_type ?? null;
  if (descriptor === null || type === null || !descriptor.sound(['template_type'])) return;
  const config = descriptor.data.template_config;
  const review = type === 'LLM_REVIEW';
  const [idKey, versionKey] = review
    ? (['rubric_id', 'rubric_version'] as const)
    : (['prompt_id', 'prompt_version'] as const);
  if (!descriptor.sound(['template_config'])) return;
  if (config === undefined) {
    const message = `${type} needs a template_config with a ${idKey}. Add template_config: { ${idKey}: ... }.`;
    descriptor.note(['template_type'], 'missing_template_config', message);
    return;
  }
  for (const key of Object.keys(config)) {
    if ((KEYS[type] as readonly string[]).includes(key)) continue;
    const message = `${key} is no setting of ${type}, which has: ${KEYS[type].join(', ')}. Remove it, or change template_type.`;
    descriptor.note(['template_config', key], 'wrong_template_config', message);
  }
  const id = config[idKey];
  const version = config[versionKey];
  if (id === undefined) {
    const message = `template_config names no ${idKey}. Add it; the ${review ? 'rubric' : 'prompt'} stands in ${review ? 'rubrics/<rubric_id>/<version>.json' : 'prompts/<prompt_id>/<version>.yaml'} of the skills folder.`;
    descriptor.note(['template_config'], `missing_${idKey}`, message);
    return;
  }
  if (version !== undefined && !isRange(version)) {
    const message = `"${version}" is neither a version nor a range; write it such as 1.2.0 or ^1.0.0.`;
    descriptor.note(['template_config', versionKey], 'wrong_value', message);
    return;
  }
  const found = review ? registry.rubric(id, version) : registry.prompt(id, version);
  noteMissing(descriptor, found, id, version, review);
  if (draft.prompt?.data) checkInput(draft, descriptor, draft.prompt.data);
}

function noteMissing(
  descriptor: Checked<Descriptor>,
  found: Reference<unknown>,
  id: string,
  version: string | undefined,
  review: boolean,
): void {
  const [what, folder, end] = review ? ['rubric', 'rubrics', 'json'] : ['prompt', 'prompts', 'yaml'];
  if (found.kind === 'unknown') {
    const message = `There is no ${what} ${id}; it would be ${folder}/${id}/<version>.${end} in the skills folder.${didYouMean(id, found.ids)}`;
    descriptor.note(['template_config', `${what}_id`], `missing_${what}`, message);
  } else if (found.kind === 'no_version') {
    const message = `The ${what} ${id} has no version ${version ?? ''}. There is: ${found.versions.join(', ')}.`;
    descriptor.note(['template_config', `${what}_version`], `missing_${what}`, message);
  }
}

/** Whatever passes input_schema must be something that the prompt takes. */
function checkInput({ inputSchema }: Draft, descriptor: Checked<Descriptor>, prompt: Prompt): void {
  const given = propertiesOf(inputSchema);
  const wanted = propertiesOf(prompt.vars_schema);
  if (given === null || takesOthers(inputSchema) || !isInputSchema(inputSchema)) return;
  const withDefault = (name: string): boolean => {
    const variable = wanted?.[name];
    return typeof variable === 'object' && variable !== null && 'default' in variable;
  };
  for (const name of requiredOf(prompt.vars_schema)) {
    if (withDefault(name)) continue;
    if (Object.hasOwn(given, name)) continue;
    const message = `The prompt needs ${name}, which input_schema does not have. Add it to properties and to required.`;
    descriptor.note(['input_schema', 'properties'], 'missing_input', message);
  }
  if (wanted === null || prompt.vars_schema.additionalProperties !== false) return;
  for (const name of Object.keys(given)) {
    if (Object.hasOwn(wanted, name)) continue;
    const message = `The prompt does not have the input ${name}, and takes no others.${didYouMean(name, Object.keys(wanted))}`;
    descriptor.note(['input_schema', 'properties', name], 'input_not_in_template', message);
  }
}
