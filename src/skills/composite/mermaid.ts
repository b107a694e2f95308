import { compileCondition } from '../expressions/expression.js';
import { placeholderNames } from '../expressions/placeholders.js';
import type { Catalog, Pack } from '../pack/pack.js';
import { type Part, partsOf } from './composite-env.js';
import { partsNamed } from './plan-order.js';

const MAX_NESTING = 5;

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
    const label = escapeLabel(`again while ${loop.when}, at most ${loop.max}x`);
    lines.push(`${prefix}${loop.after} -. "${label}" .-> ${prefix}${loop.back_to}`);
  }
  return lines.map((line) => `${'  '.repeat(indent)}${line}`);
}

function nodeLines(part: Part, catalog: Catalog | null, prefix: string, nesting: number): readonly string[] {
  const id = `${prefix}${part.name}`;
  const skill = part.pack === null ? (part.sub.skill ?? part.name) : part.pack.summary.title;
  const isNested = part.pack?.descriptor.type === 'composite' && nesting < MAX_NESTING;
  if (!isNested || part.pack === null) return [`${id}["${escapeLabel(`${part.name}: ${skill}`)}"]`];
  return [
    `subgraph ${id}["${escapeLabel(`${part.name}: ${skill}`)}"]`,
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
      `${id}{"${escapeLabel(condition.if)}"}`,
      ...partsNamed(compileCondition(condition.if).names, names).map((one) => `${prefix}${one} --> ${id}`),
      ...condition.then.map((one) => `${id} -- yes --> ${prefix}${one}`),
      ...condition.else.map((one) => `${id} -- no --> ${prefix}${one}`),
    ];
  });
}

/** Quotes would end a label, and Mermaid reads `#` as the beginning of an entity. */
function escapeLabel(text: string): string {
  return text.replace(/[#"<>]/g, (sign) => `#${sign.charCodeAt(0)};`).replace(/\s+/g, ' ');
}
