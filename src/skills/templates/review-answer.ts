import type { JsonObject } from '../../core/domain/json.js';
import type { CriterionResult, CriterionVerdict } from '../../core/domain/skill.js';
import { compileCondition } from '../expressions/expression.js';
import { compileJsonSchema } from '../json-schema.js';
import type { Criterion, Rubric } from '../pack/file-schemas.js';
import { readModelJson } from './model-session.js';

/** How one criterion was judged, with what to do about it. */
export type Judgement = CriterionResult & { readonly fix?: string };

/** A reviewer's answer, in the rubric's order, one judgement for each criterion. */
interface ReviewAnswer {
  readonly judgements: readonly Judgement[];
  /** Fixes that belong to no criterion. */
  readonly fixes: readonly string[];
  /** Ids of criteria that it says nothing of. */
  readonly forgotten: readonly string[];
  /** The answer itself, for the rubric's own schema. */
  readonly raw: JsonObject;
}

/** The form of a reviewer's answer. */
export const ANSWER_SCHEMA = {
  type: 'object',
  required: ['criteria_results'],
  properties: {
    criteria_results: {
      type: 'array',
      items: {
        type: 'object',
        required: ['criterion_id', 'verdict', 'reasoning', 'confidence'],
        properties: {
          criterion_id: { type: 'string' },
          verdict: { enum: ['pass', 'fail', 'indeterminate'] },
          reasoning: { type: 'string', minLength: 1 },
          confidence: { type: 'number', minimum: 0, maximum: 1 },
          evidence: { type: ['string', 'array', 'null'], items: { type: 'string' } },
          suggested_fix: { type: ['string', 'null'] },
        },
      },
    },
    suggested_fixes: { type: 'array', items: { type: 'string' } },
  },
} as const satisfies JsonObject;

interface RawJudgement {
  readonly criterion_id: string;
  readonly verdict: CriterionVerdict;
  readonly reasoning: string;
  readonly confidence: number;
  readonly evidence?: string | readonly string[] | null;
  readonly suggested_fix?: string | null;
}

/**
 * Reads a reviewer's reply. Criteria the rubric does not have are dropped, of two results for one criterion the first counts,
 * and a criterion without a result is indeterminate and reported as forgotten.
 * @returns what is wrong with the reply where it is not in form
 */
export function readReview(
  reply: string,
  rubric: Rubric,
): ReviewAnswer | { readonly errors: readonly string[] } {
  const parsed = readModelJson(reply);
  if ('problem' in parsed) return { errors: [`the reply could not be read: ${parsed.problem}`] };
  const errors = compileJsonSchema(ANSWER_SCHEMA)(parsed.value);
  if (errors.length > 0) return { errors };
  const { criteria_results: results, suggested_fixes: fixes = [] } = parsed.value as unknown as {
    readonly criteria_results: readonly RawJudgement[];
    readonly suggested_fixes?: readonly string[];
  };
  const judgements = rubric.criteria.map((criterion) => {
    const result = results.find(({ criterion_id }) => criterion_id === criterion.id);
    return result === undefined
      ? notJudged(criterion, 'The reviewer said nothing about it, also when asked again.')
      : judged(criterion, result);
  });
  const judgedIds = new Set(results.map(({ criterion_id }) => criterion_id));
  const forgotten = rubric.criteria.flatMap(({ id }) => (judgedIds.has(id) ? [] : [id]));
  return { judgements, fixes, forgotten, raw: parsed.value };
}

/** A criterion that nobody could judge. */
function notJudged(criterion: Criterion, reasoning: string): Judgement {
  return {
    criterion_id: criterion.id,
    criterion_name: criterion.name,
    verdict: 'indeterminate',
    reasoning,
    confidence: 0,
  };
}

function judged(criterion: Criterion, result: RawJudgement): Judgement {
  const { verdict, reasoning, confidence, evidence, suggested_fix: fix } = result;
  const quotes = [evidence ?? []].flat().filter((quote) => quote.trim() !== '');
  return {
    criterion_id: criterion.id,
    criterion_name: criterion.name,
    verdict,
    reasoning,
    confidence,
    ...(quotes.length > 0 && { evidence: quotes }),
    ...(fix && { fix }),
  };
}

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
