import { HubError } from '../../core/errors.js';
import { executeComposite } from '../composite/execute-composite.js';
import { executeImplementation } from '../implementation/execute-implementation.js';
import type { Pack } from '../pack/pack.js';
import { executeTemplate } from '../templates/execute-template.js';
import { executeTree } from '../tree/execute-tree.js';
import type { SkillExecutor } from './run-context.js';

/** What runs a skill of this kind. @throws HubError `skill_invalid` for a pack that has nothing to run */
export function executorOf({ id, descriptor }: Pack): SkillExecutor {
  if (descriptor.type === 'decision_tree') return executeTree;
  if (descriptor.type === 'composite') return executeComposite;
  if (descriptor.template_type !== null) return executeTemplate;
  if (descriptor.implementation) return executeImplementation;
  throw new HubError('skill_invalid', `${id} has neither a template nor an implementation.`, { skill: id });
}
