import process from 'node:process';
import type { Answer } from '../adapters/processes/classifier-pool.js';
import { escalatingClassifier } from '../company/escalating-classifier.js';
import type { CompanyProfile } from '../core/domain/company.js';
import type { EntityWords } from '../core/domain/entity.js';
import { createIntentTable, type IntentInfo } from '../core/domain/intent.js';
import type { TicketClassifier } from '../core/ports/chat-models.js';
import { createNlu, createNluClassifier } from '../nlu/index.js';

/*
 * A process that classifies for batch triage, see classifier-pool.ts: it gets what is known of the company, and then lists
 * of texts. It opens no database and no index, and asks no model.
 */

/** What the classifier of a process is made from. */
export interface ClassifierSetup {
  readonly intents: readonly IntentInfo[];
  readonly entities: readonly EntityWords[];
  readonly company: Pick<CompanyProfile, 'name' | 'currency' | 'timeZone' | 'languages' | 'issueTypes'>;
  readonly modelFile: string;
}

async function classifierOf({ intents, ...setup }: ClassifierSetup): Promise<TicketClassifier> {
  const nlu = await createNlu({ ...setup, intents: createIntentTable(intents) });
  return escalatingClassifier(createNluClassifier(nlu), setup.company);
}

function answer(message: Answer): void {
  process.send?.(message);
}

// What stops the batch (Ctrl-C reaches every process of a terminal) is the business of the command, which ends this one.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {});
process.once('disconnect', () => process.exit());
process.once('message', (setup: ClassifierSetup) => {
  const classifier = classifierOf(setup);
  process.on('message', async (texts: readonly string[]) => {
    const { classify } = await classifier;
    answer({ results: await Promise.all(texts.map((text) => classify(text))) });
  });
  classifier.then(() => answer({ ready: true }));
});
