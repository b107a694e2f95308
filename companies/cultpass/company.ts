import { defineCompany } from '../../src/company/company-code.js';
import { rememberedReads } from '../../src/core/turn-reads.js';
import type { CompanyAnswers } from '../../src/runtime/company-answers.js';
import { createAccountAnswer } from './answers/account.js';
import type { AnswerPolicy } from './answers/bookings.js';
import { createProgrammeAnswer } from './answers/programme.js';
import { createCustomerRecords } from './data/customer-records.js';
import {
  CULTPASS_DATABASE,
  CULTPASS_SCOPE,
  createCultpassPrivacy,
  createCustomers,
} from './data/database.js';
import { createCustomerReader } from './data/reader.js';
import { createCustomerWriter } from './data/writer.js';
import { cultpassPolicySchema } from './policy/policy.js';
import { cultpassCorrections } from './tools/corrections.js';
import { cultpassTools } from './tools/index.js';

/** CultPass: a subscription for experiences, with its own database, rules and tools. */
export const company = defineCompany({
  database: CULTPASS_DATABASE,
  policy: cultpassPolicySchema,
  scope: CULTPASS_SCOPE,
  privacy: createCultpassPrivacy,
  open({ database, policy, profile, clock, ids }) {
    const { reader, writer, ledger } = database;
    const plain = createCustomerReader(reader, clock);
    const customers = rememberedReads('cultpass', database.waiting(plain), [
      ...(['getUser', 'getSubscription', 'listReservations', 'listPayments'] as const),
      ...(['getQuotaUsage', 'findExperiences'] as const),
    ]);
    const customerWrites = database.waiting(createCustomerWriter(writer, ledger, ids));
    return {
      customers: database.waiting(createCustomers(reader, plain)),
      records: createCustomerRecords(customers, clock, profile.currency, policy),
      answers: createAnswers(policy),
      tools: cultpassTools({ customers, customerWrites, policy }),
      operatorActions: cultpassCorrections({ customers, customerWrites, policy }),
    };
  },
});

/** What CultPass answers without a model. @param policy says what the plans cost and what a cancellation gives back */
function createAnswers(policy: AnswerPolicy): CompanyAnswers {
  return { account: createAccountAnswer(policy), knowledge: createProgrammeAnswer() };
}
