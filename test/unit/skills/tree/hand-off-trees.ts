import type { JsonObject } from '../../../../src/core/domain/json.js';

export const triggers = (value: JsonObject): JsonObject => ({ human_handoff: { triggers: value } });

export const ids = (handoff: { readonly options: readonly { readonly id: string }[] }) =>
  handoff.options.map(({ id }) => id).join('');

/** Steps s1 to s4 in a row, each a partial finding; s4 concludes. */
export const CHAIN = `
entry_point: s1
steps:
${[1, 2, 3, 4]
  .map(
    (n) => `  s${n}:
    name: Step ${n}
    action: { type: query, source: shop, query_template: 'SELECT ${n} AS n' }
    decisions:
      seen:
        condition: result.n == ${n}
        confidence: 0.${n}
        conclusion: ${n === 4 ? '{ root_cause: found }' : `{ partial_finding: 'Saw ${n}.' }`}
        next_step: ${n === 4 ? 'null' : `s${n + 1}`}
`,
  )
  .join('')}`;
