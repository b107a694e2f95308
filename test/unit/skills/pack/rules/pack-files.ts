import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import type { SkillFault } from '../../../../../src/core/workbench.js';
import { loadPackFromFiles } from '../../../../../src/skills/pack/load-pack.js';
import type { PackFiles } from '../../../../../src/skills/pack/pack.js';

/** A whole tree pack: two SQL steps, a call over HTTP as a parallel check, a test case. */
export const TREE: PackFiles = {
  'skill.yaml': `id: late_parcel
version: 1.0.0
title: Parcel is late
description: Finds out why a parcel is late.
type: decision_tree
triggers:
  keywords: [parcel is late]
  conditions: ["order.open == true"]
input_schema:
  type: object
  required: [order_id]
  properties:
    order_id: { type: string }
    customer:
      type: object
      additionalProperties: false
      properties: { user_id: { type: string } }
data_sources:
  shop: { kind: sqlite, database: shop, tables: [orders, parcels] }
  carrier: { kind: http, endpoint: https://carrier.test/v1, auth: bearer, credentials: env:CARRIER_KEY }
decision_tree: { path: decision_tree.yaml, entry_point: order }
human_handoff:
  triggers:
    critical_decision: { actions: [refund_order] }
`,
  'decision_tree.yaml': `entry_point: order
steps:
  order:
    name: Look at the order
    action: { type: query, source: shop, query_template: "SELECT status FROM orders WHERE id = {order_id}" }
    decisions:
      none:
        condition: "result.count == 0"
        confidence: 0.9
        conclusion: { root_cause: no_order, explanation: "There is no order {order_id}." }
        next_step: null
      sent:
        condition: "result.status == 'sent'"
        confidence: 0.8
        conclusion: { partial_finding: "The order was sent." }
        next_step: parcel
  parcel:
    name: Look at the parcel
    pre_conditions: ["steps.order.status == 'sent'"]
    action: { type: query, mapping: parcel_of_order, params: { order_id: "{order_id}" } }
    decisions:
      lost:
        condition: "result.lost == 1 && now > timestamp('2020-01-01T00:00:00Z')"
        confidence: 0.9
        conclusion:
          root_cause: parcel_lost
          recommended_action: { action: refund_order, arguments: { order: "{input.order_id}" } }
        next_step: null
    options:
      - { id: D, label: Ask the carrier, next_step: null }
  carrier_state:
    name: Ask the carrier
    action: { type: api, source: carrier, method: GET, path: "/orders/{order_id}" }
    decisions:
      known: { condition: "result.status == 200", confidence: 0.5, conclusion: { partial_finding: Known. } }
parallel_checks: [carrier_state]
`,
  'api_mappings.yaml': `mappings:
  parcel_of_order:
    source: shop
    query: "SELECT lost FROM parcels WHERE order_id = {order_id}"
    params: { required: [order_id] }
    response_schema: { type: array }
    cache_ttl: 60
`,
  'fixtures/shop.sql': 'CREATE TABLE orders (id TEXT, status TEXT);',
  'test_cases/no_order.yaml': `name: there is no order
input: { order_id: A1 }
now: 2026-03-14T20:00:00Z
fixtures:
  shop: [{ file: fixtures/shop.sql }]
  carrier: [{ request: { method: GET, path: /orders/A1 }, response: { status: 404 } }]
human: [{ at: parcel, choose: A }]
expect: { root_cause: no_order, path: [order] }
`,
};

const LEAF = (id: string): string => `id: ${id}
version: 1.0.0
title: Leaf
description: Gives its input back.
type: atomic
input_schema: { type: object, properties: { text: { type: string }, tone: { type: string } } }
implementation: { type: ts_function, handler: pass_through }
`;

/** A composite of two nested skills. */
export const COMPOSITE: PackFiles = {
  'skill.yaml': `id: answer_mail
version: 1.0.0
title: Answer a mail
description: Sorts and answers.
type: composite
input_schema: { type: object, required: [body], properties: { body: { type: string } } }
sub_skills:
  - name: sort
    path: ./sub_skills/sort
    inputs: { text: "{input.body}" }
  - name: answer
    path: ./sub_skills/answer
    dependencies: [sort]
    inputs: { text: "{body}", tone: "{sort.output.tone}" }
routing:
  strategy: conditional
  max_depth: 2
  conditions:
    - { if: "step_1.output.tone == 'warm' || steps.sort.status == 'done'", then: [answer], else: [] }
  loops:
    - { when: "answer.output.text == null", after: answer, back_to: sort, max: 1 }
`,
  'sub_skills/sort/skill.yaml': LEAF('sort_mail'),
  'sub_skills/answer/skill.yaml': LEAF('answer_one'),
};

/** A skill that has a model write. */
export const GENERATION: PackFiles = {
  'skill.yaml': `id: write_note
version: 1.0.0
title: Write a note
description: Writes a note.
type: atomic
input_schema:
  type: object
  required: [topic]
  properties:
    topic: { type: string }
    points: { type: array, items: { type: object, properties: { text: { type: string } } } }
template_type: LLM_JSON_GENERATION
template_config: { prompt_id: note, prompt_version: ^1.0.0, temperature: 0.2 }
`,
  '@prompts/note/1.0.0.yaml': `prompt_id: note
version: 1.0.0
system: Write notes.
vars_schema:
  type: object
  required: [topic]
  additionalProperties: false
  properties:
    topic: { type: string }
    points: { type: array, items: { type: object, properties: { text: { type: string } } } }
output_schema:
  type: object
  properties: { note: { type: string } }
computed:
  short: "size(topic) < 10"
template: |
  About {{topic}}.
  {{#points}}
  - {{text}}
  {{/points}}
  {{#short}}Be brief.{{/short}}
fallback:
  note: "About {{topic}}"
`,
};

/** A skill that has a model judge. */
export const REVIEW: PackFiles = {
  'skill.yaml': `id: judge_note
version: 1.0.0
title: Judge a note
description: Judges a note.
type: atomic
input_schema: { type: object, required: [note], properties: { note: { type: string } } }
template_type: LLM_REVIEW
template_config: { rubric_id: note_quality }
`,
  '@rubrics/note_quality/1.0.0.json': JSON.stringify(
    {
      rubric_id: 'note_quality',
      version: '1.0.0',
      description: 'What a good note is.',
      scoring_mode: 'weighted',
      pass_threshold: 0.8,
      criteria: [
        {
          id: 'short',
          name: 'Short',
          description: 'It is short.',
          pass_condition: 'It has few words.',
          fail_condition: 'It has many words.',
          weight: 2,
          rule: 'size(note) < 500',
        },
        {
          id: 'kind',
          name: 'Kind',
          description: 'It is kind.',
          pass_condition: 'It is kind.',
          fail_condition: 'It is not kind.',
          weight: 1,
        },
      ],
    },
    null,
    2,
  ),
};

/** Atomic skills by their implementation. */
export const FUNCTION: PackFiles = { 'skill.yaml': LEAF('plain_leaf') };
export const COMMAND: PackFiles = {
  'skill.yaml': `id: pretty_json
version: 1.0.0
title: Pretty JSON
description: Prints JSON well.
type: atomic
input_schema: { type: object, required: [text], properties: { text: { type: string } } }
implementation: { type: cli_command, handler: jq, args: [".", "--arg", "{text}"], stdin: true }
`,
};
export const HTTP: PackFiles = {
  'skill.yaml': `id: ask_carrier
version: 1.0.0
title: Ask the carrier
description: Asks.
type: atomic
input_schema: { type: object, required: [number], properties: { number: { type: string } } }
data_sources:
  carrier: { kind: http, endpoint: env:CARRIER_URL, auth: api_key, header: x-key, credentials: env:CARRIER_KEY }
implementation: { type: http_call, handler: state }
`,
  'api_mappings.yaml': `mappings:
  state:
    source: carrier
    method: POST
    path: /states
    query: { lang: en }
    headers: { accept: application/json }
    body: { number: "{number}" }
    params: { required: [number] }
`,
};

/** A change of a file: text for text, or the whole file; null removes it. */
export type Change = readonly [from: string, to: string] | string | null;

/** The pack with some files changed. A text that is not there is a mistake of the test. */
export function changed(files: PackFiles, changes: Readonly<Record<string, Change>>): PackFiles {
  const next: Record<string, string> = { ...files };
  for (const [path, change] of Object.entries(changes)) {
    if (change === null) delete next[path];
    else if (typeof change === 'string') next[path] = change;
    else {
      expect(next[path]).toContain(change[0]);
      next[path] = (next[path] ?? '').replace(change[0], () => change[1]);
    }
  }
  return next;
}

export function faultsOf(files: PackFiles): readonly SkillFault[] {
  return loadPackFromFiles(files).faults;
}

/** Writes files below a new folder. */
export function writeFiles(files: PackFiles): string {
  const dir = mkdtempSync(join(tmpdir(), 'packs-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  return dir;
}

/** One rule: what breaks it in a pack that is fine without, and how that is told. */
export interface RuleCase {
  readonly title: string;
  readonly pack: PackFiles;
  readonly change: Readonly<Record<string, Change>>;
  readonly code: string;
  readonly file: string;
  /** The words of the line that the fault is told of. */
  readonly line?: string;
  readonly says?: RegExp;
}

/** Breaks the rule and looks for the one fault that it makes, in the right file and line, with what to do. */
export function expectFault({ pack, change, code, file, line, says }: RuleCase): void {
  expect(faultsOf(pack)).toEqual([]);
  const files = changed(pack, change);
  const faults = faultsOf(files);
  expect(faults.map((fault) => fault.code)).toEqual([code]);
  const [fault] = faults;
  expect(fault?.file).toBe(file);
  expect(fault?.message).toMatch(/\S.{15,}[.?]"?$/s);
  if (says) expect(fault?.message).toMatch(says);
  if (line) expect(files[file]?.split('\n')[(fault?.line ?? 0) - 1]).toContain(line);
}
