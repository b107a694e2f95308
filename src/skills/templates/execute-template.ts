import type { GenerationResult, ReviewResult } from '../../core/domain/skill.js';
import { HubError } from '../../core/errors.js';
import { abortReason } from '../../core/signals.js';
import type { SkillExecutor } from '../run/run-context.js';
import { generate } from './generation.js';
import { review } from './review.js';

/**
 * Runs an atomic skill that has a `template_type`. A reply that cannot be used is a result with an `error`; thrown is what is
 * wrong with the pack, and what the run was aborted with.
 * @throws HubError `skill_invalid`
 */
export const executeTemplate: SkillExecutor = async (pack, input, context) => {
  if (context.signal.aborted) throw abortReason(context.signal);
  const log = (
    action: string,
    result: GenerationResult | ReviewResult,
    details: Record<string, unknown>,
  ): void =>
    context.services.log.info({
      agent: 'skills',
      action,
      details: {
        run: context.runId,
        skill: pack.id,
        version: pack.version,
        provider: result.provider,
        ms: result.timings_ms.total,
        ...(result.error !== undefined && { error: result.error.code }),
        ...details,
      },
    });
  switch (pack.descriptor.template_type) {
    case 'LLM_JSON_GENERATION': {
      const value = await generate(pack, input, context);
      log('skill_generated', value, { success: value.success, attempts: value.attempts });
      return { status: 'done', result: { kind: 'generation', value } };
    }
    case 'LLM_REVIEW': {
      const value = await review(pack, input, context);
      log('skill_reviewed', value, {
        pass: value.pass,
        score: value.score,
        indeterminate: value.indeterminate,
      });
      return { status: 'done', result: { kind: 'review', value } };
    }
    default:
      throw new HubError(
        'skill_invalid',
        `Skill ${pack.id} has no template_type, so there is no template to run`,
      );
  }
};
