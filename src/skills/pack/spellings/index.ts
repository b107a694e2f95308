import { respellDescriptor } from './descriptor.js';
import { respellMappings } from './mappings.js';
import type { Respeller } from './respelling.js';
import { respellTree } from './tree.js';

export { Respelling, type SpellingContext, type SpellingWarning } from './respelling.js';

/** The names that the descriptor of a pack may have, today's first. */
export const DESCRIPTOR_FILES = ['skill.yaml', 'skill_definition.yaml'] as const;

/** Who reads the older spellings of which file. */
export const RESPELLERS = {
  descriptor: respellDescriptor,
  tree: respellTree,
  mappings: respellMappings,
} as const satisfies Record<string, Respeller>;
export type SpelledFile = keyof typeof RESPELLERS;
