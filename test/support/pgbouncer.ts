import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.js';
import { until } from './until.js';

/**
 * A pool in front of a server that gives its few connections to one transaction at a time: Debian's pgbouncer, which .ci/run
 * installs.
 * @param url of the server itself
 */
export async function startPgbouncer(url: string): Promise<{ readonly url: string; close(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'hub-pgbouncer-'));
  const port = await freePort();
  const { hostname, port: at, username, password } = new URL(url);
  const path = join(folder, 'pgbouncer.ini');
  writeFileSync(
    path,
    `[databases]
* = host=${hostname} port=${at} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 4
max_client_conn = 100
`,
  );
  chmodSync(folder, 0o755);
  chmodSync(path, 0o644);
  // It refuses to be root.
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const child = spawn('pgbouncer', ['-q', ...user, path], { stdio: 'ignore' });
  const ended = new Promise((resolve) => {
    child.once('exit', resolve);
    child.once('error', resolve);
  });
  const listens = () =>
    new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.end();
        resolve(true);
      }).on('error', () => resolve(false));
    });
  await until(listens, 'pgbouncer');
  const pooled = new URL(url);
  pooled.port = String(port);
  return {
    url: pooled.href,
    async close() {
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
