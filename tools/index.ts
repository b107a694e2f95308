import type { ToolsByAgent } from '../src/runtime/roster.js';
import { recordCustomerPreference } from './account/record-customer-preference.js';
import { recordResolution } from './action/record-resolution.js';
import { getArticleById } from './knowledge/get-article-by-id.js';
import { searchKnowledge } from './knowledge/search-knowledge.js';
import { investigate } from './skills/investigate.js';

/** What the tools that every company has must know of the company. */
interface EngineToolOptions {
  /** Ids of the entities whose records customers may name. */
  readonly entities: readonly string[];
}

/** The tools that every company has, by the agent that may call them; the company's own come beside them. */
export function engineTools({ entities }: EngineToolOptions): ToolsByAgent {
  return {
    knowledge: [searchKnowledge, getArticleById],
    account: [recordCustomerPreference],
    action: [recordCustomerPreference, recordResolution],
    investigation: [investigate(entities)],
  };
}
