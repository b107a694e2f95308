import type { Draft } from '../draft.js';
import type { Registry } from '../registry.js';
import { checkActions } from './action-checks.js';
import { checkComposite } from './composite-checks.js';
import { checkExpressions } from './expression-checks.js';
import { checkKind } from './kind-checks.js';
import { checkMappings } from './mapping-checks.js';
import { checkReferences, type SkillFinder } from './reference-checks.js';
import { checkSchemas } from './schema-checks.js';
import { checkSources } from './source-checks.js';
import { checkTemplate } from './template-checks.js';
import { checkFixtures, checkTestCases } from './test-case-checks.js';
import { checkTree } from './tree-checks.js';

/** All rules that need no other pack. Notes what is wrong with a draft and with its nested ones. */
export function checkDraft(draft: Draft, registry: Registry): void {
  for (const part of draft.parts.values()) checkDraft(part, registry);
  checkKind(draft);
  checkSchemas(draft);
  checkSources(draft);
  checkMappings(draft);
  checkTree(draft);
  checkActions(draft);
  checkExpressions(draft);
  checkComposite(draft);
  checkTemplate(draft, registry);
  checkTestCases(draft);
}

/** The rules about skills that a pack refers to by id. */
export function checkAmongOthers(draft: Draft, finder: SkillFinder): void {
  checkReferences(draft, finder);
  checkFixtures(draft, finder);
}
