import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { dirname, join, relative, resolve } from 'node:path';
import process from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { z } from 'zod';
import { HubError, messageOf } from '../src/core/errors.js';
import { type ConfigContext, EXIT, runCommand, wholeNumber, withConfig } from '../src/surfaces/command.js';

interface StudioOptions {
  readonly port: number;
  readonly host: string;
  readonly watch?: boolean;
}

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CLI = createRequire(import.meta.url).resolve('@langchain/langgraph-cli/package.json');
/** How long the server may take to put its things away. */
const GRACE_MS = 5_000;

/** Reading the types of the whole graph takes seconds, on a busy machine more than the server's own 30. */
const SCHEMA_TIMEOUT_MS = '180000';

const langgraphJson = z.looseObject({ graphs: z.record(z.string(), z.string()) });

/**
 * Serves langgraph.json with LangGraph's development server. Its state (threads, checkpoints) is kept in the data
 * directory, where a copy of langgraph.json with adapted paths stands, and not in the working tree.
 */
async function studio(
  options: StudioOptions,
  { config, io, stop }: ConfigContext,
): Promise<number | undefined> {
  await demandFree(options);
  const home = join(config.dataDir, 'studio');
  // What this process and its server write there is for its owner's eyes only.
  process.umask(0o077);
  const file = prepareHome(home);
  const child = startServer(file, config, options);
  const url = `http://${options.host}:${options.port}`;
  io.err.write(
    [
      `LangGraph Studio's server for the graphs uda-hub and skills: ${url}`,
      `Open https://smith.langchain.com/studio?baseUrl=${url} in a browser on this machine.`,
      'Say who is speaking in user_email, e.g. ana.souza@example.com. Ctrl-C stops.',
      '',
    ].join('\n'),
  );
  return untilEnded(child, stop);
}

function prepareHome(home: string): string {
  const shipped = langgraphJson.parse(JSON.parse(readFileSync(join(ROOT, 'langgraph.json'), 'utf8')));
  const graphs = Object.fromEntries(
    Object.entries(shipped.graphs).map(([name, path]) => [name, relative(home, resolve(ROOT, path))]),
  );
  try {
    mkdirSync(home, { recursive: true });
    // With this file there, the server leaves the project's own .gitignore alone.
    writeFileSync(join(home, '.gitignore'), '*\n# .langgraph_api\n');
    const file = join(home, 'langgraph.json');
    writeFileSync(file, JSON.stringify({ ...shipped, graphs }, null, 2));
    return file;
  } catch (error) {
    throw new HubError('data_dir_unusable', `The data directory cannot be used: ${messageOf(error)}`);
  }
}

function startServer(
  file: string,
  config: ConfigContext['config'],
  { port, host, watch }: StudioOptions,
): ChildProcess {
  const cli = join(dirname(CLI), 'dist/cli/cli.mjs');
  const args = ['dev', '--config', file, '--port', String(port), '--host', host, '--no-browser'];
  if (watch !== true) args.push('--no-reload');
  return spawn(process.execPath, [cli, ...args], {
    stdio: ['ignore', 'inherit', 'inherit'],
    // A group of its own, so that all of the server's processes can be stopped together.
    detached: true,
    env: {
      LANGGRAPH_SCHEMA_RESOLVE_TIMEOUT_MS: SCHEMA_TIMEOUT_MS,
      ...process.env,
      HUB_DATA_DIR: config.dataDir,
      HUB_LOG_FILE: config.log.file,
      HUB_COMPANY: config.company.folder,
      ...(config.company.policyFile === undefined ? {} : { HUB_POLICY_FILE: config.company.policyFile }),
      LANGGRAPH_CLI_NO_ANALYTICS: '1',
      BROWSER: 'none',
    },
  });
}

/** Passes on that it is to stop, and ends when the last process of the server has. @returns none where it was stopped */
async function untilEnded(child: ChildProcess, stop: AbortSignal): Promise<number | undefined> {
  stop.addEventListener('abort', () => signalGroup(child, 'SIGTERM'));
  // A terminal that is closed stops it too.
  process.once('SIGHUP', () => process.kill(process.pid, 'SIGTERM'));
  const [status] = await once(child, 'exit');
  signalGroup(child, 'SIGTERM');
  const deadline = performance.now() + GRACE_MS;
  while (performance.now() < deadline && signalGroup(child, 0)) await wait(50);
  signalGroup(child, 'SIGKILL');
  if (stop.aborted) return undefined;
  return status === 0 ? EXIT.done : EXIT.failed;
}

/** @returns false where no process of the group is left */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  try {
    return child.pid !== undefined && process.kill(-child.pid, signal);
  } catch {
    return false;
  }
}

/** The server itself would answer a taken port with a stack trace. */
function demandFree({ port, host }: StudioOptions): Promise<void> {
  return new Promise((free, refuse) => {
    const probe = createServer();
    probe.once('error', (error) => {
      refuse(new HubError('usage', `Port ${port} of ${host} cannot be used: ${error.message}`));
    });
    probe.listen(port, host, () => probe.close(() => free()));
  });
}

const command = new Command('studio')
  .description('Serves the graph to LangGraph Studio until it is stopped.')
  .option('--port <N>', 'where the server listens', wholeNumber('--port', 1, 65_535), 2024)
  .option('--host <HOST>', 'the address it listens at', '127.0.0.1')
  .option('--watch', 'restart it when a source file changes')
  .addHelpText(
    'after',
    `
The server works without a key and without the internet; the page that shows it is LangChain's and is loaded by your
browser. Whoever reaches the server speaks as any customer: keep it on this machine.`,
  )
  .action((options: StudioOptions) =>
    withConfig(process, (context) => studio(options, context), { graceMs: () => 2 * GRACE_MS }),
  );

await runCommand(command, process.argv);
