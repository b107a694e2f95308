import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { type AIMessage, HumanMessage, SystemMessage } from '@langchain/core/messages';
import { z } from 'zod';
import {
  ESCALATION_ROUTE,
  type IssueType,
  type Language,
  PRIORITIES,
  type Route,
  SENTIMENTS,
} from '../../core/domain/taxonomy.js';
import type { Classification } from '../../core/domain/ticket.js';
import type { Usage } from '../../core/domain/turn.js';
import { toHubError } from '../../core/errors.js';
import { type OwnWords, type ReadOwnWords, withMarksInWords, withQuotations } from '../../core/own-words.js';
import type { ClassifierContext, TicketClassifier, TriageResult } from '../../core/ports/chat-models.js';
import type { Log } from '../../core/ports/system.js';
import { ticketMark } from './resilient-chat-model.js';
import { type AnswerMetadata, type Prices, tokensOf } from './usage.js';

/** The form the model fills in. No optional keys: strict structured output wants every key. */
const triageSchema = ({ issueTypes, routes }: Pick<ModelClassifierOptions, 'issueTypes' | 'routes'>) =>
  z.object({
    issue_type: z.enum([...issueTypes]),
    priority: z.enum(PRIORITIES),
    sentiment: z.enum(SENTIMENTS),
    human_reason: z.enum(['customer_request', 'legal', 'requires_human']).nullable(),
    summary: z.string(),
    requests: z.array(z.object({ text: z.string(), route: z.enum([...routes, ESCALATION_ROUTE]) })),
    confidence: z.number(),
  });

type TriageForm = z.infer<ReturnType<typeof triageSchema>>;

interface ModelClassifierOptions {
  readonly model: BaseChatModel;
  readonly prompt: string;
  /** The company's; the model may name no other. */
  readonly issueTypes: readonly IssueType[];
  /** Which of the company's languages a text is in, where that is not known already: no model need be paid for it. */
  readonly languageOf: (text: string) => Language;
  /** What of a message is the customer's own. */
  readonly ownWords: ReadOwnWords;
  /** Those of the agents; the model may name these and the escalation. */
  readonly routes: readonly Route[];
  /** Answers where the provider does not. */
  readonly fallback: TicketClassifier;
  readonly prices: Prices;
  readonly log: Log;
}

const MAX_REQUESTS = 4;
const MAX_CHARS = 12_000;

/**
 * Triage with one structured call of the model. It is shown what the customer says; words of others (quotations, quoted
 * mail, code) and sentences that give the labels are kept from it, because they weigh nothing.
 */
export function createModelClassifier(options: ModelClassifierOptions): TicketClassifier {
  const structured = options.model.withStructuredOutput(triageSchema(options), {
    name: 'triage',
    includeRaw: true,
  });
  return {
    async classify(text, context = {}): Promise<TriageResult> {
      const own = options.ownWords(text);
      if (own.text.trim() === '') return options.fallback.classify(text, context);
      try {
        const config = {
          ...(context.signal && { signal: context.signal }),
          ...(context.ticketId !== undefined && { metadata: { ticket_id: context.ticketId } }),
        };
        const { raw, parsed } = await structured.invoke(
          [
            new SystemMessage({ content: options.prompt, additional_kwargs: ticketMark(context.ticketId) }),
            new HumanMessage(question(own, context)),
          ],
          config,
        );
        const answer = raw as AIMessage;
        const meta = answer.response_metadata as Partial<AnswerMetadata>;
        if (parsed && meta.hub_provider !== 'offline') {
          return {
            classification: toClassification(parsed, own, context.language ?? options.languageOf(own.text)),
            provider: 'openai',
            usage: usageOf(answer, options.prices),
          };
        }
      } catch (error) {
        const { code, message } = toHubError(error);
        options.log.warn({
          agent: 'triage',
          action: 'classified_offline',
          ticketId: context.ticketId ?? null,
          details: { code, reason: message },
        });
      }
      return options.fallback.classify(text, context);
    },
  };
}

function question({ text, quotations }: OwnWords, { openQuestion }: ClassifierContext): string {
  return [
    ...(openQuestion ? [`Support said before: ${openQuestion}`] : []),
    ...(quotations.length > 0
      ? ['[quotation 1] and the like stand for words of others; keep them as they are.']
      : []),
    `Message: ${withMarksInWords(text).slice(0, MAX_CHARS)}`,
  ].join('\n\n');
}

function toClassification(
  form: TriageForm,
  { text, quotations }: OwnWords,
  language: Language,
): Classification {
  const said = (words: string): string => withQuotations(words, quotations);
  const requests = form.requests
    .slice(0, MAX_REQUESTS)
    .map((request) => ({ ...request, text: said(request.text) }));
  const urgent = form.priority === 'high' || form.priority === 'urgent';
  const upset = form.sentiment === 'frustrated' && urgent;
  const humanReason = form.human_reason ?? (upset ? 'sentiment_priority' : null);
  return {
    issueType: form.issue_type,
    priority: form.priority,
    sentiment: form.sentiment,
    requiresHuman: humanReason !== null,
    summary: said(form.summary).slice(0, 300) || said(text).slice(0, 160),
    confidence: Math.min(1, Math.max(0, form.confidence)),
    language,
    route: humanReason === null ? (requests[0]?.route ?? 'knowledge') : ESCALATION_ROUTE,
    humanReason,
    requests,
  };
}

function usageOf(answer: AIMessage, prices: Prices): Usage {
  const meta = answer.response_metadata as Partial<AnswerMetadata>;
  const tokens = tokensOf(answer);
  return {
    llmCalls: meta.hub_calls ?? 1,
    promptTokens: tokens.prompt,
    completionTokens: tokens.completion,
    costUsd: meta.hub_model ? prices.costUsd(meta.hub_model, tokens) : 0,
  };
}
