import { HubError, messageOf } from '../src/core/errors.js';
import { ensureWebBuilt } from '../src/surfaces/web-build.js';

// Builds the pages (web chat, desk, API reference) into dist/web where they are not up to date. With --quiet, as after
// `npm ci`, it says nothing and a failure does not fail the installation: the server builds them on its first start.
const quiet = process.argv.includes('--quiet');
try {
  const { dir, built } = await ensureWebBuilt();
  if (!quiet) process.stderr.write(`${dir} ${built ? 'was built' : 'is up to date'}\n`);
} catch (error) {
  const output = error instanceof HubError ? String(error.fields.output ?? '') : '';
  process.stderr.write(`${messageOf(error)}\n${output}\n`);
  process.exitCode = quiet ? 0 : 1;
}
