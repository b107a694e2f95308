import type { CommandHost } from '../../command.js';
import { EXIT } from '../../command.js';

/**
 * Says which migrations the database of HUB_DATABASE_URL has seen, and changes nothing. The exit code is not 0 where the hub
 * could not start on it.
 * @throws HubError `config_invalid`, `database_failed`
 */
export async function showStatus(host: CommandHost, options: { readonly json?: boolean }): Promise<void> {
  const { loadEnvFile, parseConfig } = await import('../../../config/config.js');
  loadEnvFile();
  const config = parseConfig(host.env);
  const { databaseStatus } = await import('../../../app/database.js');
  const status = await databaseStatus(config);
  if (options.json) host.stdout.write(`${JSON.stringify(status)}\n`);
  else if (status === null)
    host.stdout.write(`The hub keeps everything in ${config.dataDir}: HUB_DATABASE_URL is not set.\n`);
  else {
    const { applied, missing, unknown } = status;
    host.stdout.write(
      `${applied.length - unknown.length} applied, ${missing.length} missing, ${unknown.length} unknown\n`,
    );
    for (const name of missing) host.stdout.write(`missing  ${name}  (the next start applies it)\n`);
    for (const name of unknown)
      host.stdout.write(`unknown  ${name}  (of a newer hub, so that this one refuses to start)\n`);
  }
  host.exitCode = (status?.unknown.length ?? 0) > 0 ? EXIT.failed : EXIT.done;
}

/** Applies the migrations that are missing. @throws HubError `config_invalid`, `database_failed`, `database_newer` */
export async function migrate(host: CommandHost): Promise<void> {
  const { loadEnvFile, parseConfig } = await import('../../../config/config.js');
  loadEnvFile();
  const config = parseConfig(host.env);
  const { migrateDatabase } = await import('../../../app/database.js');
  const applied = await migrateDatabase(config);
  if (applied === null)
    host.stdout.write(`The hub keeps everything in ${config.dataDir}: HUB_DATABASE_URL is not set.\n`);
  for (const name of applied ?? []) host.stdout.write(`applied  ${name}\n`);
  if (applied?.length === 0) host.stdout.write('Nothing is missing.\n');
}

/**
 * Takes the conversations and the company's data of a directory to a server.
 * @throws HubError `config_invalid`, `database_failed`, `database_newer`
 */
export async function copy(
  host: CommandHost,
  options: { readonly from: string; readonly to: string },
): Promise<void> {
  const { loadEnvFile, parseConfig } = await import('../../../config/config.js');
  loadEnvFile();
  // Read as it would be at a start: an address that is none is refused in the same words.
  const config = parseConfig({ ...host.env, HUB_DATA_DIR: options.from, HUB_DATABASE_URL: options.to });
  const { copyDatabase } = await import('../../../app/database.js');
  await copyDatabase(config, options.to, ({ table, rows, wasThere }) => {
    host.stderr.write(`${table}  ${rows} rows, ${wasThere ? 'copied before, ' : ''}compared\n`);
  });
  host.stdout.write(
    `All of it is on the server. Start the hub with HUB_DATA_DIR=${options.from} and that HUB_DATABASE_URL.\n`,
  );
}
