import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { type Descriptor, descriptorSchema } from '../../src/skills/pack/descriptor-schema.js';
import { type Conclusion, type DecisionTree, treeSchema } from '../../src/skills/pack/file-schemas.js';

/** Where the packs are that ship for every company. */
export const SKILLS_DIR = fileURLToPath(new URL('../../skills', import.meta.url));
/** CultPass's own. */
export const CULTPASS_DIR = fileURLToPath(new URL('../../companies/cultpass/skills', import.meta.url));

/** The investigations over CultPass's own databases. */
export const CULTPASS_SKILLS = [
  'entry_denied',
  'double_charge',
  'missing_refund',
  'cannot_reserve',
  'subscription_not_active',
] as const;
export type CultpassSkill = (typeof CULTPASS_SKILLS)[number];

export function packFile(id: string, path: string): string {
  return readFileSync(`${CULTPASS_DIR}/${id}/${path}`, 'utf8');
}

export const descriptorOf = (id: string): Descriptor =>
  descriptorSchema.parse(parse(packFile(id, 'skill.yaml')));

export const treeOf = (id: string): DecisionTree =>
  treeSchema.parse(parse(packFile(id, 'decision_tree.yaml')));

export const caseFilesOf = (id: string): readonly string[] =>
  readdirSync(`${CULTPASS_DIR}/${id}/test_cases`).filter((name) => name.endsWith('.yaml'));

/** Every conclusion of a tree with where it stands; those that only find a part of the cause have no `root_cause`. */
export function conclusionsOf(
  id: string,
): readonly { readonly at: string; readonly conclusion: Conclusion }[] {
  return Object.entries(treeOf(id).steps).flatMap(([step, { decisions }]) =>
    Object.entries(decisions).flatMap(([decision, { conclusion }]) =>
      conclusion === undefined ? [] : [{ at: `${id}: ${step}.${decision}`, conclusion }],
    ),
  );
}
