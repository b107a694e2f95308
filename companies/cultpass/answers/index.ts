import type { CompanyAnswers } from '../../../src/runtime/company-answers.js';
import { createAccountAnswer, type ToldPolicy } from './account.js';
import { createProgrammeAnswer } from './programme.js';

/** What CultPass answers without a model. @param policy says what the plans cost and what a cancellation gives back */
export function createAnswers(policy: ToldPolicy): CompanyAnswers {
  return { account: createAccountAnswer(policy), knowledge: createProgrammeAnswer() };
}
