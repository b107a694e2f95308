import { type CompanyProfile, issueTypeOf } from '../core/domain/company.js';
import { ESCALATION_ROUTE } from '../core/domain/taxonomy.js';
import type { Classification } from '../core/domain/ticket.js';
import type { TicketClassifier } from '../core/ports/chat-models.js';

/** Sends what the company wants its operators to see to them, no matter who classified it. */
export function escalatingClassifier(
  classifier: TicketClassifier,
  company: Pick<CompanyProfile, 'issueTypes'>,
): TicketClassifier {
  return {
    async classify(text, context) {
      const result = await classifier.classify(text, context);
      return { ...result, classification: escalated(result.classification, company) };
    },
  };
}

/** A greeting asks for nothing, whatever type was guessed. */
function escalated(
  classification: Classification,
  company: Pick<CompanyProfile, 'issueTypes'>,
): Classification {
  const { escalates } = issueTypeOf(company, classification.issueType);
  if (escalates === null || classification.requiresHuman || classification.requests.length === 0)
    return classification;
  return { ...classification, requiresHuman: true, humanReason: escalates, route: ESCALATION_ROUTE };
}
