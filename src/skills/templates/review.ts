import type { JsonObject } from '../../core/domain/json.js';
import type { ReviewResult } from '../../core/domain/skill.js';
import { HubError } from '../../core/errors.js';
import { compileJsonSchema } from '../json-schema.js';
import type { Pack } from '../pack/pack.js';
import type { Rubric } from '../pack/template-schema.js';
import type { RunContext } from '../run/run-context.js';
import { retryPrompt } from './generation-prompt.js';
import { type ModelRequest, ModelSession } from './model-session.js';
import { MAX_RENDERED_CHARS } from './render.js';
import { notJudged, readReview } from './review-answer.js';
import { reviewPrompt, reviewSystem } from './review-prompt.js';
import { judgeByRules } from './review-rules.js';
import { type Verdict, verdictOf } from './review-score.js';
import { Stopwatch } from './stopwatch.js';

type Reviewed = Verdict & Pick<ReviewResult, 'provider' | 'error'>;

/**
 * Judges the whole input by a rubric (`LLM_REVIEW`), with the model that reviews, which is not the one that writes. See
 * {@link verdictOf} for what passes.
 * - An answer that is not in form is asked for once more; after that the review fails with `model_bad_output`.
 * - Where no model can be reached, each criterion's `rule` judges it, and one without a rule is indeterminate; `provider` is
 *   then `offline`.
 * @throws HubError `skill_invalid` where the rubric itself is wrong, and what the run was aborted with
 */
export async function review(pack: Pack, input: JsonObject, context: RunContext): Promise<ReviewResult> {
  if (pack.rubric === null) throw new HubError('skill_invalid', `Skill ${pack.id} has no rubric to judge by`);
  const watch = new Stopwatch();
  const session = new ModelSession(pack, context);
  const { criteria_results, ...reviewed } = await judge(pack, pack.rubric, input, session, context);
  const details = pack.descriptor.template_config?.include_criteria_details === true;
  const total = watch.total();
  return {
    ...reviewed,
    ...(details && criteria_results !== undefined && { criteria_results }),
    timings_ms: { evaluation: session.calls > 0 ? watch.rounded(session.ms) : total, total },
  };
}

async function judge(
  pack: Pack,
  rubric: Rubric,
  input: JsonObject,
  session: ModelSession,
  { services }: RunContext,
): Promise<Reviewed> {
  const { provider } = services.model;
  const request = requestOf(pack, rubric, input);
  if (request.prompt.length > MAX_RENDERED_CHARS) {
    const message = `What ${pack.id} is to review is longer than ${MAX_RENDERED_CHARS} characters`;
    return {
      ...undecided(rubric, 'It was too long to be reviewed.'),
      provider,
      error: { code: 'input_too_large', message },
    };
  }
  let asked = request;
  for (let attempt = 1; ; attempt += 1) {
    const answer = await session.ask(asked);
    if ('unavailable' in answer)
      return { ...verdictOf(rubric, judgeByRules(rubric, input), []), provider: 'offline' };
    const read = readReview(answer.text, rubric);
    const verdict = 'errors' in read ? undefined : verdictOf(rubric, read.judgements, read.fixes);
    const errors = 'errors' in read ? read.errors : schemaErrors(rubric, read.raw, verdict);
    if (verdict !== undefined && errors.length === 0) return { ...verdict, provider };
    if (attempt === 2) {
      const message = `The review by ${answer.model} is not in form: ${errors.slice(0, 5).join('; ')}`;
      return {
        ...undecided(rubric, 'The review was not in form.'),
        provider,
        error: { code: 'model_bad_output', message },
      };
    }
    asked = { ...request, prompt: retryPrompt(request.prompt, answer.text, errors) };
  }
}

function requestOf(pack: Pack, rubric: Rubric, input: JsonObject): ModelRequest {
  const {
    evaluation_model: model,
    temperature,
    max_tokens: maxTokens,
  } = pack.descriptor.template_config ?? {};
  return {
    role: 'review',
    system: reviewSystem(rubric, pack.knowledge),
    prompt: reviewPrompt(input),
    ...(model !== undefined && { model }),
    ...(temperature !== undefined && { temperature }),
    ...(maxTokens !== undefined && { maxTokens }),
  };
}

/** A rubric's schema may describe what the reviewer answers or what the review comes to; either may fit it. */
function schemaErrors(rubric: Rubric, raw: JsonObject, verdict: Verdict | undefined): readonly string[] {
  const { output_schema: schema } = rubric;
  if (schema === undefined || Object.keys(schema).length === 0) return [];
  const validate = compileJsonSchema(schema);
  const errors = validate(raw);
  return errors.length === 0 || validate({ ...raw, ...verdict }).length === 0 ? [] : errors;
}

function undecided(rubric: Rubric, why: string): Verdict {
  return verdictOf(
    rubric,
    rubric.criteria.map((criterion) => notJudged(criterion, why)),
    [],
  );
}
