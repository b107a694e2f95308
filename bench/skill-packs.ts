import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const TREE_STEPS = 10;
const PARTS = 4;
const KEYWORDS = 12;

/**
 * Writes as many packs of all kinds into a skills folder: trees with mappings and test cases, composites, functions. Their
 * conditions and schemas differ, so that nothing which is read once serves them all.
 */
export function writePacks(dir: string, count: number): void {
  for (let at = 0; at < count; at += 1) {
    const id = `skill_${String(at).padStart(3, '0')}`;
    const kind = at % 5;
    if (kind < 3) writeTree(dir, id, 5, triggers(at));
    else if (kind === 3) writeComposite(dir, id, triggers(at));
    else write(dir, id, { 'skill.yaml': atomic(id, triggers(at)) });
  }
}

/** The largest packs that ship: investigations of a good 40 KB, two thirds of it keywords, statements and messages. */
const LARGEST = [
  'entry_denied',
  'double_charge',
  'missing_refund',
  'cannot_reserve',
  'subscription_not_active',
];
const SHIPPED = fileURLToPath(new URL('../companies/cultpass/skills', import.meta.url));

/** Copies of the largest packs, in which every condition, statement and figure differs from copy to copy. */
export function writeLargePacks(dir: string, count: number): void {
  for (let at = 0; at < count; at += 1) {
    const from = LARGEST[at % LARGEST.length] ?? '';
    const id = `${from}_${at}`;
    cpSync(join(SHIPPED, from), join(dir, id), { recursive: true });
    for (const name of readdirSync(join(dir, id), { recursive: true, encoding: 'utf8' })) {
      const path = join(dir, id, name);
      if (name.endsWith('.yaml')) writeFileSync(path, varied(readFileSync(path, 'utf8'), from, id, at));
    }
  }
}

function varied(text: string, from: string, id: string, at: number): string {
  const never = ` || ${at} == ${at + 1}`;
  return text
    .replaceAll(from, id)
    .replace(/confidence: 0\.\d+/g, (found) => `${found}${String(at).padStart(3, '0')}`)
    .replace(
      /(condition: )(['"]?)(.+)\2$/gm,
      (_, key, quote, words) => `${key}${quote}${words}${never}${quote}`,
    )
    .replace(/LIMIT 1$/gm, `LIMIT ${at + 1}`);
}

/** Skills that each ask a server under their own name, and `side_by_side`, which plans all of them at the same time. */
export function writeSideBySide(dir: string, names: readonly string[], endpoint: string): void {
  for (const name of names) {
    write(dir, name, {
      'skill.yaml': requestPart(name, endpoint),
      'api_mappings.yaml': `mappings:\n  ask: { source: partner, method: GET, path: /${name} }\n`,
    });
  }
  write(dir, 'side_by_side', {
    'skill.yaml': `${head('side_by_side', 'composite')}
sub_skills:
${names.map((name) => `  - { name: ${name}, skill: ${name} }`).join('\n')}
routing: { strategy: parallel }
`,
  });
}

/** A tree whose ten steps each ask a SQLite database one question. */
export function writeTenSteps(dir: string): void {
  writeTree(dir, 'ten_steps', TREE_STEPS, '');
}

/** A composite of four parts that do not need each other, each one request to a server. */
export function writeFourRequests(dir: string, endpoint: string): void {
  const parts = Array.from({ length: PARTS }, (_, at) => `ask_${at + 1}`);
  const files = parts.map((part) => [
    [`sub_skills/${part}/skill.yaml`, requestPart(part, endpoint)],
    [
      `sub_skills/${part}/api_mappings.yaml`,
      `mappings:\n  ask: { source: partner, method: GET, path: /${part} }\n`,
    ],
  ]);
  write(dir, 'four_requests', {
    'skill.yaml': `${head('four_requests', 'composite')}
sub_skills:
${parts.map((part) => `  - { name: ${part}, path: ./sub_skills/${part} }`).join('\n')}
routing: { strategy: parallel }
execution: { allow_parallel: true, timeout_per_skill: 5 }
`,
    ...Object.fromEntries(files.flat()),
  });
}

function writeTree(dir: string, id: string, count: number, extra: string): void {
  const names = Array.from({ length: count }, (_, at) => `step_${at + 1}`);
  write(dir, id, {
    'skill.yaml': `${head(id, 'decision_tree')}${extra}
input_schema:
  type: object
  required: [order]
  properties: { order: { type: object, description: An order of ${id}, required: [id], properties: { id: { type: string } } } }
data_sources: { shop: { kind: sqlite, database: shop, access: read } }
decision_tree: { path: decision_tree.yaml, entry_point: step_1 }
human_handoff:
  triggers:
    low_confidence: { threshold: 0.7, action: Call the shop. }
    critical_decision: { actions: [refund], action: Look at the order first. }
`,
    'decision_tree.yaml': `entry_point: step_1\nsteps:\n${names.map((name, at) => step(id, name, names[at + 1])).join('')}`,
    'api_mappings.yaml': `mappings:
  order_by_id:
    source: shop
    query: "SELECT id, status, amount FROM orders WHERE id = {id}"
    params: { required: [id] }
    response_schema: { type: object, description: An order of ${id}, properties: { status: { type: string } } }
`,
    'knowledge_base.md': '# Orders\nAn order is open until the shop has sent it.\n',
    ...Object.fromEntries(['gone', 'here'].map((name) => [`test_cases/${name}.yaml`, testCase(name, names)])),
  });
}

function step(id: string, name: string, next: string | undefined): string {
  const found = next
    ? 'conclusion: { partial_finding: "The order {order.id} is open here." }'
    : 'conclusion: { root_cause: order_is_open, explanation: "The order {order.id} is open.", recommended_action: wait }';
  return `  ${name}:
    name: Look at the order, ${name}
    pre_conditions: ["order.id != null"]
    action: { type: query, mapping: order_by_id, params: { id: "{order.id}" } }
    decisions:
      gone:
        condition: result.count == 0
        confidence: 0.95
        conclusion: { root_cause: no_order, explanation: There is no such order., recommended_action: { action: ask_again, priority: high } }
        next_step: null
      open:
        condition: "result.status == 'open' && result.amount > 0 && result.id != '${id}.${name}'"
        confidence: 0.9
        ${found}
        next_step: ${next ?? 'null'}
`;
}

function testCase(name: string, steps: readonly string[]): string {
  const rows = name === 'here' ? " INSERT INTO orders VALUES ('o_1', 'open', 10);" : '';
  const expect = name === 'here' ? `order_is_open, path: [${steps.join(', ')}]` : 'no_order, path: [step_1]';
  return `name: the order is ${name}
input: { order: { id: o_1 } }
fixtures: { shop: [{ sql: "CREATE TABLE orders (id TEXT, status TEXT, amount INTEGER);${rows}" }] }
expect: { root_cause: ${expect}, handoff: false }
`;
}

function writeComposite(dir: string, id: string, extra: string): void {
  write(dir, id, {
    'skill.yaml': `${head(id, 'composite')}${extra}
input_schema: { type: object, required: [text], properties: { text: { type: string } } }
sub_skills:
  - { name: first, path: ./sub_skills/first, inputs: { text: "{input.text}" } }
  - { name: second, path: ./sub_skills/second, dependencies: [first], inputs: { text: "{first.output.text}" } }
routing: { strategy: sequential, max_depth: 3 }
execution: { allow_parallel: true, timeout_per_skill: 30, retry_on_failure: 1, cache_ttl: 60 }
`,
    'sub_skills/first/skill.yaml': atomic('first', ''),
    'sub_skills/second/skill.yaml': atomic('second', ''),
  });
}

function atomic(id: string, extra: string): string {
  return `${head(id, 'atomic')}${extra}
input_schema: { type: object, required: [text], properties: { text: { type: string } } }
output_schema: { type: object, required: [text], properties: { text: { type: string } } }
implementation: { type: ts_function, handler: pass_through }
`;
}

function requestPart(id: string, endpoint: string): string {
  return `${head(id, 'atomic')}data_sources: { partner: { kind: http, endpoint: "${endpoint}", auth: none } }
implementation: { type: http_call, handler: ask }
`;
}

function head(id: string, type: string): string {
  return `id: ${id}
version: 1.0.0
title: ${id}
description: A skill of the benchmark.
owner: bench
status: active
type: ${type}
`;
}

/** Keywords of several words, of which many skills share the first ones, as real ones do. */
function triggers(at: number): string {
  const keywords = Array.from({ length: KEYWORDS }, (_, word) => `my order ${word} was lost at depot ${at}`);
  return `triggers:
  keywords: ${JSON.stringify(keywords)}
  issue_categories: [category_${at % 7}]
  conditions: ["customer.status == 'active' && customer.since != ${at}"]
`;
}

function write(dir: string, id: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const path = join(dir, id, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}
