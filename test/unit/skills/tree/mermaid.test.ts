import { describe, expect, it } from 'vitest';
import { treeToMermaid } from '../../../../src/skills/mermaid.js';
import { ORDER_TREE, treePack } from './support.js';

describe('[SKT-03] a tree as Mermaid', () => {
  it('[SKT-03] shows every step, every decision with its condition, every cause and where a person comes in', () => {
    const pack = treePack(ORDER_TREE, {
      title: 'A "double" charge',
      human_handoff: { triggers: { critical_decision: { actions: ['refund'] } } },
    });
    expect(treeToMermaid(pack)).toBe(`flowchart TD
  start(["A #34;double#34; charge"])
  start --> s_order
  s_order["Find the order<br/>query shop"]
  s_order -->|"none<br/>result.count == 0"| s_order__none(["no_order<br/>confidence 0.9"])
  s_order -->|"there<br/>result.count == 1"| s_payments
  s_payments["Look at the payments<br/>query shop"]
  s_payments -->|"twice<br/>result.n #62; 1"| s_payments__twice(["paid_twice<br/>confidence 0.95<br/>advises refund"])
  s_payments__twice -.->|"critical"| person
  s_payments -->|"once<br/>result.n == 1"| s_payments__once(["all_is_well<br/>confidence 0.5"])
  person{{"A person is asked"}}
  classDef asked stroke-dasharray: 4 2
  class person asked
`);
  });

  it('[SKT-03] shows checks beside the main path, questions, and where options lead', () => {
    const pack = treePack(`
entry_point: end
parallel_checks: [log]
steps:
  end:
    name: "Ask <b>\`them\`</b>; # now\\n again"
    action: { type: ask, question: 'Really?' }
    options: [{ id: D, label: 'Yes', next_step: log }]
  log:
    name: Log
    action: { type: skill, skill: read_log }
    decisions: { seen: { condition: "result.text == 'x'", confidence: 0.5, conclusion: { root_cause: seen } } }
`);
    const text = treeToMermaid(pack);
    expect(text).toContain('s_end["Ask #60;b#62;#96;them#96;#60;/b#62;#59; #35; now again<br/>asks"]');
    expect(text).toContain('person -.->|"D: Yes"| s_log');
    expect(text).toContain('subgraph beside["Checks beside the main path"]');
    expect(text).toContain('start -.-> s_log');
    expect(text).toContain('s_log__seen -.-> merge');
    // Mermaid keeps this word for itself: it closes the group of checks and nothing else.
    expect(text.match(/\bend\b/g)).toEqual(['end']);
  });

  it('[SKT-03] leads from what a check only noticed to the other findings, and to no person', () => {
    const text = treeToMermaid(
      treePack(`
entry_point: look
parallel_checks: [log]
steps:
  look:
    name: Look
    action: { type: skill, skill: read_log }
    decisions: { found: { condition: "true", confidence: 0.9, conclusion: { root_cause: found } } }
  log:
    name: Log
    action: { type: skill, skill: read_log }
    decisions: { busy: { condition: "true", confidence: 0.5, conclusion: { partial_finding: busy }, next_step: look } }
`),
    );
    expect(text).toContain('s_log -->|"busy<br/>true"| merge');
    expect(text).not.toContain('person');
  });
});
