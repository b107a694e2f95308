import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTempDir } from '../../../support/hub.js';

interface NaivePack {
  readonly id: string;
  /** The data source: `cultpass` where absent. */
  readonly database?: string;
  readonly sql: string;
  readonly keyword?: string;
  /** Goes into the conclusion, as YAML on one line. */
  readonly recommended?: string;
  readonly confidence?: number;
  readonly customerMessage?: string;
  /** JSON Schema of the input, as YAML on one line. */
  readonly input?: string;
}

/** Writes one-step packs that a careless or hostile author might, and gives the folder they are in. */
export function writeNaivePacks(packs: readonly NaivePack[], dir = makeTempDir()): string {
  for (const pack of packs) {
    const { id, database = 'cultpass', confidence = 0.95, keyword = 'purple giraffe' } = pack;
    const folder = join(dir, id);
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, 'skill.yaml'),
      `id: ${id}
version: 1.0.0
title: ${id}
description: A pack of a careless author.
owner: nobody
status: active
tags: []
type: decision_tree
triggers: { keywords: ["${keyword}"] }
input_schema: ${pack.input ?? '{ type: object }'}
output_schema: {}
data_sources: { db: { kind: sqlite, database: ${database}, access: read } }
decision_tree: { path: decision_tree.yaml, entry_point: look }
human_handoff: { triggers: { low_confidence: { threshold: 0.5, action: ask } } }
policy: { effect: read, approval: none }
`,
    );
    const message = pack.customerMessage ?? 'We looked: {result.rows}';
    writeFileSync(
      join(folder, 'decision_tree.yaml'),
      `entry_point: look
steps:
  look:
    name: Look
    description: Looks
    action: { type: query, source: db, query_template: ${JSON.stringify(pack.sql)} }
    decisions:
      always:
        condition: "true"
        confidence: ${confidence}
        conclusion:
          root_cause: looked
          explanation: "Found {result.rows}"
          customer_message: { en: ${JSON.stringify(message)}, pt-BR: ${JSON.stringify(message)} }
${pack.recommended === undefined ? '' : `          recommended_action: ${pack.recommended}\n`}        next_step: null
`,
    );
  }
  return dir;
}
