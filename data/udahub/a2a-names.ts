import { HubError } from '../../src/core/errors.js';
import type { A2aPushConfig, A2aTasks } from '../../src/core/ports/a2a-tasks.js';
import type { DatabaseHandle } from '../open-database.js';

/** More webhooks than this nobody needs for one task. */
const MAX_PUSH_CONFIGS = 10;

interface PushRow {
  readonly task_id: string;
  readonly config_id: string;
  readonly url: string;
  readonly token: string;
  readonly scheme: string;
  readonly credentials: string;
  readonly protocol: A2aPushConfig['protocol'];
}

/** What callers call their conversations. */
export function createA2aContexts({ sqlite }: DatabaseHandle, nowIso: () => string) {
  const statements = {
    use: sqlite.prepare<Record<string, string>, { readonly thread_id: string }>(
      `UPDATE a2a_contexts SET used_at = @now
       WHERE owner = @owner AND agent = @agent AND context_id = @contextId RETURNING thread_id`,
    ),
    // Of two that name one at once, the first is meant by both.
    name: sqlite.prepare<Record<string, string>, { readonly thread_id: string }>(
      `INSERT INTO a2a_contexts (owner, agent, context_id, thread_id, used_at)
       VALUES (@owner, @agent, @contextId, @threadId, @now)
       ON CONFLICT (owner, agent, context_id) DO UPDATE SET used_at = excluded.used_at RETURNING thread_id`,
    ),
    // The hub calls a conversation by its own id.
    visitor: sqlite.prepare<Record<string, string>, { readonly owner: string }>(
      `SELECT owner FROM a2a_contexts WHERE thread_id = @contextId AND context_id = @contextId AND agent = @agent
         AND substr(owner, 1, 10) = 'anonymous:'`,
    ),
    prune: sqlite.prepare<[string]>('DELETE FROM a2a_contexts WHERE used_at < ?'),
  };
  return {
    thread: async (owner: string, agent: string, contextId: string) =>
      statements.use.get({ owner, agent, contextId, now: nowIso() })?.thread_id ?? null,
    visitorOf: async (agent: string, contextId: string) =>
      statements.visitor.get({ agent, contextId })?.owner ?? null,
    nameThread: async (owner: string, agent: string, contextId: string, threadId: string) =>
      statements.name.get({ owner, agent, contextId, threadId, now: nowIso() })?.thread_id ?? threadId,
    prune: (before: string) => void statements.prune.run(before),
  };
}

/** Where callers want to be told about a task. */
export function createA2aPush(
  { sqlite }: DatabaseHandle,
  nowIso: () => string,
): Pick<A2aTasks, 'putPush' | 'listPush' | 'deletePush'> & {
  readonly configsOf: (taskId: string) => readonly A2aPushConfig[];
} {
  const statements = {
    others: sqlite.prepare<[string, string], { readonly count: number }>(
      'SELECT count(*) AS count FROM a2a_push_configs WHERE task_id = ? AND config_id <> ?',
    ),
    put: sqlite.prepare<Record<string, string>>(
      `INSERT INTO a2a_push_configs (task_id, config_id, url, token, scheme, credentials, protocol, created_at)
       VALUES (@taskId, @configId, @url, @token, @scheme, @credentials, @protocol, @now)
       ON CONFLICT (task_id, config_id) DO UPDATE SET url = excluded.url, token = excluded.token,
         scheme = excluded.scheme, credentials = excluded.credentials, protocol = excluded.protocol`,
    ),
    list: sqlite.prepare<[string], PushRow>(
      'SELECT * FROM a2a_push_configs WHERE task_id = ? ORDER BY created_at, config_id',
    ),
    delete: sqlite.prepare<[string, string]>(
      'DELETE FROM a2a_push_configs WHERE task_id = ? AND config_id = ?',
    ),
  };
  const configsOf = (taskId: string) => statements.list.all(taskId).map(toConfig);
  return {
    async putPush(config) {
      const { taskId, configId } = config;
      if ((statements.others.get(taskId, configId)?.count ?? 0) >= MAX_PUSH_CONFIGS) {
        const message = `A task has at most ${MAX_PUSH_CONFIGS} push notification configurations.`;
        throw new HubError('input_invalid', message, { taskId });
      }
      statements.put.run({ ...config, now: nowIso() });
    },
    configsOf,
    listPush: async (taskId) => configsOf(taskId),
    deletePush: async (taskId, configId) => void statements.delete.run(taskId, configId),
  };
}

function toConfig({ task_id, config_id, url, token, scheme, credentials, protocol }: PushRow): A2aPushConfig {
  return { taskId: task_id, configId: config_id, url, token, scheme, credentials, protocol };
}
