import type { TreeAction, TreeDecision, TreeStep } from '../pack/file-schemas.js';
import type { Pack } from '../pack/pack.js';
import { treeOf } from './run-step.js';

const PERSON = 'person';
const MERGE = 'merge';
const MAX_LABEL = 70;

/**
 * A decision tree as a Mermaid flowchart: a box for each step, an edge for each decision with its condition, a rounded box
 * for each cause, and where a person comes in.
 * @throws HubError `skill_invalid` where the pack has no tree
 */
export function treeToMermaid(pack: Pack): string {
  const tree = treeOf(pack);
  const checks = new Set(tree.parallel_checks);
  const led = new Set(Object.values(tree.steps).flatMap(followers));
  const lines = ['flowchart TD', `  start(["${label(pack.summary.title)}"])`];
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

/** The steps that a step may lead to. */
function followers({ decisions, options }: TreeStep): readonly string[] {
  return [...Object.values(decisions), ...options].flatMap(({ next_step: next }) => next ?? []);
}

interface DrawnStep {
  readonly id: string;
  readonly lines: readonly string[];
  /** Ids of the boxes of what it may conclude. */
  readonly causes: readonly string[];
  readonly asks: boolean;
}

function drawStep(pack: Pack, id: string, step: TreeStep, isCheck: boolean): DrawnStep {
  const critical = pack.descriptor.human_handoff?.triggers.critical_decision?.actions ?? [];
  const lines = [`  ${box(id)}["${label(step.name)}<br/>${label(describe(step.action))}"]`];
  const causes: string[] = [];
  let asks = step.action.type === 'ask' || step.options.length > 0;
  if (asks) lines.push(`  ${box(id)} -.-> ${PERSON}`);
  for (const [name, decision] of Object.entries(step.decisions)) {
    const edge = `${box(id)} -->|"${label(name)}<br/>${label(decision.condition)}"|`;
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
      lines.push(`  ${PERSON} -.->|"${option.id}: ${label(option.label)}"| ${box(option.next_step)}`);
  }
  return { id, lines, causes, asks };
}

function causeLabel({ conclusion, confidence }: TreeDecision): string {
  const action = conclusion?.recommended_action?.action;
  return [conclusion?.root_cause ?? '', `confidence ${confidence}`, ...(action ? [`advises ${action}`] : [])]
    .map(label)
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

/** Text that can be read as nothing but text, inside of Mermaid's quotes. */
function label(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const short = line.length <= MAX_LABEL ? line : `${line.slice(0, MAX_LABEL - 1)}…`;
  return short.replace(/[#"`<>&;[\]{}()|\\]/g, (sign) => `#${sign.charCodeAt(0)};`);
}
