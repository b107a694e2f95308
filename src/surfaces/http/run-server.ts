import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import type { Config } from '../../config/config.js';
import { HubError } from '../../core/errors.js';
import { linkSignals } from '../../core/signals.js';
import { type CommandContext, type CommandHost, withApp } from '../command.js';
import { oneLine } from '../printable.js';
import { helpBatches } from '../worker.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** What is kept of its last words. */
const KEPT = 2_000;

/**
 * Fits the language layer of the company as its files are now, in a process of its own (`company train`), so that a server goes
 * on answering meanwhile.
 * @param stop ends it
 * @throws HubError `internal` where it cannot be fitted
 */
function trainAside(host: CommandHost, { company, dataDir }: Config, stop: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['scripts/run.mjs', 'company', 'train', company.folder], {
      cwd: ROOT,
      env: { ...host.env, HUB_DATA_DIR: dataDir },
      stdio: ['ignore', 'ignore', 'pipe'],
      signal: stop,
    });
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

/** How much the heap may grow beyond what is alive in it before it is collected, in per cent. */
const GROWTH_PERCENT = 50;

/**
 * Has the whole heap collected once it is half as large again as what is alive in it. On a machine with much memory V8 waits
 * until it is three to four times as large: of 130 MB that are alive a serving process made 460. Turns leave garbage in
 * the old part of the heap, because each lives for longer than two collections of the young one; collecting it more often
 * costs no processor time that could be measured. It is no limit: a process that needs more has it. For the whole process;
 * call it once, when it starts to serve.
 */
export function keepHeapSmall(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
}

/** Of a server, whose other cores answer customers. */
const HELPING_PROCESSES = 1;

const SIGNAL = 'SIGHUP';

/** Hears that the company has changed. */
interface Reloads {
  /** Aborted once its files are to be read anew, and hold no fault. */
  readonly signal: AbortSignal;
  close(): void;
}

/**
 * On SIGHUP, and when operators have changed one of its files, the company is checked, and its language layer fitted where that is due, while the server continues answering. Without
 * a fault it is to begin again with the company; one that is broken is not taken: the hub continues with the one that it has, and
 * the faults are reported and logged.
 */
function reloadsOf(host: CommandHost, { app, config, io, stop }: CommandContext): Reloads {
  const wanted = new AbortController();
  const closed = new AbortController();
  const { signal: ended, release } = linkSignals(stop, closed.signal);
  const say = (line: string): void => void io.err.write(`${line}\n`);
  const refuse = (faults: readonly string[], error?: unknown): void => {
    say('The changed company was not taken; the hub continues with the one that it has.');
    app.log.error({ agent: 'http', action: 'company_refused', details: { faults } }, error);
  };
  const check = async (): Promise<void> => {
    const { checkCompany } = await import('../../app/company-check.js');
    const faults = (await checkCompany(config)).filter(({ severity }) => severity === 'fault');
    if (faults.length > 0) {
      for (const { file, line, problem } of faults)
        say(`${file}${line === null ? '' : `:${line}`}: ${oneLine(problem)}`);
      refuse(faults.map(({ file, line, problem }) => `${file}:${line ?? ''} ${problem}`));
      return;
    }
    const { isTrained } = await import('../../app/company.js');
    if (!isTrained(config)) {
      say('Fitting the language layer of the changed company; the hub continues meanwhile.');
      app.log.info({ agent: 'http', action: 'company_fitted_anew' });
      await trainAside(host, config, ended);
    }
    app.log.info({ agent: 'http', action: 'company_changed' });
    wanted.abort();
  };
  // One after the other: what changes while a company is fitted is looked at afterwards.
  let last = Promise.resolve();
  const onSignal = (): void => {
    last = last
      .then(() => (wanted.signal.aborted || ended.aborted ? undefined : check()))
      .catch((error: unknown) => {
        if (!ended.aborted) refuse([], error);
      });
  };
  host.on(SIGNAL, onSignal);
  const forget = app.companyDesk.onWritten(onSignal);
  return {
    signal: wanted.signal,
    close() {
      host.off(SIGNAL, onSignal);
      forget();
      closed.abort();
      release();
    },
  };
}

/** For what is left to do when the last turn has ended. */
const PUT_AWAY_MS = 5_000;

/**
 * The server, in this process. It begins again with the company as it is then where SIGHUP says that it has changed.
 * @throws HubError `config_invalid`, and what `createApp` and `serve` throw
 */
export async function runServer(host: CommandHost): Promise<void> {
  keepHeapSmall();
  const preferred = {
    checkpointer: 'sqlite',
    measure: true,
    asksIndex: true,
    history: true,
    graceMs: ({ server }: Config) => server.stopSeconds * 1_000 + PUT_AWAY_MS,
  } as const;
  if (host.env.HUB_WORKERS !== undefined)
    host.stderr.write('HUB_WORKERS is gone, the hub serves in one process: remove the variable.\n');
  const [{ serve }, { Front }] = await Promise.all([import('./server.js'), import('./front.js')]);
  const front = new Front();
  // While one hub ends and the next one opens, it ends nothing.
  host.on('SIGHUP', ignored);
  try {
    let again = true;
    while (again) {
      again = false;
      await withApp(
        host,
        async (context) => {
          const reloads = reloadsOf(host, context);
          if (context.config.background) helpBatches(context, HELPING_PROCESSES);
          const { signal, release } = linkSignals(context.stop, reloads.signal);
          const goesOn = (): boolean => reloads.signal.aborted && !context.stop.aborted;
          try {
            return await serve({ ...context, stop: signal }, { front, goesOn });
          } finally {
            again = goesOn();
            release();
            reloads.close();
          }
        },
        preferred,
      );
    }
  } finally {
    host.off('SIGHUP', ignored);
    await front.close()();
  }
}

function ignored(): void {
  // Whoever serves hears it too.
}
