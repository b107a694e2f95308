import { type CommandHost, EXIT, readConfig } from '../../command.js';

/**
 * Says which migrations the database of HUB_DATABASE_URL has seen, and changes nothing. The exit code is not 0 where the hub
 * could not start on it.
 * @throws HubError `config_invalid`, `database_failed`
 */
export async function showStatus(host: CommandHost, options: { readonly json?: boolean }): Promise<void> {
  const config = await readConfig(host);
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
  const config = await readConfig(host);
  const { migrateDatabase } = await import('../../../app/database.js');
  const applied = await migrateDatabase(config);
  if (applied === null)
    host.stdout.write(`The hub keeps everything in ${config.dataDir}: HUB_DATABASE_URL is not set.\n`);
  for (const name of applied ?? []) host.stdout.write(`applied  ${name}\n`);
  if (applied?.length === 0) host.stdout.write('Nothing is missing.\n');
}

const SERVER = /^postgres(ql)?:\/\//;

/**
 * Takes the conversations and the company's data of a directory to a server, or back.
 * @throws HubError `config_invalid`, `database_failed`, `database_newer`
 */
export async function copy(
  host: CommandHost,
  options: { readonly from: string; readonly to: string; readonly verify?: boolean },
): Promise<void> {
  const isBack = SERVER.test(options.from) && !SERVER.test(options.to);
  const [dataDir, url] = isBack ? [options.to, options.from] : [options.from, options.to];
  // Read as it would be at a start: an address that is none is refused in the same words.
  const config = await readConfig(host, { HUB_DATA_DIR: dataDir, HUB_DATABASE_URL: url });
  const { copyDatabase, takeDatabase } = await import('../../../app/database.js');
  const work = isBack ? takeDatabase : copyDatabase;
  await work(
    config,
    url,
    ({ table, rows, wasThere }) => {
      host.stderr.write(`${table}  ${rows} rows, ${wasThere ? 'copied before, ' : ''}compared\n`);
    },
    options.verify,
  );
  host.stdout.write(
    isBack
      ? `All of it is in the directory. Start the hub with HUB_DATA_DIR=${dataDir} and without HUB_DATABASE_URL.\n`
      : `All of it is on the server. Start the hub with HUB_DATA_DIR=${dataDir} and that HUB_DATABASE_URL.\n`,
  );
}
