import { type ErrorCode, HubError, toHubError } from '../../core/errors.js';
import type { ClassifierPool, TicketClassifier, TriageResult } from '../../core/ports/chat-models.js';

/** Tickets of one job: some tenths of a second without a model, so that a worker that dies costs no more. */
export const TICKETS_PER_JOB = 64;
/** What is asked for a moment later still goes with the others. */
const TOGETHER_MS = 5;

/** What became of a ticket of a job, in the order of its texts. */
type Outcome =
  | { readonly result: TriageResult }
  | { readonly error: { readonly code: ErrorCode; readonly message: string } };

interface Waiting {
  readonly text: string;
  resolve(result: TriageResult): void;
  reject(error: unknown): void;
}

/**
 * Classifies by jobs that others do, see {@link classifyJob}; each result is that of their classifier.
 * @param give has one job done
 */
export function shareClassification(give: (job: string) => Promise<string>): ClassifierPool {
  let waiting: Waiting[] = [];
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  const send = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const tickets = waiting;
    waiting = [];
    if (tickets.length === 0) return;
    give(JSON.stringify(tickets.map(({ text }) => text))).then(
      (answer) => settle(tickets, JSON.parse(answer) as readonly Outcome[]),
      (error: unknown) => {
        for (const { reject } of tickets) reject(error);
      },
    );
  };
  return {
    // As far as this machine is concerned.
    workers: 1,
    classify(text) {
      if (closed) return Promise.reject(new HubError('cancelled', 'The classification was stopped'));
      return new Promise((resolve, reject) => {
        waiting.push({ text, resolve, reject });
        if (waiting.length >= TICKETS_PER_JOB) send();
        else timer ??= setTimeout(send, TOGETHER_MS);
      });
    },
    ready: async () => [],
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}

function settle(tickets: readonly Waiting[], outcomes: readonly Outcome[]): void {
  for (const [at, { resolve, reject }] of tickets.entries()) {
    const outcome = outcomes[at];
    if (outcome === undefined) reject(new HubError('internal', 'a worker left out a ticket'));
    else if ('result' in outcome) resolve(outcome.result);
    else reject(new HubError(outcome.error.code, outcome.error.message));
  }
}

/** Does a job of {@link shareClassification}. @param atOnce tickets in work at the same time */
export async function classifyJob(
  job: string,
  classifier: TicketClassifier,
  atOnce: number,
): Promise<string> {
  const texts = JSON.parse(job) as readonly string[];
  const outcomes: Outcome[] = [];
  let next = 0;
  const one = async (): Promise<void> => {
    while (next < texts.length) {
      const at = next++;
      try {
        outcomes[at] = { result: await classifier.classify(texts[at] ?? '') };
      } catch (error) {
        const { code, message } = toHubError(error);
        outcomes[at] = { error: { code, message } };
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, texts.length) }, one));
  return JSON.stringify(outcomes);
}
