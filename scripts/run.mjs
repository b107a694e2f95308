import { readFileSync, realpathSync } from 'node:fs';
import * as modules from 'node:module';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { builtFile, currentPrograms, ROOT } from './build-programs.mjs';

/*
 * run.mjs COMMAND [ARGUMENTS]
 *
 * Starts a command of this folder, or a program by its path from the root of the project. It runs as plain JavaScript, built where
 * the sources have changed; as TypeScript, by tsx, where nothing can be built or a company from elsewhere brings TypeScript.
 */

// Patterns are made ready for the processor at their first use, not for an interpreter first and for the processor at their second:
// the hub has long ones, and making each of them twice took a fifth of its start and first answer.
setFlagsFromString('--no-regexp-tier-up');

const [name = '', ...args] = process.argv.slice(2);
const program = name.includes('/') ? name : `scripts/${name}.ts`;

/** @returns {string | undefined} */
function companyFolder() {
  if (process.env.HUB_COMPANY !== undefined) return process.env.HUB_COMPANY;
  try {
    return parseEnv(readFileSync(process.env.HUB_ENV_FILE ?? '.env', 'utf8')).HUB_COMPANY;
  } catch {
    return undefined;
  }
}

/** @param {string | undefined} folder @returns {boolean} true where its code is not in `companies`, which is built with the rest */
function bringsTypeScript(folder) {
  if (folder === undefined) return false;
  try {
    return !realpathSync(resolve(folder, 'company.ts')).startsWith(join(ROOT, 'companies/'));
  } catch {
    return false;
  }
}

/** @returns {Promise<string>} the file to load */
async function prepared() {
  if (![companyFolder(), ...args].some(bringsTypeScript)) {
    try {
      return builtFile(program, await currentPrograms());
    } catch {
      // A source with a mistake in it, or a folder that may only be read: tsx says the one and does without the other.
    }
  }
  await import('tsx');
  return join(ROOT, program);
}

const file = await prepared();
// Node 22 and later keep what they have compiled.
modules.enableCompileCache?.();
process.setSourceMapsEnabled(true);
process.argv = [process.argv[0] ?? '', file, ...args];
await import(file);
