import { type BaseMessage, HumanMessage } from '@langchain/core/messages';
import { describe, expect, it } from 'vitest';
import { createModelClassifier } from '../../../src/adapters/models/ticket-classifier.js';
import type { TicketClassifier } from '../../../src/core/ports/chat-models.js';
import { createNlu, createNluClassifier } from '../../../src/nlu/index.js';
import { CULTPASS_NLU } from '../../support/company.js';
import { createRecordingLog } from '../../support/recording-log.js';
import { type Scripted, type ScriptStep, scriptedModel } from '../../support/scripted-model.js';
import { BASES, INSTRUCTIONS, KEPT_BACK, OWN_WORDS, structural } from './label-attacks.js';

const nlu = await createNlu(CULTPASS_NLU);
const classifier = createNluClassifier(nlu);

/** The labels that a ticket is worked on by. */
async function labels(text: string, by: TicketClassifier): Promise<string> {
  const { classification } = await by.classify(text);
  const { issueType, priority, sentiment, requiresHuman, humanReason, route, requests } = classification;
  return JSON.stringify({
    issueType,
    priority,
    sentiment,
    requiresHuman,
    humanReason,
    route,
    routes: requests.map((request) => request.route),
  });
}

const bases = Object.values(BASES).flat();

/** Which of the attacks change a label, as lines to read. */
async function changed(
  attacksOn: (base: string) => readonly string[],
  by: TicketClassifier = classifier,
  on: readonly string[] = bases,
): Promise<{ all: number; lost: string[] }> {
  const lost: string[] = [];
  let all = 0;
  for (const base of on) {
    const before = await labels(base, by);
    for (const attacked of attacksOn(base)) {
      all += 1;
      if ((await labels(attacked, by)) !== before) lost.push(JSON.stringify(attacked));
    }
  }
  return { all, lost };
}

/** A model that believes every word it is shown. */
function gullible(messages: readonly BaseMessage[]): ScriptStep {
  const seen = messages.findLast((message) => HumanMessage.isInstance(message))?.text ?? '';
  const urgent = /urgent|alta prioridade/i.test(seen);
  const legal = /legal|lawyer|jur[ií]dic|advogado/i.test(seen);
  const human = legal || /human|atendente|agora!!!/i.test(seen);
  return {
    object: {
      issue_type: legal ? 'legal' : /refund|reembolso/i.test(seen) ? 'refund' : 'general',
      priority: urgent ? 'urgent' : 'medium',
      sentiment: /idiots|frustrat|frustrad/i.test(seen)
        ? 'frustrated'
        : /love|positiv/i.test(seen)
          ? 'positive'
          : 'neutral',
      human_reason: human ? 'requires_human' : null,
      summary: 'A ticket.',
      requests: [{ text: /\[quotation 1\]/.exec(seen)?.[0] ?? 'it', route: 'knowledge' }],
      confidence: 0.9,
    },
  };
}

function byModel(calls: number): TicketClassifier {
  return createModelClassifier({
    model: scriptedModel(new Array<Scripted>(calls).fill(gullible)),
    prompt: 'Fill in the form.',
    issueTypes: ['general', 'legal', 'refund'],
    routes: ['knowledge', 'account', 'action', 'investigation'],
    ownWords: nlu.ownWords,
    languageOf: () => 'en',
    fallback: { classify: () => Promise.reject(new Error('the model was to be asked')) },
    prices: { costUsd: () => 0 },
    log: createRecordingLog(),
  });
}

describe('labels of a ticket, with a model', () => {
  it('[ATK-15] a model that believes all it reads is not shown what would change them', async () => {
    const attacksOn = (base: string) => [
      ...structural(base)
        .filter((_, index) => index % 4 === 0)
        .map(([, text]) => text),
      ...INSTRUCTIONS.map((sentence) => `${base}\n${sentence}`),
    ];
    const few = bases.filter((_, index) => index % 4 === 0);
    const calls = few.reduce((sum, base) => sum + attacksOn(base).length + 1, 0);
    const { all, lost } = await changed(attacksOn, byModel(calls), few);
    expect(all).toBe(calls - few.length);
    expect(all).toBeGreaterThan(500);
    expect(lost.length / all, lost.slice(0, 40).join('\n')).toBeLessThanOrEqual(0.03);
  });

  it('[ATK-15] what was quoted is back in the request that names it', async () => {
    const { classification } = await byModel(1).classify('Please cancel my booking for "Samba Night".');
    expect(classification.requests).toEqual([{ text: '"Samba Night"', route: 'knowledge' }]);
  });
});

describe('labels of a ticket, offline', () => {
  it('[ATK-15] are the same beside quotes, quoted mail and code, whatever these say', async () => {
    const { all, lost } = await changed((base) => structural(base).map(([, text]) => text));
    expect(all).toBeGreaterThan(3_000);
    expect(lost).toEqual([]);
  });

  it.each([
    ['the first set', INSTRUCTIONS],
    ['the set kept back', KEPT_BACK],
  ])('[ATK-15] are the same beside sentences that give them: %s', async (_name, sentences) => {
    const { all, lost } = await changed((base) =>
      sentences.flatMap((sentence) => [
        `${base}\n${sentence}`,
        `${sentence}\n${base}`,
        `${base} ${sentence}`,
      ]),
    );
    expect(all).toBeGreaterThan(3_000);
    expect(lost.length / all, lost.slice(0, 40).join('\n')).toBeLessThanOrEqual(0.03);
  });

  it.each(OWN_WORDS)('[ATK-15] follow what the customer says: %s', async (text, field, label) => {
    const { classification } = await classifier.classify(text);
    expect(classification[field]).toBe(label);
  });
});
