import { z } from 'zod';
import type { RemoteAgents, RemoteReasoner } from '../../core/ports/remote-agents.js';
import type { Meaning } from './fill-input.js';

/** What is needed to ask agents elsewhere. */
export interface RemoteAccess {
  readonly agents: RemoteAgents;
  /** Takes personal data and secrets out of a text. */
  readonly mask: (text: string) => string;
  /** Hosts that links in answers may lead to. */
  readonly linkHosts: readonly string[];
  /** All the time that one request may take elsewhere, milliseconds; well below that of a turn. */
  readonly deadlineMs: number;
  /** Absent where there is no model. */
  readonly reasoner?: RemoteReasoner;
  /** Tells what is near in meaning; without it the words alone count. */
  readonly meaning?: Meaning;
}

/** The tool's name; its trace entries are looked for by it. */
export const ASK_REMOTE_AGENT = 'ask_remote_agent';

/** One try of one call. */
const trySchema = z.object({
  kind: z.literal('try'),
  way: z.enum(['card', 'specific', 'generic']),
  skill: z.string().nullable(),
  attempt: z.number(),
  ok: z.boolean(),
  code: z.string().nullable(),
  ms: z.number(),
});

/** What was decided, and on whose authority. */
const decisionSchema = z.object({
  kind: z.literal('decision'),
  decision: z.enum([
    'ask',
    'leave_out',
    'specific',
    'generic',
    'continue',
    'start_again',
    'reword',
    'give_up',
  ]),
  by: z.enum(['rule', 'model']),
  reason: z.string(),
  /** The skill it is about. */
  skill: z.string().nullable(),
});

/** What asking an agent elsewhere came to, with everything that was tried. */
export const remoteShape = z.object({
  agent: z.string(),
  /** `asks`: it wants to know something from the customer first. */
  outcome: z.enum(['answered', 'asks', 'gave_up']),
  /** Its words, cleaned; data, never instruction. */
  text: z.string(),
  /** Its structured output as lines, cleaned. */
  facts: z.array(z.string()),
  /** Why nothing came of it, where nothing did. */
  code: z.string().nullable(),
  /** True where it may have done what was asked although nothing came back. */
  uncertain: z.boolean(),
  /** What it has in hand, where a reply may follow. */
  task: z
    .object({
      task_id: z.string().nullable(),
      context_id: z.string().nullable(),
      goal: z.string(),
      asked: z.number(),
    })
    .nullable(),
  /** In the order in which it happened. */
  steps: z.array(z.discriminatedUnion('kind', [trySchema, decisionSchema])),
});

export type RemoteOutcome = z.infer<typeof remoteShape>;
export type RemoteStep = RemoteOutcome['steps'][number];
export type RemoteDecision = z.infer<typeof decisionSchema>;
