import type { Draft } from '../draft.js';
import type { Registry } from '../registry.js';
import type { NodePath } from '../text-file.js';
import { checkActions } from './action-checks.js';
import { checkComposite } from './composite-checks.js';
import { checkKind, checkUnread } from './kind-checks.js';
import { checkMappings, checkSources } from './mapping-checks.js';
import { checkOutput, checkSchemas } from './output-checks.js';
import { checkReferences, type SkillFinder } from './reference-checks.js';
import { checkTemplate } from './template-checks.js';
import { checkFixtures, checkTestCases } from './test-case-checks.js';
import { checkTree } from './tree-checks.js';
import { checkCondition, checkNames, treeNames } from './variable-checks.js';

const ANYTHING = { problem: null };

/** Conditions of triggers and of a tree, and the texts that a tree fills in. */
function checkExpressions(draft: Draft): void {
  const { descriptor, tree } = draft;
  descriptor?.data.triggers.conditions.forEach((text, at) => {
    // They look at facts of a request, which no pack declares.
    checkCondition(descriptor, ['triggers', 'conditions', at], text, ANYTHING);
  });
  if (tree === null) return;
  const before = treeNames(draft, false);
  const after = treeNames(draft, true);
  for (const [id, step] of Object.entries(tree.data.steps)) {
    const at: NodePath = ['steps', id];
    step.pre_conditions.forEach((text, index) => {
      checkCondition(tree, [...at, 'pre_conditions', index], text, before);
    });
    for (const [name, { condition, conclusion }] of Object.entries(step.decisions)) {
      const where: NodePath = [...at, 'decisions', name];
      checkCondition(tree, [...where, 'condition'], condition, after);
      if (conclusion === undefined) continue;
      const { root_cause, partial_finding, explanation, customer_message, recommended_action } = conclusion;
      const texts = { root_cause, partial_finding, explanation, customer_message };
      checkNames(tree, [...where, 'conclusion'], texts, after);
      const advised =
        recommended_action && 'arguments' in recommended_action ? recommended_action.arguments : undefined;
      checkNames(tree, [...where, 'conclusion', 'recommended_action', 'arguments'], advised, after);
    }
  }
}

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
  checkOutput(draft);
  checkTestCases(draft);
  checkUnread(draft);
}

/** The rules about skills that a pack refers to by id. */
export function checkAmongOthers(draft: Draft, finder: SkillFinder): void {
  checkReferences(draft, finder);
  checkFixtures(draft, finder);
}
