import { HubError } from '../../src/core/errors.js';
import type { A2aPushConfig } from '../../src/core/ports/webhooks.js';
import type { Database, Work } from '../database.js';

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
export function createA2aContexts(database: Database, nowIso: () => string) {
  const statements = {
    use: database.prepare<[Record<string, string>], { readonly thread_id: string }>(
      `UPDATE a2a_contexts SET used_at = @now
       WHERE owner = @owner AND agent = @agent AND context_id = @contextId RETURNING thread_id`,
    ),
    // Of two that name one at once, the first is meant by both.
    name: database.prepare<[Record<string, string>], { readonly thread_id: string }>(
      `INSERT INTO a2a_contexts (owner, agent, context_id, thread_id, used_at)
       VALUES (@owner, @agent, @contextId, @threadId, @now)
       ON CONFLICT (owner, agent, context_id) DO UPDATE SET used_at = excluded.used_at RETURNING thread_id`,
    ),
    // The hub calls a conversation by its own id.
    visitor: database.prepare<[Record<string, string>], { readonly owner: string }>(
      `SELECT owner FROM a2a_contexts WHERE thread_id = @contextId AND context_id = @contextId AND agent = @agent
         AND substr(owner, 1, 10) = 'anonymous:'`,
    ),
    prune: database.prepare<[string]>('DELETE FROM a2a_contexts WHERE used_at < ?'),
  };
  return {
    *thread(owner: string, agent: string, contextId: string): Work<string | null> {
      return (yield* statements.use.get({ owner, agent, contextId, now: nowIso() }))?.thread_id ?? null;
    },
    *visitorOf(agent: string, contextId: string): Work<string | null> {
      return (yield* statements.visitor.get({ agent, contextId }))?.owner ?? null;
    },
    *nameThread(owner: string, agent: string, contextId: string, threadId: string): Work<string> {
      const named = yield* statements.name.get({ owner, agent, contextId, threadId, now: nowIso() });
      return named?.thread_id ?? threadId;
    },
    *prune(before: string): Work<void> {
      yield* statements.prune.run(before);
    },
  };
}

/** Where callers want to be told about a task. */
export function createA2aPush(database: Database, nowIso: () => string) {
  const statements = {
    others: database.prepare<[string, string], { readonly count: number }>(
      'SELECT count(*) AS count FROM a2a_push_configs WHERE task_id = ? AND config_id <> ?',
    ),
    put: database.prepare<[Record<string, string>]>(
      `INSERT INTO a2a_push_configs (task_id, config_id, url, token, scheme, credentials, protocol, created_at)
       VALUES (@taskId, @configId, @url, @token, @scheme, @credentials, @protocol, @now)
       ON CONFLICT (task_id, config_id) DO UPDATE SET url = excluded.url, token = excluded.token,
         scheme = excluded.scheme, credentials = excluded.credentials, protocol = excluded.protocol`,
    ),
    list: database.prepare<[string], PushRow>(
      'SELECT * FROM a2a_push_configs WHERE task_id = ? ORDER BY created_at, config_id',
    ),
    delete: database.prepare<[string, string]>(
      'DELETE FROM a2a_push_configs WHERE task_id = ? AND config_id = ?',
    ),
  };
  function* configsOf(taskId: string): Work<readonly A2aPushConfig[]> {
    return (yield* statements.list.all(taskId)).map(toConfig);
  }
  return {
    *putPush(config: A2aPushConfig): Work<void> {
      const { taskId, configId } = config;
      if (((yield* statements.others.get(taskId, configId))?.count ?? 0) >= MAX_PUSH_CONFIGS) {
        const message = `A task has at most ${MAX_PUSH_CONFIGS} push notification configurations.`;
        throw new HubError('input_invalid', message, { taskId });
      }
      yield* statements.put.run({ ...config, now: nowIso() });
    },
    configsOf,
    *deletePush(taskId: string, configId: string): Work<void> {
      yield* statements.delete.run(taskId, configId);
    },
  };
}

function toConfig({ task_id, config_id, url, token, scheme, credentials, protocol }: PushRow): A2aPushConfig {
  return { taskId: task_id, configId: config_id, url, token, scheme, credentials, protocol };
}
