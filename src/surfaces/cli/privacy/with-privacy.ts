import type { CliIo } from '../../command.js';
import type { PrivacyContext } from './privacy.js';

/**
 * The frame of the privacy commands: configuration, stores, work. Models and the index are not needed, and not started.
 * @param env the environment; read by `parseConfig` alone
 */
export async function withPrivacy(
  env: NodeJS.ProcessEnv,
  work: (context: PrivacyContext) => Promise<number>,
): Promise<void> {
  const { loadEnvFile, parseConfig } = await import('../../../config/config.js');
  loadEnvFile();
  const config = parseConfig(env);
  const { openPrivacy } = await import('../../../app/privacy.js');
  const privacy = await openPrivacy(config);
  try {
    const io: CliIo = { in: process.stdin, out: process.stdout, err: process.stderr };
    process.exitCode = await work({ privacy, io });
  } finally {
    await privacy.close();
  }
}
