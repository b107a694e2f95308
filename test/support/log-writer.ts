// A process of its own that writes numbered lines to a log which is turned often, once its input has ended.
import process from 'node:process';
import { createLog } from '../../src/adapters/telemetry/pino-log.js';

const [file = '', name = '', count = '0'] = process.argv.slice(2);
const log = createLog({ level: 'info', file, rotation: { maxBytes: 20_000, maxDays: 9, keep: 1_000 } });
process.stdout.write('ready\n');
process.stdin.resume();
process.stdin.on('end', () => {
  for (let n = 0; n < Number(count); n += 1)
    log.info({ agent: 'test', action: 'counted', details: { n, of: name } });
  log.close();
});
