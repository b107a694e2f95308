import type { CommandContext, CommandHost } from '../command.js';
import { oneLine } from '../printable.js';

const SIGNAL = 'SIGHUP';

/** Hears that the company has changed. */
export interface Reloads {
  /** Aborted once its files are to be read anew, and hold no fault. */
  readonly signal: AbortSignal;
  close(): void;
}

/**
 * On SIGHUP the company is checked. Without a fault the server is to begin again with it; a company that is broken is not
 * taken: the hub goes on with the one that it has, and the faults are told and logged.
 */
export function reloadsOf(host: CommandHost, { app, config, io }: CommandContext): Reloads {
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
