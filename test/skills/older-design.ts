import type { PackFiles } from '../../src/skills/pack/pack.js';

/** A pack about lost bags, written as the designs write theirs: every older spelling there is, and comments. */
export const LOST_BAG: PackFiles = {
  'skill_definition.yaml': `# Who may open a bag: the station alone
skill:
  id: "lost_bag"
  name: "Bag is missing"
  version: "1.0.0"
  owner: "Lia (Station Desk)"
  status: "poc"
  description: |
    Finds a bag that did not arrive:
    - Tag unknown
    - Loaded on another flight
  triggers:
    keywords: ["bag is missing", "carousel"]
    issue_categories: ["bag_lost"]
    conditions: ["bag.kind == 'CHECKED'"]
  capabilities:
    - { id: "check_tag", description: "Looks the tag up", confidence: "high" }
  data_sources:
    redshift:
      tables: ["bag_tags", "flight_loads"]
      credentials: "aws_iam"
    clickhouse:
      service: "signoz"
      logs: ["belt_scanner"]
      credentials: "env:SCAN_TOKEN"
    apis:
      airline:
        endpoint: "https://airline.test/v2"
        auth: "basic"
        credentials: "env:AIRLINE_USER,AIRLINE_PASSWORD"
      customs:
        endpoint: "https://customs.test"
        auth: "api_key"
        credentials: "env:CUSTOMS_KEY"
  decision_tree: { path: "decision_tree.yaml", entry_point: "step_1_tag" }
  human_handoff:
    triggers:
      low_confidence: { threshold: 0.7, action: "Have the station look" }
      critical_decision: { actions: ["print_tag", "call_station"], action: "Ask the station first" }
  output_format: { type: "investigation_result", fields: ["root_cause", "evidence"] }
  metrics: { target_time: "10 minutes", baseline_time: "30 minutes", expected_accuracy: "90%" }
`,
  'decision_tree.yaml': `# As the station works
entry_point: "step_1_tag"
steps:
  step_1_tag:
    name: "Look the tag up"
    pre_conditions: ["bag.tag is not null"]
    action:
      type: "query"
      source: "redshift"
      query_template: |
        SELECT tag_id, is_active, airport
        FROM bag_tags  -- one row a tag
        WHERE tag_id = '{bag.tag}' AND airport = '{bag.airport}'
    decisions:
      - id: unknown_tag
        condition: "result.count == 0"
        confidence: 0.95
        conclusion:
          root_cause: "Tag is unknown"
          recommended_action: { action: "print_tag", priority: "immediate", human_approval_required: true }
        next_step: null  # nothing else to ask
      - name: Inactive tag
        if: "result.is_active == false"
        then:
          confidence: 0.9
          conclusion: { root_cause: "Tag was switched off" }
      - else: step_2_load
        confidence: 0.8
        conclusion: { partial_finding: "The tag is active" }
  step_2_load:
    name: "Look at the load"
    # ... (like the one before)
  step_3_customs:
    name: "Ask customs"
parallel_checks:
  - "step_scanner_logs"
`,
  'api_mappings.yaml': `mappings:
  tag_by_id:
    api: "redshift"
    query: "tag_query"
    params: { required: ["tag"] }
    response_schema:
      type: "object"
      fields:
        - { name: "tag_id", type: "string" }
        - { name: "is_active", type: "boolean" }
    cache_ttl: 3600
  loads:
    api: "redshift"
    query: "loads_query"
    params: { required: ["flight", "day"] }
    response_schema: { type: "array", item_type: "load_row" }
  belt_logs:
    api: "clickhouse"
    query_builder: "signoz_query_builder"
    params:
      service: "belt_scanner"
      keyword: "MISREAD"
      time_range: "last_30_days"
    response_parser: "signoz_log_parser"
    cache_ttl: 300
`,
  'queries/tag_query.sql': "SELECT tag_id, is_active FROM bag_tags WHERE tag_id = '{tag}'\n",
  'test_cases/switched_off.yaml': `name: the tag was switched off
input: { bag: { tag: T1, airport: GRU } }
fixtures:
  redshift:
    - sql: |
        CREATE TABLE bag_tags (tag_id TEXT, is_active BOOLEAN, airport TEXT);
        INSERT INTO bag_tags VALUES ('T1', FALSE, 'GRU'), ('T2', TRUE, 'GRU');
expect: { root_cause: Tag was switched off, path: [step_1_tag], handoff: false }
`,
  'test_cases/station_looks.yaml': `name: what is not written yet is done by a person
input: { bag: { tag: T2, airport: GRU } }
fixtures:
  redshift:
    - sql: |
        CREATE TABLE bag_tags (tag_id TEXT, is_active BOOLEAN, airport TEXT);
        INSERT INTO bag_tags VALUES ('T2', TRUE, 'GRU');
human: [{ at: step_2_load, choose: C }]
expect: { path: [step_1_tag, step_2_load], handoff: true }
`,
};

/** A composite in the same hand: a name for an id, \`- else:\` as an entry of its own, parts that are not written yet. */
export const MAIL_ROOM: PackFiles = {
  'skill.yaml': `name: mail_room
version: 1.0.0
type: composite  # or 'atomic'
description: Sorts the post of a house
sub_skills:
  - name: sorter
    path: ./sub_skills/sorter
    triggers: ["sort"]
  - { name: courier, path: ./sub_skills/courier, dependencies: ["sorter"] }
  - { name: cellar, path: ./sub_skills/cellar, dependencies: ["sorter"] }
routing:
  strategy: "conditional"
  max_depth: 3
  conditions:
    - if: "step_1.output.urgent == true"
      then: ["courier"]
    - else: ["cellar"]
execution: { allow_parallel: true, timeout_per_skill: 30, retry_on_failure: 2 }
`,
};

/** An atomic skill with the names of the template design. */
export const HEADLINE: PackFiles = {
  'skill.yaml': `skill_id: headline
version: 1.0.0
title: Headline
description: Gives a text back
tags: []
input_schema: { type: object }
output_schema: { type: object }
implementation: { type: 'ts_function', handler: 'pass_through' }
template_type: null
produces_artifacts: [{ kind: text }]
policy: {}
observability: {}
`,
};
