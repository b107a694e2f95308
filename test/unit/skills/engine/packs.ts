import type { Pack } from '../../../../src/skills/pack/pack.js';
import { loadPack } from '../../../support/skill-engine.js';

/** Gives its input back. */
export const echo = (over = ''): Pack =>
  loadPack({
    'skill.yaml': `
id: echo
version: 1.0.0
title: Echo
description: Gives its input back.
status: active
type: atomic
input_schema:
  type: object
  required: [text]
  properties: { text: { type: string }, times: { type: integer, default: 1 } }
implementation: { type: ts_function, handler: pass_through }
${over}`,
  });

/** Looks at a booking; asks where it is odd, and then goes on to the gate. */
export const door = (version = '1.0.0', cause = 'no_booking'): Pack =>
  loadPack({
    'skill.yaml': `
id: door
version: ${version}
title: Refused at the door
description: Finds out why a customer was turned away.
status: active
type: decision_tree
triggers: { keywords: [turned away] }
input_schema:
  type: object
  required: [booking]
  properties: { booking: { type: string, minLength: 1 } }
data_sources: { shop: { kind: sqlite, database: shop } }
decision_tree: { path: decision_tree.yaml, entry_point: look }
execution: { timeout_per_skill: 0.3 }
human_handoff:
  triggers:
    low_confidence: { threshold: 0.7, action: Call the venue. }
`,
    'decision_tree.yaml': `
entry_point: look
steps:
  look:
    name: Look at the booking
    action: { type: query, source: shop, query_template: "SELECT status FROM bookings WHERE id = {booking}" }
    decisions:
      none:
        condition: result.count == 0
        confidence: 0.95
        conclusion: { root_cause: ${cause}, recommended_action: create_booking }
        next_step: null
      odd:
        condition: result.status == 'odd'
        confidence: 0.5
        conclusion: { root_cause: odd_booking }
        next_step: gate
  gate:
    name: Look at the gate
    action: { type: query, source: shop, query_template: "SELECT open FROM gates WHERE booking = {booking}" }
    decisions:
      seen:
        condition: result.count >= 0
        confidence: 0.9
        conclusion: { root_cause: gate_broken }
        next_step: null
`,
  });

/** Runs parts one after another; the last one is the door. */
export const both = (parts: string, execution = ''): Pack =>
  loadPack({
    'skill.yaml': `
id: both
version: 1.0.0
title: Both
description: Says it and looks.
status: active
type: composite
input_schema:
  type: object
  required: [booking]
  properties: { booking: { type: string } }
sub_skills:
${parts}
routing: { strategy: sequential }
${execution}`,
  });

/** A tree whose only step runs the tree itself. */
export const mirror = (): Pack =>
  loadPack({
    'skill.yaml': `
id: mirror
version: 1.0.0
title: Mirror
description: Looks at itself.
type: decision_tree
decision_tree: { path: decision_tree.yaml, entry_point: look }
`,
    'decision_tree.yaml': `
entry_point: look
steps:
  look:
    name: Look
    action: { type: skill, skill: mirror, input: {} }
    decisions:
      seen:
        condition: result.count == 1
        confidence: 1
        conclusion: { root_cause: seen }
        next_step: null
`,
  });
