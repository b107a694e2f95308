import type { Config } from '../../config/config.js';
import { linkSignals } from '../../core/signals.js';
import { type CommandContext, type CommandHost, withApp } from '../command.js';
import { oneLine } from '../printable.js';
import { keepHeapSmall } from './heap-growth.js';

const SIGNAL = 'SIGHUP';

/** Hears that the company has changed. */
interface Reloads {
  /** Aborted once its files are to be read anew, and hold no fault. */
  readonly signal: AbortSignal;
  close(): void;
}

/**
 * On SIGHUP the company is checked. Without a fault the server is to begin again with it; a company that is broken is not
 * taken: the hub goes on with the one that it has, and the faults are told and logged.
 */
function reloadsOf(host: CommandHost, { app, config, io }: CommandContext): Reloads {
  const wanted = new AbortController();
  const say = (line: string): void => void io.err.write(`${line}\n`);
  const check = async (): Promise<void> => {
    const { checkCompany } = await import('../../app/company-check.js');
    const faults = (await checkCompany(config)).filter(({ severity }) => severity === 'fault');
    if (faults.length === 0) {
      app.log.info({ agent: 'http', action: 'company_changed' });
      wanted.abort();
      return;
    }
    for (const { file, line, problem } of faults)
      say(`${file}${line === null ? '' : `:${line}`}: ${oneLine(problem)}`);
    say('The changed company was not taken; the hub goes on with the one that it has.');
    const details = { faults: faults.map(({ file, line, problem }) => `${file}:${line ?? ''} ${problem}`) };
    app.log.error({ agent: 'http', action: 'company_refused', details });
  };
  const onSignal = (): void => {
    check().catch((error: unknown) => app.log.error({ agent: 'http', action: 'company_refused' }, error));
  };
  host.on(SIGNAL, onSignal);
  return { signal: wanted.signal, close: () => void host.off(SIGNAL, onSignal) };
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
    history: true,
    graceMs: ({ server }: Config) => server.stopSeconds * 1_000 + PUT_AWAY_MS,
  } as const;
  if (host.env.HUB_WORKERS !== undefined)
    host.stderr.write('HUB_WORKERS is gone, the hub serves in one process: remove the variable.\n');
  const { serve } = await import('./server.js');
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
          const { signal, release } = linkSignals(context.stop, reloads.signal);
          try {
            return await serve({ ...context, stop: signal });
          } finally {
            again = reloads.signal.aborted && !context.stop.aborted;
            release();
            reloads.close();
          }
        },
        preferred,
      );
    }
  } finally {
    host.off('SIGHUP', ignored);
  }
}

function ignored(): void {
  // Whoever serves hears it too.
}
