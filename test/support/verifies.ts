import type { RequirementId } from '../e2e/requirements.js';

/**
 * The tag of a test that proves some clauses, for the front of its title where the title is made by code:
 * `test(verifies('CONF-03', 'CONF-05') + title, ...)`. A plain title just begins with `[CONF-03 CONF-05]`.
 */
export function verifies(...ids: readonly [RequirementId, ...RequirementId[]]): string {
  return `[${ids.join(' ')}] `;
}
