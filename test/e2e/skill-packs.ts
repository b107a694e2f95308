import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Writes a pack into a skills folder. */
export function writePack(folder: string, id: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, id, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}

/**
 * Looks a reservation up in the CultPass database, asks a person about one that is there, and goes on with a request to a
 * venue, whose address is in VENUE_URL.
 */
export function atTheDoor(version = '1.0.0', cause = 'booking_looks_fine'): Readonly<Record<string, string>> {
  return {
    'skill.yaml': `
id: at_the_door
version: ${version}
title: "Refused at the door \\u001b[31m"
description: Finds out why a customer was turned away.
owner: test
status: active
type: decision_tree
triggers: { keywords: [turned away], issue_categories: [reservation] }
input_schema:
  type: object
  required: [reservation_id]
  additionalProperties: false
  properties: { reservation_id: { type: string, minLength: 1 } }
data_sources:
  cultpass: { kind: sqlite, database: cultpass, access: read }
  venue: { kind: http, endpoint: env:VENUE_URL, auth: none, timeout: 20, retries: 0 }
decision_tree: { path: decision_tree.yaml, entry_point: look }
human_handoff:
  triggers: { low_confidence: { threshold: 0.7, action: Ask the customer for the ticket. } }
`,
    'decision_tree.yaml': `
entry_point: look
steps:
  look:
    name: Look at the reservation
    action: { type: query, source: cultpass, query_template: "SELECT status FROM reservations WHERE reservation_id = {reservation_id}" }
    decisions:
      none:
        condition: result.count == 0
        confidence: 0.95
        conclusion: { root_cause: no_booking, explanation: "There is no {reservation_id}.", recommended_action: create_booking }
        next_step: null
      there:
        condition: result.count == 1
        confidence: 0.5
        conclusion: { root_cause: ${cause} }
        next_step: ask_venue
  ask_venue:
    name: Ask the venue
    action: { type: api, source: venue, method: GET, path: "/doors/{reservation_id}" }
    decisions:
      closed:
        condition: result.open == false
        confidence: 0.9
        conclusion: { root_cause: door_was_closed, recommended_action: contact_venue }
        next_step: null
`,
    'test_cases/none.yaml': `
name: there is no such reservation
input: { reservation_id: res_1 }
fixtures: { cultpass: [{ sql: "CREATE TABLE reservations (reservation_id TEXT, status TEXT);" }] }
expect: { root_cause: no_booking, path: [look], handoff: false }
`,
  };
}
