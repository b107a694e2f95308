import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemoryArticleIndex } from '../../../src/adapters/retrieval/memory-article-index.js';
import { type App, type AppOverrides, createApp } from '../../../src/app/app.js';
import { parseConfig } from '../../../src/config/config.js';
import type { Identity } from '../../../src/core/domain/customer.js';
import type { TurnEvent, TurnReply } from '../../../src/core/domain/turn.js';
import { sharedResources } from '../../support/company.js';
import { createFixedClock } from '../../support/fixed-clock.js';
import type { OpenAiServer, Reply } from '../../support/openai-server.js';

/** The form that triage asks the model for. */
interface TriageForm {
  readonly issue_type: string;
  readonly priority: string;
  readonly sentiment: string;
  readonly human_reason: string | null;
  readonly summary: string;
  readonly language: string;
  readonly requests: readonly { readonly text: string; readonly route: string }[];
  readonly confidence: number;
}

/** Which requests are triage's, which the router's, which an agent's: a part of each system prompt. */
export const PROMPT = {
  triage: 'You triage messages',
  router: 'You route messages',
  knowledge: 'You are the knowledge agent',
  account: 'You are the account agent',
  action: 'You are the action agent',
  investigation: 'You are the investigation agent',
} as const;

/** An ordinary form, with what a test wants different. */
export function form(
  requests: readonly (readonly [text: string, route: string])[],
  other: Partial<TriageForm> = {},
): Reply {
  const json: TriageForm = {
    issue_type: 'general',
    priority: 'medium',
    sentiment: 'neutral',
    human_reason: null,
    summary: 'The customer asks for something.',
    language: 'en',
    requests: requests.map(([text, route]) => ({ text, route })),
    confidence: 0.95,
    ...other,
  };
  return { json };
}

/** The App, talking to a test server over HTTP, with real databases in a directory of its own. */
export interface Online {
  readonly app: App;
  readonly dir: string;
  /** A conversation of a signed-in customer (an e-mail address) or of nobody (null). */
  talk(email: string | null): Promise<Conversation>;
  /** The log so far. */
  logLines(): readonly LogLine[];
  close(): Promise<void>;
}

export interface LogLine {
  readonly timestamp: string;
  readonly level: string;
  readonly agent: string;
  readonly action: string;
  readonly ticket_id: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}

export interface Conversation {
  readonly identity: Identity;
  say(text: string, options?: { readonly onEvent?: (event: TurnEvent) => void }): Promise<TurnReply>;
}

/** @param env what differs from patient defaults */
export async function openOnline(
  server: Pick<OpenAiServer, 'url'>,
  env: Readonly<Record<string, string>> = {},
  overrides: AppOverrides = {},
): Promise<Online> {
  const dir = mkdtempSync(join(tmpdir(), 'hub-online-'));
  const config = parseConfig({
    OPENAI_BASE_URL: server.url,
    OPENAI_API_KEY: 'sk-test-key-0123456789',
    HUB_EMBEDDING_PROVIDER: 'local',
    HUB_DATA_DIR: dir,
    HUB_LOG_LEVEL: 'debug',
    HUB_MODEL_TIMEOUT_MS: '120000',
    ...env,
  });
  const app = await createApp(config, {
    ...(await sharedResources(config)),
    index: new MemoryArticleIndex(),
    // What the demo's customers have left of a month depends on its day.
    clock: createFixedClock(),
    // However slow the machine is, a provider that was left alone stays so.
    modelCircuit: { now: () => 0 },
    ...overrides,
  });
  return {
    app,
    dir,
    async talk(email) {
      const identity: Identity = email === null ? { kind: 'anonymous' } : await app.signIn(email);
      let threadId: string | undefined;
      return {
        identity,
        async say(text, options = {}) {
          const thread = threadId === undefined ? {} : { threadId };
          const reply = await app.handle({ identity, text, channel: 'chat', ...thread, ...options });
          threadId = reply.threadId;
          return reply;
        },
      };
    },
    logLines: () =>
      readFileSync(config.log.file, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as LogLine),
    async close() {
      await app.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
