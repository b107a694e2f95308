import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { CapabilityOutcome, OutsideCaller } from '../../../src/core/capabilities.js';
import { ANONYMOUS, SCOPES, type Scope } from '../../../src/core/domain/customer.js';
import type { JsonObject } from '../../../src/core/domain/json.js';
import type { Hub } from '../../support/hub.js';

export const OPERATOR = { operatorId: 'op_1', name: 'Olga' };

/** A program of a customer, with all rights where none are named. */
export async function programOf(
  hub: Hub,
  email: string,
  scopes: readonly Scope[] = SCOPES,
): Promise<OutsideCaller> {
  return { identity: await hub.app.signIn(email), scopes, channel: 'mcp', program: 'test-program' };
}

export const VISITOR: OutsideCaller = { identity: ANONYMOUS, scopes: [], channel: 'a2a' };
export const STAFF: OutsideCaller = {
  identity: ANONYMOUS,
  operator: OPERATOR,
  scopes: SCOPES,
  channel: 'mcp',
};

export function call(
  hub: Hub,
  caller: OutsideCaller,
  name: string,
  input: JsonObject = {},
  more: { readonly idempotencyKey?: string; readonly signal?: AbortSignal } = {},
): Promise<CapabilityOutcome> {
  return hub.app.capabilities.call({ caller, name, input, ...more });
}

/** The outcome, which must be of this kind. */
export function as<K extends CapabilityOutcome['kind']>(
  kind: K,
  outcome: CapabilityOutcome,
): Extract<CapabilityOutcome, { kind: K }> {
  if (outcome.kind === kind) return outcome as Extract<CapabilityOutcome, { kind: K }>;
  throw new Error(`not ${kind}, but ${JSON.stringify(outcome)}`);
}

/** Proposes a change that must come to a question. */
export async function proposed(
  hub: Hub,
  caller: OutsideCaller,
  name: string,
  input: JsonObject,
  key?: string,
) {
  const more = key === undefined ? {} : { idempotencyKey: key };
  return as('confirmation', await call(hub, caller, name, input, more));
}

/**
 * Writes packs, each as the text of its skill.yaml.
 * @param files more of them, by their path
 * @returns the folder they are in
 */
export function writePacks(
  dataDir: string,
  packs: Readonly<Record<string, string>>,
  files: Readonly<Record<string, string>> = {},
): string {
  const folder = join(dataDir, 'packs');
  const yaml = Object.entries(packs).map(([id, text]) => [`${id}/skill.yaml`, text] as const);
  for (const [path, text] of [...yaml, ...Object.entries(files)]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}
