import { HubError } from '../core/errors.js';
import { PushNotifications } from './a2a/push.js';
import { type CommandContext, type CommandHost, withApp } from './command.js';
import { openMailSurface } from './mail/mail-surface.js';

/** Classifies what batches have to do that were begun anywhere. @param processes how many at most */
export function helpBatches({ app }: Pick<CommandContext, 'app'>, processes: number): void {
  app.helpBatches({ workers: processes, onLost: () => undefined });
}

/**
 * A process that works for the servers of one database and serves nobody, until it is stopped.
 * @throws HubError `usage` where there is no such database, and what `createApp` throws
 */
export function runWorker(host: CommandHost, processes: number): Promise<void> {
  return withApp(
    host,
    async (context) => {
      const { app, config, io, stop } = context;
      if (config.databaseUrl === undefined)
        throw new HubError(
          'usage',
          'A worker needs HUB_DATABASE_URL: without it the server does everything itself.',
        );
      helpBatches(context, processes);
      await openMailSurface(app, config);
      app.push.begin();
      new PushNotifications({ ...app.a2a, log: app.log, metrics: app.metrics }).begin();
      app.log.info({ agent: 'worker', action: 'working', details: { processes } });
      io.err.write('The worker is ready.\n');
      if (!stop.aborted)
        await new Promise((resolve) => stop.addEventListener('abort', resolve, { once: true }));
      return 0;
    },
    // Where servers leave such work to others, this is one of those.
    { checkpointer: 'sqlite', set: { HUB_BACKGROUND: '1' } },
  );
}
