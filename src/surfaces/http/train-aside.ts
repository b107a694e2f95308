import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Config } from '../../config/config.js';
import { HubError } from '../../core/errors.js';
import type { CommandHost } from '../command.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** What is kept of its last words. */
const KEPT = 2_000;

/**
 * Fits the language layer of the company as its files are now, in a process of its own (`company train`), so that a server goes
 * on answering meanwhile.
 * @param stop ends it
 * @throws HubError `internal` where it cannot be fitted
 */
export function trainAside(
  host: CommandHost,
  { company, dataDir }: Config,
  stop: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      ['--import', 'tsx', 'scripts/company.ts', 'train', company.folder],
      {
        cwd: ROOT,
        env: { ...host.env, HUB_DATA_DIR: dataDir },
        stdio: ['ignore', 'ignore', 'pipe'],
        signal: stop,
      },
    );
    let last = '';
    child.stderr.on('data', (piece: Buffer) => {
      last = `${last}${piece.toString()}`.slice(-KEPT);
    });
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve();
      else reject(new HubError('internal', 'The language layer could not be fitted.', { code, last }));
    });
  });
}
