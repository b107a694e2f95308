import type { DatabaseHandle } from '../../../data/open-database.js';
import { translated } from '../../../data/storage-errors.js';
import type { JsonObject } from '../../core/domain/json.js';
import type { HttpRequest } from '../../core/ports/data-source.js';
import type { WriteContext } from '../../core/ports/index.js';

/** A call that was sent to another system, or is about to be, and whose outcome is not known yet. */
export interface Attempt {
  readonly tool: string;
  readonly write: WriteContext;
  readonly request: HttpRequest;
  /** What the outcome is made of, beside the answer. */
  readonly scope: JsonObject;
}

/** Calls to other systems, noted down before they are sent, so that a crash loses none. */
export interface Attempts {
  note(attempt: Attempt): void;
  find(idempotencyKey: string): Attempt | null;
  drop(idempotencyKey: string): void;
}

/** The table is made by the migrations of every declared company. */
export function createAttempts({ sqlite, path }: DatabaseHandle): Attempts {
  const insert = sqlite.prepare<[string, string, string, string]>(
    'INSERT INTO effect_attempts (idempotency_key, customer_id, attempt, created_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const select = sqlite
    .prepare<[string], string>('SELECT attempt FROM effect_attempts WHERE idempotency_key = ?')
    .pluck();
  const remove = sqlite.prepare<[string]>('DELETE FROM effect_attempts WHERE idempotency_key = ?');
  return {
    note: (attempt) => {
      const { idempotencyKey, customerId, at } = attempt.write;
      translated(() => insert.run(idempotencyKey, customerId, JSON.stringify(attempt), at.toISOString()), {
        path,
      });
    },
    find(key) {
      const text = translated(() => select.get(key), { path });
      if (text === undefined) return null;
      const attempt = JSON.parse(text) as Attempt;
      return { ...attempt, write: { ...attempt.write, at: new Date(attempt.write.at) } };
    },
    drop: (key) => void translated(() => remove.run(key), { path }),
  };
}
