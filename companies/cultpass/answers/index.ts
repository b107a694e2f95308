import type { CompanyAnswers } from '../../../src/runtime/company-answers.js';
import type { CultpassPolicy } from '../policy/policy.js';
import { createAccountAnswer } from './account.js';
import { createProgrammeAnswer } from './programme.js';

/** What CultPass answers without a model. @param policy says what the plans cost */
export function createAnswers(policy: Pick<CultpassPolicy, 'plans'>): CompanyAnswers {
  return { account: createAccountAnswer(policy), knowledge: createProgrammeAnswer() };
}
