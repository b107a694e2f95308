import { execFile } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from './free-port.js';
import { until } from './until.js';

const run = promisify(execFile);

const { uid } = userInfo();
/** Its master process starts as root alone. */
const asRoot = (command: string, ...args: readonly string[]) =>
  uid === 0 ? run(command, args) : run('sudo', ['-n', command, ...args]);

/** A real mail server on the loopback, which takes mail by SMTP and puts it into mailboxes of the disk. */
export interface Postfix {
  /** Where mail is given to it. */
  readonly url: string;
  /** The mails of a mailbox of its own, once there are so many, as they lie there. */
  mails(address: string, count: number): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** A mailbox of root's own is refused. */
const OWNER = uid === 0 ? 65_534 : uid;
const BINARY = '/usr/sbin/postfix';
const SERVICES = [
  'cleanup unix n - n - 0 cleanup',
  'qmgr unix n - n 300 1 qmgr',
  'rewrite unix - - n - - trivial-rewrite',
  'bounce unix - - n - 0 bounce',
  'defer unix - - n - 0 bounce',
  'trace unix - - n - 0 bounce',
  'proxymap unix - - n - - proxymap',
  'virtual unix - n n - - virtual',
  'error unix - - n - - error',
  'retry unix - - n - - error',
  'anvil unix - - n - 1 anvil',
  'postlog unix-dgram n - n - 1 postlogd',
];

/**
 * Starts Debian's Postfix with a configuration and a queue of its own; where this user is not root, by sudo without a password.
 * @param mailboxes maildirs by address, null for one of its own; `support+ANYTHING@` is delivered as `support@`
 */
export async function openPostfix(mailboxes: Readonly<Record<string, string | null>>): Promise<Postfix> {
  if (!existsSync(BINARY))
    throw new Error('Postfix is needed for this test: apt-get install postfix (see .ci/run)');
  const dir = mkdtempSync(join(tmpdir(), 'hub-postfix-'));
  chmodSync(dir, 0o755);
  const [config, queue, data, boxes] = ['config', 'queue', 'data', 'boxes'].map((name) =>
    join(dir, name),
  ) as [string, string, string, string];
  for (const one of [config, queue, data, boxes]) mkdirSync(one);
  if (uid === 0) chownSync(boxes, OWNER, OWNER);
  await asRoot('chown', 'postfix', data);
  const port = await freePort();
  const folderOf = (address: string): string => mailboxes[address] ?? join(boxes, address);
  const addresses = [...Object.keys(mailboxes)];
  const domains = [...new Set(addresses.map((address) => address.slice(address.indexOf('@') + 1)))];
  const maps = addresses.map((address) => `{ ${address} = ${folderOf(address).slice(1)}/ }`).join(', ');
  writeFileSync(
    join(config, 'main.cf'),
    `compatibility_level = 3.6
queue_directory = ${queue}
data_directory = ${data}
mail_owner = postfix
setgid_group = postdrop
myhostname = mx.help.example.com
mydestination =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks = 127.0.0.0/8
maillog_file = ${join(dir, 'log')}
maillog_file_prefixes = ${dir}
disable_dns_lookups = yes
smtpd_relay_restrictions = permit_mynetworks, reject
recipient_delimiter = +
virtual_mailbox_domains = ${domains.join(', ')}
virtual_mailbox_base = /
virtual_mailbox_maps = inline:{ ${maps} }
virtual_uid_maps = static:${OWNER}
virtual_gid_maps = static:${uid === 0 ? OWNER : userInfo().gid}
`,
  );
  writeFileSync(
    join(config, 'master.cf'),
    [`127.0.0.1:${port} inet n - n - - smtpd`, ...SERVICES, ''].join('\n'),
  );
  await asRoot('chown', '-R', 'root', config, queue);
  await asRoot(BINARY, '-c', config, 'start').catch((error: unknown) => {
    throw new Error(`Postfix did not start: see ${dir}/log`, { cause: error });
  });
  return {
    url: `smtp://127.0.0.1:${port}`,
    async mails(address, count) {
      const fresh = join(folderOf(address), 'new');
      const names = await until(() => {
        const there = existsSync(fresh) ? readdirSync(fresh).sort() : [];
        return there.length >= count ? there : null;
      }, `${count} mails to ${address}`);
      return names.map((name) => readFileSync(join(fresh, name), 'utf8'));
    },
    async close() {
      await asRoot(BINARY, '-c', config, 'stop');
      await asRoot('rm', '-rf', dir);
    },
  };
}
