import { isObject, type JsonObject } from '../../core/domain/json.js';
import type { Formula } from '../../core/ports/data-source.js';
import type { Log } from '../../core/ports/index.js';
import type { ActionPlan } from '../../runtime/define-tool.js';
import type { ActionSpec } from './schemas.js';

/** A rule of `deny` with its expression read. */
export interface DenyRule {
  readonly when: Formula;
  readonly rule: ActionSpec['deny'][number];
  /** True where it speaks of the terms, which are worked out where nothing else denies them. */
  readonly late: boolean;
}

/** How the rules of `deny` judge a call. */
export interface Verdict {
  readonly denied: Extract<ActionPlan, { kind: 'denied' }>;
  /** Which sentence of the rule that denies it is said; null where that rule has none, or no rule denies it. */
  readonly reason: string | null;
  /** Where the rule could not be worked out over what was read: which it is, as its author knows it; null where it denies. */
  readonly undecided: string | null;
}

/**
 * What the first rule says that denies it, null where none does. What cannot be judged is not allowed; which rule that was, the log
 * says to who writes the files. Rules over the terms are left out before there are any.
 */
export function verdictOf(
  { spec, deny }: { readonly spec: Pick<ActionSpec, 'name'>; readonly deny: readonly DenyRule[] },
  scope: JsonObject,
  log: Log,
): Verdict | null {
  const hasTerms = isObject(scope.terms) && Object.keys(scope.terms).length > 0;
  for (const [at, { when, rule, late }] of deny.entries()) {
    if (late && !hasTerms) continue;
    const value = when.value(scope);
    if (value === false) continue;
    const undecided = value === true ? null : `deny.${at}, ${rule.when}`;
    if (undecided !== null)
      log.error({
        ...{ agent: 'action', action: 'rule_undecided' },
        details: { tool: spec.name, rule: `deny.${at}`, when: rule.when },
      });
    return { denied: { kind: 'denied', code: rule.code }, reason: rule.say ?? null, undecided };
  }
  return null;
}
