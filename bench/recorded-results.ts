import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BaseMessage } from '@langchain/core/messages';
import { MemoryArticleIndex } from '../src/adapters/retrieval/memory-article-index.js';
import { createApp } from '../src/app/app.js';
import { parseConfig } from '../src/config/config.js';
import type { Session, ToolTrace } from '../src/core/domain/session.js';
import { scriptedModels } from '../test/support/scripted-model.js';

interface Attached {
  readonly session: Session;
  readonly trace: readonly ToolTrace[];
}

/**
 * What the hub's tools really return for a customer, by tool: read from what the agents' models are given, so that the
 * baseline works with the same data.
 */
export async function recordedResults(email: string): Promise<Readonly<Record<string, unknown>>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'hub-bench-'));
  const results: Record<string, unknown> = {};
  const record = (messages: readonly BaseMessage[]) => {
    const attached = messages[0]?.additional_kwargs.hub as Attached | undefined;
    for (const entry of attached?.trace ?? []) results[entry.tool] = entry.result;
    return { text: 'Recorded.' };
  };
  const triage = (route: string) => ({
    object: {
      issue_type: 'subscription',
      priority: 'medium',
      sentiment: 'neutral',
      requires_human: false,
      human_reason: null,
      summary: 'A question.',
      language: 'en',
      requests: [{ text: 'How do I pause my plan?', route }],
      confidence: 0.95,
    },
  });
  const routes = ['knowledge', 'account', 'action'] as const;
  const models = scriptedModels({
    triage: routes.map(triage),
    knowledge: [record],
    account: [record],
    action: [record],
  });
  const app = await createApp(parseConfig({ HUB_DATA_DIR: dataDir, HUB_EMBEDDING_PROVIDER: 'local' }), {
    index: new MemoryArticleIndex(),
    models: { provider: 'openai', forRole: models.forRole },
  });
  const identity = await app.signIn(email);
  for (const _route of routes)
    await app.handle({ identity, text: 'How do I pause my plan?', channel: 'chat' });
  await app.close();
  rmSync(dataDir, { recursive: true, force: true });
  const cancelled = {
    reservation_id: 'res_002',
    title: 'Samba Night at Pedra do Sal',
    status: 'cancelled',
    refund_cents: 6000,
  };
  return { ...results, cancel_reservation: cancelled };
}
