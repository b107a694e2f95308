import { existsSync } from 'node:fs';
import process from 'node:process';
import { HubError } from '../core/errors.js';

/**
 * Reads variables from `.env` in the working directory, or from the file that `HUB_ENV_FILE` names; `none` reads no
 * file. What is set already stays as it is. Called once by each command, before the configuration is parsed.
 * @throws HubError `config_invalid` where a file that was named is missing, or a file cannot be read
 */
export function loadEnvFile(): void {
  const named = process.env.HUB_ENV_FILE?.trim();
  if (named === 'none') return;
  const file = named === undefined || named === '' ? '.env' : named;
  if (file === '.env' && !existsSync(file)) return;
  try {
    process.loadEnvFile(file);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const shown = JSON.stringify(file);
    throw new HubError(
      'config_invalid',
      `HUB_ENV_FILE is ${shown}; allowed: none, or a file that can be read (${reason})`,
      { variable: 'HUB_ENV_FILE' },
      { cause: error },
    );
  }
}
