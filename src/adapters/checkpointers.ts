import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { type BaseCheckpointSaver, MemorySaver } from '@langchain/langgraph';
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite';

/** Short-term state of conversations. `memory` ends with the process; `sqlite` survives it. */
export function openCheckpointer(kind: 'memory' | 'sqlite', dataDir: string): {
  readonly saver: BaseCheckpointSaver;
  close(): void;
} {
  if (kind === 'memory') return { saver: new MemorySaver(), close: () => undefined };
  mkdirSync(dataDir, { recursive: true });
  const database = new Database(join(dataDir, 'checkpoints.db'));
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = NORMAL');
  database.pragma('busy_timeout = 5000');
  return { saver: new SqliteSaver(database), close: () => database.close() };
}
