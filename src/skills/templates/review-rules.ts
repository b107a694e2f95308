import type { JsonObject } from '../../core/domain/json.js';
import { compileCondition } from '../expressions/condition.js';
import type { Criterion, Rubric } from '../pack/template-schema.js';
import { type Judgement, notJudged } from './review-answer.js';

/** A rule sees less than a reviewer does. */
const RULE_CONFIDENCE = 0.7;

/**
 * Judges each criterion by its `rule`, which may look at the input's fields by name and at `input`. One without a rule, or
 * whose rule does not go with this input, is indeterminate.
 * @throws HubError `expression_invalid` where a rule is no CEL
 */
export function judgeByRules(rubric: Rubric, input: JsonObject): readonly Judgement[] {
  return rubric.criteria.map((criterion) =>
    criterion.rule === undefined
      ? notJudged(criterion, 'It needs a model to judge it, and none could be reached.')
      : judgeByRule(criterion, criterion.rule, input),
  );
}

function judgeByRule(criterion: Criterion, rule: string, input: JsonObject): Judgement {
  const { holds, note } = compileCondition(rule).judge({ ...input, input });
  if (note !== undefined) return notJudged(criterion, `Its rule cannot be applied to this input: ${note}`);
  const condition = holds ? criterion.pass_condition : criterion.fail_condition;
  return {
    criterion_id: criterion.id,
    criterion_name: criterion.name,
    verdict: holds ? 'pass' : 'fail',
    reasoning: `${condition} (Judged by its rule, since no model could be reached.)`,
    confidence: RULE_CONFIDENCE,
  };
}
