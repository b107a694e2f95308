import { z } from 'zod';
import { ESCALATION_REASONS, PRIORITIES, SENTIMENTS } from '../../src/core/domain/taxonomy.js';
import { bookedNames } from '../../src/runtime/caller-facts.js';
import { defineTool, type ToolDeps } from '../../src/runtime/define-tool.js';

/** A question is at the end of what was said. */
const QUESTION_CHARS = 300;

/** Triage of one message: what it is about, how pressing, in which mood, and who should handle which part. */
export const classifyTicket = defineTool({
  name: 'classify_ticket',
  description:
    'Classifies a customer message: issue type, priority, sentiment, whether a person is needed, a one-sentence summary, and the parts it asks for.',
  effect: 'read',
  access: 'anyone',
  input: z.object({ message: z.string().describe("The customer's message, unchanged.") }),
  output: z.object({
    issueType: z.string().describe("One of the company's issue types."),
    priority: z.enum(PRIORITIES),
    sentiment: z.enum(SENTIMENTS),
    requiresHuman: z.boolean(),
    summary: z.string(),
    confidence: z.number(),
    language: z.string().describe("BCP 47, one of the company's."),
    route: z.string().describe('The route of an agent, or escalation.'),
    humanReason: z.enum(ESCALATION_REASONS).nullable(),
    requests: z.array(z.object({ text: z.string(), route: z.string() })),
  }),
  async run(deps: Pick<ToolDeps, 'classifier' | 'records'>, input, context) {
    const { language, lastReply, previousMessage, ticketId } = context.session;
    const { classification } = await deps.classifier.classify(input.message, {
      language,
      ticketId,
      names: await bookedNames(deps, context.session),
      ...(lastReply === null ? {} : { openQuestion: lastReply.slice(-QUESTION_CHARS) }),
      ...(previousMessage === null ? {} : { previousMessage }),
    });
    return { ...classification, requests: [...classification.requests] };
  },
});
