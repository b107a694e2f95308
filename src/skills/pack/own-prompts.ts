import type { SkillType } from '../../core/domain/skill.js';

/** The prompts that a pack may bring (`prompts/NAME.txt`, `NAME.small.txt`), by its type; nothing reads any other. */
export const OWN_PROMPTS = {
  decision_tree: ['classify', 'analyze_results', 'generate_hypothesis'],
  composite: ['route', 'decompose', 'resolve', 'synthesize'],
  atomic: [],
} as const satisfies Record<SkillType, readonly string[]>;
