import { type ZodType, z } from 'zod';
import { HubError, toHubError } from '../../core/errors.js';
import type { SkillModel, SkillModelAnswer } from '../../core/ports/chat-models.js';
import type { Log } from '../../core/ports/log.js';
import { abortReason, untilAborted } from '../../core/signals.js';

import { readModelJson } from '../templates/model-session.js';

/** Level 0: what the model says about which skills are needed. */
export const routeAnswerSchema = z.object({
  skills: z.array(z.string().max(64)).max(50),
  mode: z.enum(['parallel', 'sequential']).default('sequential'),
  complexity: z.number().min(1).max(10).transform(Math.round).default(1),
  reason: z.string().max(2_000).default(''),
  confidence: z.number().min(0).max(1),
});
export type RouteAnswer = z.infer<typeof routeAnswerSchema>;

/** Below this a model's choice is not taken as it is. */
export const CERTAIN = 0.7;

/** The names that exist, each once, in the model's order; what it invented is dropped. */
export function knownNames(names: readonly string[], known: readonly string[]): string[] {
  return [...new Set(names)].filter((name) => known.includes(name));
}

/** A question whose answer is one JSON object. */
export interface ModelQuestion<Answer> {
  /** Names the question in the log. */
  readonly name: string;
  readonly system: string;
  readonly prompt: string;
  readonly schema: ZodType<Answer>;
  /** Faults the schema cannot see, one sentence each. */
  readonly check?: (answer: Answer) => readonly string[];
}

/** What a question is asked with. */
export interface Asking {
  readonly model: SkillModel;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Whose cost it is, where it is made for a ticket. */
  readonly ticketId?: string | null;
  /** Told what each call cost. */
  readonly onCall?: (answer: SkillModelAnswer) => void;
}

/** The model's answer, or why there is none, so that a rule has to decide. */
export type Asked<Answer> =
  | { readonly ok: true; readonly answer: Answer; readonly attempts: number }
  | { readonly ok: false; readonly reason: string };

/**
 * Asks the writing model for a JSON object, and once more with the faults where it does not fit. Never throws: offline, a
 * model that fails, and one that answers nonsense twice, are answers without a value.
 */
export async function askModel<Answer>(
  question: ModelQuestion<Answer>,
  asking: Asking,
): Promise<Asked<Answer>> {
  if (asking.model.provider === 'offline') return { ok: false, reason: 'there is no model (offline)' };
  let faults: readonly string[] = [];
  for (let attempt = 1; attempt <= 2; attempt++) {
    const text = await complete(question, faults, asking);
    if (text instanceof HubError) {
      asking.log.warn({
        agent: 'skills',
        action: 'model_level_failed',
        details: { question: question.name, code: text.code, message: text.message },
      });
      return { ok: false, reason: `the model could not be asked (${text.code})` };
    }
    const read = readAnswer(question, text);
    if ('answer' in read) return { ok: true, answer: read.answer, attempts: attempt };
    faults = read.faults;
  }
  asking.log.warn({
    agent: 'skills',
    action: 'model_level_bad_output',
    details: { question: question.name, faults },
  });
  return { ok: false, reason: 'the model answered nothing usable twice' };
}

async function complete<Answer>(
  { system, prompt, schema }: ModelQuestion<Answer>,
  faults: readonly string[],
  { model, signal, ticketId, onCall }: Asking,
): Promise<string | HubError> {
  try {
    if (signal.aborted) return abortReason(signal);
    const answer = await untilAborted(
      model.complete({
        role: 'write',
        temperature: 0,
        system: `${system}\nAnswer with one JSON object that fits this JSON Schema, and nothing else:\n${JSON.stringify(z.toJSONSchema(schema, { io: 'input' }))}`,
        prompt:
          faults.length === 0
            ? prompt
            : `${prompt}\n\nYour last answer was refused:\n${faults.map((fault) => `- ${fault}`).join('\n')}\nAnswer again, with these faults mended.`,
        json: true,
        ...(ticketId ? { ticketId } : {}),
        signal,
      }),
      signal,
    );
    onCall?.(answer);
    return answer.text;
  } catch (error) {
    return toHubError(error);
  }
}

function readAnswer<Answer>(
  { schema, check }: ModelQuestion<Answer>,
  text: string,
): { readonly answer: Answer } | { readonly faults: readonly string[] } {
  const reply = readModelJson(text);
  if ('problem' in reply) return { faults: [reply.problem] };
  const parsed = schema.safeParse(reply.value);
  if (!parsed.success) {
    return {
      faults: parsed.error.issues
        .slice(0, 10)
        .map((issue) => `${issue.path.join('.') || 'the object'}: ${issue.message}`),
    };
  }
  const faults = check?.(parsed.data) ?? [];
  return faults.length > 0 ? { faults } : { answer: parsed.data };
}
