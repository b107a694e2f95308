import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ANA } from './support.js';

const CHILD = fileURLToPath(new URL('../../support/turn-process.ts', import.meta.url));

export interface Ended {
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Says the words in another process; see test/support/turn-process.ts. */
export async function sayElsewhere(
  dataDir: string,
  threadId: string,
  moment: string,
  words: readonly string[],
  name = 'm',
): Promise<Ended> {
  const args = ['--import', 'tsx', CHILD, dataDir, threadId, name, moment, ANA, ...words];
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH },
  });
  const [out, err]: [string[], string[]] = [[], []];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk.toString()));
  const signal = await new Promise<NodeJS.Signals | null>((resolve) =>
    child.once('close', (_code, by) => resolve(by)),
  );
  return { signal, stdout: out.join(''), stderr: err.join('') };
}
