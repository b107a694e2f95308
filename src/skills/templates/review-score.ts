import type { CriterionResult, ReviewResult } from '../../core/domain/skill.js';
import type { Rubric } from '../pack/template-schema.js';
import type { Judgement } from './review-answer.js';

/** What a review says, without how long it took and who judged. */
export type Verdict = Pick<
  ReviewResult,
  'pass' | 'issues' | 'suggested_fixes' | 'indeterminate' | 'score' | 'criteria_results'
>;

/** Sums of weights must reach a threshold that they reach on paper. */
const ROUNDING = 1e-9;

/**
 * The verdict on what was reviewed. Only judged criteria (passed or failed) count; one that is indeterminate is listed, is no
 * issue, and neither helps nor harms. Where nothing could be judged the score is null and the review does not pass.
 *
 * - `weighted`: score = sum of the weights of passed criteria / sum of the weights of judged criteria (1 where a criterion
 *   has no weight); passes where score >= `pass_threshold`.
 * - `binary`: score = number of passed / number of judged criteria; passes where no criterion failed, or, where the rubric
 *   has a `pass_threshold`, where score >= `pass_threshold`.
 * @param fixes suggestions that belong to no criterion
 */
export function verdictOf(
  rubric: Rubric,
  judgements: readonly Judgement[],
  fixes: readonly string[],
): Verdict {
  const failed = judgements.filter(({ verdict }) => verdict === 'fail');
  const score = scoreOf(rubric, judgements);
  return {
    pass: score !== null && score + ROUNDING >= (rubric.pass_threshold ?? 1),
    issues: failed.map(({ criterion_name, reasoning }) => `${criterion_name}: ${reasoning}`),
    suggested_fixes: failed.length === 0 ? [] : fixesFor(rubric, failed, fixes),
    indeterminate: judgements
      .filter(({ verdict }) => verdict === 'indeterminate')
      .map(({ criterion_id }) => criterion_id),
    score,
    criteria_results: judgements.map(({ fix: _, ...result }): CriterionResult => result),
  };
}

function scoreOf(rubric: Rubric, judgements: readonly Judgement[]): number | null {
  const weights = new Map(rubric.criteria.map(({ id, weight }) => [id, weight ?? 1]));
  const sum = (verdict: Judgement['verdict']): number =>
    judgements
      .filter((judgement) => judgement.verdict === verdict)
      .reduce(
        (total, { criterion_id }) =>
          total + (rubric.scoring_mode === 'weighted' ? (weights.get(criterion_id) ?? 1) : 1),
        0,
      );
  const passed = sum('pass');
  const judged = passed + sum('fail');
  return judged > 0 ? passed / judged : null;
}

/** What the reviewer suggests for each failure, else what the rubric does; then what belongs to no criterion. */
function fixesFor(rubric: Rubric, failed: readonly Judgement[], fixes: readonly string[]): string[] {
  const own = new Map(rubric.criteria.map(({ id, fix }) => [id, fix]));
  const suggested = failed.map(({ criterion_id, fix }) => fix ?? own.get(criterion_id));
  return [...new Set([...suggested, ...fixes])].filter(
    (fix): fix is string => fix !== undefined && fix.trim() !== '',
  );
}
