import type { CompositeResult } from '../core/domain/composite-result.js';
import type { InvestigationResult, SkillRun } from '../core/domain/skill.js';
import { HubError } from '../core/errors.js';
import { type Part, partsOf } from './composite/composite-env.js';
import { partsNamed } from './composite/plan-order.js';
import { compileCondition } from './expressions/expression.js';
import { placeholderNames } from './expressions/placeholders.js';
import type { TreeAction, TreeDecision, TreeStep } from './pack/file-schemas.js';
import type { Catalog, Pack } from './pack/pack.js';
import { followersIn, treeOf } from './tree/run-step.js';

// Packs and runs as Mermaid flowcharts. It draws text; nothing here runs a skill.

const PERSON = 'person';
const MERGE = 'merge';
const TREE_LABEL = 70;
const RUN_LABEL = 90;
const MAX_NESTING = 5;

interface DrawnStep {
  readonly id: string;
  readonly lines: readonly string[];
  /** Ids of the boxes of what it may conclude. */
  readonly causes: readonly string[];
  readonly asks: boolean;
}

/**
 * One run as a Mermaid flowchart: what was decided at each level and what each part took, nested ones in their order; of an
 * investigation the steps it went and where a person was asked.
 * @throws HubError `input_invalid` for a run that has no levels and no steps
 */
export function runToMermaid({ runId, result, handoff }: SkillRun): string {
  const lines =
    result?.kind === 'composite'
      ? compositeLines(result.value)
      : result?.kind === 'investigation'
        ? pathLines(result.value)
        : null;
  if (lines === null) {
    const why =
      handoff === null ? 'it is neither a composite nor an investigation' : 'it still waits for a person';
    throw new HubError('input_invalid', `The run ${runId} cannot be drawn: ${why}.`, { runId });
  }
  return `${['flowchart TD', ...lines.map((line) => `  ${line}`)].join('\n')}\n`;
}

function compositeLines({ trace, skill_id, skill_version }: CompositeResult): readonly string[] {
  const boxes = trace.map(({ level, step, decided, by, duration_ms, confidence, cost_usd }, at) => {
    const took = [
      `${duration_ms} ms`,
      ...(confidence === undefined ? [] : [`confidence ${confidence.toFixed(2)}`]),
      ...(cost_usd === undefined || cost_usd === 0 ? [] : [`${cost_usd.toFixed(4)} USD`]),
    ];
    const where = step === undefined ? `level ${level}` : `level ${level}, ${step}`;
    return `t${at}["${label(`${where}: ${decided}`, RUN_LABEL)}<br/>${label(`${by}, ${took.join(', ')}`, RUN_LABEL)}"]`;
  });
  return [
    `start(["${label(`${skill_id} ${skill_version}`, RUN_LABEL)}"])`,
    ...boxes,
    ...boxes.map((_, at) => `${at === 0 ? 'start' : `t${at - 1}`} --> t${at}`),
  ];
}

function pathLines(found: InvestigationResult): readonly string[] {
  const { path, evidence, handoffs, root_cause, confidence_score } = found;
  const boxes = path.map((step, at) => {
    const own = evidence.find((one) => one.step === step);
    const asked = handoffs.filter((one) => one.at === step).map(({ choice, by }) => `${by} chose ${choice}`);
    const said = own === undefined ? step : `${step}: ${own.decision ?? own.finding}`;
    return `s${at}["${label([said, ...asked].join('; '), RUN_LABEL)}"]`;
  });
  const beside = evidence.filter(({ step }) => !path.includes(step));
  const end = `cause(["${label(`${root_cause ?? 'no cause'} (${confidence_score.toFixed(2)})`, RUN_LABEL)}"])`;
  return [
    ...boxes,
    end,
    ...boxes.map((_, at) => `s${at} --> ${at === boxes.length - 1 ? 'cause' : `s${at + 1}`}`),
    ...beside.flatMap(({ step, finding }, at) => [
      `b${at}["${label(`${step}: ${finding}`, RUN_LABEL)}"]`,
      `b${at} -.-> cause`,
    ]),
  ];
}

/**
 * A composite as a Mermaid flowchart: its parts, what they wait for (solid where declared, dotted where only data flow),
 * conditions as diamonds, loops as arrows back, and nested composites as boxes.
 * @param catalog where parts named by `skill:` are looked up; without it they are drawn by their name
 */
export function compositeToMermaid(pack: Pack, catalog: Catalog | null = null): string {
  const lines = ['flowchart TD', ...partLines(pack, catalog, '', 1, 1)];
  return `${lines.join('\n')}\n`;
}

function partLines(
  pack: Pack,
  catalog: Catalog | null,
  prefix: string,
  indent: number,
  nesting: number,
): readonly string[] {
  const parts = partsOf(pack, catalog);
  const names = parts.map((part) => part.name);
  const nodes = parts.flatMap((part) => nodeLines(part, catalog, prefix, nesting));
  const lines = [...nodes, ...arrows(pack, parts, names, prefix), ...conditionLines(pack, names, prefix)];
  for (const loop of pack.descriptor.routing?.loops ?? []) {
    const again = label(`again while ${loop.when}, at most ${loop.max}x`);
    lines.push(`${prefix}${loop.after} -. "${again}" .-> ${prefix}${loop.back_to}`);
  }
  return lines.map((line) => `${'  '.repeat(indent)}${line}`);
}

function nodeLines(part: Part, catalog: Catalog | null, prefix: string, nesting: number): readonly string[] {
  const id = `${prefix}${part.name}`;
  const skill = part.pack === null ? (part.sub.skill ?? part.name) : part.pack.summary.title;
  const isNested = part.pack?.descriptor.type === 'composite' && nesting < MAX_NESTING;
  if (!isNested || part.pack === null) return [`${id}["${label(`${part.name}: ${skill}`)}"]`];
  return [
    `subgraph ${id}["${label(`${part.name}: ${skill}`)}"]`,
    ...partLines(part.pack, catalog, `${id}__`, 1, nesting + 1),
    'end',
  ];
}

/** In a sequential skill parts that wait for nothing follow one another. */
function arrows(pack: Pack, parts: readonly Part[], names: readonly string[], prefix: string): string[] {
  const isSequential = (pack.descriptor.routing?.strategy ?? 'sequential') === 'sequential';
  return parts.flatMap(({ name, sub }, place) => {
    const data = partsNamed(placeholderNames(sub.inputs), names);
    const earlier = data.filter((one) => names.indexOf(one) < place && !sub.dependencies.includes(one));
    const previous = names[place - 1];
    const follows = isSequential && sub.dependencies.length + earlier.length === 0 && previous !== undefined;
    return [
      ...sub.dependencies.map((one) => `${prefix}${one} --> ${prefix}${name}`),
      ...earlier.map((one) => `${prefix}${one} -.-> ${prefix}${name}`),
      ...(follows ? [`${prefix}${previous} --> ${prefix}${name}`] : []),
    ];
  });
}

function conditionLines(pack: Pack, names: readonly string[], prefix: string): string[] {
  return (pack.descriptor.routing?.conditions ?? []).flatMap((condition, index) => {
    const id = `${prefix}if_${index + 1}`;
    return [
      `${id}{"${label(condition.if)}"}`,
      ...partsNamed(compileCondition(condition.if).names, names).map((one) => `${prefix}${one} --> ${id}`),
      ...condition.then.map((one) => `${id} -- yes --> ${prefix}${one}`),
      ...condition.else.map((one) => `${id} -- no --> ${prefix}${one}`),
    ];
  });
}

/**
 * A decision tree as a Mermaid flowchart: a box for each step, an edge for each decision with its condition, a rounded box
 * for each cause, and where a person comes in.
 * @throws HubError `skill_invalid` where the pack has no tree
 */
export function treeToMermaid(pack: Pack): string {
  const tree = treeOf(pack);
  const checks = new Set(tree.parallel_checks);
  const led = followersIn(tree);
  const lines = ['flowchart TD', `  start(["${treeLabel(pack.summary.title)}"])`];
  const drawn = Object.entries(tree.steps).map(([id, step]) =>
    drawStep(pack, id, step, checks.has(id) && !led.has(id)),
  );
  const beside = drawn.filter(({ id }) => checks.has(id));
  lines.push(`  start --> ${box(tree.entry_point)}`);
  lines.push(...drawn.filter(({ id }) => !checks.has(id)).flatMap((step) => step.lines));
  if (beside.length > 0) {
    lines.push('  subgraph beside["Checks beside the main path"]');
    lines.push(...beside.flatMap((step) => step.lines.map((line) => `  ${line}`)));
    lines.push('  end', `  ${MERGE}[/"Findings are put together"/]`);
    for (const { id } of beside) lines.push(`  start -.-> ${box(id)}`);
    for (const cause of drawn.flatMap((step) => step.causes)) lines.push(`  ${cause} -.-> ${MERGE}`);
  }
  if (drawn.some((step) => step.asks)) {
    lines.push(`  ${PERSON}{{"A person is asked"}}`, `  classDef asked stroke-dasharray: 4 2`);
    lines.push(`  class ${PERSON} asked`);
  }
  return `${lines.join('\n')}\n`;
}

function drawStep(pack: Pack, id: string, step: TreeStep, isCheck: boolean): DrawnStep {
  const critical = pack.descriptor.human_handoff?.triggers.critical_decision?.actions ?? [];
  const lines = [`  ${box(id)}["${treeLabel(step.name)}<br/>${treeLabel(describe(step.action))}"]`];
  const causes: string[] = [];
  let asks = step.action.type === 'ask' || step.options.length > 0;
  if (asks) lines.push(`  ${box(id)} -.-> ${PERSON}`);
  for (const [name, decision] of Object.entries(step.decisions)) {
    const edge = `${box(id)} -->|"${treeLabel(name)}<br/>${treeLabel(decision.condition)}"|`;
    const cause = `${box(id)}__${name}`;
    if (decision.conclusion?.root_cause === undefined) {
      // What a check found is put with the rest: nothing follows it, and nobody is asked about it.
      const end = isCheck ? MERGE : PERSON;
      lines.push(`  ${edge} ${decision.next_step && !isCheck ? box(decision.next_step) : end}`);
      asks ||= !decision.next_step && !isCheck;
      continue;
    }
    causes.push(cause);
    lines.push(`  ${edge} ${cause}(["${causeLabel(decision)}"])`);
    if (critical.includes(decision.conclusion.recommended_action?.action ?? '')) {
      lines.push(`  ${cause} -.->|"critical"| ${PERSON}`);
      asks = true;
    }
  }
  for (const option of step.options) {
    if (option.next_step)
      lines.push(`  ${PERSON} -.->|"${option.id}: ${treeLabel(option.label)}"| ${box(option.next_step)}`);
  }
  return { id, lines, causes, asks };
}

function causeLabel({ conclusion, confidence }: TreeDecision): string {
  const action = conclusion?.recommended_action?.action;
  return [conclusion?.root_cause ?? '', `confidence ${confidence}`, ...(action ? [`advises ${action}`] : [])]
    .map(treeLabel)
    .join('<br/>');
}

function describe(action: TreeAction): string {
  if (action.type === 'skill') return `skill ${action.skill}`;
  if (action.type === 'ask') return 'asks';
  return `${action.type} ${action.mapping ?? action.source ?? ''}`.trim();
}

/** A prefix, since Mermaid keeps some words (`end`) for itself. */
function box(id: string): string {
  return `s_${id}`;
}

/** Quotes would end a label, and Mermaid reads `#` as the beginning of an entity. @param longest in characters */
function label(text: string, longest = Number.POSITIVE_INFINITY, signs = /[#"<>]/g): string {
  const line = text.replace(/\s+/g, ' ');
  const short = line.length > longest ? `${line.slice(0, longest)}…` : line;
  return short.replace(signs, (sign) => `#${sign.charCodeAt(0)};`);
}

/** A label of a tree: authors write it, so nothing in it can be read as Mermaid. */
function treeLabel(text: string): string {
  return label(text.trim(), TREE_LABEL, /[#"`<>&;[\]{}()|\\]/g);
}
