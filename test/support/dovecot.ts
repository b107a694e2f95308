import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.js';
import { until } from './until.js';

/** A real IMAP server with one mailbox on the loopback. */
export interface Dovecot {
  /** With user and password. */
  readonly url: string;
  /** The folder of its one mailbox, for whoever delivers into it. */
  readonly maildir: string;
  /** Stops it, as a crash does. */
  kill(): Promise<void>;
  /** Starts it again, on the same port and with the same mail. */
  start(): Promise<void>;
  close(): Promise<void>;
}

const BINARY = ['/usr/sbin/dovecot', '/usr/local/sbin/dovecot', '/opt/homebrew/sbin/dovecot'].find(
  existsSync,
);

const NOBODY = 65_534;

/** Starts Debian's Dovecot as this user. @throws where it is not installed: `apt-get install dovecot-imapd` (see .ci/run) */
export async function openDovecot(): Promise<Dovecot> {
  if (BINARY === undefined)
    throw new Error(
      'Dovecot is needed for this test: apt-get install dovecot-imapd (or brew install dovecot)',
    );
  const dir = mkdtempSync(join(tmpdir(), 'hub-dovecot-'));
  const port = await freePort();
  const { username, uid, gid } = userInfo();
  // Where root starts it, those who log in have users of their own, which the package makes.
  const [internal, login] = uid === 0 ? ['dovecot', 'dovenull'] : [username, username];
  chmodSync(dir, 0o755);
  // A mailbox of root's own is refused.
  const [mailUid, mailGid] = uid === 0 ? [NOBODY, NOBODY] : [uid, gid];
  mkdirSync(join(dir, 'mail'));
  if (uid === 0) chownSync(join(dir, 'mail'), NOBODY, NOBODY);
  writeFileSync(join(dir, 'users'), `hub:{PLAIN}secret\n`);
  const config = join(dir, 'dovecot.conf');
  writeFileSync(
    config,
    `base_dir = ${dir}/run
state_dir = ${dir}/run
log_path = ${dir}/log
protocols = imap
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
default_internal_user = ${internal}
default_login_user = ${login}
${uid === 0 ? '' : 'default_internal_group =\n'}first_valid_uid = 0
first_valid_gid = 0
mail_location = maildir:${dir}/mail
mail_uid = ${mailUid}
mail_gid = ${mailGid}
service anvil {
  chroot =
}
service imap-login {
  chroot =
  inet_listener imap {
    address = 127.0.0.1
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
service stats {
  chroot =
}
passdb {
  driver = passwd-file
  args = ${dir}/users
}
userdb {
  driver = static
  args = uid=${mailUid} gid=${mailGid} home=${dir}/mail
}
`,
  );
  let child: ChildProcess | null = null;
  const dovecot: Dovecot = {
    url: `imap://hub:secret@127.0.0.1:${port}`,
    maildir: join(dir, 'mail'),
    async start() {
      const started = spawn(BINARY, ['-F', '-c', config], { stdio: 'ignore' });
      child = started;
      await until(() => existsSync(join(dir, 'run', 'master.pid')) || started.exitCode !== null, 'Dovecot');
      if (started.exitCode !== null)
        throw new Error(`Dovecot ended with ${started.exitCode}: see ${dir}/log`);
    },
    async kill() {
      const running = child;
      child = null;
      if (running === null) return;
      const gone = new Promise((resolve) => running.once('exit', resolve));
      running.kill('SIGTERM');
      await gone;
    },
    async close() {
      await dovecot.kill();
      rmSync(dir, { recursive: true, force: true });
    },
  };
  await dovecot.start();
  return dovecot;
}
