// A second hub process for tests: uses the shared server, says where it is, and leaves when its input ends.
import process from 'node:process';
import { createChromaServer } from '../../../src/adapters/retrieval/chroma-server.js';
import { createRecordingLog } from '../../support/recording-log.js';

const server = createChromaServer({ dataDir: process.argv[2] ?? '', log: createRecordingLog() });
process.stdout.write(`${await server.url()}\n`);
process.stdin.resume();
process.stdin.on('end', () => void server.release().then(() => process.exit(0)));
