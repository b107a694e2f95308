import type { TokenContext } from './token.js';

/**
 * The frame of the token command: configuration, stores, work. Models and the index are not needed, and not started.
 * @param env the environment; read by `parseConfig` alone
 */
export async function withTokens(
  env: NodeJS.ProcessEnv,
  work: (context: TokenContext) => Promise<number>,
): Promise<void> {
  const { loadEnvFile, parseConfig } = await import('../../../config/config.js');
  loadEnvFile();
  const config = parseConfig(env);
  const { openTokens } = await import('../../../app/tokens.js');
  const tokens = await openTokens(config);
  try {
    process.exitCode = await work({ tokens, io: { out: process.stdout, err: process.stderr } });
  } finally {
    await tokens.close();
  }
}
