import type { CompanyAnswers } from '../../../src/runtime/company-answers.js';
import { accountAnswer } from './account.js';
import { createProgrammeAnswer } from './programme.js';

/** What CultPass answers without a model. */
export function createAnswers(): CompanyAnswers {
  return { account: accountAnswer, knowledge: createProgrammeAnswer() };
}
